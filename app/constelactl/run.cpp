// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/node_session.h"
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"
#include "app/constelactl/terminal.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace constela::ctl {

namespace {

struct Options {
    EngineOptions engine;
    AnswerOptions answer;
    std::string prompt;
    std::string file;
    bool raw = false;
    bool json = false;
};

nlohmann::ordered_json as_json(const node::AnswerEnd& end, const std::string& text)
{
    return {{"text", text},
            {"tokens", end.tokens},
            {"prompt_tokens", end.stats.prompt_tokens},
            {"prefill_ms", end.stats.prefill_ms},
            {"decode_ms", end.stats.decode_ms},
            {"tokens_per_second", end.stats.tokens_per_second()},
            {"stop_reason", runtime::stop_reason_name(end.reason)}};
}

node::AskRequest request_for(const Options& options, std::string prompt)
{
    node::AskRequest request;
    request.raw = options.raw;
    request.options = generation_options(options.answer);
    if (options.raw) {
        request.raw_prompt = std::move(prompt);
    } else {
        request.messages.push_back({"user", std::move(prompt)});
    }
    return request;
}

Result<> run(const Options& options)
{
    std::string prompt = options.prompt;
    if (!options.file.empty()) { // an empty name is refused
        CONSTELA_ASSIGN(prompt, read_input(options.file));
    }
    catch_interrupts();
    NodeSession session;
    CONSTELA_TRY(session.load(options.engine));
    const auto& template_notice = session.snapshot()->model.template_notice;
    if (template_notice && !options.raw) {
        notice(template_notice->text());
    }

    std::string text;
    const auto on_text = [&](const std::string& piece) -> Result<> {
        text += piece;
        return options.json ? Result<>() : write_stdout(piece);
    };
    CONSTELA_ASSIGN(const node::AnswerEnd end, session.ask(request_for(options, std::move(prompt)), on_text));
    if (options.json) {
        CONSTELA_TRY(print_json(as_json(end, text)));
    } else if (stdout_is_terminal()) {
        CONSTELA_TRY(write_stdout("\n"));
    }
    if (end.reason == runtime::StopReason::cancelled) {
        return failure("Interrupted; what stands here is not the whole answer.");
    }
    return {};
}

} // namespace

void add_run(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("run", "Answer one prompt");
    const CLI::Option* prompt = add_text(command, "-p,--prompt", options->prompt, "TEXT", "The prompt");
    const CLI::Option* file =
        add_path(command, "-f,--file", options->file, "FILE", "Read the prompt here; - for standard input");
    command.add_flag("--raw", options->raw, "Continue the text as it is, without the model's chat template");
    add_engine_options(command, options->engine);
    add_answer_options(command, options->answer);
    add_json(command, options->json);
    command.footer("The answer comes on standard output as it is made. Ctrl-C ends it and keeps what there is.\n"
                   "Examples:\n"
                   "  constelactl run --model model.gguf -p \"Why is the sky blue?\"\n"
                   "  constelactl run --model model.gguf --raw -f story.txt -n 100 --temp 0 --json");
    command.callback([options, prompt, file, &action] {
        if ((prompt->count() > 0) == (file->count() > 0)) {
            usage_error("Give the prompt with either -p TEXT or -f FILE.");
        }
        action = [options] { return run(*options); };
    });
}

} // namespace constela::ctl
