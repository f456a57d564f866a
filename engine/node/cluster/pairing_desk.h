// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pairing that a person has open at present: one at a time, asked for or waited for.
// Threads: one.
#pragma once

#include "engine/cluster/identity/trust_store.h"
#include "engine/cluster/pairing/pairing_dialer.h"
#include "engine/cluster/pairing/pairing_listener.h"
#include "engine/cluster/pairing/pairing_tries.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace constela::node {

class PairingDesk {
public:
    /// What a person is told; `digits` once, then one of the other two.
    struct Events {
        std::function<void(const std::string& digits, const std::string& claimed_name)> on_digits;
        std::function<void(const cluster::Peer&)> on_paired;
        std::function<void(const Error&)> on_failed;
    };

    PairingDesk(zmq::context_t& context, const cluster::Clock& clock, cluster::Chance& chance)
        : context_(context), clock_(clock), chance_(chance), tries_(clock)
    {
    }

    [[nodiscard]] bool open() const { return listener_ != nullptr || dialer_ != nullptr; }
    /// The port on which it waits; 0: it does not.
    [[nodiscard]] std::uint16_t port() const
    {
        return listener_ == nullptr ? std::uint16_t{0} : listener_->address().port;
    }
    [[nodiscard]] Result<> ask(const cluster::Address& address, const cluster::PairingSelf& self,
                               cluster::Time patience, Events events);
    [[nodiscard]] Result<> wait_for(const cluster::Address& address, const cluster::PairingSelf& self,
                                    cluster::Time patience, Events events);
    void confirm(bool digits_are_equal);
    void close();

    void add_poll_items(std::vector<zmq::pollitem_t>& items);
    void process();

private:
    [[nodiscard]] const cluster::PairingExchange* exchange() const;
    void end();

    zmq::context_t& context_;
    const cluster::Clock& clock_;
    cluster::Chance& chance_;
    cluster::PairingTries tries_;
    std::unique_ptr<cluster::PairingListener> listener_;
    std::unique_ptr<cluster::PairingDialer> dialer_;
    std::string host_; ///< That was asked.
    cluster::Time until_{0};
    bool told_digits_ = false;
    Events events_;
};

} // namespace constela::node
