// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/node_session.h"
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"
#include "app/constelactl/terminal.h"
#include "engine/gguf/printable.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>

namespace constela::ctl {

namespace {

constexpr std::string_view kDemoModel = "SmolLM2-135M-Instruct.Q4_1.gguf"; // what ./run fetches
constexpr std::string_view kHelp =
    "/clear begins a new conversation, /quit or Ctrl-D ends the program, Ctrl-C stops an "
    "answer. Everything else goes to the model.";

struct Options {
    EngineOptions engine;
    AnswerOptions answer;
    std::string data_folder;
    std::string system;
};

void tell(std::string_view text)
{
    std::fprintf(stderr, "%s\n", dim(text).c_str());
}

Result<std::string> demo_model(const std::string& chosen_folder)
{
    std::optional<std::filesystem::path> folder;
    if (!chosen_folder.empty()) {
        folder = chosen_folder;
    } else if (const auto data = data_folder()) {
        folder = *data / "constela";
    }
    if (!folder) {
        return failure("There is no folder for the demo model: neither HOME nor XDG_DATA_HOME is set. "
                       "Give a model with --model FILE.");
    }
    const std::filesystem::path path = *folder / "models" / kDemoModel;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return failure("The demo model is not in {}. Give a model with --model FILE, or let ./run fetch it.",
                       gguf::display_path(path));
    }
    return path.string();
}

/// The next line, or none at the end of the conversation.
std::optional<std::string> read_line()
{
    forget_interrupt();
    for (;;) {
        if (stdin_is_terminal()) {
            std::fputs("> ", stderr);
        }
        std::string line;
        if (std::getline(std::cin, line)) {
            if (!terminated()) {
                forget_interrupt(); // it was for the line before
            }
            if (!line.empty() && line.back() == '\r') {
                line.pop_back();
            }
            return line;
        }
        if (!interrupted() || terminated() || !stdin_is_terminal()) {
            return std::nullopt;
        }
        std::clearerr(stdin);
        std::cin.clear();
        std::fputs("\n", stderr);
        tell("Ctrl-D or /quit ends the program, as does Ctrl-C now.");
    }
}

class Conversation {
public:
    Conversation(NodeSession& session, const Options& options) : session_(session), options_(options) { clear(); }

    void clear()
    {
        messages_.clear();
        if (!options_.system.empty()) {
            messages_.push_back({"system", options_.system});
        }
    }

    /// A failed answer leaves the conversation as it was; the person may try something else.
    Result<> say(const std::string& line)
    {
        node::AskRequest request;
        request.messages = messages_;
        request.messages.push_back({"user", line});
        request.options = generation_options(options_.answer);
        std::string answer;
        std::optional<Error> output_error;
        const auto end = session_.ask(std::move(request), [&](const std::string& piece) -> Result<> {
            answer += piece;
            auto written = write_stdout(piece);
            if (!written) {
                output_error = written.error();
            }
            return written;
        });
        if (output_error) {
            return tl::unexpected<Error>(*std::move(output_error));
        }
        if (!end) {
            notice(end.error().text());
            ++unanswered_;
            return {};
        }
        if (!answer.empty()) { // else it was stopped before it began, and nothing was said
            messages_.push_back({"user", line});
            messages_.push_back({"assistant", std::move(answer)});
        }
        CONSTELA_TRY(write_stdout("\n"));
        if (stderr_is_terminal()) {
            tell(summary(*end));
        }
        return {};
    }

    [[nodiscard]] int unanswered() const { return unanswered_; }

private:
    static std::string summary(const node::AnswerEnd& end)
    {
        std::string text =
            fmt::format("{} tokens, {:.1f} tokens/s", end.stats.generated_tokens, end.stats.tokens_per_second());
        if (end.reason == runtime::StopReason::cancelled) {
            text += ", stopped";
        } else if (end.reason == runtime::StopReason::context_full) {
            text += "; the context is full: /clear begins a new conversation";
        }
        return text;
    }

    NodeSession& session_;
    const Options& options_;
    std::vector<node::Message> messages_;
    int unanswered_ = 0; ///< Messages whose answer failed.
};

Result<> converse(NodeSession& session, const Options& options)
{
    Conversation conversation(session, options);
    while (const auto line = read_line()) {
        if (*line == "/quit" || *line == "/exit") {
            return {};
        }
        if (*line == "/clear") {
            conversation.clear();
            tell("A new conversation.");
        } else if (*line == "/help") {
            tell(kHelp);
        } else if (line->find_first_not_of(" \t\r") != std::string::npos) {
            CONSTELA_TRY(conversation.say(*line));
        }
        if (terminated()) {
            return {};
        }
    }
    if (stdin_is_terminal()) {
        std::fputs("\n", stderr); // the shell's prompt goes on a line of its own
    } else if (conversation.unanswered() > 0) {
        return failure("{} of the messages could not be answered; why stands above.", conversation.unanswered());
    } else if (interrupted()) {
        return failure("Interrupted.");
    }
    return {};
}

Result<> chat(Options options)
{
    if (options.engine.model.empty()) {
        CONSTELA_ASSIGN(options.engine.model, demo_model(options.data_folder));
    }
    catch_interrupts();
    NodeSession session;
    CONSTELA_TRY(session.load(options.engine));
    const auto snapshot = session.snapshot();
    if (snapshot->model.template_notice) {
        notice(snapshot->model.template_notice->text());
    }
    if (stderr_is_terminal()) {
        tell(fmt::format("{}, {}, context of {} tokens. /help tells what can be typed.",
                         gguf::printable(snapshot->model.name), snapshot->model.quantization,
                         snapshot->model.context_length));
    }
    return converse(session, options);
}

} // namespace

void add_chat(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("chat", "A conversation in the terminal");
    add_engine_options(command, options->engine, ModelOption::optional);
    add_answer_options(command, options->answer);
    add_text(command, "--system", options->system, "TEXT", "What the model is told before the conversation");
    add_path(command, "--data-dir", options->data_folder, "DIR", "Where the demo model lies, in DIR/models");
    command.footer(std::string("Without --model: the demo model that ./run fetches.\n") + std::string(kHelp) +
                   "\nExample:\n"
                   "  constelactl chat --model model.gguf --temp 0.5");
    command.callback([options, &action] { action = [options] { return chat(*options); }; });
}

} // namespace constela::ctl
