// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was seen of other nodes: who, and where they may be reached. No input, no output, the time is given. It is
// filled with hints from anybody, so it is bounded in all it holds, and what is known of a paired peer cannot be pushed
// out or changed by them: beacons only add places to try, a few, and only CURVE says who is there.
//
// What lasts (the last address that worked, one that a person typed or pinned) is kept elsewhere and told on start.
//
// Threads: one.
#pragma once

#include "engine/cluster/discovery/announcer.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/time.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace constela::cluster::discovery {

/// Where a candidate comes from; those that say more come first.
enum class Origin : std::uint8_t {
    typed,  ///< A person said so.
    worked, ///< The peer was there once (CURVE said who).
    told,   ///< A paired peer said so.
    beacon, ///< Anybody said so.
};

/// A place where a node may be reached.
struct Candidate {
    Address address;
    Origin origin = Origin::beacon;
    InterfaceKind kind = InterfaceKind::unknown; ///< Of the own interface on which it was heard, or leads there.
    std::string interface;
    Time seen{0}; ///< When it was last heard or told.
};

/// A node that was seen.
struct SeenNode {
    NodeId node;
    std::string name; ///< As it calls itself.
    Incarnation incarnation = 0;
    std::uint16_t protocol = 0;
    std::uint16_t pairing_port = 0;
    bool known = false;        ///< Paired: the name is only what a beacon says.
    std::optional<Time> heard; ///< When a beacon of it was last heard.
    bool on_link = false;      ///< The last beacon's sender was in a subnet of the interface on which it was heard.
    std::vector<Candidate> candidates; ///< The most promising first.
};

class Directory {
public:
    static constexpr std::size_t kMostStrangers = 256;
    static constexpr std::size_t kMostStrangersOfOneAddress = 32; ///< So that one machine cannot fill all places.
    static constexpr std::size_t kMostBeaconCandidates = 8;       ///< Of one node.
    static constexpr std::size_t kMostOtherCandidates = 24;       ///< Of one paired node.
    static constexpr Time kForgetStranger = std::chrono::seconds(6);
    static constexpr Time kForgetCandidate = std::chrono::seconds(30);

    /// Whether it is paired. One that no longer is becomes a stranger like any other.
    void set_known(const NodeId& node, bool known);

    void saw(const Sighting& sighting, Time now);
    /// A place to try for a paired peer, of any origin but Origin::beacon. Ignored for strangers.
    void add(const NodeId& node, const Address& address, Origin origin, Time now);
    /// Takes back what add() said, e.g. when a person removes an address.
    void remove(const NodeId& node, const Address& address);

    /// Forgets what has not been heard for long. To be called about once a second.
    void expire(Time now);

    /// Places to try for a node, the most promising first: typed ones, then by the way there (rank_addresses()) and by
    /// origin. `interfaces`: those of this machine.
    [[nodiscard]] std::vector<Candidate> candidates(const NodeId& node, std::span<const Interface> interfaces) const;

    [[nodiscard]] std::optional<SeenNode> find(const NodeId& node, std::span<const Interface> interfaces) const;
    /// All that were seen: paired ones, then strangers.
    [[nodiscard]] std::vector<SeenNode> all(std::span<const Interface> interfaces) const;
    [[nodiscard]] std::size_t strangers() const { return strangers_; }

private:
    struct Entry {
        SeenNode seen;
        std::string first_source; ///< The address from which a stranger was first heard.
    };

    [[nodiscard]] bool has_room_for(const std::string& source) const;
    static void add_beacon_candidate(SeenNode& seen, const Sighting& sighting, Time now);
    [[nodiscard]] SeenNode ranked(const Entry& entry, std::span<const Interface> interfaces) const;

    std::map<NodeId, Entry> entries_;
    std::map<std::string, std::size_t> strangers_by_source_;
    std::size_t strangers_ = 0;
    void count_stranger(const Entry& entry, int change);
};

} // namespace constela::cluster::discovery
