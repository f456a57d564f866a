// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of the program in which the node runs (its window).
//
// Threads: command() and cancel() from any; on_reply() the control thread's.
#pragma once

#include "engine/cluster/messages.h"
#include "engine/node/cluster/control_thread.h"
#include "engine/node/commander.h"

#include <map>
#include <mutex>

namespace constela::node {

class OwnCommander final : public Commander {
public:
    /// How a command and its end reach the control thread.
    struct Ways {
        std::function<void(const Asker&, const cluster::Command&)> on_command;
        std::function<void(const Asker&)> on_cancel;
    };
    /// `control` must outlive it; the ways are used on its thread.
    OwnCommander(ControlThread& control, Ways ways) : control_(control), ways_(std::move(ways)) {}

    CommandId command(std::string name, std::string arguments, OnCommandEvent on_event) override;
    void cancel(CommandId id) override;
    void on_reply(const cluster::CommandReply& reply);

private:
    ControlThread& control_;
    Ways ways_;
    std::recursive_mutex mutex_; ///< Of the rest. Held while somebody hears, who may cancel.
    CommandId last_ = 0;
    std::map<CommandId, OnCommandEvent> heard_by_;
};

} // namespace constela::node
