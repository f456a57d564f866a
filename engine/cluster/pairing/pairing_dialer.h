// SPDX-License-Identifier: GPL-3.0-or-later
//
// The side that asks, over TCP. It tries to connect until the other node opens its port for pairing, or the time for
// that is over: it does not matter which of the two persons is first.
//
// Threads: one. Errors: error() once it has failed.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/pairing/pairing_connections.h"
#include "engine/cluster/pairing/pairing_exchange.h"

#include <memory>

namespace constela::cluster {

struct PairingDialerOptions {
    Time connect = std::chrono::seconds(30); ///< How long nobody may be there.
    PairingTimes times;
};

class PairingDialer {
public:
    /// Fails when the address is none, or pairing is locked here.
    [[nodiscard]] static Result<std::unique_ptr<PairingDialer>> dial(zmq::context_t& context, const Address& address,
                                                                     PairingSelf self, PairingSurroundings surroundings,
                                                                     const PairingDialerOptions& options = {});
    /// Ends what is going on and tells the other node.
    ~PairingDialer();
    PairingDialer(const PairingDialer&) = delete;
    PairingDialer& operator=(const PairingDialer&) = delete;

    /// To be polled for input. After process() it may be another one.
    [[nodiscard]] zmq::socket_ref socket() { return connections_->socket(); }
    /// Does what there is to do, never waits. To be called when the socket has input, and at least every 250 ms. True:
    /// there may be more; call again soon, before waiting.
    bool process();

    /// Whether somebody is there. Before, the exchange has not begun.
    [[nodiscard]] bool connected() const { return !route_.empty(); }
    [[nodiscard]] const PairingExchange& exchange() const { return exchange_; }
    [[nodiscard]] bool failed() const { return nobody_ || exchange_.state() == PairingExchange::State::failed; }
    [[nodiscard]] const Error& error() const { return nobody_ ? *nobody_ : exchange_.error(); }
    /// What the person says of the digits.
    void confirm(bool digits_are_equal);
    void cancel();

private:
    PairingDialer(zmq::context_t& context, Address address, PairingSelf self, PairingSurroundings surroundings,
                  const PairingDialerOptions& options);
    void on_event(const PairingConnections::Event& event);
    void connect_if_due();
    [[nodiscard]] Result<> connect();
    void let_go();
    void send(const PairingExchange::Answer& bytes);

    zmq::context_t* context_;
    const Clock* clock_;
    Address address_;
    Time give_up_at_;
    std::optional<PairingConnections> connections_;
    PairingExchange exchange_;
    std::optional<Time> connect_at_; ///< None: it does so already.
    std::string route_;
    std::optional<Error> nobody_; ///< It failed before the exchange began.
};

} // namespace constela::cluster
