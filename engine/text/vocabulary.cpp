// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/vocabulary.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace constela::text {

namespace {

constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kTypes = "tokenizer.ggml.token_type";

// Tokens that end an answer in the chat formats that models use. Files often name only one of them as eos, and some
// give them a wrong type.
constexpr std::array<std::string_view, 20> kEndMarkers{
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|calls|>",
    "<|flush|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "</s>",
    "<eos>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<\xEF\xBD\x9C"
    "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>", // DeepSeek writes fullwidth bars and U+2581.
    "[e~[",
};

std::uint64_t hash(std::string_view token)
{
    return mix(std::hash<std::string_view>{}(token));
}

/// An id that plays a role: that of the file, checked, else the default where such a token exists.
Result<std::optional<TokenId>> read_role(const gguf::Metadata& metadata, std::string_view key, std::size_t size,
                                         std::optional<TokenId> fallback = std::nullopt)
{
    if (!metadata.has(key)) {
        if (fallback && static_cast<std::size_t>(*fallback) >= size) {
            return std::optional<TokenId>();
        }
        return fallback;
    }
    CONSTELA_ASSIGN(const auto id, metadata.get<std::uint32_t>(key));
    if (id >= size) {
        return failure("{}: {} is {}, but the vocabulary has only {} tokens.", metadata.file_name(), key, id, size);
    }
    return std::optional(static_cast<TokenId>(id));
}

} // namespace

Result<Vocabulary> Vocabulary::read(const gguf::Metadata& metadata, const VocabularyDefaults& defaults)
{
    Vocabulary vocabulary;
    CONSTELA_TRY(vocabulary.read_tokens(metadata));
    CONSTELA_TRY(vocabulary.read_roles(metadata, defaults));
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        const auto id = static_cast<TokenId>(i);
        if (!vocabulary.is_special(id) && vocabulary.types_[i] != TokenType::byte) {
            vocabulary.longest_plain_ = std::max(vocabulary.longest_plain_, vocabulary.tokens_[i].size());
        }
    }
    return vocabulary;
}

Result<> Vocabulary::read_tokens(const gguf::Metadata& metadata)
{
    CONSTELA_ASSIGN(tokens_, metadata.get<std::vector<std::string>>(kTokens));
    if (tokens_.empty() || tokens_.size() > static_cast<std::size_t>(std::numeric_limits<TokenId>::max())) {
        return failure("{}: {} has {} tokens; 1 to {} were expected.", metadata.file_name(), kTokens, tokens_.size(),
                       std::numeric_limits<TokenId>::max());
    }
    ids_ = FlatIndex(tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        // Some files fill gaps with empty tokens; no text ever becomes one.
        if (tokens_[i].empty()) {
            continue;
        }
        const auto is_it = [&](std::uint32_t id) { return tokens_[id] == tokens_[i]; };
        const std::uint32_t id = ids_.insert(hash(tokens_[i]), static_cast<std::uint32_t>(i), is_it);
        if (id != i) {
            return failure("{}: {} has \"{}\" twice, as {} and as {}; each token was expected once.",
                           metadata.file_name(), kTokens, gguf::printable(tokens_[i]), id, i);
        }
    }
    if (!metadata.has(kTypes)) {
        types_.assign(tokens_.size(), TokenType::normal);
        return {};
    }
    CONSTELA_ASSIGN(const auto types, metadata.get<std::vector<std::int32_t>>(kTypes));
    if (types.size() != tokens_.size()) {
        return failure("{}: {} has {} entries and {} has {}; one for each token was expected.", metadata.file_name(),
                       kTypes, types.size(), kTokens, tokens_.size());
    }
    types_.reserve(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i] < 0 || types[i] > static_cast<std::int32_t>(TokenType::byte)) {
            return failure("{}: {} gives token {} the type {}; 0 to 6 were expected.", metadata.file_name(), kTypes, i,
                           types[i]);
        }
        types_.push_back(static_cast<TokenType>(types[i]));
    }
    return {};
}

Result<> Vocabulary::read_roles(const gguf::Metadata& metadata, const VocabularyDefaults& defaults)
{
    constexpr std::string_view bos_key = "tokenizer.ggml.bos_token_id";
    constexpr std::string_view eos_key = "tokenizer.ggml.eos_token_id";
    constexpr std::string_view add_bos_key = "tokenizer.ggml.add_bos_token";
    constexpr std::string_view add_eos_key = "tokenizer.ggml.add_eos_token";
    CONSTELA_ASSIGN(bos_, read_role(metadata, bos_key, size(), defaults.bos));
    CONSTELA_ASSIGN(eos_, read_role(metadata, eos_key, size(), defaults.eos));
    CONSTELA_ASSIGN(unknown_, read_role(metadata, "tokenizer.ggml.unknown_token_id", size(), defaults.unknown));
    CONSTELA_ASSIGN(const auto end_of_turn, read_role(metadata, "tokenizer.ggml.eot_token_id", size()));
    CONSTELA_ASSIGN(const auto end_of_message, read_role(metadata, "tokenizer.ggml.eom_token_id", size()));
    CONSTELA_ASSIGN(adds_bos_, metadata.get_or<bool>(add_bos_key, defaults.adds_bos && bos_.has_value()));
    CONSTELA_ASSIGN(adds_eos_, metadata.get_or<bool>(add_eos_key, false));
    if (adds_bos_ && !bos_) {
        return failure("{}: {} is true, but {} is missing.", metadata.file_name(), add_bos_key, bos_key);
    }
    if (adds_eos_ && !eos_) {
        return failure("{}: {} is true, but {} is missing.", metadata.file_name(), add_eos_key, eos_key);
    }
    find_end_tokens(end_of_turn, end_of_message);
    return {};
}

void Vocabulary::find_end_tokens(std::optional<TokenId> end_of_turn, std::optional<TokenId> end_of_message)
{
    // In gpt-oss and Solar <|end|> closes one of several messages of an answer, not the answer.
    const bool end_is_inner = find("<|end|>") && ((find("<|return|>") && find("<|call|>")) ||
                                                  (find("<|flush|>") && (find("<|call|>") || find("<|calls|>"))));
    for (const std::string_view marker : kEndMarkers) {
        const auto id = find(marker);
        if (!id || is_strikethrough(*id)) {
            continue;
        }
        types_[static_cast<std::size_t>(*id)] = TokenType::control;
        if (marker != "<|end|>" || !end_is_inner) {
            end_tokens_.push_back(*id);
        }
    }
    for (const auto& id : {eos_, end_of_turn, end_of_message}) {
        if (id) {
            end_tokens_.push_back(*id);
        }
    }
    std::sort(end_tokens_.begin(), end_tokens_.end());
    end_tokens_.erase(std::unique(end_tokens_.begin(), end_tokens_.end()), end_tokens_.end());
}

std::string_view Vocabulary::token(TokenId id) const
{
    return contains(id) ? std::string_view(tokens_[static_cast<std::size_t>(id)]) : std::string_view();
}

TokenType Vocabulary::type(TokenId id) const
{
    return contains(id) ? types_[static_cast<std::size_t>(id)] : TokenType::undefined;
}

std::optional<TokenId> Vocabulary::find(std::string_view token) const
{
    const std::uint32_t id = ids_.find(hash(token), [&](std::uint32_t other) { return tokens_[other] == token; });
    return id == FlatIndex::kNone ? std::nullopt : std::optional(static_cast<TokenId>(id));
}

std::optional<TokenId> Vocabulary::find_plain(std::string_view token) const
{
    const auto id = find(token);
    return id && !is_special(*id) && type(*id) != TokenType::byte ? id : std::nullopt;
}

bool Vocabulary::is_strikethrough(TokenId id) const
{
    return type(id) == TokenType::user_defined && token(id) == "</s>";
}

bool Vocabulary::only_by_template(TokenId id) const
{
    const std::string_view text = token(id);
    const bool has_bars = text.size() > 4 && text.substr(0, 2) == "<|" && text.substr(text.size() - 2) == "|>";
    return is_special(id) || is_strikethrough(id) || (type(id) == TokenType::user_defined && has_bars);
}

bool Vocabulary::is_special(TokenId id) const
{
    const TokenType kind = type(id);
    return kind == TokenType::control || kind == TokenType::unknown;
}

} // namespace constela::text
