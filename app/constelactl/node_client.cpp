// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/node_client.h"

#include "app/constelactl/options.h"
#include "app/constelactl/platform.h"
#include "engine/cluster/identity/state_folder.h"

namespace constela::ctl {

using cluster::Command;
using cluster::CommandCancel;
using cluster::CommandReply;

namespace {

constexpr auto kPatience = std::chrono::milliseconds(5000);
constexpr auto kLookTime = std::chrono::milliseconds(50); // so soon Ctrl-C is seen

} // namespace

void add_node_options(CLI::App& app, NodeOptions& options)
{
    add_path(app, "--state", options.state, "DIR", "The state folder of the node to ask; by default this user's own");
    add_text(app, "--node", options.node, "NAME", "Ask this paired node instead, through that one");
}

Result<NodeClient> NodeClient::connect(const NodeOptions& options)
{
    std::filesystem::path state = options.state;
    if (state.empty()) {
        CONSTELA_ASSIGN(state, cluster::default_state_folder());
    }
    CONSTELA_ASSIGN(auto client, cluster::LocalClient::connect(state, kPatience));
    return NodeClient(std::move(client), options.node);
}

Result<> NodeClient::tell(const std::string& name, const nlohmann::json& arguments)
{
    return client_->send(Command{next_++, name, arguments.dump()});
}

Result<nlohmann::json> NodeClient::call(const std::string& name, nlohmann::json arguments, const OnEvent& on_event)
{
    catch_interrupts();
    const std::uint64_t id = next_++;
    if (!node_.empty()) {
        arguments["node_name"] = node_;
    }
    CONSTELA_TRY(client_->send(Command{id, name, arguments.dump()}));
    for (;;) {
        if (interrupted()) {
            CONSTELA_TRY(client_->send(CommandCancel{id}));
            return failure("Interrupted.");
        }
        CONSTELA_ASSIGN(const auto message, client_->receive(kLookTime));
        const auto* reply = message ? std::get_if<CommandReply>(&*message) : nullptr;
        if (reply == nullptr || reply->id != id) {
            continue;
        }
        if (reply->kind == CommandReply::Kind::failure) {
            return tl::unexpected<Error>(reply->error);
        }
        nlohmann::json body = nlohmann::json::parse(reply->body, nullptr, false);
        if (body.is_discarded()) {
            return failure("The node's answer cannot be understood; it may be of another version.");
        }
        if (reply->kind == CommandReply::Kind::result) {
            return body;
        }
        if (on_event) {
            if (auto done = on_event(*this, body); !done) {
                static_cast<void>(client_->send(CommandCancel{id}));
                return tl::unexpected<Error>(done.error());
            }
        }
    }
}

} // namespace constela::ctl
