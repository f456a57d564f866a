// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nodes that want to pair, in virtual time and from one seed.
#pragma once

#include "engine/cluster/identity/keys.h"
#include "engine/cluster/pairing/pairing_exchange.h"

#include <cstdint>
#include <random>
#include <string>

namespace constela::cluster::test {

class HandClock final : public Clock {
public:
    [[nodiscard]] Time now() const override { return now_; }
    void pass(Time time) { now_ += time; }

private:
    Time now_ = std::chrono::hours(5);
};

class SeededChance final : public Chance {
public:
    explicit SeededChance(std::uint64_t seed) : random_(seed) {}
    void fill(std::span<std::byte> bytes) override
    {
        for (std::byte& byte : bytes) {
            byte = static_cast<std::byte>(random_() & 0xFFU);
        }
    }
    [[nodiscard]] std::uint64_t below(std::uint64_t end) { return random_() % end; }

private:
    std::mt19937_64 random_;
};

/// One node, with what its pairings live in.
struct PairingNode {
    PairingNode(const std::string& name, const Clock& clock, Chance& chance)
        : self{make_key_pair(chance), name, 7210}, tries(clock), surroundings{clock, chance, tries}
    {
    }
    PairingNode(const PairingNode&) = delete;
    PairingNode& operator=(const PairingNode&) = delete;

    PairingSelf self;
    PairingTries tries;
    PairingSurroundings surroundings;
};

} // namespace constela::cluster::test
