// SPDX-License-Identifier: GPL-3.0-or-later
//
// One try of two nodes to get to know each other, seen from one of them: bytes in, bytes out, no sockets.
//
//     initiator                                                    responder
//       commit   H(open)                             ->
//                                                    <-   reply    key, nonce, name, port
//       open     key, nonce, name, port              ->
//              both show six digits of H(commit, reply, open); two persons compare them
//       confirm  MAC                                <->   confirm  MAC
//
// Why nobody can stand in between: the initiator is bound to its key and nonce before it sees the responder's, and the
// responder answers before it sees the initiator's, so a middleman cannot search for keys or nonces that give both
// sides equal digits; each try is one chance in a million. Restarting from the other side to search there is what
// PairingTries is for: a try that was begun in earnest (both nonces on the way) and does not end in a pairing counts,
// however it ends. A confirmation is a MAC over the whole exchange under the X25519 secret of the two long-lived keys,
// so only who holds the secret half of the key that was shown can confirm. (Such commitments: ZRTP, RFC 6189,
// section 4.4.1.1; Bluetooth numeric comparison.)
//
// Threads: one. Errors: error() is a sentence for a person once state() is failed.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/pairing/pairing_message.h"
#include "engine/cluster/pairing/pairing_tries.h"
#include "engine/cluster/time.h"

#include <optional>
#include <string>

namespace constela::cluster {

/// What a node tells of itself.
struct PairingSelf {
    KeyPair keys;
    std::string name;               ///< is_node_name()
    std::uint16_t control_port = 0; ///< Where it will be found once paired; not 0.
};

/// What two persons have confirmed.
struct PairedNode {
    PublicKey key;
    std::string name;
    std::uint16_t control_port = 0;
};

struct PairingTimes {
    Time step = std::chrono::seconds(10);   ///< For an answer that needs no person.
    Time whole = std::chrono::seconds(120); ///< For everything.
};

/// What an exchange lives in; all of it outlives the exchange.
struct PairingSurroundings {
    const Clock& clock;
    Chance& chance;
    PairingTries& tries;
};

class PairingExchange {
public:
    enum class Role : std::uint8_t { initiator, responder };
    enum class State {
        waiting,   ///< For the other node's next message.
        comparing, ///< For our person to compare the digits.
        confirmed, ///< Our person has; for the other one.
        paired,
        failed,
    };

    PairingExchange(Role role, PairingSelf self, PairingSurroundings surroundings, const PairingTimes& times = {});

    /// The initiator's first message; may be said again, on another connection, until it is in earnest. Fails, and with
    /// it the exchange, while pairing is locked here.
    [[nodiscard]] Result<PairingBytes> begin();

    /// What each of these returns is to be sent to the other node.
    using Answer = std::optional<PairingBytes>;
    [[nodiscard]] Answer on_message(std::span<const std::byte> bytes);
    /// The person has compared the digits. Without effect unless state() is comparing.
    [[nodiscard]] Answer confirm(bool digits_are_equal);
    /// The person no longer wants it.
    [[nodiscard]] Answer cancel();
    /// To be called now and then: what takes too long fails.
    [[nodiscard]] Answer tick();
    /// The connection is gone.
    void on_closed();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool ended() const { return state_ == State::paired || state_ == State::failed; }
    /// Whether keys and nonces were shown: its end counts as a try.
    [[nodiscard]] bool in_earnest() const { return in_earnest_; }
    /// Six, from comparing on.
    [[nodiscard]] const std::optional<std::string>& digits() const { return digits_; }
    /// What the other calls itself: to be shown beside the digits, and not to be believed before state() is paired.
    [[nodiscard]] const std::string& claimed_name() const { return other_.name; }
    /// Only once both have confirmed.
    [[nodiscard]] std::optional<PairedNode> paired() const;
    [[nodiscard]] const Error& error() const { return error_; }

private:
    [[nodiscard]] Answer on_fitting_message(const PairingMessage& message, std::span<const std::byte> bytes);
    [[nodiscard]] Answer on_commit(std::span<const std::byte> bytes);
    [[nodiscard]] Answer on_reply(const PairingMessage& message, std::span<const std::byte> bytes);
    [[nodiscard]] Answer on_open(const PairingMessage& message, std::span<const std::byte> bytes);
    [[nodiscard]] Answer on_confirm(const PairingMessage& message);
    [[nodiscard]] Answer fail(tl::unexpected<Error> error, PairingReason tell);
    void finish_if_both_confirmed();
    [[nodiscard]] PairingBytes introduction(PairingKind kind);
    [[nodiscard]] bool learn(const PairingMessage& message);
    void show_digits();
    [[nodiscard]] Hash confirmation(Role role) const;

    Role role_;
    PairingSelf self_;
    PairingSurroundings surroundings_;
    PairingTimes times_;
    Time began_;
    Time step_began_;

    State state_ = State::waiting;
    std::optional<PairingKind> expected_;
    bool in_earnest_ = false;
    bool other_confirmed_ = false;
    PairingBytes commit_{};
    PairingBytes reply_{};
    PairingBytes open_{};
    Hash transcript_{};
    std::array<std::byte, 32> shared_{};
    std::optional<std::string> digits_;
    PairedNode other_;
    Error error_;
};

} // namespace constela::cluster
