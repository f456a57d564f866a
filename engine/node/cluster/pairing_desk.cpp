// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/pairing_desk.h"

#include <utility>

namespace constela::node {

using cluster::Address;
using cluster::PairingDialer;
using cluster::PairingDialerOptions;
using cluster::PairingExchange;
using cluster::PairingListener;
using cluster::PairingSelf;
using cluster::Peer;
using cluster::Time;

namespace {

tl::unexpected<Error> already_open()
{
    return failure("Another pairing is under way on this node. End it first.");
}

} // namespace

Result<> PairingDesk::ask(const Address& address, const PairingSelf& self, Time patience, Events events)
{
    if (open()) {
        return already_open();
    }
    PairingDialerOptions options;
    options.connect = patience;
    CONSTELA_ASSIGN(dialer_, PairingDialer::dial(context_, address, self, {clock_, chance_, tries_}, options));
    host_ = address.host;
    until_ = clock_.now() + patience + options.times.whole;
    told_digits_ = false;
    events_ = std::move(events);
    return {};
}

Result<> PairingDesk::wait_for(const Address& address, const PairingSelf& self, Time patience, Events events)
{
    if (open()) {
        return already_open();
    }
    CONSTELA_TRY(tries_.check());
    CONSTELA_ASSIGN(listener_, PairingListener::open(context_, address, self, {clock_, chance_, tries_}));
    host_.clear();
    until_ = clock_.now() + patience;
    told_digits_ = false;
    events_ = std::move(events);
    return {};
}

const PairingExchange* PairingDesk::exchange() const
{
    if (listener_ != nullptr) {
        return listener_->exchange();
    }
    return dialer_ == nullptr ? nullptr : &dialer_->exchange();
}

void PairingDesk::confirm(bool digits_are_equal)
{
    if (listener_ != nullptr) {
        listener_->confirm(digits_are_equal);
    } else if (dialer_ != nullptr) {
        dialer_->confirm(digits_are_equal);
    }
}

void PairingDesk::close()
{
    listener_.reset();
    dialer_.reset();
}

void PairingDesk::add_poll_items(std::vector<zmq::pollitem_t>& items)
{
    if (listener_ != nullptr) {
        items.push_back({listener_->socket().handle(), 0, ZMQ_POLLIN, 0});
    } else if (dialer_ != nullptr) {
        items.push_back({dialer_->socket().handle(), 0, ZMQ_POLLIN, 0});
    }
}

void PairingDesk::process()
{
    if (!open()) {
        return;
    }
    while (listener_ != nullptr ? listener_->process() : dialer_->process()) {
    }
    const PairingExchange* exchange = this->exchange();
    if (exchange != nullptr && exchange->digits() && !told_digits_) {
        told_digits_ = true;
        events_.on_digits(*exchange->digits(), exchange->claimed_name());
    }
    const auto paired = exchange == nullptr ? std::nullopt : exchange->paired();
    if (paired) {
        Peer peer;
        peer.key = paired->key;
        peer.name = paired->name;
        if (!host_.empty()) {
            peer.addresses.push_back({host_, paired->control_port});
        }
        const Events events = events_;
        close();
        return events.on_paired(peer);
    }
    std::optional<Error> failed;
    if (dialer_ != nullptr && dialer_->failed()) {
        failed = dialer_->error();
    } else if (listener_ != nullptr && exchange != nullptr && exchange->state() == PairingExchange::State::failed &&
               told_digits_) {
        failed = exchange->error();
    } else if (clock_.now() > until_) {
        failed = failure("Nobody came to pair in time. Start pairing on both machines, then try again.").value();
    }
    if (failed) {
        const Events events = events_;
        close();
        events.on_failed(*failed);
    }
}

} // namespace constela::node
