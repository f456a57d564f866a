// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/trust_store.h"
#include "engine/cluster/identity/node_name.h"
#include "engine/cluster/identity/trust_file.h"
#include "engine/gguf/printable.h"

#include <algorithm>

namespace constela::cluster {
namespace {

tl::unexpected<Error> no_such_peer(const NodeId& id)
{
    return failure("No node with the id {} is paired with this one. Look at the list of nodes for its id.",
                   to_text(id));
}

tl::unexpected<Error> bad_name(std::string_view name)
{
    return failure("\"{}\" cannot be the name of a node: a name has 1 to {} bytes, no \"/\", nothing invisible, and no "
                   "space at its ends. Choose another one.",
                   gguf::printable(name), kMaxNameBytes);
}

tl::unexpected<Error> bad_address(const Address& address)
{
    return failure("{} with port {} is not an address of a node. Write a numeric address, such as 192.168.1.7 or "
                   "fe80::1%eth0, and a port from 1 to 65535.",
                   gguf::printable(address.host), address.port);
}

void put_first(std::vector<Address>& addresses, const Address& address)
{
    std::erase(addresses, address);
    addresses.insert(addresses.begin(), address);
    addresses.resize(std::min(addresses.size(), kMaxPeerAddresses));
}

void put_behind(std::vector<Address>& addresses, const std::vector<Address>& further)
{
    for (const Address& address : further) {
        if (addresses.size() < kMaxPeerAddresses &&
            std::find(addresses.begin(), addresses.end(), address) == addresses.end()) {
            addresses.push_back(address);
        }
    }
}

void mark_removed(TrustList& list, const NodeId& id)
{
    std::erase(list.removed, id);
    list.removed.push_back(id);
    if (list.removed.size() > kMaxRemoved) {
        list.removed.erase(list.removed.begin());
    }
}

template <class List>
auto find_in(List& peers, const NodeId& id) -> decltype(peers.data())
{
    const auto place = std::find_if(peers.begin(), peers.end(), [&](const Peer& peer) { return peer.id == id; });
    return place != peers.end() ? &*place : nullptr;
}

} // namespace

bool is_numeric_address(const Address& address)
{
    const std::string_view host = address.host;
    const std::size_t zone = host.find('%');
    const std::string_view number = host.substr(0, zone);
    const bool zone_fits = zone == std::string_view::npos ||
                           (host.size() > zone + 1 && number.find(':') != std::string_view::npos &&
                            host.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
                                                   zone + 1) == std::string_view::npos);
    return address.port != 0 && host.size() <= 64 && zone_fits &&
           number.find_first_of(".:") != std::string_view::npos &&
           number.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

Result<TrustStore> TrustStore::open(std::filesystem::path file, const NodeId& own)
{
    CONSTELA_ASSIGN(TrustList list, read_trust_file(file));
    std::erase_if(list.peers, [&](const Peer& peer) { return peer.id == own; });
    return TrustStore(std::move(file), own, std::move(list));
}

const Peer* TrustStore::find(const NodeId& id) const
{
    return find_in(list_.peers, id);
}

bool TrustStore::was_removed(const NodeId& id) const
{
    return std::find(list_.removed.begin(), list_.removed.end(), id) != list_.removed.end();
}

Result<> TrustStore::replace(TrustList list)
{
    CONSTELA_TRY(write_trust_file(file_, list));
    list_ = std::move(list);
    return {};
}

Result<> TrustStore::add(Peer peer)
{
    peer.id = node_id(peer.key);
    if (peer.id == own_) {
        return failure("A node cannot be paired with itself. Choose another machine's address.");
    }
    if (!is_node_name(peer.name)) {
        return bad_name(peer.name);
    }
    std::erase_if(peer.addresses, [](const Address& address) { return !is_numeric_address(address); });
    const bool by_persons = !peer.vouched_by;
    if (!by_persons && was_removed(peer.id)) {
        return failure("{} was removed from this node's peers, so it is not let in because another node vouches for "
                       "it. Pair with it again if it is to come back.",
                       peer.name);
    }
    TrustList list = list_;
    std::erase(list.removed, peer.id);
    if (Peer* known = find_in(list.peers, peer.id)) {
        if (by_persons) {
            known->vouched_by.reset();
            known->name = peer.name;
        }
        put_behind(known->addresses, peer.addresses);
        return replace(std::move(list));
    }
    if (list.peers.size() == kMaxPeers) {
        return failure("This node is paired with {} others, which is the most. Remove one that is no longer needed.",
                       kMaxPeers);
    }
    std::vector<Address> addresses;
    put_behind(addresses, peer.addresses); // each one once
    peer.addresses = std::move(addresses);
    if (peer.pinned && !is_numeric_address(*peer.pinned)) {
        return bad_address(*peer.pinned);
    }
    list.peers.push_back(std::move(peer));
    return replace(std::move(list));
}

Result<> TrustStore::rename(const NodeId& id, std::string_view name)
{
    if (!is_node_name(name)) {
        return bad_name(name);
    }
    TrustList list = list_;
    Peer* peer = find_in(list.peers, id);
    if (peer == nullptr) {
        return no_such_peer(id);
    }
    peer->name = name;
    return replace(std::move(list));
}

Result<> TrustStore::remember_address(const NodeId& id, const Address& address)
{
    if (!is_numeric_address(address)) {
        return bad_address(address);
    }
    const Peer* known = find(id);
    if (known == nullptr) {
        return no_such_peer(id);
    }
    if (!known->addresses.empty() && known->addresses.front() == address) {
        return {}; // the usual case, at each connection: nothing to write
    }
    TrustList list = list_;
    put_first(find_in(list.peers, id)->addresses, address);
    return replace(std::move(list));
}

Result<> TrustStore::pin(const NodeId& id, const std::optional<Address>& address)
{
    if (address && !is_numeric_address(*address)) {
        return bad_address(*address);
    }
    TrustList list = list_;
    Peer* peer = find_in(list.peers, id);
    if (peer == nullptr) {
        return no_such_peer(id);
    }
    peer->pinned = address;
    return replace(std::move(list));
}

TrustStore::Removal TrustStore::take_out(const NodeId& id, bool for_good)
{
    Removal removal;
    removal.removed.push_back(id);
    for (std::size_t i = 0; i < removal.removed.size(); ++i) { // grows by those for whom each one vouched
        const NodeId gone = removal.removed[i];
        std::erase_if(list_.peers, [&](const Peer& peer) { return peer.id == gone; });
        for (const Peer& peer : list_.peers) {
            if (peer.vouched_by == gone) {
                removal.removed.push_back(peer.id);
            }
        }
    }
    if (for_good) {
        mark_removed(list_, id);
    }
    removal.written = write_trust_file(file_, list_);
    return removal;
}

TrustStore::Removal TrustStore::remove(const NodeId& id)
{
    if (find(id) == nullptr) {
        return {{}, no_such_peer(id)};
    }
    return take_out(id, true);
}

TrustStore::Removal TrustStore::withdraw(const NodeId& id, const NodeId& by)
{
    const Peer* peer = find(id);
    if (peer == nullptr || peer->vouched_by != by) {
        return {};
    }
    return take_out(id, false);
}

} // namespace constela::cluster
