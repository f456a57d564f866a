// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends a message of the loading protocol to any node, this one included: its own devices are participants like all
// others.
#pragma once

#include "engine/cluster/control/actions.h"
#include "engine/cluster/control/membership.h"

#include <deque>
#include <utility>
#include <vector>

namespace constela::cluster {

class Post {
public:
    Post(const Membership& membership, std::vector<Action>& actions) : membership_(membership), actions_(actions) {}

    /// Lost when `to` has no session; all that counts is said again later.
    void send(const NodeId& to, Message message)
    {
        if (to == membership_.config().self) {
            to_self_.push_back(std::move(message));
        } else if (membership_.hears(to)) {
            actions_.emplace_back(action::Send{to, std::move(message)});
        }
    }
    /// What waits to be handled here.
    [[nodiscard]] std::deque<Message>& to_self() { return to_self_; }

private:
    const Membership& membership_;
    std::vector<Action>& actions_;
    std::deque<Message> to_self_;
};

} // namespace constela::cluster
