// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which trusted peers are there: sessions, Hello, heartbeats both ways, suspicion, loss and return.
//
// A peer is lost when its session has been closed for 300 ms, when nothing was heard of it for 2.75 s, when it says
// Goodbye, or when another run of it (incarnation) appears. A node that was itself late for its own tick judges nobody
// by the silence meanwhile. Only the node's own monotonic clock is used.
//
// Threads: one. It acts by actions alone.
#pragma once

#include "engine/cluster/control/actions.h"
#include "engine/cluster/control/dialer.h"
#include "engine/cluster/control/known_peer.h"
#include "engine/cluster/control/sentences.h"
#include "engine/cluster/control/view.h"
#include "engine/cluster/messages.h"
#include "engine/cluster/time.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace constela::cluster {

inline constexpr std::size_t kMostPeers = 256;

/// Who this node is; it does not change while it runs.
struct ControlConfig {
    NodeId self;
    PublicKey key;
    std::string name;
    std::string version; ///< "0.1.0"
    Ports ports;
    std::vector<Address> addresses; ///< Where it listens, as it sees it.
    std::vector<NodeId> removed;    ///< Whom the person has turned away, the oldest first; peers are told.
};

/// A trusted peer and all that is known of it.
struct Member {
    KnownPeer known;
    std::map<NodeId, Time> vouchers; ///< Who vouches for it, and when that was last said; known.vouched_by counts.

    PeerState state = PeerState::paired;
    std::optional<Error> reason; ///< Of lost and incompatible.
    bool up = false;             ///< A session stands.
    bool greeted = false;        ///< Its Hello was heard on this session.
    bool present = false;        ///< It counts as there: alive, or suspect for a while.
    bool dialed = false;         ///< The last session was made by this node.
    std::optional<Incarnation> incarnation;
    Hello hello;
    std::optional<Status> status;

    Time up_at{};
    Time closed_at{};
    std::optional<Time> last_heard;
    std::optional<Time> hello_sent; ///< On this session.
    Time next_hello = kNever;
    Time next_heartbeat = kNever;
    std::uint64_t heartbeats = 0;        ///< Sent on this session.
    std::array<Time, 16> heartbeat_at{}; ///< When the last ones were sent.
    std::optional<Time> round_trip;
    std::optional<Address> in_use;
    Dialer dialer;

    [[nodiscard]] bool direct() const { return !known.vouched_by; }
};

/// What the other parts must know of a change.
struct MembershipEvent {
    enum class Kind : std::uint8_t {
        joined, ///< It said Hello: first, again, or after a short break.
        gone
    };
    Kind kind = Kind::joined;
    NodeId peer;
    std::string name;
    bool fresh = true;                       ///< Of joined: another incarnation than the last one known.
    Departure departure = Departure::silent; ///< Of gone.
};

class Membership {
public:
    Membership(ControlConfig config, Chance& chance, std::vector<Action>& actions);

    [[nodiscard]] const ControlConfig& config() const { return config_; }
    void set_addresses(std::vector<Address> addresses);
    [[nodiscard]] Incarnation incarnation() const { return incarnation_; }
    [[nodiscard]] const std::map<NodeId, Member>& peers() const { return peers_; }
    [[nodiscard]] Member* find(const NodeId& id);
    [[nodiscard]] const Member* find(const NodeId& id) const;
    /// As people call it; this node too. Its id where it has no name.
    [[nodiscard]] std::string name_of(const NodeId& id) const;
    /// It said Hello on a session that stands: messages reach it.
    [[nodiscard]] bool hears(const NodeId& id) const;

    /// New, or changed. False: there are too many peers already.
    bool trust(const KnownPeer& peer, Time now);
    /// Cuts it off and forgets it.
    void remove(const NodeId& id, Departure why);

    void on_hint(const NodeId& id, const Address& address, Time now);
    void on_up(const NodeId& id, const std::optional<Address>& over, Time now);
    void on_down(const NodeId& id, Time now);
    /// Handles what is about membership. True: `message` is for others, from a peer that may say it.
    [[nodiscard]] bool admit(const NodeId& from, Message& message, Time now);
    void on_tick(Time now);
    [[nodiscard]] Time next_tick() const;
    /// This node was frozen or starved: everyone gets fresh time.
    void forgive(Time now);

    void send_status(const Status& status);
    void say_goodbye();

    /// What happened since the last call.
    [[nodiscard]] std::vector<MembershipEvent> take_events();

private:
    void send(const NodeId& to, Message message);
    void say_hello(Member& peer, Time now);
    void on_hello(Member& peer, const Hello& hello, Time now);
    void on_refusal(Member& peer, Refusal& refusal, Time now);
    void on_heartbeat(Member& peer, const Heartbeat& heartbeat, Time now);
    void on_reply(Member& peer, const HeartbeatReply& reply, Time now);
    void heard(Member& peer, Time now);
    /// The session is given up from this side.
    void hang_up(Member& peer);
    void close(Member& peer);
    void lose(Member& peer, Departure why, Time now);
    void leave(Member& peer, Departure why, const Error& reason);
    void set_incompatible(Member& peer, Error reason, Time now);
    void judge(Member& peer, Time now);
    [[nodiscard]] static Time deadline(const Member& peer);
    [[nodiscard]] Time dial_delay(const Member& peer) const;

    ControlConfig config_;
    Chance& chance_;
    std::vector<Action>& actions_;
    Incarnation incarnation_;
    std::map<NodeId, Member> peers_;
    std::vector<MembershipEvent> events_;
    std::optional<Status> own_status_;
};

} // namespace constela::cluster
