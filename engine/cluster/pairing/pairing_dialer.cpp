// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pairing/pairing_dialer.h"
#include "engine/cluster/transport/endpoint.h"

namespace constela::cluster {

PairingDialer::PairingDialer(zmq::context_t& context, Address address, PairingSelf self,
                             PairingSurroundings surroundings, const PairingDialerOptions& options)
    : clock_(&surroundings.clock), address_(std::move(address)), give_up_at_(clock_->now() + options.connect),
      connections_(context, surroundings.clock, {}),
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
    CONSTELA_TRY(connect_tcp(dialer->connections_.socket(), address));
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
    const auto events = connections_.receive();
    for (const PairingConnections::Event& event : events) {
        on_event(event);
    }
    if (connected()) {
        send(exchange_.tick());
        connections_.keep(exchange_.ended() ? std::string() : route_);
        connections_.tick();
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
    } else if (event.kind == Kind::closed && event.route == route_) {
        if (!exchange_.ended() && !exchange_.in_earnest()) {
            route_.clear(); // perhaps that port was just being closed: ZeroMQ tries again by itself
            return;
        }
        exchange_.on_closed();
        hang_up();
    }
}

/// It is over: ZeroMQ must not connect again.
void PairingDialer::hang_up()
{
    try {
        connections_.socket().disconnect(tcp_endpoint(address_));
    } catch (const zmq::error_t&) { // has been done
        return;
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
        connections_.send(route_, *bytes);
    }
}

} // namespace constela::cluster
