// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nodes that do one thing wrong on purpose. The checks must find each of them, or they check nothing.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string_view>

namespace constela::simulation {

enum class Mutation : std::uint8_t {
    none,
    keeps_memory,     ///< Never frees what is released.
    lies_about_ready, ///< Says that a stage stands while nothing was loaded.
    hides_failure,    ///< Does not say that a device failed.
    repeats_epochs,   ///< Has the same chance after each start.
    obeys_strangers,  ///< Carries out orders of nodes that it does not trust.
    frees_late,       ///< Says that a device is free before it is.
    no_heartbeats,    ///< Neither sends heartbeats nor answers them.
    fast_clock,       ///< Its clock runs at three times the speed.
    stays_away,       ///< Never connects again after the first time.
    deaf_to_restarts, ///< Does not notice that a session broke.
    keeps_revoked,    ///< Leaves the session of a revoked peer open.
};

struct MutationName {
    Mutation mutation;
    std::string_view name;
};

inline void PrintTo(const MutationName& mutation, std::ostream* out)
{
    *out << mutation.name;
}

inline constexpr std::array kMutations = {
    MutationName{Mutation::none, "none"},
    MutationName{Mutation::keeps_memory, "keeps_memory"},
    MutationName{Mutation::lies_about_ready, "lies_about_ready"},
    MutationName{Mutation::hides_failure, "hides_failure"},
    MutationName{Mutation::repeats_epochs, "repeats_epochs"},
    MutationName{Mutation::obeys_strangers, "obeys_strangers"},
    MutationName{Mutation::frees_late, "frees_late"},
    MutationName{Mutation::no_heartbeats, "no_heartbeats"},
    MutationName{Mutation::fast_clock, "fast_clock"},
    MutationName{Mutation::stays_away, "stays_away"},
    MutationName{Mutation::deaf_to_restarts, "deaf_to_restarts"},
    MutationName{Mutation::keeps_revoked, "keeps_revoked"},
};

} // namespace constela::simulation
