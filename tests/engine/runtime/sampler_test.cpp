// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace constela::test {
namespace {

using runtime::log_probability;
using runtime::Sampler;
using runtime::SamplingOptions;
using Logits = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

SamplingOptions greedy()
{
    SamplingOptions options;
    options.temperature = 0;
    return options;
}

/// Draws from the softmax as it is.
SamplingOptions plain(std::uint64_t seed = 7)
{
    SamplingOptions options;
    options.temperature = 1;
    options.top_k = 0;
    options.top_p = 1;
    options.min_p = 0;
    options.seed = seed;
    return options;
}

/// Logits of which the softmax gives these probabilities.
Logits logits_of(const std::vector<double>& probabilities)
{
    Logits logits;
    for (const double p : probabilities) {
        logits.push_back(static_cast<float>(std::log(p)));
    }
    return logits;
}

std::int32_t choice(const SamplingOptions& options, const Logits& logits, const std::vector<std::int32_t>& before = {})
{
    Sampler sampler(options);
    for (const std::int32_t token : before) {
        sampler.accept(token);
    }
    return sampler.sample(logits);
}

std::set<std::int32_t> chosen(const SamplingOptions& options, const Logits& logits, int draws = 2000)
{
    Sampler sampler(options);
    std::set<std::int32_t> ids;
    for (int i = 0; i < draws; ++i) {
        ids.insert(sampler.sample(logits));
    }
    return ids;
}

using Ids = std::set<std::int32_t>;

TEST(Sampler, GreedyTakesTheBestAndOfEqualsTheFirst)
{
    EXPECT_EQ(choice(greedy(), {0, 3, 1}), 1);
    EXPECT_EQ(choice(greedy(), {0, 3, 3, 3}), 1);
    EXPECT_EQ(choice(greedy(), {-5, -7, -5}), 0);
}

TEST(Sampler, NanIsNeverChosen)
{
    for (const SamplingOptions& options : {greedy(), plain(), SamplingOptions{}}) {
        EXPECT_EQ(choice(options, {kNan, -3, kNan}), 1);
        EXPECT_EQ(choice(options, {kNan, kNan}), 0) << "there is nothing else";
        EXPECT_EQ(choice(options, {}), 0);
        EXPECT_EQ(choice(options, {-kInf, -kInf}), 0);
        EXPECT_EQ(choice(options, {0, kInf, kInf, kNan}), 1);
    }
}

TEST(Sampler, BiasMovesBansAndIgnoresWhatIsNotThere)
{
    SamplingOptions options = greedy();
    options.logit_bias = {{0, 5.0F}, {-1, 100.0F}, {3, 100.0F}, {std::numeric_limits<std::int32_t>::max(), 1.0F}};
    EXPECT_EQ(choice(options, {0, 3, 1}), 0);
    options = plain();
    options.logit_bias = {{1, -kInf}};
    EXPECT_EQ(chosen(options, {0, 9, 0}), (Ids{0, 2}));
    options.logit_bias = {{1, kNan}};
    EXPECT_EQ(chosen(options, {0, 9, 0}), (Ids{0, 2}));
    options.logit_bias = {{0, -kInf}, {1, -kInf}, {2, -kInf}};
    EXPECT_EQ(chosen(options, {0, 9, 0}, 10), (Ids{0}));
}

TEST(Sampler, RepetitionDividesWhatIsAboveZeroAndMultipliesWhatIsBelow)
{
    SamplingOptions options = greedy();
    options.repeat_penalty = 2;
    EXPECT_EQ(choice(options, {4, 2.1F, 0}, {0}), 1) << "4 becomes 2";
    EXPECT_EQ(choice(options, {4, 1.9F, 0}, {0}), 0);
    EXPECT_EQ(choice(options, {-1, -1.9F}, {0}), 1) << "-1 becomes -2";
    EXPECT_EQ(choice(options, {-1, -2.1F}, {0}), 0);
    EXPECT_EQ(choice(options, {4, 1.9F}, {0, 0, 0}), 0) << "once, however often it came";
    EXPECT_EQ(choice(options, {4, 1}, {-1, 99}), 0) << "what is not in the vocabulary";
}

TEST(Sampler, PresenceCountsOnceFrequencyEachTime)
{
    SamplingOptions options = greedy();
    options.presence_penalty = 1;
    EXPECT_EQ(choice(options, {2, 1.5F}, {0}), 1);
    EXPECT_EQ(choice(options, {2, 0.9F}, {0, 0, 0, 0}), 0);
    options.presence_penalty = 0;
    options.frequency_penalty = 0.5F;
    EXPECT_EQ(choice(options, {2, 0.9F}, {0, 0}), 0);
    EXPECT_EQ(choice(options, {2, 0.9F}, {0, 0, 0}), 1);
    options.frequency_penalty = -1; // invites
    EXPECT_EQ(choice(options, {2, 0.9F}, {1, 1}), 1);
}

TEST(Sampler, BiasComesBeforePenalties)
{
    SamplingOptions options = greedy();
    options.logit_bias = {{0, 6.0F}};
    options.repeat_penalty = 2;
    EXPECT_EQ(choice(options, {-2, 2.5F}, {0}), 1) << "(-2 + 6) / 2 = 2";
    EXPECT_EQ(choice(options, {-2, 1.5F}, {0}), 0);
}

TEST(Sampler, PenaltiesForgetWhatIsOlderThanTheirWindow)
{
    SamplingOptions options = greedy();
    options.presence_penalty = 5;
    options.penalty_window = 2;
    EXPECT_EQ(choice(options, {3, 1, 2, 0}, {0, 1}), 2);
    EXPECT_EQ(choice(options, {3, 1, 2, 0}, {0, 3, 1}), 0) << "0 is three tokens ago";
    EXPECT_EQ(choice(options, {3, 1, 2, 0}, {0, 3, 0, 1}), 2) << "and here one again";
    options.penalty_window = 0;
    EXPECT_EQ(choice(options, {3, 1}, {0}), 0);
    options.penalty_window = -1;
    std::vector<std::int32_t> many(1000, 1);
    many.front() = 0;
    EXPECT_EQ(choice(options, {3, 1, 2}, many), 2);
}

TEST(Sampler, DrawsAsOftenAsTheProbabilitiesSay)
{
    const Logits logits = logits_of({0.5, 0.3, 0.15, 0.05});
    Sampler sampler(plain());
    std::array<int, 4> counts{};
    const int draws = 40000;
    for (int i = 0; i < draws; ++i) {
        ++counts.at(static_cast<std::size_t>(sampler.sample(logits)));
    }
    EXPECT_NEAR(counts[0], 0.5 * draws, 0.01 * draws); // four standard deviations
    EXPECT_NEAR(counts[1], 0.3 * draws, 0.01 * draws);
    EXPECT_NEAR(counts[2], 0.15 * draws, 0.008 * draws);
    EXPECT_NEAR(counts[3], 0.05 * draws, 0.005 * draws);
}

TEST(Sampler, TemperatureSharpensAndFlattens)
{
    const auto share = [](float temperature) {
        SamplingOptions options = plain();
        options.temperature = temperature;
        Sampler sampler(options);
        int first = 0;
        for (int i = 0; i < 20000; ++i) {
            first += sampler.sample(logits_of({0.8, 0.2})) == 0 ? 1 : 0;
        }
        return first / 20000.0;
    };
    EXPECT_NEAR(share(1), 0.8, 0.02);
    EXPECT_NEAR(share(0.5F), 0.64 / 0.68, 0.02);
    EXPECT_NEAR(share(2), std::sqrt(0.8) / (std::sqrt(0.8) + std::sqrt(0.2)), 0.02);
    EXPECT_EQ(share(1e-30F), 1.0);
    EXPECT_NEAR(share(1000), 0.5, 0.02);
}

TEST(Sampler, TopKKeepsTheBest)
{
    SamplingOptions options = plain();
    options.top_k = 2;
    EXPECT_EQ(chosen(options, logits_of({0.1, 0.3, 0.2, 0.4})), (Ids{1, 3}));
    EXPECT_EQ(chosen(options, {0, 0, 0, 0}), (Ids{0, 1})) << "of equals the first";
    options.top_k = 1;
    EXPECT_EQ(chosen(options, {0, 0, 0, 0}), (Ids{0}));
    options.top_k = 100;
    EXPECT_EQ(chosen(options, {0, 0, 0, 0}), (Ids{0, 1, 2, 3}));
}

TEST(Sampler, TopPKeepsTheFewestThatHaveTheShare)
{
    SamplingOptions options = plain();
    const Logits logits = logits_of({0.1, 0.35, 0.15, 0.4});
    options.top_p = 0.7F;
    EXPECT_EQ(chosen(options, logits), (Ids{1, 3}));
    options.top_p = 0.8F;
    EXPECT_EQ(chosen(options, logits), (Ids{1, 2, 3}));
    options.top_p = 0.01F;
    EXPECT_EQ(chosen(options, logits), (Ids{3})) << "one at least";
    options.top_p = 1;
    EXPECT_EQ(chosen(options, logits), (Ids{0, 1, 2, 3}));
}

TEST(Sampler, MinPDropsWhatIsFarBelowTheBest)
{
    SamplingOptions options = plain();
    const Logits logits = logits_of({0.1, 0.3, 0.2, 0.4});
    options.min_p = 0.6F;
    EXPECT_EQ(chosen(options, logits), (Ids{1, 3}));
    options.min_p = 1;
    EXPECT_EQ(chosen(options, logits), (Ids{3}));
}

TEST(Sampler, TopPLooksBeforeMinP)
{
    // Were the 30 small ones dropped first, the best alone would have 0.65 of what is left.
    std::vector<double> probabilities(32, 0.01);
    probabilities[0] = 0.5;
    probabilities[1] = 0.2;
    SamplingOptions options = plain();
    options.top_p = 0.65F;
    options.min_p = 0.1F;
    EXPECT_EQ(chosen(options, logits_of(probabilities)), (Ids{0, 1}));
    // And top-k before top-p: the share is one of the best three.
    options.min_p = 0;
    options.top_p = 0.7F;
    options.top_k = 3;
    EXPECT_EQ(chosen(options, logits_of(probabilities)), (Ids{0}));
}

TEST(Sampler, SameSeedSameTokensOnEverySystem)
{
    const Logits logits = logits_of({0.2, 0.2, 0.2, 0.2, 0.1, 0.1});
    std::vector<std::int32_t> tokens;
    tokens.reserve(16);
    Sampler sampler(plain(42));
    for (int i = 0; i < 16; ++i) {
        tokens.push_back(sampler.sample(logits));
    }
    // Computed apart from the definition of SplitMix64.
    EXPECT_EQ(tokens, (std::vector<std::int32_t>{3, 0, 1, 1, 0, 4, 1, 4, 1, 3, 1, 2, 2, 2, 3, 1}));

    const auto run = [&logits](const SamplingOptions& options) {
        Sampler one(options);
        std::vector<std::int32_t> ids;
        for (int i = 0; i < 100; ++i) {
            ids.push_back(one.sample(logits));
            one.accept(ids.back());
        }
        return ids;
    };
    EXPECT_EQ(run(plain(1)), run(plain(1)));
    EXPECT_NE(run(plain(1)), run(plain(2)));
    SamplingOptions fresh = plain();
    fresh.seed.reset();
    EXPECT_NE(run(fresh), run(fresh));
}

TEST(Sampler, LargeVocabulariesKeepTheirTail)
{
    // 100 000 equals: each may come, with top-p only the first half of them.
    const Logits logits(100'000, 1.0F);
    SamplingOptions options = plain();
    Sampler all(options);
    options.top_p = 0.5F;
    Sampler half(options);
    std::int32_t highest = 0;
    for (int i = 0; i < 20; ++i) {
        highest = std::max(highest, all.sample(logits));
        EXPECT_LT(half.sample(logits), 50'001);
    }
    EXPECT_GT(highest, 50'000);
}

TEST(LogProbability, IsOfTheModelsOwnDistribution)
{
    const Logits logits = logits_of({0.5, 0.3, 0.2});
    EXPECT_NEAR(log_probability(logits, 0), std::log(0.5), 1e-6);
    EXPECT_NEAR(log_probability(logits, 2), std::log(0.2), 1e-6);
    EXPECT_NEAR(log_probability(Logits{1000, 999}, 0), -std::log1p(std::exp(-1.0)), 1e-12) << "no overflow";
    EXPECT_NEAR(log_probability(Logits{kNan, 0, 0}, 1), std::log(0.5), 1e-12);
    EXPECT_DOUBLE_EQ(log_probability(Logits{kInf, 0, kInf}, 2), std::log(0.5));
    for (const double none : {log_probability(logits, -1), log_probability(logits, 3), log_probability({}, 0),
                              log_probability(Logits{kNan, 0}, 0), log_probability(Logits{-kInf, -kInf}, 0),
                              log_probability(Logits{kInf, 0}, 1)}) {
        EXPECT_EQ(none, -std::numeric_limits<double>::infinity());
    }
}

TEST(SamplingOptions, UsualOnesAreGood)
{
    EXPECT_TRUE(check(SamplingOptions{}));
    EXPECT_TRUE(check(greedy()));
    EXPECT_TRUE(check(plain()));
}

TEST(SamplingOptions, EachBadValueIsNamed)
{
    const auto refused = [](auto change) {
        SamplingOptions options;
        change(options);
        const auto checked = check(options);
        return checked ? std::string("accepted") : checked.error().text();
    };
    for (const float bad : {-0.1F, kNan, kInf}) {
        EXPECT_NE(refused([bad](auto& o) { o.temperature = bad; }).find("temperature"), std::string::npos) << bad;
    }
    for (const float bad : {0.0F, -0.5F, 1.01F, kNan}) {
        EXPECT_NE(refused([bad](auto& o) { o.top_p = bad; }).find("top-p"), std::string::npos) << bad;
    }
    for (const float bad : {-0.1F, 1.01F, kNan}) {
        EXPECT_NE(refused([bad](auto& o) { o.min_p = bad; }).find("min-p"), std::string::npos) << bad;
    }
    for (const float bad : {0.0F, -1.0F, kNan, kInf}) {
        EXPECT_NE(refused([bad](auto& o) { o.repeat_penalty = bad; }).find("repetition"), std::string::npos) << bad;
    }
    for (const float bad : {-kInf, kNan}) {
        EXPECT_NE(refused([bad](auto& o) { o.presence_penalty = bad; }).find("presence"), std::string::npos) << bad;
        EXPECT_NE(refused([bad](auto& o) { o.frequency_penalty = bad; }).find("frequency"), std::string::npos) << bad;
    }
    EXPECT_EQ(refused([](auto& o) { o.top_k = -1; }), "top-k is -1; 0 (all) or more was expected.");
    EXPECT_EQ(refused([](auto& o) { o.penalty_window = -2; }),
              "The penalties are to look at -2 tokens; -1 (all) or more was expected.");
    EXPECT_EQ(refused([](auto& o) { o.logit_bias = {{5, kNan}}; }), "The logit bias of the token 5 is not a number.");
    EXPECT_EQ(refused([](auto& o) { o.logit_bias = {{5, -kInf}}; }), "accepted");
}

} // namespace
} // namespace constela::test
