// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/control/introductions.h"

#include <algorithm>

namespace constela::cluster {
namespace {

constexpr std::size_t kMostAddressesTold = 8;
constexpr std::size_t kMostOffers = 64;
constexpr std::size_t kMostRevoked = 256;
constexpr std::size_t kMostWithdrawn = 64;
constexpr std::size_t kLongestName = 64;

} // namespace

Introductions::Introductions(Membership& membership, std::vector<Action>& actions)
    : membership_(membership), actions_(actions)
{
    const std::vector<NodeId>& removed = membership.config().removed;
    withdrawn_.assign(removed.end() - static_cast<std::ptrdiff_t>(std::min(removed.size(), kMostWithdrawn)),
                      removed.end());
}

bool Introductions::on_trust(const KnownPeer& peer, Time now)
{
    if (peer.vouched_by) {
        const auto voucher_revoked = [&](const auto& revoked) { return revoked.second == *peer.vouched_by; };
        if (revoked_.contains(peer.key) || std::ranges::any_of(revoked_, voucher_revoked)) {
            return false;
        }
    } else {
        revoked_.erase(peer.key);
        std::erase(withdrawn_, peer.id);
    }
    next_round_ = now;
    return true;
}

void Introductions::revoke(const NodeId& id)
{
    const Member* peer = membership_.find(id);
    if (peer == nullptr) {
        return;
    }
    if (revoked_.size() < kMostRevoked) {
        revoked_.emplace(peer->known.key, id);
    }
    const bool direct = peer->direct();
    membership_.remove(id, Departure::revoked);
    if (!direct) {
        return;
    }
    if (withdrawn_.size() == kMostWithdrawn) {
        withdrawn_.erase(withdrawn_.begin());
    }
    withdrawn_.push_back(id);
    drop_vouched_by(id);
    for (const auto& [other, unused] : membership_.peers()) {
        if (membership_.hears(other)) {
            actions_.emplace_back(action::Send{other, Withdrawal{id}});
        }
    }
}

void Introductions::on_joined(const NodeId& id, Time now)
{
    for (const NodeId& gone : withdrawn_) {
        actions_.emplace_back(action::Send{id, Withdrawal{gone}});
    }
    introduce(id);
    next_round_ = now; // the others may not know its addresses
    // Its word is as fresh as its session: it has time to say it again.
    for (const auto& [other, unused] : membership_.peers()) {
        Member* peer = membership_.find(other);
        if (const auto voucher = peer->vouchers.find(id); voucher != peer->vouchers.end()) {
            voucher->second = now;
        }
    }
}

void Introductions::on_introduction(const NodeId& from, Introduction introduction, Time now)
{
    if (introduction.key == membership_.config().key) {
        return;
    }
    introduction.name = checked_text(std::move(introduction.name), kLongestName);
    std::erase_if(introduction.addresses, [](const Address& address) { return !plausible(address); });
    introduction.addresses.resize(std::min(introduction.addresses.size(), kMostAddressesTold));

    const Member* teller = membership_.find(from);
    const bool may_vouch = teller != nullptr && teller->direct();
    for (const auto& [id, unused] : membership_.peers()) {
        Member* peer = membership_.find(id);
        if (peer->known.key != introduction.key) {
            continue;
        }
        peer->dialer.add_told(introduction.addresses);
        if (introduction.vouched && may_vouch) {
            peer->vouchers[from] = now;
        } else if (!introduction.vouched) {
            unvouch(id, from, false);
        }
        return;
    }
    if (!introduction.vouched || !may_vouch || revoked_.contains(introduction.key) || offered_.size() >= kMostOffers ||
        !offered_.emplace(introduction.key, from).second) {
        return;
    }
    actions_.emplace_back(action::AddTrust{std::move(introduction), from});
}

void Introductions::on_withdrawal(const NodeId& from, const Withdrawal& withdrawal)
{
    unvouch(withdrawal.node, from, false);
}

void Introductions::on_tick(Time now)
{
    std::vector<std::pair<NodeId, NodeId>> stale;
    for (const auto& [id, peer] : membership_.peers()) {
        for (const auto& [voucher, said] : peer.vouchers) {
            const Member* speaker = membership_.find(voucher);
            if (speaker == nullptr || !speaker->direct() || (membership_.hears(voucher) && now - said > kVouchLasts)) {
                stale.emplace_back(id, voucher);
            }
        }
    }
    for (const auto& [id, voucher] : stale) {
        unvouch(id, voucher, false);
    }
    if (now < next_round_) {
        return;
    }
    next_round_ = membership_.peers().empty() ? kNever : now + kIntroduceEvery;
    offered_.clear(); // the owner may decide otherwise than before
    for (const auto& [id, peer] : membership_.peers()) {
        introduce(id);
    }
}

void Introductions::forgive(Time now)
{
    for (const auto& [id, unused] : membership_.peers()) {
        for (auto& [voucher, said] : membership_.find(id)->vouchers) {
            said = now;
        }
    }
}

void Introductions::introduce(const NodeId& to)
{
    if (!membership_.hears(to)) {
        return;
    }
    for (const auto& [id, peer] : membership_.peers()) {
        if (id == to) {
            continue;
        }
        Introduction introduction{peer.known.key, peer.known.name, {}, peer.direct()};
        const auto& candidates = peer.dialer.known();
        introduction.addresses = candidates;
        for (const Address& address : peer.hello.addresses) {
            if (std::ranges::find(introduction.addresses, address) == introduction.addresses.end()) {
                introduction.addresses.push_back(address);
            }
        }
        introduction.addresses.resize(std::min(introduction.addresses.size(), kMostAddressesTold));
        if (introduction.vouched || !introduction.addresses.empty()) {
            actions_.emplace_back(action::Send{to, std::move(introduction)});
        }
    }
}

void Introductions::unvouch(const NodeId& id, const NodeId& voucher, bool cut)
{
    Member* peer = membership_.find(id);
    if (peer == nullptr || peer->vouchers.erase(voucher) == 0) {
        return;
    }
    if (peer->known.vouched_by != voucher) {
        return;
    }
    const auto others = peer->vouchers;
    const auto other = std::ranges::find_if(others, [&](const auto& entry) {
        const Member* speaker = membership_.find(entry.first);
        return speaker != nullptr && speaker->direct();
    });
    const Introduction introduction{peer->known.key, peer->known.name, peer->dialer.known(), true};
    if (cut || other == others.end()) {
        std::erase_if(offered_, [&](const auto& offer) { return offer.first == introduction.key; });
        membership_.remove(id, Departure::revoked);
        actions_.emplace_back(action::DropTrust{id});
    } else {
        peer->known.vouched_by = other->first;
    }
    if (other != others.end()) {
        offered_.emplace(introduction.key, other->first);
        actions_.emplace_back(action::AddTrust{introduction, other->first});
    }
}

void Introductions::drop_vouched_by(const NodeId& voucher)
{
    std::vector<NodeId> vouched;
    for (const auto& [id, peer] : membership_.peers()) {
        if (peer.vouchers.contains(voucher)) {
            vouched.push_back(id);
        }
    }
    for (const NodeId& id : vouched) {
        unvouch(id, voucher, true);
    }
}

} // namespace constela::cluster
