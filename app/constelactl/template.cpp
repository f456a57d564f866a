// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/options.h"
#include "app/constelactl/output.h"
#include "app/constelactl/terminal.h"
#include "engine/gguf/printable.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace constela::ctl {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
    std::string model;
    std::string file;
    std::string messages;
    bool generation_prompt = false;
    std::optional<std::string> bos;
    std::optional<std::string> eos;
    std::string today;
};

std::string token_text(const text::Tokenizer& tokenizer, std::optional<text::TokenId> id)
{
    return id ? std::string(tokenizer.token(*id)) : std::string();
}

/// The model's own template, with the names of its tokens.
Result<text::ChatTemplate> template_of_model(const std::string& model, text::TemplateInput& input)
{
    CONSTELA_ASSIGN(const auto file, gguf::File::open(model));
    const gguf::Metadata& metadata = file->metadata();
    if (metadata.has("tokenizer.ggml.model")) {
        CONSTELA_ASSIGN(const auto tokenizer, text::Tokenizer::create(metadata));
        input.bos_token = token_text(*tokenizer, tokenizer->bos());
        input.eos_token = token_text(*tokenizer, tokenizer->eos());
    }
    if (!metadata.has("tokenizer.chat_template")) {
        notice(fmt::format("{} brings no chat template; this is the plain format.", metadata.file_name()));
        return text::ChatTemplate::plain();
    }
    CONSTELA_ASSIGN(const auto source, metadata.get<std::string>("tokenizer.chat_template"));
    return text::ChatTemplate::parse(source);
}

Result<text::ChatTemplate> choose_template(const Options& options, text::TemplateInput& input)
{
    if (!options.model.empty()) {
        return template_of_model(options.model, input);
    }
    CONSTELA_ASSIGN(const std::string source, read_input(options.file));
    return text::ChatTemplate::parse(source);
}

/// A list of messages, or {"messages": [...], further variables: tools, ...}.
Result<> read_messages(const std::string& path, text::TemplateInput& input)
{
    CONSTELA_ASSIGN(const std::string text, read_input(path));
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& error) {
        return failure("{} is not JSON, from byte {} on.", gguf::display_path(path), error.byte);
    }
    if (json.is_object() && json.contains("messages")) {
        input.messages = json["messages"];
        json.erase("messages");
        input.extra = std::move(json);
    } else {
        input.messages = std::move(json);
    }
    const bool good =
        input.messages.is_array() && std::all_of(input.messages.begin(), input.messages.end(), [](const Json& message) {
            return message.is_object() && message.contains("role") && message["role"].is_string();
        });
    if (!good) {
        return failure("{} does not hold messages: a list like [{{\"role\": \"user\", \"content\": \"Hi\"}}] was "
                       "expected.",
                       gguf::display_path(path));
    }
    return {};
}

Result<> render(const Options& options)
{
    text::TemplateInput input;
    CONSTELA_ASSIGN(const text::ChatTemplate chosen, choose_template(options, input));
    CONSTELA_TRY(read_messages(options.messages, input));
    input.bos_token = options.bos.value_or(input.bos_token);
    input.eos_token = options.eos.value_or(input.eos_token);
    input.add_generation_prompt = options.generation_prompt;
    input.today = options.today;
    CONSTELA_ASSIGN(const text::MarkedText rendered, chosen.render(input));
    return write_stdout(rendered.text);
}

bool is_date(const std::string& text)
{
    const auto part = [&text](std::size_t at, std::size_t size) {
        return parse_whole(text.substr(at, size)).value_or(-1);
    };
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(part(0, 4))),
                                           std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                           std::chrono::day(static_cast<unsigned>(part(8, 2)))};
    return part(0, 4) >= 0 && part(5, 2) >= 0 && part(8, 2) >= 0 && date.ok();
}

void check(const Options& options)
{
    if (options.model.empty() == options.file.empty()) {
        usage_error("Give either --model FILE or --template FILE.");
    }
    if (!options.today.empty() && !is_date(options.today)) {
        usage_error(fmt::format("--today takes a day like 2026-12-31; \"{}\" is not one.", options.today));
    }
}

} // namespace

void add_template(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("template", "The prompt that a chat template makes of a conversation");
    add_model(command, options->model);
    add_text(command, "--template", options->file, "FILE", "A chat template (Jinja) in a file of its own");
    add_text(command, "--messages", options->messages, "FILE.json",
             "A list of messages, or an object with \"messages\" and further variables; - for standard input")
        ->required();
    command.add_flag("--add-generation-prompt", options->generation_prompt, "End with the beginning of an answer");
    command.add_option("--bos", options->bos, "The template's bos_token (the model's)")->type_name("TEXT");
    command.add_option("--eos", options->eos, "The template's eos_token (the model's)")->type_name("TEXT");
    add_text(command, "--today", options->today, "YYYY-MM-DD", "The day that the template sees (the clock's)");
    command.footer("Exactly the prompt, with no line end added.\n"
                   "Example:\n"
                   "  constelactl template --model model.gguf --messages chat.json --add-generation-prompt");
    command.callback([options, &action] {
        check(*options);
        action = [options] { return render(*options); };
    });
}

} // namespace constela::ctl
