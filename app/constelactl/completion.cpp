// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scripts that teach a shell the commands and their options, made from the commands themselves.
#include "app/constelactl/commands.h"
#include "app/constelactl/options.h"
#include "app/constelactl/output.h"

#include <fmt/format.h>
#include <memory>
#include <vector>

namespace constela::ctl {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> option_names(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
        for (const std::string& name : option->get_snames()) {
            names.push_back("-" + name);
        }
    }
    return names;
}

std::string names_of(const std::vector<const CLI::App*>& commands)
{
    std::string names;
    for (const CLI::App* command : commands) {
        names += (names.empty() ? "" : " ") + command->get_name();
    }
    return names;
}

/// After an option that takes a value, and after all else, names of files are offered.
std::string for_bash(const CLI::App& app)
{
    std::string text = "_constelactl() {\n"
                       "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                       "    if ((COMP_CWORD == 1)); then\n"
                       "        words=\"" +
                       names_of(commands_of(app)) +
                       " --help --version\"\n"
                       "    else\n"
                       "        case ${COMP_WORDS[1]} in\n";
    for (const CLI::App* command : commands_of(app)) {
        text +=
            fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(), fmt::join(option_names(*command), " "));
    }
    return text + "        esac\n"
                  "    fi\n"
                  "    if [[ $word == -* ]] || ((COMP_CWORD == 1)); then\n"
                  "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                  "    else\n"
                  "        compopt -o filenames 2>/dev/null\n"
                  "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
                  "    fi\n"
                  "}\n"
                  "complete -F _constelactl constelactl\n";
}

std::string for_fish(const CLI::App& app)
{
    const auto quoted = [](std::string text) {
        for (std::size_t at = 0; (at = text.find_first_of("\\'", at)) != std::string::npos; at += 2) {
            text.insert(at, 1, '\\');
        }
        return "'" + text + "'";
    };
    std::string text;
    for (const CLI::App* command : commands_of(app)) {
        text += fmt::format("complete -c constelactl -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                            quoted(command->get_description()));
        for (const CLI::Option* option : command->get_options()) {
            if (option->get_lnames().empty() && option->get_snames().empty()) {
                continue;
            }
            text += fmt::format("complete -c constelactl -n '__fish_seen_subcommand_from {}'", command->get_name());
            for (const std::string& name : option->get_lnames()) {
                text += " -l " + name;
            }
            for (const std::string& name : option->get_snames()) {
                text += " -s " + name;
            }
            text += fmt::format("{} -d {}\n", option->get_items_expected_max() > 0 ? " -r" : "",
                                quoted(option->get_description()));
        }
    }
    return text;
}

std::string for_zsh(const CLI::App& app)
{
    return "#compdef constelactl\nautoload -U +X bashcompinit && bashcompinit\n" + for_bash(app);
}

} // namespace

void add_completion(CLI::App& app, Action& action)
{
    auto shell = std::make_shared<std::string>();
    CLI::App& command = *app.add_subcommand("completion", "A script that completes commands and options in a shell");
    command.add_option("SHELL", *shell, "bash, zsh or fish")->required();
    command.footer("Examples:\n"
                   "  source <(constelactl completion bash)\n"
                   "  constelactl completion fish > ~/.config/fish/completions/constelactl.fish");
    command.callback([shell, &app, &action] {
        if (*shell == "bash") {
            action = [&app] { return write_stdout(for_bash(app)); };
        } else if (*shell == "zsh") {
            action = [&app] { return write_stdout(for_zsh(app)); };
        } else if (*shell == "fish") {
            action = [&app] { return write_stdout(for_fish(app)); };
        } else {
            usage_error(fmt::format("completion knows bash, zsh and fish, not \"{}\".", *shell));
        }
    });
}

} // namespace constela::ctl
