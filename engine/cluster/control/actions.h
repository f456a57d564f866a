// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the control plane asks its owner to do, in this order. It does nothing by itself.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/node_id.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace constela::cluster::action {

/// On the session that stands with `to`; nothing happens when it has just broken.
struct Send {
    NodeId to;
    Message message;
};

/// Try to make a session with `peer`, whose key must be `key`. A try that is still under way may be given up for it.
struct Connect {
    NodeId peer;
    PublicKey key;
    Address address;
};

/// Close the session with `peer` once what was sent before is on its way, and drop what it still says. No on_down()
/// follows.
struct Disconnect {
    NodeId peer;
};

/// Get the weights and put them into place; answer with on_stage_progress(), on_stage_ready() or on_stage_failed().
struct StartStage {
    StageOrder order;
    NodeId coordinator; ///< May be this node.
};

/// Free all that is held here for the epoch, also what is just being loaded; then on_stage_released(). An epoch for
/// which nothing is held is released at once.
struct ReleaseStage {
    Epoch epoch = 0;
};

/// `by`, paired with this node, vouches for a third one: put it into the store of trusted peers (vouched by `by`) and
/// call trust(), unless the person has revoked that key. One that is there already now rests on this word.
struct AddTrust {
    Introduction introduction;
    NodeId by;
};

/// Nobody vouches for that peer any more: take it out of the store. It is cut already.
struct DropTrust {
    NodeId peer;
};

/// This address works: keep it first in the store.
struct RememberAddress {
    NodeId peer;
    Address address;
};

/// A peer is there, or there again. `fresh`: another run of it than the one known before.
struct NodeJoined {
    NodeId node;
    std::string name;
    bool fresh = true;
};

/// A peer that was there is gone: what is under way with it has ended. For people.
struct NodeLost {
    NodeId node;
    std::string name;
    Error reason;
};

/// All stages of the model that was loaded here stand.
struct ModelReady {
    Epoch epoch = 0;
};

/// The model that was loaded here cannot answer any more, or could not be loaded; what it held is being freed.
struct ModelFailed {
    Epoch epoch = 0;
    std::optional<NodeId> node; ///< Whose fault it was.
    Error reason;
};

/// Something to tell the person that ends nothing.
struct Alarm {
    Error reason;
};

/// A message that is not the control plane's own (commands), from a peer that is trusted and has said Hello.
struct Deliver {
    NodeId from;
    Message message;
};

} // namespace constela::cluster::action

namespace constela::cluster {

using Action = std::variant<action::Send, action::Connect, action::Disconnect, action::StartStage, action::ReleaseStage,
                            action::AddTrust, action::DropTrust, action::RememberAddress, action::NodeJoined,
                            action::NodeLost, action::ModelReady, action::ModelFailed, action::Alarm, action::Deliver>;

} // namespace constela::cluster
