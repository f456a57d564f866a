// SPDX-License-Identifier: GPL-3.0-or-later
//
// A hash table of numbers whose keys lie elsewhere: compact, and made in one go. Vocabularies have hundreds of
// thousands of entries, and every pair of symbols in a text is looked up.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace constela::text {

class FlatIndex {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// For up to `entries` (below 2^31) numbers.
    explicit FlatIndex(std::size_t entries = 0)
        : slots_(std::bit_ceil(entries * 2 + 2)), shift_(64U - static_cast<unsigned>(std::countr_zero(slots_.size())))
    {
    }

    /// The number whose key has this hash and for which `is_it(number)` holds; kNone if there is none.
    template <class IsIt>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, const IsIt& is_it) const
    {
        return slots_[place(hash, is_it)].number;
    }

    /// Adds a number unless its key is there; returns what is there now.
    template <class IsIt>
    std::uint32_t insert(std::uint64_t hash, std::uint32_t number, const IsIt& is_it)
    {
        Slot& slot = slots_[place(hash, is_it)];
        if (slot.number == kNone) {
            slot = {static_cast<std::uint32_t>(hash), number};
        }
        return slot.number;
    }

private:
    struct Slot {
        std::uint32_t tag = 0; ///< The hash's lower half; the place comes from the upper bits.
        std::uint32_t number = kNone;
    };

    template <class IsIt>
    [[nodiscard]] std::size_t place(std::uint64_t hash, const IsIt& is_it) const
    {
        auto at = static_cast<std::size_t>(hash >> shift_);
        while (slots_[at].number != kNone &&
               !(slots_[at].tag == static_cast<std::uint32_t>(hash) && is_it(slots_[at].number))) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return at;
    }

    std::vector<Slot> slots_; ///< A power of two of them, half of them free.
    unsigned shift_;
};

/// Spreads a number over all 64 bits.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t number)
{
    number *= 0x9E3779B97F4A7C15U; // 2^64 / golden ratio: Fibonacci hashing
    number ^= number >> 32U;
    return number * 0x9E3779B97F4A7C15U;
}

} // namespace constela::text
