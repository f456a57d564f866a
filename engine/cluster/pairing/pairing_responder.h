// SPDX-License-Identifier: GPL-3.0-or-later
//
// The side that is asked: from all who may knock while a person has pairing open, one exchange at a time. Bytes in,
// bytes out, no sockets (pairing_listener.h has those).
//
// Threads: one. Errors: in the exchange.
#pragma once

#include "engine/cluster/pairing/pairing_exchange.h"

#include <optional>
#include <string>
#include <string_view>

namespace constela::cluster {

class PairingResponder {
public:
    /// What is to go to one of the connections. Routes are the caller's names for them.
    struct Send {
        std::string route;
        std::optional<PairingBytes> bytes;
        bool close = false; ///< Afterwards: nothing more is expected of it.
    };
    using Answer = std::optional<Send>;

    PairingResponder(PairingSelf self, PairingSurroundings surroundings, const PairingTimes& times = {})
        : self_(std::move(self)), surroundings_(surroundings), times_(times)
    {
    }

    /// Nothing is answered before. An exchange that has ended, well or not, is forgotten.
    void start();
    /// Ends what is going on.
    [[nodiscard]] Answer stop();
    [[nodiscard]] bool accepting() const { return accepting_; }

    [[nodiscard]] Answer on_message(std::string_view route, std::span<const std::byte> bytes);
    void on_closed(std::string_view route);
    [[nodiscard]] Answer confirm(bool digits_are_equal);
    [[nodiscard]] Answer tick();

    /// The exchange in hand, or the last one. After one that failed the next may come; after one that ended in a
    /// pairing nobody else is let in before start() is called again.
    [[nodiscard]] const PairingExchange* exchange() const { return exchange_ ? &*exchange_ : nullptr; }
    /// Whose connection it is.
    [[nodiscard]] const std::string& route() const { return route_; }

private:
    [[nodiscard]] bool busy() const { return exchange_ && !exchange_->ended(); }
    [[nodiscard]] Answer for_exchange(PairingExchange::Answer bytes) const;

    PairingSelf self_;
    PairingSurroundings surroundings_;
    PairingTimes times_;
    bool accepting_ = false;
    std::optional<PairingExchange> exchange_;
    std::string route_;
};

} // namespace constela::cluster
