// SPDX-License-Identifier: GPL-3.0-or-later
//
// 5,000 simulated clusters, a replay, and proof that the checks find what is wrong. More seeds, and one with all that
// happened: constela_control_simulation --help.
#include "simulation.h"

#include <gtest/gtest.h>
#include <string>

namespace constela::simulation {
namespace {

constexpr std::uint64_t kSeedsInAll = 5000;
constexpr std::uint64_t kParts = 10;

class Clusters : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Clusters, KeepWhatTheyPromise)
{
    const std::uint64_t count = kSeedsInAll / kParts;
    std::size_t ready = 0;
    for (std::uint64_t seed = GetParam() * count + 1; seed <= (GetParam() + 1) * count; ++seed) {
        const Outcome outcome = run(seed);
        ready += outcome.models_ready;
        ASSERT_FALSE(outcome.violation) << "seed " << seed << ": " << outcome.violation->what
                                        << "\nto see it: constela_control_simulation --seed " << seed << " --trace";
    }
    EXPECT_GT(ready, count) << "too little happens in these clusters to prove anything";
}

INSTANTIATE_TEST_SUITE_P(Seeds, Clusters, testing::Range(std::uint64_t(0), kParts),
                         [](const auto& part) { return "part" + std::to_string(part.param); });

TEST(Simulation, ASeedReplaysExactly)
{
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::string first;
        std::string second;
        const auto note = [](std::string& into) {
            return [&into](Time when, const std::string& line) { into += std::to_string(when.count()) + line + '\n'; };
        };
        EXPECT_EQ(run(seed, Mutation::none, note(first)).fingerprint,
                  run(seed, Mutation::none, note(second)).fingerprint);
        EXPECT_EQ(first, second);
        EXPECT_FALSE(first.empty());
        EXPECT_EQ(run(seed).fingerprint, run(seed, Mutation::none, note(first)).fingerprint) << "tracing changes a run";
    }
}

class Mutants : public testing::TestWithParam<MutationName> {};

TEST_P(Mutants, AreFound)
{
    constexpr std::uint64_t kMostSeeds = 300;
    for (std::uint64_t seed = 1; seed <= kMostSeeds; ++seed) {
        if (const Outcome outcome = run(seed, GetParam().mutation); outcome.violation) {
            RecordProperty("seed", std::to_string(seed));
            RecordProperty("violation", outcome.violation->what);
            return;
        }
    }
    FAIL() << "the checks did not find it within " << kMostSeeds << " seeds";
}

INSTANTIATE_TEST_SUITE_P(Each, Mutants, testing::ValuesIn(kMutations.begin() + 1, kMutations.end()),
                         [](const auto& mutation) { return std::string(mutation.param.name); });

} // namespace
} // namespace constela::simulation
