// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pairing/pairing_responder.h"

namespace constela::cluster {

void PairingResponder::start()
{
    accepting_ = true;
    if (exchange_ && exchange_->ended()) {
        exchange_.reset();
    }
}

PairingResponder::Answer PairingResponder::stop()
{
    accepting_ = false;
    return busy() ? for_exchange(exchange_->cancel()) : std::nullopt;
}

PairingResponder::Answer PairingResponder::on_message(std::string_view route, std::span<const std::byte> bytes)
{
    if (!accepting_) {
        return std::nullopt;
    }
    if (busy() && route == route_) {
        return for_exchange(exchange_->on_message(bytes));
    }
    const auto parsed = parse_pairing(bytes);
    const auto* message = std::get_if<PairingMessage>(&parsed);
    const auto* other = std::get_if<OtherPairingVersion>(&parsed);
    const bool asks =
        (message != nullptr && message->kind == PairingKind::commit) || (other != nullptr && !other->refusal);
    if (!asks) {
        return Send{std::string(route), std::nullopt, true};
    }
    if (exchange_ && exchange_->state() != PairingExchange::State::failed) {
        return Send{std::string(route), refusal(PairingReason::busy), true};
    }
    if (surroundings_.tries.locked_for() > Time::zero()) {
        return Send{std::string(route), refusal(PairingReason::locked), true};
    }
    route_ = route;
    exchange_.emplace(PairingExchange::Role::responder, self_, surroundings_, times_);
    return for_exchange(exchange_->on_message(bytes));
}

void PairingResponder::on_closed(std::string_view route)
{
    if (exchange_ && route == route_) {
        exchange_->on_closed();
    }
}

PairingResponder::Answer PairingResponder::confirm(bool digits_are_equal)
{
    return busy() ? for_exchange(exchange_->confirm(digits_are_equal)) : std::nullopt;
}

PairingResponder::Answer PairingResponder::tick()
{
    return busy() ? for_exchange(exchange_->tick()) : std::nullopt;
}

PairingResponder::Answer PairingResponder::for_exchange(PairingExchange::Answer bytes) const
{
    const bool over = exchange_->ended();
    if (!bytes && !over) {
        return std::nullopt;
    }
    return Send{route_, bytes, over};
}

} // namespace constela::cluster
