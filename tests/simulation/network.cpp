// SPDX-License-Identifier: GPL-3.0-or-later
#include "network.h"

#include <algorithm>

namespace constela::simulation {
namespace {

using namespace std::chrono_literals;

} // namespace

Network::Network(EventQueue& queue, Random& random, Machines& machines, std::size_t nodes, bool hard)
    : queue_(queue), random_(random), machines_(machines), nodes_(nodes), hard_(hard), latency_(nodes * nodes),
      cut_(nodes * nodes, false), current_(nodes * nodes)
{
    for (Time& latency : latency_) {
        latency = random_.percent(80) ? random_.between(50us, 2ms) : random_.between(10ms, 80ms);
    }
}

void Network::connect(NodeIndex from, NodeIndex to, const cluster::Address& address)
{
    queue_.after(delay(from, to), [this, from, to, address] { arrive(from, to, address); });
}

void Network::disconnect(NodeIndex from, NodeIndex to)
{
    if (const SessionPtr session = current(from, to)) {
        close_end(session, session->ends[0] == from ? 0 : 1, true);
    }
}

void Network::send(NodeIndex from, NodeIndex to, cluster::Message message)
{
    if (const SessionPtr session = current(from, to)) {
        push(session, session->ends[0] == from ? 0 : 1, std::move(message));
    }
}

void Network::drop_all(NodeIndex node, bool silently)
{
    for (NodeIndex peer = 0; peer < nodes_; ++peer) {
        if (const SessionPtr session = current(node, peer)) {
            const int end = session->ends[0] == node ? 0 : 1;
            if (silently) {
                session->under_way[end].clear();
            } else if (!session->under_way[end].empty()) { // a killed process loses what its socket still held
                session->under_way[end].resize(random_.below(session->under_way[end].size() + 1));
            }
            close_end(session, end, !silently);
        }
    }
}

void Network::break_session(NodeIndex a, NodeIndex b)
{
    for (const auto& session : {current(a, b), current(b, a)}) {
        if (!session || session->broken) {
            continue;
        }
        for (int sender = 0; sender < 2; ++sender) {
            auto& under_way = session->under_way[sender];
            under_way.resize(random_.below(under_way.size() + 1));
            push(session, sender, std::nullopt);
        }
        session->broken = true;
    }
}

void Network::cut(NodeIndex from, NodeIndex to)
{
    cut_[from * nodes_ + to] = true;
}

void Network::heal(NodeIndex from, NodeIndex to)
{
    cut_[from * nodes_ + to] = false;
    for (const SessionPtr& session : std::exchange(waiting_, std::set<SessionPtr, InOrder>())) {
        for (int sender = 0; sender < 2; ++sender) { // TCP sends again after a while
            queue_.after(random_.between(1ms, 400ms), [this, session, sender] { pump(session, sender); });
        }
    }
}

Time Network::delay(NodeIndex a, NodeIndex b)
{
    const Time base = latency_[a * nodes_ + b];
    const Time jitter = random_.percent(95) ? base / 4 : Time(200ms);
    return base + random_.between(Time(0), jitter);
}

void Network::arrive(NodeIndex from, NodeIndex to, const cluster::Address& address)
{
    // A handshake needs both directions, a process that answers, and the right keys.
    if (machines_.at(address) != to || from == to || !machines_.running(from) || !machines_.running(to) ||
        machines_.frozen_until(to) > queue_.now() || is_cut(from, to) || is_cut(to, from) ||
        !machines_.admits(to, from)) {
        return;
    }
    if (const SessionPtr old = current(to, from)) {
        if (old->ends[0] == to && machines_.lower_id(to, from)) {
            return;
        }
        close_end(old, old->ends[0] == to ? 0 : 1, true);
    }
    const auto session = std::make_shared<Session>();
    session->number = ++sessions_;
    session->ends[0] = from;
    session->ends[1] = to;
    current(to, from) = session;
    machines_.on_up(to, from, std::nullopt);
    queue_.after(delay(to, from), [this, session, address] { complete(session, address); });
}

void Network::complete(const SessionPtr& session, const cluster::Address& address)
{
    const NodeIndex from = session->ends[0];
    const NodeIndex to = session->ends[1];
    if (!session->open[0]) {
        return;
    }
    const SessionPtr old = current(from, to);
    const bool keep_old = old != nullptr && old->ends[0] == to && machines_.lower_id(to, from);
    if (!machines_.running(from) || !machines_.admits(from, to) || keep_old) {
        close_end(session, 0, true);
        return;
    }
    if (const Time thaw = machines_.frozen_until(from); thaw > queue_.now()) {
        queue_.at(thaw, [this, session, address] { complete(session, address); });
        return;
    }
    if (old) {
        close_end(old, old->ends[0] == from ? 0 : 1, true);
    }
    current(from, to) = session;
    machines_.on_up(from, to, address);
    for (int sender = 0; sender < 2; ++sender) {
        pump(session, sender);
    }
}

void Network::close_end(const SessionPtr& session, int end, bool tell)
{
    if (!session->open[end]) {
        return;
    }
    if (tell) {
        push(session, end, std::nullopt);
    }
    session->open[end] = false;
    SessionPtr& seen = current(session->ends[end], session->ends[1 - end]);
    if (seen == session) {
        seen = nullptr;
    }
}

void Network::push(const SessionPtr& session, int sender, std::optional<cluster::Message> message)
{
    if (session->broken || !session->open[sender]) {
        return;
    }
    const NodeIndex from = session->ends[sender];
    const NodeIndex to = session->ends[1 - sender];
    Time at = queue_.now() + delay(from, to);
    if (hard_ && message) {
        if (random_.percent(4)) {
            return;
        }
        if (random_.percent(4)) { // on its own way
            queue_.at(at + random_.between(1ms, 300ms), [this, session, sender, copy = message]() mutable {
                if (session->open[1 - sender]) {
                    deliver(session, sender, std::move(copy));
                }
            });
            if (random_.percent(50)) {
                return;
            }
        }
    }
    auto& under_way = session->under_way[sender];
    if (!under_way.empty()) {
        at = std::max(at, under_way.back().at);
    }
    under_way.push_back({at, std::move(message)});
    queue_.at(at, [this, session, sender] { pump(session, sender); });
}

void Network::pump(const SessionPtr& session, int sender)
{
    const NodeIndex from = session->ends[sender];
    const NodeIndex to = session->ends[1 - sender];
    auto& under_way = session->under_way[sender];
    while (!under_way.empty() && under_way.front().at <= queue_.now()) {
        if (is_cut(from, to)) {
            waiting_.insert(session);
            return;
        }
        if (!session->open[1 - sender]) {
            under_way.clear();
            if (machines_.powered(to) && !is_cut(to, from)) {
                reset(session, sender);
            }
            return;
        }
        if (current(to, from) != session) { // it has not heard of the session yet: complete() goes on
            return;
        }
        if (const Time thaw = machines_.frozen_until(to); thaw > queue_.now()) {
            queue_.at(thaw, [this, session, sender] { pump(session, sender); });
            return;
        }
        Packet packet = std::move(under_way.front());
        under_way.pop_front();
        deliver(session, sender, std::move(packet.message));
    }
}

void Network::deliver(const SessionPtr& session, int sender, std::optional<cluster::Message> message)
{
    const NodeIndex from = session->ends[sender];
    const NodeIndex to = session->ends[1 - sender];
    if (!message) {
        reset(session, 1 - sender);
        return;
    }
    if (current(to, from) != session || is_cut(from, to)) {
        return;
    }
    if (const Time thaw = machines_.frozen_until(to); thaw > queue_.now()) {
        return; // of those on their own way
    }
    machines_.on_message(to, from, std::move(*message));
}

void Network::reset(const SessionPtr& session, int end)
{
    const NodeIndex node = session->ends[end];
    const NodeIndex peer = session->ends[1 - end];
    if (!session->open[end]) {
        return;
    }
    if (const Time thaw = machines_.frozen_until(node); thaw > queue_.now()) {
        queue_.at(thaw, [this, session, end] { reset(session, end); });
        return;
    }
    const bool known = current(node, peer) == session;
    close_end(session, end, true);
    if (known) {
        machines_.on_down(node, peer);
    }
}

} // namespace constela::simulation
