// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model cut into stages answers as one device does, to the bit: the same tokens with the same log-probabilities,
// wherever it is cut, over one device or four, for one answer or four at once.
#include "tests/engine/cluster/pipeline/pipeline_under_test.h"

#include "engine/runtime/local_executor.h"
#include "engine/runtime/scheduler.h"
#include "tests/engine/support/letter_tokenizer.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace constela::test {
namespace {

using runtime::AnswerId;
using Tokens = std::vector<std::int32_t>;

struct Told {
    Tokens tokens;
    std::vector<double> log_probabilities;
    runtime::StopReason reason = runtime::StopReason::failed;

    bool operator==(const Told&) const = default;
};
using Answers = std::map<AnswerId, Told>;

EngineSettings settings_of(unsigned threads)
{
    EngineSettings settings;
    settings.kernels = &kernels::best_kernels();
    settings.threads = threads;
    settings.context.context = 256;
    settings.context.positions = 2048;
    settings.context.sequences = 8;
    settings.context.max_batch = 32;
    settings.context.page_positions = 16;
    return settings;
}

Tokens prompt(std::size_t length, std::uint32_t seed)
{
    Tokens tokens(length);
    for (auto& token : tokens) {
        seed = seed * 1664525U + 1013904223U;
        token = static_cast<std::int32_t>((seed >> 16U) % 500);
    }
    return tokens;
}

/// One answer drawn greedily and, with `more`, three others beside it, one of which is drawn and one penalised.
Answers answers_of(runtime::Executor& executor, bool more)
{
    LetterTokenizer tokenizer{Tokens{}};
    Answers answers;
    runtime::SchedulerEvents events;
    events.on_text = [](const runtime::Answer&, const std::string&) {};
    events.on_end = [&](const runtime::Answer& answer, runtime::StopReason reason) {
        Told& told = answers[answer.id()];
        told.tokens.assign(answer.generated().begin(), answer.generated().end());
        told.log_probabilities.assign(answer.log_probabilities().begin(), answer.log_probabilities().end());
        told.reason = reason;
    };
    runtime::Scheduler scheduler(executor, tokenizer, events);
    const std::size_t count = more ? 4 : 1;
    for (AnswerId id = 1; id <= count; ++id) {
        runtime::GenerationOptions options;
        options.max_tokens = 24;
        options.log_probabilities = true;
        options.sampling.temperature = id == 2 ? 1.2F : 0.0F;
        options.sampling.seed = 11;
        options.sampling.repeat_penalty = id == 3 ? 1.3F : 1.0F;
        options.sampling.logit_bias =
            id == 3 ? std::map<std::int32_t, float>{{5, 2.0F}} : std::map<std::int32_t, float>{};
        EXPECT_TRUE(scheduler.add(id, prompt(20 + 37 * id, static_cast<std::uint32_t>(id)), options));
    }
    while (!scheduler.idle()) {
        const auto done = scheduler.step();
        if (!done) {
            ADD_FAILURE() << done.error().text();
            break;
        }
    }
    // A second question that begins as the first one did takes the cache's pages.
    runtime::GenerationOptions options;
    options.max_tokens = 8;
    options.log_probabilities = true;
    options.sampling.temperature = 0;
    Tokens longer = prompt(57, 1);
    longer.insert(longer.end(), {3, 1, 4, 1, 5});
    EXPECT_TRUE(scheduler.add(9, longer, options));
    while (!scheduler.idle()) {
        if (!scheduler.step()) {
            break;
        }
    }
    return answers;
}

/// So many stages, cut anywhere.
std::vector<std::uint32_t> some_cut(std::size_t shards, std::size_t stages, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<std::uint32_t> cut(stages, 1);
    for (std::size_t left = shards - stages; left > 0; --left) {
        ++cut[random() % stages];
    }
    return cut;
}

class PipelineTest : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override
    {
        CONSTELA_NEED_GOLDEN(golden);
        model_ = open_model(golden / "logits" / (std::string(GetParam()) + ".gguf"), 256);
    }
    std::shared_ptr<const model::Model> model_;
};

TEST_P(PipelineTest, AnswersAreThoseOfOneDevice)
{
    const EngineSettings settings = settings_of(1);
    const std::size_t shards = model_->shards().size();
    for (const bool more : {false, true}) {
        EngineUnderTest whole(model_, settings);
        runtime::LocalExecutor local(whole.context());
        const Answers expected = answers_of(local, more);
        ASSERT_EQ(expected.size(), more ? 5U : 2U);
        std::uint32_t seed = 1;
        for (const std::size_t stages : {1U, 2U, 3U, 5U}) {
            for (const std::size_t devices : {1U, 2U, 4U}) {
                if (stages <= shards && devices <= stages) {
                    const auto cut = some_cut(shards, stages, ++seed);
                    PipelineUnderTest pipeline(model_, settings, devices, cut);
                    EXPECT_EQ(answers_of(pipeline.executor(), more), expected)
                        << stages << " stages on " << devices << " devices, " << (more ? "four" : "one") << " at once";
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, PipelineTest,
                         testing::Values("llama", "llama-Q4_K_M", "llama3-tied-ropefreqs", "mixtral-MXFP4",
                                         "qwen2-yarn", "qwen3", "qwen3moe-Q4_K_M", "gemma2", "gemma3", "phi3-longrope"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Pipeline, FreesItsDevicesWhenItIsReleased)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "llama.gguf", 256);
    PipelineUnderTest pipeline(model, settings_of(1), 2, {2, static_cast<std::uint32_t>(model->shards().size() - 2)});
    EXPECT_GT(pipeline.device(0).held(), 0U);
    pipeline.release();
    EXPECT_EQ(pipeline.device(0).held(), 0U);
    EXPECT_EQ(pipeline.device(1).held(), 0U);
}

TEST(Pipeline, EndsAtOnceWhenItIsToldThatNothingWillCome)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "llama.gguf", 256);
    PipelineUnderTest pipeline(model, settings_of(1), 1, {static_cast<std::uint32_t>(model->shards().size())});
    pipeline.release(); // the outcome of what follows never comes
    runtime::Executor& executor = pipeline.executor();
    const Tokens tokens{1, 2, 3};
    const runtime::PlannedWork work{executor.open(), tokens, nullptr};
    executor.submit({&work, 1});
    pipeline.executor().fail(failure("The node {} was lost.", "nas").value());
    const auto outcome = executor.collect(nullptr);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().text(), "The node nas was lost.");
}

} // namespace
} // namespace constela::test
