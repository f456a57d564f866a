// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs simulated clusters: many seeds, or one with all that happened.
#include "simulation.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <string>

namespace sim = constela::simulation;

int main(int argc, char** argv)
{
    CLI::App app("Simulated clusters of Constela's control plane, each given by its seed.");
    std::uint64_t first = 1;
    std::uint64_t count = 1000;
    std::uint64_t seed = 0;
    bool trace = false;
    bool go_on = false;
    std::string mutation_name = "none";
    app.add_option("--first", first, "First seed")->capture_default_str();
    app.add_option("--seeds", count, "How many seeds")->capture_default_str();
    CLI::Option* one = app.add_option("--seed", seed, "Only this seed");
    app.add_flag("--trace", trace, "Print all that happens");
    app.add_flag("--go-on", go_on, "Do not stop at the first seed that fails");
    app.add_option("--mutation", mutation_name, "Make one node do something wrong")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    const auto mutation = std::ranges::find(sim::kMutations, mutation_name, &sim::MutationName::name);
    if (mutation == sim::kMutations.end()) {
        fmt::print(stderr, "There is no mutation {}; there are:", mutation_name);
        for (const auto& known : sim::kMutations) {
            fmt::print(stderr, " {}", known.name);
        }
        fmt::print(stderr, "\n");
        return 2;
    }
    if (one->count() > 0) {
        first = seed;
        count = 1;
    }
    const sim::World::Tracer print = [](sim::Time when, const std::string& line) {
        fmt::print("{:10.6f} {}\n", std::chrono::duration<double>(when).count(), line);
    };
    std::uint64_t failed = 0;
    std::uint64_t steps = 0;
    std::uint64_t ready = 0;
    for (std::uint64_t number = first; number < first + count; ++number) {
        const sim::Outcome outcome = sim::run(number, mutation->mutation, trace ? print : sim::World::Tracer());
        steps += outcome.steps;
        ready += outcome.models_ready;
        if (!outcome.violation) {
            continue;
        }
        ++failed;
        fmt::print("seed {} fails after {:.3f} s: {}\n", number,
                   std::chrono::duration<double>(outcome.violation->when).count(), outcome.violation->what);
        if (!go_on) {
            fmt::print("to see it: constela_control_simulation --seed {} --trace{}\n", number,
                       mutation_name == "none" ? "" : " --mutation " + mutation_name);
            break;
        }
    }
    fmt::print("{} seeds from {}: {} failed, {} events, {} times a model was ready\n", count, first, failed, steps,
               ready);
    return failed == 0 ? 0 : 1;
}
