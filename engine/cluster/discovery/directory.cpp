// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/directory.h"

#include <algorithm>

namespace constela::cluster::discovery {

namespace {

std::size_t count_beacon_candidates(const SeenNode& seen)
{
    return static_cast<std::size_t>(std::count_if(seen.candidates.begin(), seen.candidates.end(),
                                                  [](const Candidate& c) { return c.origin == Origin::beacon; }));
}

std::vector<Candidate>::iterator with_address(SeenNode& seen, const Address& address)
{
    return std::find_if(seen.candidates.begin(), seen.candidates.end(),
                        [&](const Candidate& candidate) { return candidate.address == address; });
}

} // namespace

void Directory::count_stranger(const Entry& entry, int change)
{
    std::size_t& of_source = strangers_by_source_[entry.first_source];
    if (change > 0) {
        ++of_source;
        ++strangers_;
        return;
    }
    --strangers_;
    if (--of_source == 0) {
        strangers_by_source_.erase(entry.first_source);
    }
}

bool Directory::has_room_for(const std::string& source) const
{
    const auto of_source = strangers_by_source_.find(source);
    return strangers_ < kMostStrangers &&
           (of_source == strangers_by_source_.end() || of_source->second < kMostStrangersOfOneAddress);
}

void Directory::set_known(const NodeId& node, bool known)
{
    auto found = entries_.find(node);
    if (found == entries_.end()) {
        if (known) {
            Entry entry;
            entry.seen.node = node;
            entry.seen.known = true;
            entries_.emplace(node, std::move(entry));
        }
        return;
    }
    Entry& entry = found->second;
    if (entry.seen.known == known) {
        return;
    }
    if (known) {
        count_stranger(entry, -1);
        entry.seen.known = true;
        return;
    }
    std::erase_if(entry.seen.candidates, [](const Candidate& c) { return c.origin != Origin::beacon; });
    // It is heard again within a second if it is there.
    if (!entry.seen.heard || entry.seen.candidates.empty() ||
        !has_room_for(entry.seen.candidates.front().address.host)) {
        entries_.erase(found);
        return;
    }
    entry.first_source = entry.seen.candidates.front().address.host;
    entry.seen.known = false;
    count_stranger(entry, +1);
}

void Directory::saw(const Sighting& sighting, Time now)
{
    auto found = entries_.find(sighting.beacon.node);
    if (found == entries_.end()) {
        if (!has_room_for(sighting.from.host)) {
            return;
        }
        Entry entry;
        entry.seen.node = sighting.beacon.node;
        entry.first_source = sighting.from.host;
        found = entries_.emplace(sighting.beacon.node, std::move(entry)).first;
        count_stranger(found->second, +1);
    }
    SeenNode& seen = found->second.seen;
    seen.name = sighting.beacon.name;
    seen.incarnation = sighting.beacon.incarnation;
    seen.protocol = sighting.beacon.protocol;
    seen.pairing_port = sighting.beacon.pairing_port;
    seen.heard = now;
    seen.on_link = sighting.on_link;
    add_beacon_candidate(seen, sighting, now);
}

void Directory::add_beacon_candidate(SeenNode& seen, const Sighting& sighting, Time now)
{
    auto candidate = with_address(seen, sighting.from);
    if (candidate == seen.candidates.end()) {
        // Those that came first stay while they are heard: nobody pushes them out by shouting.
        if (count_beacon_candidates(seen) >= kMostBeaconCandidates) {
            return;
        }
        seen.candidates.push_back({sighting.from, Origin::beacon, sighting.kind, sighting.interface, now});
        return;
    }
    candidate->seen = now;
    if (candidate->origin == Origin::beacon) {
        candidate->kind = sighting.kind;
        candidate->interface = sighting.interface;
    }
}

void Directory::add(const NodeId& node, const Address& address, Origin origin, Time now)
{
    const auto found = entries_.find(node);
    if (found == entries_.end() || !found->second.seen.known || origin == Origin::beacon) {
        return;
    }
    SeenNode& seen = found->second.seen;
    if (const auto known = with_address(seen, address); known != seen.candidates.end()) {
        known->origin = std::min(known->origin, origin);
        known->seen = now;
        return;
    }
    Candidate candidate{address, origin, InterfaceKind::unknown, {}, now};
    if (seen.candidates.size() - count_beacon_candidates(seen) >= kMostOtherCandidates) {
        // The one that says least and is the oldest makes room, if it says no more than the new one.
        const auto least = std::max_element(seen.candidates.begin(), seen.candidates.end(),
                                            [](const Candidate& a, const Candidate& b) {
                                                const bool a_beacon = a.origin == Origin::beacon;
                                                const bool b_beacon = b.origin == Origin::beacon;
                                                if (a_beacon != b_beacon) {
                                                    return a_beacon; // not one of those
                                                }
                                                return a.origin != b.origin ? a.origin < b.origin : a.seen > b.seen;
                                            });
        if (least->origin < origin) {
            return;
        }
        *least = std::move(candidate);
        return;
    }
    seen.candidates.push_back(std::move(candidate));
}

void Directory::remove(const NodeId& node, const Address& address)
{
    if (const auto found = entries_.find(node); found != entries_.end()) {
        std::erase_if(found->second.seen.candidates, [&](const Candidate& c) { return c.address == address; });
    }
}

void Directory::expire(Time now)
{
    for (auto place = entries_.begin(); place != entries_.end();) {
        Entry& entry = place->second;
        std::erase_if(entry.seen.candidates, [&](const Candidate& candidate) {
            return candidate.origin == Origin::beacon && now - candidate.seen > kForgetCandidate;
        });
        if (!entry.seen.known && now - entry.seen.heard.value_or(Time(0)) > kForgetStranger) {
            count_stranger(entry, -1);
            place = entries_.erase(place);
        } else {
            ++place;
        }
    }
}

std::vector<Candidate> Directory::candidates(const NodeId& node, std::span<const Interface> interfaces) const
{
    auto seen = find(node, interfaces);
    return seen ? std::move(seen->candidates) : std::vector<Candidate>();
}

SeenNode Directory::ranked(const Entry& entry, std::span<const Interface> interfaces) const
{
    SeenNode result = entry.seen;
    std::vector<Candidate> candidates = std::move(result.candidates);
    result.candidates.clear();
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.origin != b.origin ? a.origin < b.origin : a.seen > b.seen;
    });
    std::vector<Address> addresses;
    addresses.reserve(candidates.size());
    for (const Candidate& candidate : candidates) {
        addresses.push_back(candidate.address);
    }
    for (const RankedAddress& address : rank_addresses(addresses, interfaces)) {
        const auto candidate = std::find_if(candidates.begin(), candidates.end(),
                                            [&](const Candidate& one) { return one.address == address.address; });
        Candidate best = *candidate;
        if (best.origin != Origin::beacon || best.interface.empty()) {
            best.kind = address.kind;
            best.interface = address.interface;
        }
        result.candidates.push_back(std::move(best));
    }
    // What a person typed is meant.
    std::stable_partition(result.candidates.begin(), result.candidates.end(),
                          [](const Candidate& candidate) { return candidate.origin == Origin::typed; });
    return result;
}

std::optional<SeenNode> Directory::find(const NodeId& node, std::span<const Interface> interfaces) const
{
    const auto found = entries_.find(node);
    return found == entries_.end() ? std::nullopt : std::optional(ranked(found->second, interfaces));
}

std::vector<SeenNode> Directory::all(std::span<const Interface> interfaces) const
{
    std::vector<SeenNode> result;
    for (const bool known : {true, false}) {
        for (const auto& [node, entry] : entries_) {
            if (entry.seen.known == known) {
                result.push_back(ranked(entry, interfaces));
            }
        }
    }
    return result;
}

} // namespace constela::cluster::discovery
