// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whom this node is paired with, and whom it has turned away. Kept in a file (trust_file.h) that is written whole at
// each change, so what a person decided outlives the program.
//
// A peer is trusted because persons compared digits, or because a peer that they trust vouched for it. Who was removed
// is remembered, so that no peer can bring it back by vouching; only pairing again does.
//
// Threads: one. Errors: sentences; a change that could not be written has not happened (removing is the exception).
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/node_id.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace constela::cluster {

struct Peer {
    NodeId id; ///< Follows from the key; add() fills it in.
    PublicKey key;
    std::string name;                 ///< is_node_name()
    std::vector<Address> addresses;   ///< The last good one first.
    std::optional<NodeId> vouched_by; ///< None: paired by persons.
    std::optional<Address> pinned;    ///< The only address that a person wants to be used.
};

inline constexpr std::size_t kMaxPeers = 256;
inline constexpr std::size_t kMaxPeerAddresses = 16;
inline constexpr std::size_t kMaxRemoved = 1024;

/// What a file may hold.
struct TrustList {
    std::vector<Peer> peers;
    std::vector<NodeId> removed; ///< The oldest first. None of them is a peer.
};

/// A numeric IPv4 or IPv6 address, as far as its letters go, and a port.
[[nodiscard]] bool is_numeric_address(const Address& address);

class TrustStore {
public:
    /// Reads the file; none is an empty list. `own` is this node, which is never its own peer.
    [[nodiscard]] static Result<TrustStore> open(std::filesystem::path file, const NodeId& own);

    [[nodiscard]] std::span<const Peer> peers() const { return list_.peers; }
    /// Until the next change.
    [[nodiscard]] const Peer* find(const NodeId& id) const;
    [[nodiscard]] const Peer* find(const PublicKey& key) const { return find(node_id(key)); }
    /// Whether it was removed here, and not paired since.
    [[nodiscard]] bool was_removed(const NodeId& id) const;

    /// Trusts a node. One that is known keeps its pin and gets what is new: its name when it was paired by persons, its
    /// addresses behind those that were good before. Vouching neither changes who was paired by persons nor brings back
    /// who was removed.
    [[nodiscard]] Result<> add(Peer peer);
    [[nodiscard]] Result<> rename(const NodeId& id, std::string_view name);
    /// An address at which the peer answered: the first one to try next time.
    [[nodiscard]] Result<> remember_address(const NodeId& id, const Address& address);
    [[nodiscard]] Result<> pin(const NodeId& id, const std::optional<Address>& address);

    struct Removal {
        std::vector<NodeId> removed; ///< The node, and those that were trusted only because it vouched for them.
        Result<> written;            ///< A removal holds at once, also when it cannot be written.
    };
    /// Turns a node away, for good. Nothing is removed when there is no such peer.
    [[nodiscard]] Removal remove(const NodeId& id);
    /// `by` no longer vouches for the node: it goes unless it is trusted for another reason. It may be vouched for
    /// again.
    [[nodiscard]] Removal withdraw(const NodeId& id, const NodeId& by);

private:
    TrustStore(std::filesystem::path file, const NodeId& own, TrustList list)
        : file_(std::move(file)), own_(own), list_(std::move(list))
    {
    }
    [[nodiscard]] Result<> replace(TrustList list);
    [[nodiscard]] Removal take_out(const NodeId& id, bool for_good);

    std::filesystem::path file_;
    NodeId own_;
    TrustList list_;
};

} // namespace constela::cluster
