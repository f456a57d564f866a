// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the link to another node: small messages back and forth for the latency, then blocks each way for the
// bandwidth, over the same kind of socket with the same encryption as what is sent later.
//
// Threads: the caller's, for as long as it takes. Errors: a peer that does not answer, in words.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/links/link_measurement.h"
#include "engine/cluster/links/statistics.h"
#include "engine/cluster/time.h"

#include <atomic>
#include <string>
#include <zmq.hpp>

namespace constela::cluster {

struct ProbeOptions {
    Address address;
    PublicKey server;
    std::string name; ///< For sentences.
    std::size_t echoes = 200;
    Time echo_time = std::chrono::seconds(2);     ///< After it the echoes end, if there are 20 at least.
    Time bulk = std::chrono::seconds(3);          ///< Both ways together; at most this.
    Time answer_within = std::chrono::seconds(5); ///< A longer silence is a failure.
    const std::atomic<bool>* abort = nullptr;     ///< Ends it soon after it has become true.
};

struct ProbeResult {
    Summary latency;       ///< Seconds, one way.
    Summary bandwidth_in;  ///< Bytes a second, from the other node to this one.
    Summary bandwidth_out; ///< To the other node.
};

[[nodiscard]] Result<ProbeResult> probe_link(zmq::context_t& context, const KeyPair& own, const ProbeOptions& options);

/// Both directions, as they are kept and shown.
struct BothWays {
    LinkMeasurement out; ///< From the one who measured.
    LinkMeasurement in;
};
[[nodiscard]] BothWays measurements(const ProbeResult& result, const NodeId& own, const NodeId& other,
                                    const Address& address, std::chrono::system_clock::time_point when);

} // namespace constela::cluster
