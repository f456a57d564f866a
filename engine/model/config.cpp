// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/config.h"

#include "engine/model/architectures.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace constela::model {

namespace {

// Far beyond any model that exists, small enough that products of two never overflow.
constexpr std::uint32_t kLargest = 1U << 24U;

/// Reads the keys of one architecture: "ARCHITECTURE.KEY".
class Keys {
public:
    Keys(const gguf::Metadata& metadata, std::string_view architecture)
        : metadata_(metadata), prefix_(fmt::format("{}.", architecture))
    {
    }

    [[nodiscard]] std::string full(std::string_view key) const { return prefix_ + std::string(key); }

    [[nodiscard]] bool has(std::string_view key) const { return metadata_.has(full(key)); }

    /// A size from 1 up.
    [[nodiscard]] Result<std::size_t> size(std::string_view key) const
    {
        CONSTELA_ASSIGN(const auto value, metadata_.get<std::uint32_t>(full(key)));
        return checked(key, value);
    }
    [[nodiscard]] Result<std::size_t> size_or(std::string_view key, std::size_t fallback) const
    {
        return has(key) ? size(key) : Result<std::size_t>(fallback);
    }
    /// As size_or(), but 0 is allowed.
    [[nodiscard]] Result<std::size_t> count_or(std::string_view key, std::size_t fallback) const
    {
        if (!has(key)) {
            return fallback;
        }
        CONSTELA_ASSIGN(const auto value, metadata_.get<std::uint32_t>(full(key)));
        return value == 0 ? Result<std::size_t>(0) : checked(key, value);
    }
    /// A finite number, at least `least`.
    [[nodiscard]] Result<float> number_or(std::string_view key, float fallback, float least) const
    {
        CONSTELA_ASSIGN(const auto value, metadata_.get_or<float>(full(key), fallback));
        if (!std::isfinite(value) || value < least) {
            return failure("{}: {} is {}; a number from {} up was expected.", metadata_.file_name(), full(key), value,
                           least);
        }
        return value;
    }
    [[nodiscard]] Result<std::string> text_or(std::string_view key, std::string fallback) const
    {
        return metadata_.get_or<std::string>(full(key), std::move(fallback));
    }
    [[nodiscard]] const gguf::Metadata& metadata() const { return metadata_; }

private:
    [[nodiscard]] Result<std::size_t> checked(std::string_view key, std::uint32_t value) const
    {
        if (value == 0 || value > kLargest) {
            return failure("{}: {} is {}; a number from 1 to {} was expected.", metadata_.file_name(), full(key), value,
                           kLargest);
        }
        return value;
    }

    const gguf::Metadata& metadata_;
    std::string prefix_;
};

Result<RopeConfig> read_rope(const Keys& keys, std::size_t head_size, std::size_t context)
{
    RopeConfig rope;
    CONSTELA_ASSIGN(rope.dimensions, keys.size_or("rope.dimension_count", head_size));
    if (rope.dimensions % 2 != 0 || rope.dimensions > head_size) {
        return failure("{}: {} is {}; an even number up to the size of a head, {}, was expected.",
                       keys.metadata().file_name(), keys.full("rope.dimension_count"), rope.dimensions, head_size);
    }
    CONSTELA_ASSIGN(rope.base, keys.number_or("rope.freq_base", 10000.0F, 1.0F));
    // Older files write the factor as rope.scale_linear. A factor without a type means linear.
    CONSTELA_ASSIGN(const float old_factor, keys.number_or("rope.scale_linear", 1.0F, 0.0F));
    CONSTELA_ASSIGN(const float factor, keys.number_or("rope.scaling.factor", old_factor, 0.0F));
    rope.factor = factor == 0.0F ? 1.0 : static_cast<double>(factor);
    CONSTELA_ASSIGN(rope.attention_factor, keys.number_or("rope.scaling.attn_factor", 1.0F, 0.0F));
    CONSTELA_ASSIGN(rope.original_context, keys.size_or("rope.scaling.original_context_length", context));
    CONSTELA_ASSIGN(const std::string type, keys.text_or("rope.scaling.type", "linear"));
    if (type == "linear") {
        rope.scaling = rope.factor == 1.0 ? RopeConfig::Scaling::none : RopeConfig::Scaling::linear;
    } else if (type == "yarn") {
        rope.scaling = RopeConfig::Scaling::yarn;
    } else if (type == "longrope") {
        rope.scaling = RopeConfig::Scaling::longrope;
    } else if (type != "none") {
        return failure("{}: {} is {}; none, linear, yarn or longrope was expected. A newer version may know it.",
                       keys.metadata().file_name(), keys.full("rope.scaling.type"), type);
    }
    return rope;
}

Result<> read_attention(const Keys& keys, Config& config)
{
    CONSTELA_ASSIGN(config.heads, keys.size("attention.head_count"));
    CONSTELA_ASSIGN(config.kv_heads, keys.size_or("attention.head_count_kv", config.heads));
    if (config.heads % config.kv_heads != 0) {
        return failure("{}: {} query heads cannot share {} key/value heads evenly.", keys.metadata().file_name(),
                       config.heads, config.kv_heads);
    }
    if (!keys.has("attention.key_length") && config.width % config.heads != 0) {
        return failure("{}: a width of {} cannot be cut into {} heads.", keys.metadata().file_name(), config.width,
                       config.heads);
    }
    CONSTELA_ASSIGN(config.head_size, keys.size_or("attention.key_length", config.width / config.heads));
    CONSTELA_ASSIGN(config.value_head_size, keys.size_or("attention.value_length", config.head_size));
    CONSTELA_ASSIGN(config.window, keys.count_or("attention.sliding_window", 0));
    CONSTELA_ASSIGN(config.attention_softcap, keys.number_or("attn_logit_softcapping", 0.0F, 0.0F));
    CONSTELA_ASSIGN(config.final_softcap, keys.number_or("final_logit_softcapping", 0.0F, 0.0F));
    return {};
}

Result<> read_experts(const Keys& keys, Config& config)
{
    CONSTELA_ASSIGN(config.experts, keys.count_or("expert_count", 0));
    if (config.experts == 0) {
        return {};
    }
    CONSTELA_ASSIGN(config.experts_used, keys.size("expert_used_count"));
    if (config.experts_used > config.experts) {
        return failure("{}: {} experts are to be used for a token, but there are only {}.", keys.metadata().file_name(),
                       config.experts_used, config.experts);
    }
    CONSTELA_ASSIGN(config.expert_feed_forward, keys.size_or("expert_feed_forward_length", config.feed_forward));
    return {};
}

} // namespace

Result<Config> read_config(const gguf::File& file)
{
    const gguf::Metadata& metadata = file.metadata();
    Config config;
    CONSTELA_ASSIGN(config.architecture, metadata.get<std::string>("general.architecture"));
    if (find_architecture(config.architecture) == nullptr) {
        return failure("{}: models of the architecture {} are not supported; supported are {}.", metadata.file_name(),
                       config.architecture, architecture_names());
    }
    const std::string file_name = file.paths().front().stem().string();
    CONSTELA_ASSIGN(config.name, metadata.get_or<std::string>("general.name", file_name));

    const Keys keys(metadata, config.architecture);
    CONSTELA_ASSIGN(config.blocks, keys.size("block_count"));
    CONSTELA_ASSIGN(config.width, keys.size("embedding_length"));
    CONSTELA_ASSIGN(config.feed_forward, keys.size("feed_forward_length"));
    CONSTELA_ASSIGN(config.context, keys.size("context_length"));
    CONSTELA_ASSIGN(config.norm_epsilon, keys.number_or("attention.layer_norm_rms_epsilon", 1e-5F, 0.0F));
    CONSTELA_TRY(read_attention(keys, config));
    CONSTELA_TRY(read_experts(keys, config));
    CONSTELA_ASSIGN(config.rope, read_rope(keys, config.head_size, config.context));

    const gguf::TensorInfo* embedding = file.find("token_embd.weight");
    if (embedding == nullptr) {
        return failure("{}: the tensor {} is missing; the file is not a whole model.", metadata.file_name(),
                       "token_embd.weight");
    }
    config.vocabulary = embedding->shape[1];
    return config;
}

} // namespace constela::model
