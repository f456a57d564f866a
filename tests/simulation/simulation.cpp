// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation.h"

#include "scenario.h"

namespace constela::simulation {

using namespace std::chrono_literals;

Outcome run(std::uint64_t seed, Mutation mutation, World::Tracer tracer)
{
    constexpr Time kLookEvery = 200ms;
    World world(seed, mutation, std::move(tracer));
    Scenario scenario(world);
    scenario.plan();
    Time look = kLookEvery;
    while (!world.checks().violation() && world.now() < scenario.end()) {
        while (!world.checks().violation() && world.queue().step(look)) {
        }
        if (!world.checks().violation()) {
            world.checks().look();
        }
        look += kLookEvery;
    }
    return {world.checks().violation(), world.queue().steps(), world.checks().models_ready(),
            world.random().number() ^ world.queue().steps()};
}

} // namespace constela::simulation
