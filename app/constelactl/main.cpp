// SPDX-License-Identifier: GPL-3.0-or-later
//
// constelactl: the terminal program. What scripts may count on: names, JSON fields and exit codes (0 done, 1 failed,
// 2 wrong usage).
#include "app/constelactl/commands.h"
#include "app/constelactl/platform.h"
#include "app/constelactl/terminal.h"

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

namespace {

using namespace constela::ctl; // NOLINT(google-build-using-namespace): the program's own

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

const CLI::App& innermost(const CLI::App& app)
{
    const CLI::App* at = &app;
    while (!at->get_subcommands().empty()) {
        at = at->get_subcommands().front();
    }
    return *at;
}

std::string path_of(const CLI::App& app)
{
    return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

/// CLI11's own sentence lists all that is left over, last word first.
std::string sentence_for(const CLI::App& app, const CLI::ParseError& error)
{
    const CLI::App& command = innermost(app);
    const std::vector<std::string> left = command.remaining();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || left.empty()) {
        return error.what();
    }
    const bool is_command = command.get_parent() == nullptr && left.front().rfind('-', 0) != 0;
    return is_command ? "There is no command \"" + left.front() + "\"."
                      : "\"" + left.front() + "\" was not expected here.";
}

int tell_usage(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == 0) { // --help or --version
        const bool done = app.exit(error) == 0 && std::fflush(stdout) == 0;
        if (!done || !std::cout.good()) {
            notice("Cannot write to standard output: it is full, or closed.");
            return kFailed;
        }
        return 0;
    }
    notice(sentence_for(app, error));
    std::fprintf(stderr, "Try: %s --help\n", path_of(innermost(app)).c_str());
    return kWrongUsage;
}

int run_program(int argc, char** argv)
{
    CLI::App app("Constela in the terminal: language models on your own machines only.", "constelactl");
    app.set_version_flag("--version", "constelactl " CONSTELA_VERSION, "Print the version");
    app.set_help_flag("--help,-h", "Print this help");
    app.require_subcommand(0, 1); // that there is one is checked below, with a better sentence
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.footer("Examples:\n"
               "  constelactl chat\n"
               "  constelactl run --model model.gguf -p \"Why is the sky blue?\"\n"
               "  constelactl inspect model.gguf --json\n"
               "Each command has its own help: constelactl run --help");
    Action action;
    add_run(app, action);
    add_chat(app, action);
    add_inspect(app, action);
    add_tokenize(app, action);
    add_detokenize(app, action);
    add_template(app, action);
    add_logits(app, action);
    add_perplexity(app, action);
    add_bench(app, action);
    add_devices(app, action);
    add_cluster(app, action);
    add_ask(app, action);
    add_completion(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return tell_usage(app, error);
    }
    if (!action) {
        return tell_usage(app, CLI::RequiredError("A command"));
    }
    if (const auto done = action(); !done) {
        notice(done.error().text());
        return kFailed;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    prepare_streams();
    try {
        return run_program(argc, argv);
    } catch (const std::bad_alloc&) {
        notice("There is not enough memory for this. Ask for a shorter context (--ctx), or choose a smaller model.");
    } catch (const std::exception& error) {
        notice(error.what());
    }
    return kFailed;
}
