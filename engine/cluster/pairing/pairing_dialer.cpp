// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pairing/pairing_dialer.h"
#include "engine/cluster/transport/endpoint.h"

namespace constela::cluster {
namespace {

/// Before somebody who closed the connection without a word is asked again.
constexpr std::chrono::milliseconds kPause(200);

} // namespace

PairingDialer::PairingDialer(zmq::context_t& context, Address address, PairingSelf self,
                             PairingSurroundings surroundings, const PairingDialerOptions& options)
    : context_(&context), clock_(&surroundings.clock), address_(std::move(address)),
      give_up_at_(clock_->now() + options.connect),
      exchange_(PairingExchange::Role::initiator, std::move(self), surroundings, options.times)
{
}

Result<std::unique_ptr<PairingDialer>> PairingDialer::dial(zmq::context_t& context, const Address& address,
                                                           PairingSelf self, PairingSurroundings surroundings,
                                                           const PairingDialerOptions& options)
{
    CONSTELA_TRY(surroundings.tries.check());
    std::unique_ptr<PairingDialer> dialer(new PairingDialer(context, address, std::move(self), surroundings,
                                                            options)); // NOLINT(*owning-memory): private
    CONSTELA_TRY(dialer->connect());
    return dialer;
}

PairingDialer::~PairingDialer()
{
    if (connected()) {
        cancel();
    }
}

bool PairingDialer::process()
{
    using Kind = PairingConnections::Event::Kind;
    const auto events = connections_->receive();
    for (const PairingConnections::Event& event : events) {
        if (event.kind == Kind::closed && event.route == route_) {
            let_go(); // of the socket too: later events are of no interest
            break;
        }
        on_event(event);
    }
    connect_if_due();
    if (connected()) {
        send(exchange_.tick());
        connections_->keep(exchange_.ended() ? std::string() : route_);
        connections_->tick();
    } else if (!failed() && clock_->now() >= give_up_at_) {
        nobody_ = failure("Nobody answers at {} on port {}. Open pairing on that machine, look at the address, and let "
                          "its firewall pass this port.",
                          address_.host, address_.port)
                      .value();
    }
    return !events.empty();
}

void PairingDialer::on_event(const PairingConnections::Event& event)
{
    using Kind = PairingConnections::Event::Kind;
    if (event.kind == Kind::opened && !connected() && !failed()) {
        route_ = event.route;
        const auto first = exchange_.begin();
        send(first ? PairingExchange::Answer(*first) : std::nullopt);
    } else if (event.kind == Kind::message && event.route == route_) {
        send(exchange_.on_message(event.bytes));
    }
}

Result<> PairingDialer::connect()
{
    connections_.emplace(*context_, *clock_, PairingConnections::Limits());
    return connect_tcp(connections_->socket(), address_);
}

/// A new socket each time, since ZeroMQ would send on the next connection what this one did not take.
void PairingDialer::let_go()
{
    connections_->drop_unsent();
    connections_.emplace(*context_, *clock_, PairingConnections::Limits()); // connected to nobody
    if (exchange_.ended() || exchange_.in_earnest()) {
        exchange_.on_closed();
        return;
    }
    route_.clear(); // perhaps the port was just being closed: once more, until the time is over
    connect_at_ = clock_->now() + kPause;
}

void PairingDialer::connect_if_due()
{
    if (!connect_at_ || failed() || clock_->now() < *connect_at_) {
        return;
    }
    connect_at_.reset();
    if (const auto connecting = connect(); !connecting) {
        nobody_ = connecting.error();
    }
}

void PairingDialer::confirm(bool digits_are_equal)
{
    send(exchange_.confirm(digits_are_equal));
}

void PairingDialer::cancel()
{
    send(exchange_.cancel());
}

void PairingDialer::send(const PairingExchange::Answer& bytes)
{
    if (bytes && connected()) {
        connections_->send(route_, *bytes);
    }
}

} // namespace constela::cluster
