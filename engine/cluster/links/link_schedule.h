// SPDX-License-Identifier: GPL-3.0-or-later
//
// When which link is measured: all pairs of nodes, one pair at a time in the whole cluster (as far as this coordinator
// is concerned), so that no two measurements slow each other. A pair is measured when it never was, when the address
// changed over which it is reached, and when somebody asks. It does no work itself: whoever owns it carries the tasks
// out and reports.
//
// Threads: one; time is given in, so that a test needs none.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/links/link_book.h"
#include "engine/cluster/links/link_measurement.h"
#include "engine/cluster/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace constela::cluster {

/// A node that is there now.
struct LinkNode {
    NodeId id;
    std::string name;
    Address bulk; ///< Where it is reached for bulk.
};

/// `prober` is to measure its link to `target`; a task with both the same is about devices within one node.
struct LinkTask {
    std::uint64_t number = 0;
    NodeId prober;
    NodeId target;
    std::string target_name;
    Address address; ///< Of the target.
};

/// A pair whose last try failed.
struct LinkFailure {
    NodeId one;
    NodeId other;
    Error reason;
};

class LinkSchedule {
public:
    /// A task that is not reported on within this time has failed.
    static constexpr Time kTaskWithin = std::chrono::seconds(20);
    /// After a failure the same pair waits, twice as long each time, up to the longest.
    static constexpr Time kFirstRetry = std::chrono::seconds(30);
    static constexpr Time kLongestRetry = std::chrono::minutes(10);

    explicit LinkSchedule(NodeId own) : own_(own) {}

    /// All nodes that are there, this one among them. One that is gone ends its task; what was measured of it is kept
    /// until forget().
    void set_nodes(std::vector<LinkNode> nodes);
    void forget(const NodeId& node);
    /// While a model answers, only what was asked for is measured.
    void set_busy(bool busy) { busy_ = busy; }

    /// Measures all pairs anew ("links --measure"), those of `nodes` alone when it is not empty.
    void request(std::span<const NodeId> nodes = {});
    /// Measures what is not known yet of these nodes, now rather than later (before a model is loaded).
    void request_missing(std::span<const NodeId> nodes);
    /// Whether nothing that was asked for is still to be done.
    [[nodiscard]] bool settled() const;

    /// The next task, if one is to begin now. Until it is reported on, or too late, there is no other.
    [[nodiscard]] std::optional<LinkTask> next(Time now);
    /// When to call next() again even if nothing happens; none: nothing is due.
    [[nodiscard]] std::optional<Time> wake_at() const;

    /// Both directions of a task's pair; sentences about links that have become slower. A task that is over is ignored.
    std::vector<Error> measured(std::uint64_t task, std::span<const LinkMeasurement> measurements);
    void failed(std::uint64_t task, Error reason, Time now);

    [[nodiscard]] const LinkBook& book() const { return book_; }
    [[nodiscard]] std::vector<LinkFailure> failures() const;

private:
    using Pair = std::pair<NodeId, NodeId>; ///< The smaller id first.
    struct State {
        bool measured = false;
        bool asked = false;
        Address first;  ///< Under which the smaller was reached when it was last tried.
        Address second; ///< The other one.
        Time not_before{0};
        Time wait{0}; ///< The last one after a failure.
        std::optional<Error> failure;
    };
    struct Running {
        LinkTask task;
        Pair pair;
        Time until;
    };

    [[nodiscard]] static Pair pair_of(const NodeId& one, const NodeId& other);
    [[nodiscard]] const LinkNode* node(const NodeId& id) const;
    [[nodiscard]] bool there(const Pair& pair) const;
    [[nodiscard]] bool due(const Pair& pair, const State& state) const;
    void fail(Error reason, Time now);
    [[nodiscard]] LinkTask begin(const Pair& pair, State& state, Time now);

    NodeId own_;
    std::vector<LinkNode> nodes_;
    std::map<Pair, State> pairs_; ///< Of nodes that are there or were.
    std::optional<Running> running_;
    std::uint64_t last_task_ = 0;
    bool busy_ = false;
    LinkBook book_;
};

} // namespace constela::cluster
