// SPDX-License-Identifier: GPL-3.0-or-later
//
// ask: one answer from the model that a running node has loaded.
#include "app/constelactl/commands.h"
#include "app/constelactl/node_client.h"
#include "app/constelactl/options.h"
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"
#include "engine/node/cluster/answers.h"

#include <memory>
#include <string>

namespace constela::ctl {

namespace {

struct Options {
    NodeOptions node;
    AnswerOptions answer;
    std::string prompt;
    bool raw = false;
    bool json = false;
    bool stream = false;
    bool log_probabilities = false;
};

Result<> ask(const Options& options)
{
    node::AskRequest request;
    request.raw = options.raw;
    request.options = generation_options(options.answer);
    request.options.log_probabilities = options.log_probabilities;
    if (options.raw) {
        request.raw_prompt = options.prompt;
    } else {
        request.messages.push_back({"user", options.prompt});
    }
    CONSTELA_ASSIGN(NodeClient client, NodeClient::connect(options.node));
    const auto on_event = [&](NodeClient&, const nlohmann::json& event) -> Result<> {
        if (options.stream) {
            return print_json(nlohmann::ordered_json{{"token", event.at("token")},
                                                     {"text", event.at("text")},
                                                     {"t_ms", event.at("t_ms")},
                                                     {"epoch", event.at("epoch")}});
        }
        return options.json ? Result<>() : write_stdout(event.at("text").get<std::string>());
    };
    CONSTELA_ASSIGN(const nlohmann::json answer,
                    client.call("ask", nlohmann::json::parse(node::to_json(request).dump()), on_event));
    if (options.json || options.stream) {
        return print_json(nlohmann::ordered_json::parse(answer.dump()));
    }
    return stdout_is_terminal() ? write_stdout("\n") : Result<>();
}

} // namespace

void add_ask(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("ask", "One answer from the model that a node has loaded");
    add_node_options(command, options->node);
    add_text(command, "-p,--prompt", options->prompt, "TEXT", "The prompt")->required();
    command.add_flag("--raw", options->raw, "Continue the text as it is, without the model's chat template");
    add_answer_options(command, options->answer);
    add_json(command, options->json);
    command.add_flag("--stream", options->stream, "One JSON object for each piece as it comes, then that of --json");
    command.add_flag("--log-probabilities", options->log_probabilities, "With --json: also that of each token");
    command.callback([options, &action] { action = [options] { return ask(*options); }; });
}

} // namespace constela::ctl
