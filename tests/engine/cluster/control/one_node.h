// SPDX-License-Identifier: GPL-3.0-or-later
//
// One control plane whose peers are played by the test, with a clock that the test moves.
#pragma once

#include "engine/cluster/control/control_plane.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace constela::cluster {

using namespace std::chrono_literals;

class HandClock final : public Clock {
public:
    [[nodiscard]] Time now() const override { return time; }
    Time time = 100h;
};

class CountingChance final : public Chance {
public:
    void fill(std::span<std::byte> bytes) override
    {
        std::ranges::fill(bytes, std::byte{0});
        std::ranges::fill(bytes.first(std::min<std::size_t>(bytes.size(), 4)), std::byte(next_++));
    }

private:
    unsigned next_ = 1;
};

inline NodeId id_of(unsigned number)
{
    NodeId id;
    id.bytes[0] = std::byte(number);
    return id;
}

inline PublicKey key_of(unsigned number)
{
    PublicKey key;
    key.bytes[0] = std::byte(number);
    return key;
}

inline Address address_of(unsigned number)
{
    return {"192.168.1." + std::to_string(number), 7000};
}

/// This node is number 1, "here"; peers are numbered from 2, "peer2" ...
class OneNode : public testing::Test {
protected:
    static constexpr Incarnation kRun = 77;

    [[nodiscard]] static KnownPeer peer(unsigned number)
    {
        return {id_of(number), key_of(number), "peer" + std::to_string(number), {address_of(number)}, {}, {}};
    }
    [[nodiscard]] static Hello hello(unsigned number, Incarnation incarnation = kRun)
    {
        return {kProtocol, "0.1.0", "peer" + std::to_string(number), incarnation, {7000, 7001, 7002}, {}};
    }
    /// Trusted, with a session, and greeted.
    void join(unsigned number, Incarnation incarnation = kRun)
    {
        plane.trust(peer(number));
        plane.on_up(id_of(number));
        plane.on_message(id_of(number), hello(number, incarnation));
    }
    void say(unsigned number, Message message) { plane.on_message(id_of(number), std::move(message)); }

    /// Time goes on, with a tick whenever one is due. Those in `answering` answer heartbeats.
    void pass(Time length, const std::vector<unsigned>& answering = {})
    {
        const Time end = clock.time + length;
        while (plane.next_tick() <= end) {
            clock.time = std::max(clock.time, plane.next_tick());
            plane.on_tick();
            collect();
            answer(answering);
        }
        clock.time = end;
    }

    /// All actions of one kind since the last forget().
    template <class Kind>
    [[nodiscard]] std::vector<Kind> done()
    {
        collect();
        std::vector<Kind> found;
        for (const Action& action : actions) {
            if (const auto* it = std::get_if<Kind>(&action)) {
                found.push_back(*it);
            }
        }
        return found;
    }
    /// All messages of one kind that were sent to a peer since the last forget().
    template <class Kind>
    [[nodiscard]] std::vector<Kind> sent(unsigned number)
    {
        std::vector<Kind> found;
        for (const action::Send& send : done<action::Send>()) {
            if (const auto* it = std::get_if<Kind>(&send.message); it != nullptr && send.to == id_of(number)) {
                found.push_back(*it);
            }
        }
        return found;
    }
    void forget()
    {
        collect();
        actions.clear();
        answered_ = 0;
    }

    [[nodiscard]] std::optional<PeerView> see(unsigned number) const
    {
        const ControlView view = plane.view();
        const auto found = std::ranges::find(view.peers, id_of(number), &PeerView::id);
        return found == view.peers.end() ? std::nullopt : std::optional(*found);
    }
    [[nodiscard]] PeerState state(unsigned number) const { return see(number).value().state; }

    HandClock clock;
    CountingChance chance;
    ControlPlane plane{{id_of(1), key_of(1), "here", "0.1.0", {7000, 7001, 7002}, {address_of(1)}, {}}, clock, chance};
    std::vector<Action> actions;

private:
    void collect()
    {
        std::vector<Action> more = plane.take_actions();
        std::ranges::move(more, std::back_inserter(actions));
    }
    void answer(const std::vector<unsigned>& answering)
    {
        for (; answered_ < actions.size(); ++answered_) {
            const auto* send = std::get_if<action::Send>(&actions[answered_]);
            const auto* heartbeat = send == nullptr ? nullptr : std::get_if<Heartbeat>(&send->message);
            if (heartbeat == nullptr) {
                continue;
            }
            for (const unsigned number : answering) {
                if (send->to == id_of(number)) {
                    plane.on_message(send->to, HeartbeatReply{see(number)->incarnation.value(), heartbeat->number});
                }
            }
        }
    }
    std::size_t answered_ = 0;
};

} // namespace constela::cluster
