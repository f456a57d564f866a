// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run of a simulated cluster, wholly given by its seed.
#pragma once

#include "mutation.h"
#include "world.h"

#include <cstdint>
#include <optional>

namespace constela::simulation {

struct Outcome {
    std::optional<Violation> violation;
    std::uint64_t steps = 0;       ///< Events.
    std::size_t models_ready = 0;  ///< How often a model was ready: a run in which nothing happens proves nothing.
    std::uint64_t fingerprint = 0; ///< Of all that chance gave out and all that happened: a replay has the same.
};

[[nodiscard]] Outcome run(std::uint64_t seed, Mutation mutation = Mutation::none, World::Tracer tracer = nullptr);

} // namespace constela::simulation
