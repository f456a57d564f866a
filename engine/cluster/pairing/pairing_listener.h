// SPDX-License-Identifier: GPL-3.0-or-later
//
// PairingResponder on a TCP port, which is open only for as long as the listener lives: while a person has pairing
// open.
//
// Threads: one. Errors: sentences.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/pairing/pairing_connections.h"
#include "engine/cluster/pairing/pairing_responder.h"

#include <memory>

namespace constela::cluster {

struct PairingListenerOptions {
    PairingTimes times;
    PairingConnections::Limits limits;
};

class PairingListener {
public:
    /// Port 0 takes a free one. Waits for up to 200 ms for a port that is taken. All that is in `surroundings`, and the
    /// context, outlive the listener.
    [[nodiscard]] static Result<std::unique_ptr<PairingListener>> open(zmq::context_t& context, const Address& address,
                                                                       PairingSelf self,
                                                                       PairingSurroundings surroundings,
                                                                       const PairingListenerOptions& options = {});
    /// Ends what is going on, tells the other node, and closes the port.
    ~PairingListener();
    PairingListener(const PairingListener&) = delete;
    PairingListener& operator=(const PairingListener&) = delete;

    [[nodiscard]] const Address& address() const { return address_; }
    /// To be polled for input.
    [[nodiscard]] zmq::socket_ref socket() { return connections_.socket(); }
    /// Does what there is to do, never waits. To be called when the socket has input, and at least every 250 ms. True:
    /// there may be more; call again soon, before waiting.
    bool process();

    /// The exchange in hand, or the last one; null before the first.
    [[nodiscard]] const PairingExchange* exchange() const { return responder_.exchange(); }
    /// What the person says of its digits.
    void confirm(bool digits_are_equal);

private:
    PairingListener(zmq::context_t& context, PairingSelf self, PairingSurroundings surroundings,
                    const PairingListenerOptions& options);
    void carry_out(const PairingResponder::Answer& answer);

    PairingConnections connections_;
    PairingResponder responder_;
    Address address_;
};

} // namespace constela::cluster
