// SPDX-License-Identifier: GPL-3.0-or-later
//
// What paired nodes say to each other on the control plane, as plain values. How they look on the wire: wire/. Who says
// what when: control/. (Rows of activations go on the data plane, pipeline/; weights on the bulk plane, weights/.)
//
// They carry ids, never pointers, paths to open or code. Everything in them comes from another machine and is checked
// by whoever uses it; wire/ has checked sizes and ranges of enums.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"
#include "engine/telemetry/readings.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace constela::cluster {

/// Grows when nodes of two versions can no longer talk to each other.
inline constexpr std::uint32_t kProtocol = 1;

/// One run of a node's program; a node that was restarted has another one (random).
using Incarnation = std::uint64_t;

/// The number of a placement: higher is newer. Its lower 16 bits tell coordinators apart, so that two never make the
/// same one.
using Epoch = std::uint64_t;

/// BLAKE2b-256 of a model's content (weights/content_hash.h).
struct ContentHash {
    std::array<std::byte, 32> bytes{};
    auto operator<=>(const ContentHash&) const = default;
};

// ---- membership -----------------------------------------------------------------------------------------------------

/// Ports on which a node listens beside the control plane's, by what for.
struct Ports {
    std::uint16_t control = 0;
    std::uint16_t data = 0; ///< Rows of activations, and results.
    std::uint16_t bulk = 0; ///< Weights and measurements of links.
};

/// The first message of both on a new session. Nothing else is acted on before it.
struct Hello {
    std::uint32_t protocol = kProtocol;
    std::string version; ///< "0.1.0"
    std::string name;    ///< "studio"
    Incarnation incarnation = 0;
    Ports ports;
    std::vector<Address> addresses; ///< Where it listens, as it sees it.
};

/// The answer to a Hello that is not to our liking; the session is closed afterwards.
struct Refusal {
    std::uint32_t protocol = kProtocol;
    std::string version;
    Error reason;
};

struct Heartbeat {
    Incarnation incarnation = 0;
    std::uint64_t number = 0; ///< One more each time.
};

struct HeartbeatReply {
    Incarnation incarnation = 0; ///< Of the one who replies.
    std::uint64_t number = 0;    ///< That of the Heartbeat.
};

/// Said before a program ends, so that nobody has to wait for a silence.
struct Goodbye {};

/// What a node says of itself, about once a second and after each change.
struct Status {
    std::vector<telemetry::DeviceSnapshot> devices;
    std::uint64_t revision = 0;
    std::string model;       ///< The name of the model that it coordinates; empty: none.
    std::string model_state; ///< "none", "loading", "ready", "failed"
};

/// A third node, told by a paired one. With `vouched` the teller is paired with it and asks to trust it, since they are
/// to work together; without, only the addresses count.
struct Introduction {
    PublicKey key;
    std::string name;
    std::vector<Address> addresses;
    bool vouched = false;
};

/// Takes back what an Introduction vouched for.
struct Withdrawal {
    NodeId node;
};

// ---- loading --------------------------------------------------------------------------------------------------------

/// A run of neighbouring shards on one device. Shards are numbered in the order of a token's way: 0 is the embedding, 1
/// the first block, the last one the head.
struct StagePlacement {
    NodeId node;
    std::string device; ///< "cpu0"
    std::uint32_t first_shard = 0;
    std::uint32_t shard_count = 0;
};

/// runtime::ContextOptions as it travels.
struct ContextSettings {
    std::uint32_t context = 0;
    std::uint64_t positions = 0;
    std::uint32_t max_batch = 0;
    std::uint32_t sequences = 0;
    std::uint32_t page_positions = 0;
    std::uint8_t kv_type = 0; ///< kernels::KvType
};

/// From the coordinator to each node that has a stage: get the weights, put them into place.
struct StageOrder {
    Epoch epoch = 0;
    ContentHash model;
    std::string model_name;
    std::uint64_t model_bytes = 0;
    std::string kernels; ///< The kernel set that all stages use, so that bits are equal.
    ContextSettings context;
    std::vector<StagePlacement> stages; ///< All of them; the first one takes tokens, the last one gives results.
    std::uint32_t stage = 0;            ///< Which one this order is about.
};

struct StageProgress {
    enum class Doing : std::uint8_t { fetching, placing };
    Epoch epoch = 0;
    std::uint32_t stage = 0;
    Doing doing = Doing::fetching;
    std::uint64_t done = 0; ///< Bytes.
    std::uint64_t total = 0;
};

struct StageReady {
    Epoch epoch = 0;
    std::uint32_t stage = 0;
    std::uint64_t weight_bytes = 0;
    std::uint64_t kv_bytes = 0;
    std::uint16_t data_port = 0; ///< Where its device takes rows.
};

struct StageFailed {
    Epoch epoch = 0;
    std::uint32_t stage = 0;
    Error reason;
};

/// From the coordinator: the placement of this epoch is over; free what it holds.
struct StageRelease {
    Epoch epoch = 0;
};

/// All that was held for the epoch is free.
struct StageReleased {
    Epoch epoch = 0;
};

// ---- commands -------------------------------------------------------------------------------------------------------

/// A wish of a person at another node or in a terminal, in the words of constelactl. `arguments` is a JSON object.
struct Command {
    std::uint64_t id = 0;
    std::string name; ///< "nodes", "links", "load", "ask" ...
    std::string arguments;
};

/// An event of a command (JSON object), or its end.
struct CommandReply {
    enum class Kind : std::uint8_t { event, result, failure };
    std::uint64_t id = 0;
    Kind kind = Kind::result;
    std::string body; ///< JSON; of a failure: empty.
    Error error;
};

/// The asker has gone or no longer wants it.
struct CommandCancel {
    std::uint64_t id = 0;
};

using Message = std::variant<Hello, Refusal, Heartbeat, HeartbeatReply, Goodbye, Status, Introduction, Withdrawal,
                             StageOrder, StageProgress, StageReady, StageFailed, StageRelease, StageReleased, Command,
                             CommandReply, CommandCancel>;

} // namespace constela::cluster
