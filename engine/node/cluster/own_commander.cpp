// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/own_commander.h"

namespace constela::node {

using cluster::CommandReply;

CommandId OwnCommander::command(std::string name, std::string arguments, OnCommandEvent on_event)
{
    CommandId id = 0;
    {
        const std::lock_guard lock(mutex_);
        id = ++last_;
        heard_by_.emplace(id, std::move(on_event));
    }
    control_.post([this, command = cluster::Command{id, std::move(name), std::move(arguments)}] {
        ways_.on_command({std::nullopt, 0, command.id}, command);
    });
    return id;
}

void OwnCommander::cancel(CommandId id)
{
    {
        const std::lock_guard lock(mutex_);
        if (heard_by_.erase(id) == 0) {
            return; // it is over
        }
    }
    control_.post([this, id] { ways_.on_cancel({std::nullopt, 0, id}); });
}

void OwnCommander::on_reply(const CommandReply& reply)
{
    const std::lock_guard lock(mutex_);
    const auto found = heard_by_.find(reply.id);
    if (found == heard_by_.end()) {
        return;
    }
    const OnCommandEvent on_event = found->second; // a copy: it may be cancelled while it is heard
    CommandEvent event{CommandEvent::Kind::event, reply.body, std::nullopt};
    if (reply.kind != CommandReply::Kind::event) {
        heard_by_.erase(found);
        event.kind =
            reply.kind == CommandReply::Kind::result ? CommandEvent::Kind::result : CommandEvent::Kind::failure;
    }
    if (reply.kind == CommandReply::Kind::failure) {
        event.error = reply.error;
    }
    on_event(event);
}

} // namespace constela::node
