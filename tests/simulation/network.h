// SPDX-License-Identifier: GPL-3.0-or-later
//
// A network of sessions as TCP makes them: what is sent arrives late, in order and once while the session stands, and a
// session may break at any time and lose what was under way. In hard mode messages are also lost, doubled and put out
// of order. Directions between two nodes can be cut; what is under way then waits.
//
// Of two sessions of one pair the one that the node with the lower id made is kept.
#pragma once

#include "engine/cluster/messages.h"
#include "event_queue.h"
#include "random.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace constela::simulation {

using NodeIndex = std::size_t;

/// What the network asks of the machines.
class Machines {
public:
    virtual ~Machines() = default;
    Machines() = default;
    Machines(const Machines&) = delete;
    Machines& operator=(const Machines&) = delete;
    /// A process runs there.
    [[nodiscard]] virtual bool running(NodeIndex node) const = 0;
    /// The machine is on (it resets connections that it does not know).
    [[nodiscard]] virtual bool powered(NodeIndex node) const = 0;
    /// Until when it does nothing; not after now: it works.
    [[nodiscard]] virtual Time frozen_until(NodeIndex node) const = 0;
    /// Its gate lets the other in.
    [[nodiscard]] virtual bool admits(NodeIndex node, NodeIndex other) const = 0;
    /// The node at an address.
    [[nodiscard]] virtual std::optional<NodeIndex> at(const cluster::Address& address) const = 0;
    [[nodiscard]] virtual bool lower_id(NodeIndex a, NodeIndex b) const = 0;

    virtual void on_up(NodeIndex node, NodeIndex peer, std::optional<cluster::Address> over) = 0;
    virtual void on_down(NodeIndex node, NodeIndex peer) = 0;
    virtual void on_message(NodeIndex node, NodeIndex from, cluster::Message message) = 0;
};

class Network {
public:
    Network(EventQueue& queue, Random& random, Machines& machines, std::size_t nodes, bool hard);

    void connect(NodeIndex from, NodeIndex to, const cluster::Address& address);
    /// The node at `from` closes its end; what it sent before goes out.
    void disconnect(NodeIndex from, NodeIndex to);
    void send(NodeIndex from, NodeIndex to, cluster::Message message);

    /// The process is gone. `silently`: the power went, so that nobody is told.
    void drop_all(NodeIndex node, bool silently);
    /// The session of the pair breaks; some of what is under way is lost.
    void break_session(NodeIndex a, NodeIndex b);
    void cut(NodeIndex from, NodeIndex to);
    void heal(NodeIndex from, NodeIndex to);
    [[nodiscard]] bool is_cut(NodeIndex from, NodeIndex to) const { return cut_[from * nodes_ + to]; }
    [[nodiscard]] bool connected(NodeIndex from, NodeIndex to) const { return current_[from * nodes_ + to] != nullptr; }

private:
    struct Packet {
        Time at;
        std::optional<cluster::Message> message; ///< Nothing: the end of what that side says.
    };
    struct Session {
        std::uint64_t number;        ///< Gives sets of sessions an order that does not depend on where they lie.
        NodeIndex ends[2];           ///< The first one made it.
        bool open[2] = {true, true}; ///< As that end sees it.
        bool broken = false;
        std::deque<Packet> under_way[2]; ///< By sender.
    };
    using SessionPtr = std::shared_ptr<Session>;

    [[nodiscard]] Time delay(NodeIndex a, NodeIndex b);
    [[nodiscard]] SessionPtr& current(NodeIndex node, NodeIndex peer) { return current_[node * nodes_ + peer]; }
    void arrive(NodeIndex from, NodeIndex to, const cluster::Address& address);
    void complete(const SessionPtr& session, const cluster::Address& address);
    void close_end(const SessionPtr& session, int end, bool tell);
    void push(const SessionPtr& session, int sender, std::optional<cluster::Message> message);
    void pump(const SessionPtr& session, int sender);
    void deliver(const SessionPtr& session, int sender, std::optional<cluster::Message> message);
    void reset(const SessionPtr& session, int end);

    EventQueue& queue_;
    Random& random_;
    Machines& machines_;
    std::size_t nodes_;
    bool hard_;
    std::vector<Time> latency_;
    std::vector<bool> cut_;
    std::vector<SessionPtr> current_; ///< As the first of each pair sees it.
    struct InOrder {
        bool operator()(const SessionPtr& a, const SessionPtr& b) const { return a->number < b->number; }
    };
    std::uint64_t sessions_ = 0;
    std::set<SessionPtr, InOrder> waiting_; ///< Something of it waits for a cut to end.
};

} // namespace constela::simulation
