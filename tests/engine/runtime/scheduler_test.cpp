// SPDX-License-Identifier: GPL-3.0-or-later
//
// Answers that are batched, cut short, begun again and cancelled are the answers that each gives alone.
#include "engine/runtime/local_executor.h"
#include "engine/runtime/scheduler.h"

#include "tests/engine/support/engine_under_test.h"
#include "tests/engine/support/letter_tokenizer.h"
#include "tests/support/golden.h"

#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>

namespace constela::test {
namespace {

using runtime::AnswerId;
using runtime::GenerationOptions;
using runtime::StopReason;
using Tokens = std::vector<std::int32_t>;

struct Ended {
    Tokens tokens;
    std::string text;
    StopReason reason = StopReason::failed;
    runtime::GenerationStats stats;
};

/// A scheduler over a tiny model, and all that it told.
class Bench {
public:
    explicit Bench(const std::string& model, EngineSettings settings = usual(), Tokens ends = {},
                   std::chrono::milliseconds step_time = {})
        : engine_(open_model(*golden_dir() / "logits" / model, settings.context.context), settings),
          tokenizer_(std::move(ends)), executor_(engine_.context()),
          scheduler_(executor_, tokenizer_, events(), step_time)
    {
    }

    static EngineSettings usual()
    {
        EngineSettings settings;
        settings.kernels = &kernels::best_kernels();
        settings.context.context = 256;
        settings.context.positions = 2048;
        settings.context.sequences = 16;
        settings.context.max_batch = 32;
        settings.context.page_positions = 16;
        return settings;
    }

    bool spoiled = false; ///< What the next step computes must not be told.
    runtime::Scheduler& scheduler() { return scheduler_; }
    std::map<AnswerId, Ended>& ended() { return ended_; }

    void add(AnswerId id, const Tokens& prompt, const GenerationOptions& options)
    {
        const auto added = scheduler_.add(id, prompt, options);
        ASSERT_TRUE(added) << added.error().text();
    }
    void run()
    {
        while (!scheduler_.idle()) {
            ASSERT_TRUE(scheduler_.step());
            ++steps_;
        }
    }
    [[nodiscard]] std::size_t steps() const { return steps_; }
    Ended alone(const Tokens& prompt, const GenerationOptions& options)
    {
        add(999, prompt, options);
        run();
        return ended_[999];
    }

private:
    runtime::SchedulerEvents events()
    {
        runtime::SchedulerEvents events;
        events.on_text = [this](const runtime::Answer& answer, const std::string& text) {
            ended_[answer.id()].text += text;
        };
        events.before_tokens = [this] {
            if (spoiled) {
                throw std::runtime_error("spoiled");
            }
        };
        events.on_end = [this](const runtime::Answer& answer, StopReason reason) {
            Ended& ended = ended_[answer.id()];
            ended.tokens.assign(answer.generated().begin(), answer.generated().end());
            ended.reason = reason;
            ended.stats = answer.stats();
        };
        return events;
    }

    EngineUnderTest engine_;
    LetterTokenizer tokenizer_;
    std::map<AnswerId, Ended> ended_;
    runtime::LocalExecutor executor_;
    runtime::Scheduler scheduler_;
    std::size_t steps_ = 0;
};

Tokens prompt(std::size_t length, std::uint32_t seed)
{
    Tokens tokens(length);
    for (auto& token : tokens) {
        seed = seed * 1664525U + 1013904223U;
        token = static_cast<std::int32_t>((seed >> 16U) % 512);
    }
    return tokens;
}

GenerationOptions greedy(int tokens)
{
    GenerationOptions options;
    options.sampling.temperature = 0;
    options.max_tokens = tokens;
    return options;
}

GenerationOptions drawn(int tokens, std::uint64_t seed)
{
    GenerationOptions options;
    options.sampling.temperature = 1.5F;
    options.sampling.seed = seed;
    options.max_tokens = tokens;
    return options;
}

class SchedulerTest : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override
    {
        if (!golden_dir()) {
            GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";
        }
    }
};

TEST_P(SchedulerTest, AnswersTogetherAreThoseOfEachAlone)
{
    Bench together(GetParam());
    for (AnswerId id = 0; id < 9; ++id) {
        const auto seed = static_cast<std::uint32_t>(id);
        together.add(id, prompt(5 + 11 * id, seed), id % 2 == 0 ? greedy(20) : drawn(20, id));
    }
    together.run();
    for (AnswerId id = 0; id < 9; ++id) {
        Bench fresh(GetParam());
        const auto seed = static_cast<std::uint32_t>(id);
        const Ended alone = fresh.alone(prompt(5 + 11 * id, seed), id % 2 == 0 ? greedy(20) : drawn(20, id));
        EXPECT_EQ(together.ended()[id].tokens, alone.tokens) << "answer " << id;
        EXPECT_EQ(together.ended()[id].text, alone.text);
        EXPECT_EQ(together.ended()[id].tokens.size(), 20U);
        EXPECT_EQ(together.ended()[id].reason, StopReason::max_tokens);
    }
}

// No step can be as quick as this one asks for, so pieces become the smallest there are.
TEST_P(SchedulerTest, PiecesOfAPromptAreAsSmallAsTheTimeAllowsAndChangeNoToken)
{
    EngineSettings settings = Bench::usual();
    settings.context.max_batch = 128;
    Bench whole(GetParam(), settings);
    Bench hurried(GetParam(), settings, {}, std::chrono::milliseconds(1));
    const Tokens text = prompt(128, 3);
    EXPECT_EQ(whole.alone(text, greedy(1)).tokens, hurried.alone(text, greedy(1)).tokens);
    EXPECT_EQ(whole.steps(), 1U);
    EXPECT_EQ(hurried.ended()[999].stats.prompt_tokens, 128U);
    EXPECT_GE(hurried.steps(), 2U); // 64 to measure by, then no more than 64
}

TEST_P(SchedulerTest, TokensFromSpoiledWeightsAreNotTold)
{
    Bench bench(GetParam());
    bench.add(1, prompt(20, 4), greedy(8));
    ASSERT_TRUE(bench.scheduler().step());
    const std::string before = bench.ended()[1].text;
    bench.spoiled = true;
    EXPECT_THROW(static_cast<void>(bench.scheduler().step()), std::runtime_error);
    EXPECT_EQ(bench.ended()[1].text, before);
}

TEST_P(SchedulerTest, AConversationReusesWhatItHasInTheCache)
{
    Bench bench(GetParam());
    const Ended first = bench.alone(prompt(40, 1), greedy(10));
    EXPECT_EQ(first.stats.reused_tokens, 0U);

    Tokens next = prompt(40, 1);
    next.insert(next.end(), first.tokens.begin(), first.tokens.end());
    const Tokens question = prompt(12, 2);
    next.insert(next.end(), question.begin(), question.end());
    const Ended second = bench.alone(next, greedy(10));
    EXPECT_EQ(second.stats.reused_tokens, 49U); // the last token of an answer has not been fed

    // Another branch of the same conversation, and the first prompt once more.
    Tokens branch = next;
    branch.resize(45);
    branch.push_back(7);
    const Ended third = bench.alone(branch, greedy(10));
    EXPECT_EQ(third.stats.reused_tokens, 45U);
    const Ended again = bench.alone(prompt(40, 1), greedy(10));
    EXPECT_EQ(again.stats.reused_tokens, 39U);

    EXPECT_EQ(second.tokens, Bench(GetParam()).alone(next, greedy(10)).tokens);
    EXPECT_EQ(third.tokens, Bench(GetParam()).alone(branch, greedy(10)).tokens);
    EXPECT_EQ(again.tokens, first.tokens);
}

TEST_P(SchedulerTest, TooFewPagesMakeAnswersWaitAndChangeNoToken)
{
    EngineSettings tight = Bench::usual();
    tight.context.context = 128;
    tight.context.positions = 128;
    tight.context.sequences = 4;
    Bench bench(GetParam(), tight);
    for (AnswerId id = 0; id < 6; ++id) {
        bench.add(id, prompt(30, static_cast<std::uint32_t>(id)), greedy(60));
    }
    bench.run();
    for (AnswerId id = 0; id < 6; ++id) {
        Bench roomy(GetParam());
        EXPECT_EQ(bench.ended()[id].tokens, roomy.alone(prompt(30, static_cast<std::uint32_t>(id)), greedy(60)).tokens);
    }
}

TEST_P(SchedulerTest, CancellingOneAndAbortingStepsChangesNothingForTheOthers)
{
    Bench bench(GetParam());
    for (AnswerId id = 0; id < 3; ++id) {
        bench.add(id, prompt(50, static_cast<std::uint32_t>(id)), greedy(30));
    }
    const std::atomic<bool> abort{true};
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(bench.scheduler().step(&abort));
    }
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(bench.scheduler().step());
        ASSERT_TRUE(bench.scheduler().step(&abort));
    }
    bench.scheduler().cancel(1);
    EXPECT_EQ(bench.ended()[1].reason, StopReason::cancelled);
    EXPECT_LT(bench.ended()[1].tokens.size(), 30U);
    bench.run();
    for (const AnswerId id : {AnswerId{0}, AnswerId{2}}) {
        Bench fresh(GetParam());
        EXPECT_EQ(bench.ended()[id].tokens, fresh.alone(prompt(50, static_cast<std::uint32_t>(id)), greedy(30)).tokens);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, SchedulerTest,
                         testing::Values("llama-Q4_K_M.gguf", "gemma3.gguf", "qwen3moe-Q4_K_M.gguf"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::replace_if(
                                 name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
                             return name;
                         });

TEST_P(SchedulerTest, EndsAtAStopStringAnEndTokenOrTheContext)
{
    const Ended plain = Bench(GetParam()).alone(prompt(20, 3), greedy(24));
    ASSERT_EQ(plain.text.size(), 24U);

    GenerationOptions stopping = greedy(24);
    stopping.stop = {plain.text.substr(6, 3)};
    const Ended stopped = Bench(GetParam()).alone(prompt(20, 3), stopping);
    EXPECT_EQ(stopped.reason, StopReason::stop_string);
    EXPECT_EQ(stopped.text, plain.text.substr(0, plain.text.find(stopping.stop[0])));

    Bench ending(GetParam(), Bench::usual(), {plain.tokens[5]});
    const Ended ended = ending.alone(prompt(20, 3), greedy(24));
    EXPECT_EQ(ended.reason, StopReason::end_token);
    EXPECT_EQ(ended.tokens.back(), plain.tokens[5]);
    EXPECT_EQ(ended.text.size() + 1, ended.tokens.size());

    const Ended full = Bench(GetParam()).alone(prompt(250, 3), greedy(24));
    EXPECT_EQ(full.reason, StopReason::context_full);
    EXPECT_EQ(full.tokens.size(), 6U);

    const Ended none = Bench(GetParam()).alone(prompt(20, 3), greedy(0));
    EXPECT_EQ(none.reason, StopReason::max_tokens);
    EXPECT_TRUE(none.tokens.empty());
}

TEST_P(SchedulerTest, RefusesWhatCannotBeAnswered)
{
    Bench bench(GetParam());
    const auto too_long = bench.scheduler().add(1, prompt(256, 1), greedy(1));
    ASSERT_FALSE(too_long);
    EXPECT_EQ(too_long.error().text(), "The prompt has 256 tokens, but the context holds only 256 and the answer needs "
                                       "room too. Shorten the prompt, or load the model with a longer context.");
    EXPECT_FALSE(bench.scheduler().add(2, {}, greedy(1)));
    GenerationOptions bad = greedy(1);
    bad.sampling.top_p = 0;
    EXPECT_FALSE(bench.scheduler().add(3, prompt(4, 1), bad));
    EXPECT_TRUE(bench.scheduler().idle());
}

TEST_P(SchedulerTest, TellsHowFarEachIs)
{
    Bench bench(GetParam());
    bench.add(1, prompt(100, 1), greedy(5));
    EXPECT_EQ(bench.scheduler().progress()[0].state, runtime::AnswerProgress::State::queued);
    ASSERT_TRUE(bench.scheduler().step());
    EXPECT_EQ(bench.scheduler().progress()[0].state, runtime::AnswerProgress::State::prefill);
    EXPECT_EQ(bench.scheduler().progress()[0].prompt_done, 32U);
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(bench.scheduler().step());
    }
    EXPECT_EQ(bench.scheduler().progress()[0].state, runtime::AnswerProgress::State::decoding);
    EXPECT_EQ(bench.scheduler().progress()[0].stats.generated_tokens, 2U);
    EXPECT_GT(bench.scheduler().progress()[0].stats.time_to_first_token_ms, 0.0);
}

} // namespace
} // namespace constela::test
