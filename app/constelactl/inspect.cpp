// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/options.h"
#include "app/constelactl/output.h"
#include "app/constelactl/terminal.h"
#include "engine/gguf/gguf.h"
#include "engine/gguf/printable.h"
#include "engine/runtime/memory_plan.h"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>

namespace constela::ctl {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string file;
    bool json = false;
};

/// A number or a text of the metadata, null where it is missing or something else.
template <class T>
Json value(const gguf::Metadata& metadata, const std::string& key)
{
    const auto found = metadata.get<T>(key);
    return found ? Json(*found) : Json();
}

std::size_t length_of(const gguf::Value& value)
{
    const auto* array = std::get_if<gguf::Array>(&value);
    return array == nullptr ? 0 : std::visit([](const auto& items) { return items.size(); }, *array);
}

/// Of the tokenizer; else as the file says; else the rows of the token embedding.
Json vocabulary_size(const gguf::File& file, const std::string& architecture)
{
    const auto& all = file.metadata().all();
    if (const auto tokens = all.find("tokenizer.ggml.tokens"); tokens != all.end()) {
        return length_of(tokens->second);
    }
    const gguf::TensorInfo* embedding = file.find("token_embd.weight");
    Json stated = value<std::uint64_t>(file.metadata(), architecture + ".vocab_size");
    return stated.is_null() && embedding != nullptr ? Json(embedding->shape[1]) : stated;
}

Json describe(const gguf::File& file)
{
    const gguf::Metadata& metadata = file.metadata();
    std::uint64_t parameters = 0;
    std::map<std::string, std::uint64_t> bytes_by_type;
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        parameters += tensor.elements();
        bytes_by_type[std::string(kernels::type_info(tensor.type).name)] += tensor.bytes;
    }
    const std::string architecture = metadata.get<std::string>("general.architecture").value_or("");
    Json json;
    json["architecture"] = value<std::string>(metadata, "general.architecture");
    json["name"] = value<std::string>(metadata, "general.name");
    json["parameters"] = parameters;
    json["block_count"] = value<std::uint64_t>(metadata, architecture + ".block_count");
    json["context_length"] = value<std::uint64_t>(metadata, architecture + ".context_length");
    json["embedding_length"] = value<std::uint64_t>(metadata, architecture + ".embedding_length");
    json["vocabulary_size"] = vocabulary_size(file, architecture);
    json["tokenizer_model"] = value<std::string>(metadata, "tokenizer.ggml.model");
    json["pre_tokenizer"] = value<std::string>(metadata, "tokenizer.ggml.pre");
    json["tensor_count"] = file.tensors().size();
    json["bytes"] = file.bytes();
    json["bytes_by_type"] = bytes_by_type;
    json["has_chat_template"] = metadata.has("tokenizer.chat_template");
    json["gguf_version"] = file.version();
    json["file_count"] = file.paths().size();
    return json;
}

std::string shown(const Json& value)
{
    if (value.is_string()) {
        return gguf::printable(value.get<std::string>());
    }
    return value.is_null() ? "not stated" : value.dump();
}

std::string sheet(const Json& json)
{
    std::string text;
    const auto row = [&](std::string_view name, const std::string& value) {
        text += fmt::format("{:<18}{}\n", name, value);
    };
    row("Architecture", shown(json["architecture"]));
    row("Name", shown(json["name"]));
    row("Parameters", count_text(json["parameters"].get<std::uint64_t>()));
    row("Blocks", shown(json["block_count"]));
    row("Context", shown(json["context_length"]));
    row("Embedding width", shown(json["embedding_length"]));
    row("Vocabulary", shown(json["vocabulary_size"]));
    row("Tokenizer", shown(json["tokenizer_model"]));
    row("Pre-tokenizer", shown(json["pre_tokenizer"]));
    row("Chat template", json["has_chat_template"].get<bool>() ? "yes" : "no");
    row("Tensors", shown(json["tensor_count"]));
    row("Size", runtime::bytes_text(json["bytes"].get<std::uint64_t>()));
    for (const auto& [type, bytes] : json["bytes_by_type"].items()) {
        row("  " + type, runtime::bytes_text(bytes.get<std::uint64_t>()));
    }
    return text;
}

Result<> inspect(const Options& options)
{
    CONSTELA_ASSIGN(const auto file, gguf::File::open(options.file));
    const Json json = describe(*file);
    return options.json ? print_json(json) : write_stdout(sheet(json));
}

} // namespace

void add_inspect(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("inspect", "What a model file holds");
    add_path(command, "FILE", options->file, "FILE", "A GGUF file, or the first of a split set")->required();
    add_json(command, options->json);
    command.footer("What a file does not state is null in JSON.\n"
                   "Example:\n"
                   "  constelactl inspect model.gguf --json");
    command.callback([options, &action] { action = [options] { return inspect(*options); }; });
}

} // namespace constela::ctl
