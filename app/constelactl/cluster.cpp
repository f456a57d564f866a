// SPDX-License-Identifier: GPL-3.0-or-later
//
// nodes, pair, unpair, load, unload, shards: what is said to a running node about its cluster.
#include "app/constelactl/commands.h"
#include "app/constelactl/node_client.h"
#include "app/constelactl/options.h"
#include "app/constelactl/output.h"
#include "app/constelactl/terminal.h"
#include "engine/runtime/memory_plan.h"

#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <string>

namespace constela::ctl {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

struct Asked {
    NodeOptions node;
    bool json = false;
    std::string text; ///< The address, the node or the file.
    std::string placement;
    std::string kernels;
    std::int64_t context = 0;
    std::int64_t timeout = 120;
    bool accept = false;
    bool yes = false;
};

/// The keys in the order of the contract come from the node; a parser that sorts them would lose it.
OrderedJson ordered(const Json& json)
{
    return OrderedJson::parse(json.dump());
}

Result<> nodes(const Asked& asked)
{
    CONSTELA_ASSIGN(NodeClient client, NodeClient::connect(asked.node));
    CONSTELA_ASSIGN(const Json answer, client.call("nodes", Json::object()));
    if (asked.json) {
        return print_json(ordered(answer));
    }
    std::string text = fmt::format("{:<20} {:<9} {:<10} {:<24} {}\n", "Name", "State", "Version", "Address", "Devices");
    for (const Json& node : answer.at("nodes")) {
        const Json& addresses = node.at("addresses");
        std::string devices;
        for (const Json& device : node.at("devices")) {
            const auto id = device.at("id").get<std::string>();
            devices += fmt::format("{}{} ({})", devices.empty() ? "" : ", ", id.substr(id.rfind('/') + 1),
                                   runtime::bytes_text(device.at("memory_total").get<std::uint64_t>()));
        }
        text += fmt::format("{:<20} {:<9} {:<10} {:<24} {}\n", node.at("name").get<std::string>(),
                            node.at("state").get<std::string>(), node.at("version").get<std::string>(),
                            addresses.empty() ? std::string("-") : addresses.front().get<std::string>(), devices);
    }
    return write_stdout(text);
}

/// Whether the person says that both screens show the same digits.
Result<bool> digits_are_equal(const Asked& asked, const std::string& name)
{
    if (asked.yes) {
        return true;
    }
    std::fprintf(stderr, "Does %s show the same digits? [y/N] ", one_line(name).c_str());
    std::string line;
    if (!std::getline(std::cin, line)) {
        return false;
    }
    return line == "y" || line == "Y" || line == "yes";
}

Result<> pair(const Asked& asked)
{
    CONSTELA_ASSIGN(NodeClient client, NodeClient::connect(asked.node));
    Json arguments{{"accept", asked.accept}, {"timeout", asked.timeout}};
    if (!asked.accept) {
        arguments["address"] = asked.text;
    }
    const auto on_event = [&](NodeClient& node, const Json& event) -> Result<> {
        if (event.contains("waiting_at")) {
            notice(fmt::format("Waiting for the other machine at port {}.", event.at("waiting_at").get<int>()));
        } else if (event.contains("digits")) {
            CONSTELA_TRY(write_stdout(fmt::format("digits {}\n", event.at("digits").get<std::string>())));
            CONSTELA_ASSIGN(const bool equal, digits_are_equal(asked, event.at("name").get<std::string>()));
            return node.tell("confirm", {{"equal", equal}});
        }
        return {};
    };
    CONSTELA_ASSIGN(const Json answer, client.call("pair", arguments, on_event));
    return write_stdout(fmt::format("paired {}\n", one_line(answer.at("paired").get<std::string>())));
}

Result<> unpair(const Asked& asked)
{
    CONSTELA_ASSIGN(NodeClient client, NodeClient::connect(asked.node));
    CONSTELA_TRY(client.call("unpair", {{"node", asked.text}}));
    return {};
}

/// A path means one on the node's machine: made whole here, since the node was started elsewhere.
std::string whole_path(const std::string& file)
{
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return !error && std::filesystem::exists(absolute, error) ? absolute.string() : file;
}

Result<> load(const Asked& asked)
{
    Json arguments{{"file", asked.node.node.empty() ? whole_path(asked.text) : asked.text},
                   {"ctx", asked.context},
                   {"kernels", asked.kernels}};
    if (!asked.placement.empty()) {
        CONSTELA_ASSIGN(arguments["placement"], read_input(asked.placement));
    }
    CONSTELA_ASSIGN(NodeClient client, NodeClient::connect(asked.node));
    Progress progress("Loading");
    const auto on_event = [&](NodeClient&, const Json& event) -> Result<> {
        std::string detail;
        for (const Json& device : event.at("devices")) {
            const auto total = device.at("total").get<double>();
            detail += fmt::format(" {} {:.0f} %", device.at("device").get<std::string>(),
                                  total > 0 ? 100 * device.at("done").get<double>() / total : 0.0);
        }
        progress.show(event.at("progress").get<double>(), detail);
        return {};
    };
    CONSTELA_ASSIGN(const Json answer, client.call("load", arguments, on_event));
    progress.clear();
    if (asked.json) {
        return print_json(ordered(answer));
    }
    std::string text = fmt::format("ready {} in {:.1f} s\n", one_line(answer.at("model").get<std::string>()),
                                   answer.at("seconds").get<double>());
    for (const Json& stage : answer.value("placement", Json::object()).value("stages", Json::array())) {
        text +=
            fmt::format("  {:<24} {}\n", stage.at("device").get<std::string>(), stage.at("shards").get<std::string>());
    }
    return write_stdout(text);
}

Result<> unload(const Asked& asked)
{
    CONSTELA_ASSIGN(NodeClient client, NodeClient::connect(asked.node));
    CONSTELA_TRY(client.call("unload", Json::object()));
    return {};
}

Result<> shards(const Asked& asked)
{
    CONSTELA_ASSIGN(NodeClient client, NodeClient::connect(asked.node));
    CONSTELA_ASSIGN(const Json answer, client.call("shards", Json::object()));
    if (asked.json) {
        return print_json(ordered(answer));
    }
    std::string text = fmt::format("{}, epoch {}\n", one_line(answer.at("model").get<std::string>()),
                                   answer.at("epoch").get<std::uint64_t>());
    for (const Json& shard : answer.at("shards")) {
        text += fmt::format("  {:<10} {:<24} {:>10} {:>10} KV\n", shard.at("id").get<std::string>(),
                            shard.at("device").get<std::string>(),
                            runtime::bytes_text(shard.at("bytes").get<std::uint64_t>()),
                            runtime::bytes_text(shard.at("kv_bytes").get<std::uint64_t>()));
    }
    return write_stdout(text);
}

} // namespace

void add_cluster(CLI::App& app, Action& action)
{
    const auto add = [&](const char* name, const char* what, auto run) -> std::pair<CLI::App*, std::shared_ptr<Asked>> {
        auto asked = std::make_shared<Asked>();
        CLI::App* command = app.add_subcommand(name, what);
        add_node_options(*command, asked->node);
        command->callback([asked, run, &action] { action = [asked, run] { return run(*asked); }; });
        return {command, asked};
    };
    {
        const auto [command, asked] = add("nodes", "The nodes of this cluster, and those that could join", nodes);
        add_json(*command, asked->json);
    }
    {
        const auto [command, asked] = add("pair", "Let another machine in, or ask it to let this one in", pair);
        CLI::Option* address =
            command->add_option("ADDRESS", asked->text, "Where the other machine is: ADDRESS[:PORT]");
        command->add_flag("--accept", asked->accept, "Wait for the other machine to ask")->excludes(address);
        command->add_flag("--yes", asked->yes, "Do not ask whether the digits are equal; for scripts");
        add_whole(*command, "--timeout", asked->timeout, 1, 3600, "Seconds to wait for the other machine");
        command->footer("Both machines show six digits; the persons at both compare them and say yes.\n"
                        "Examples:\n"
                        "  constelactl pair --accept          on one machine\n"
                        "  constelactl pair 192.168.1.7       on the other");
        const auto run = asked;
        command->callback([run, address, &action] {
            if (run->accept == (address->count() > 0)) {
                usage_error("Give either the address of the other machine or --accept.");
            }
            action = [run] { return pair(*run); };
        });
    }
    {
        const auto [command, asked] = add("unpair", "Turn a paired machine away", unpair);
        command->add_option("NODE", asked->text, "Its name or id")->required();
    }
    {
        const auto [command, asked] = add("load", "Load a model over the devices of the cluster", load);
        command->add_option("FILE", asked->text, "A path on that node, or the name or hash of a model in its folders")
            ->required();
        add_whole(*command, "--ctx", asked->context, 1, kMost, "Tokens that a conversation may have");
        add_path(*command, "--placement", asked->placement, "FILE", "Which device holds what; - for standard input");
        add_text(*command, "--kernels", asked->kernels, "SET", "reference, avx2, avx512 or amx");
        add_json(*command, asked->json);
    }
    add("unload", "Put the model away", unload);
    {
        const auto [command, asked] = add("shards", "Which device holds which part of the model", shards);
        add_json(*command, asked->json);
    }
}

} // namespace constela::ctl
