// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chance from one seed, the same on every machine: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", 2014).
#pragma once

#include "engine/cluster/time.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace constela::simulation {

using cluster::Time;

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t number()
    {
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31U);
    }
    /// 0 to end - 1.
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(number() % end); }
    bool percent(unsigned chance) { return below(100) < chance; }
    Time between(Time least, Time most)
    {
        const auto span = static_cast<std::uint64_t>((most - least).count()) + 1;
        return least + Time(static_cast<Time::rep>(number() % span));
    }

private:
    std::uint64_t state_;
};

/// The chance of one node.
class SimChance final : public cluster::Chance {
public:
    explicit SimChance(std::uint64_t seed) : random_(seed) {}
    void fill(std::span<std::byte> bytes) override
    {
        while (!bytes.empty()) {
            const std::uint64_t number = random_.number();
            const std::size_t count = bytes.size() < sizeof number ? bytes.size() : sizeof number;
            std::memcpy(bytes.data(), &number, count);
            bytes = bytes.subspan(count);
        }
    }

private:
    Random random_;
};

} // namespace constela::simulation
