// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pairing/pairing_listener.h"
#include "engine/cluster/transport/endpoint.h"

#include <thread>

namespace constela::cluster {
namespace {

/// ZeroMQ lets go of a port in the background: that of a listener closed just before may still be taken, for moments.
Result<Address> bind_patiently(zmq::socket_t& socket, const Address& address)
{
    constexpr int kTries = 20;
    constexpr std::chrono::milliseconds kPause(10);
    auto bound = bind_tcp(socket, address);
    for (int i = 1; i < kTries && !bound; ++i) {
        std::this_thread::sleep_for(kPause);
        bound = bind_tcp(socket, address);
    }
    return bound;
}

} // namespace

PairingListener::PairingListener(zmq::context_t& context, PairingSelf self, PairingSurroundings surroundings,
                                 const PairingListenerOptions& options)
    : connections_(context, surroundings.clock, options.limits),
      responder_(std::move(self), surroundings, options.times)
{
}

Result<std::unique_ptr<PairingListener>> PairingListener::open(zmq::context_t& context, const Address& address,
                                                               PairingSelf self, PairingSurroundings surroundings,
                                                               const PairingListenerOptions& options)
{
    std::unique_ptr<PairingListener> listener(
        new PairingListener(context, std::move(self), surroundings, options)); // NOLINT(*owning-memory): private
    CONSTELA_ASSIGN(listener->address_, bind_patiently(listener->connections_.socket(), address));
    listener->responder_.start();
    return listener;
}

PairingListener::~PairingListener()
{
    carry_out(responder_.stop());
}

bool PairingListener::process()
{
    using Kind = PairingConnections::Event::Kind;
    const auto events = connections_.receive();
    for (const PairingConnections::Event& event : events) {
        if (event.kind == Kind::closed) {
            responder_.on_closed(event.route);
        } else if (event.kind == Kind::message) {
            carry_out(responder_.on_message(event.route, event.bytes));
        }
    }
    carry_out(responder_.tick());
    const PairingExchange* exchange = responder_.exchange();
    connections_.keep(exchange != nullptr && !exchange->ended() ? responder_.route() : std::string());
    connections_.tick();
    return !events.empty();
}

void PairingListener::confirm(bool digits_are_equal)
{
    carry_out(responder_.confirm(digits_are_equal));
}

void PairingListener::carry_out(const PairingResponder::Answer& answer)
{
    if (!answer) {
        return;
    }
    if (answer->bytes) {
        connections_.send(answer->route, *answer->bytes);
    }
    if (answer->close) {
        connections_.close_soon(answer->route);
    }
}

} // namespace constela::cluster
