// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the control plane knows at one moment. Plain values, for windows and terminals.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/time.h"

#include <optional>
#include <string>
#include <vector>

namespace constela::cluster {

enum class PeerState : std::uint8_t {
    paired,      ///< Trusted, and not seen since this node was started.
    alive,       ///< It answers.
    suspect,     ///< Silent for 1.5 s, or its connection has just broken.
    lost,        ///< It was there; it is tried again.
    incompatible ///< It is there, but of another version.
};

/// "paired", "alive", ...
[[nodiscard]] const char* to_text(PeerState state);

struct PeerView {
    NodeId id;
    PublicKey key;
    std::string name;
    std::string version; ///< Empty: it has not said Hello yet.
    PeerState state = PeerState::paired;
    std::optional<Error> reason;            ///< Of lost and incompatible.
    std::optional<Incarnation> incarnation; ///< Of its last Hello.
    Ports ports;                            ///< Of its last Hello.
    std::optional<Status> status;           ///< Of this incarnation.
    std::optional<Time> round_trip;         ///< Of heartbeats, smoothed; nothing: not measured on this session yet.
    std::optional<Time> silent_for;         ///< Since the last sign of life.
    std::optional<Address> address;         ///< In use; nothing: no session, or the peer made it.
    std::vector<Address> addresses;         ///< All that would be tried, in this order.
    std::optional<NodeId> vouched_by;       ///< Nothing: paired with this node itself.
};

struct StageView {
    StagePlacement where;
    bool ready = false;
    StageProgress progress;
    std::uint64_t weight_bytes = 0; ///< When ready.
    std::uint64_t kv_bytes = 0;     ///< When ready.
    std::uint16_t data_port = 0;    ///< When ready: where its device takes rows.
};

/// The model that this node coordinates.
struct LoadView {
    enum class State : std::uint8_t { loading, ready, failed };
    Epoch epoch = 0;
    std::string model_name;
    ContentHash model;
    State state = State::loading;
    std::optional<Error> reason; ///< Of failed.
    std::vector<StageView> stages;
};

/// What this node's devices hold, for itself or for others.
struct HeldView {
    enum class State : std::uint8_t { waiting, loading, ready, failed, releasing };
    Epoch epoch = 0;
    NodeId coordinator;
    std::string model_name;
    std::uint32_t stage = 0;
    StagePlacement where;
    State state = State::waiting;
};

struct ControlView {
    NodeId self;
    Incarnation incarnation = 0;
    std::vector<PeerView> peers; ///< In the order of their ids.
    std::optional<LoadView> load;
    std::vector<HeldView> held;
};

} // namespace constela::cluster
