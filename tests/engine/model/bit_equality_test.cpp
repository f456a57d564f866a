// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same tokens give the same bits: whatever else is in the step, however the sequence was cut, on one thread or two.
#include "tests/engine/support/engine_under_test.h"
#include "tests/support/golden.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

namespace constela::test {
namespace {

using runtime::SequenceId;
using runtime::Want;
using runtime::Work;
using Tokens = std::vector<std::int32_t>;

struct Case {
    std::string model; ///< A golden model, or "" for SmolLM2.
    const kernels::KernelSet* kernels;
    kernels::KvType kv;
};

std::string name_of(const Case& one)
{
    std::string name = (one.model.empty() ? "SmolLM2" : one.model) + "_" + std::string(one.kernels->name) + "_" +
                       std::string(kernels::kv_type_name(one.kv));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

void PrintTo(const Case& one, std::ostream* out)
{
    *out << name_of(one);
}

std::vector<Case> all_cases()
{
    std::vector<Case> cases;
    for (const kernels::KernelSet* set : permitted_sets()) {
        for (const kernels::KvType kv : {kernels::KvType::f32, kernels::KvType::f16, kernels::KvType::q8_0}) {
            for (const char* model :
                 {"llama", "llama-Q4_K_M", "llama-Q4_0", "llama3-tied-ropefreqs", "mixtral-MXFP4", "qwen2-yarn",
                  "qwen3", "qwen3moe-Q4_K_M", "gemma2", "gemma3", "phi3-longrope", ""}) {
                cases.push_back({model, set, kv});
            }
        }
    }
    return cases;
}

Tokens some_tokens(std::size_t count, std::uint32_t seed)
{
    Tokens tokens(count);
    for (auto& token : tokens) {
        seed = seed * 1664525U + 1013904223U;
        token = static_cast<std::int32_t>((seed >> 16U) % 512);
    }
    return tokens;
}

class BitEquality : public testing::TestWithParam<Case> {
protected:
    void SetUp() override
    {
        const auto golden = golden_dir();
        const auto real = real_model("SmolLM2-135M-Instruct.Q4_1.gguf");
        const bool is_real = GetParam().model.empty();
        if (is_real ? !real : !golden) {
            GTEST_SKIP() << (is_real ? "the real model SmolLM2-135M-Instruct.Q4_1.gguf is not in the cache; ./test "
                                       "fetches it when it can"
                                     : "the golden answers (../shared/golden) are not beside this checkout");
        }
        model_ = open_model(is_real ? *real : *golden / "logits" / (GetParam().model + ".gguf"), 512);
        tokens_ = some_tokens(is_real ? 17 : 40, 1);
        whole_ = engine(1).logits(tokens_);
    }

    EngineUnderTest engine(unsigned threads, std::size_t page_positions = 64) const
    {
        EngineSettings settings;
        settings.kernels = GetParam().kernels;
        settings.threads = threads;
        settings.context.kv_type = GetParam().kv;
        settings.context.positions = 2048;
        settings.context.sequences = 16;
        settings.context.page_positions = page_positions;
        return {model_, settings};
    }

    /// Rows [first, ...) of the whole are these, to the bit.
    [[nodiscard]] testing::AssertionResult same(const std::vector<float>& logits, std::size_t first = 0) const
    {
        const std::size_t width = model_->config().vocabulary;
        for (std::size_t row = 0; row < logits.size() / width; ++row) {
            if (std::memcmp(&logits[row * width], &whole_[(first + row) * width], width * sizeof(float)) != 0) {
                return testing::AssertionFailure() << "the logits after token " << first + row << " differ";
            }
        }
        return testing::AssertionSuccess();
    }

    std::shared_ptr<const model::Model> model_;
    Tokens tokens_;
    std::vector<float> whole_;
};

TEST_P(BitEquality, OfOneThreadAndTwo)
{
    EXPECT_TRUE(same(engine(2).logits(tokens_)));
}

TEST_P(BitEquality, OfChunks)
{
    EXPECT_TRUE(same(engine(2).logits(tokens_, {7})));
    EXPECT_TRUE(same(engine(2).logits(tokens_, {1})));
    EXPECT_TRUE(same(engine(1, 16).logits(tokens_, {3, 1, 8, 2})));
}

/// The sequence under test goes through steps of its own sizes, among eight others that are at other places.
TEST_P(BitEquality, AmongEightOthers)
{
    EngineUnderTest engine = this->engine(2, 16);
    runtime::Context& context = engine.context();
    const SequenceId mine = context.open();
    std::vector<SequenceId> others;
    std::vector<Tokens> texts;
    for (std::uint32_t i = 0; i < 8; ++i) {
        others.push_back(context.open());
        texts.push_back(some_tokens(tokens_.size() + 8 * i, 100 + i));
    }
    const std::vector<std::size_t> sizes{5, 1, 1, 7, 1, 2};
    std::vector<float> logits;
    std::size_t fed = 0;
    for (std::size_t round = 0; fed < tokens_.size(); ++round) {
        std::vector<Work> works;
        for (std::size_t i = 0; i < others.size(); ++i) {
            const std::size_t held = context.length(others[i]);
            const std::size_t wanted = (round + i) % 3 == 0 ? 1 : 1 + i;
            const std::size_t count = std::min(wanted, texts[i].size() - held);
            if (count > 0) {
                works.push_back({others[i], std::span(texts[i]).subspan(held, count), Want::last});
            }
        }
        const std::size_t count = std::min(sizes[round % sizes.size()], tokens_.size() - fed);
        const std::size_t place = round % (works.size() + 1);
        works.insert(works.begin() + static_cast<std::ptrdiff_t>(place),
                     Work{mine, std::span(tokens_).subspan(fed, count), Want::all});
        ASSERT_TRUE(context.fits(works));
        context.step(works, [&](std::size_t work, std::size_t, std::span<const float> row) {
            if (work == place) {
                logits.insert(logits.end(), row.begin(), row.end());
            }
        });
        fed += count;
    }
    EXPECT_EQ(logits.size(), whole_.size());
    EXPECT_TRUE(same(logits));
}

TEST_P(BitEquality, OfAForkInsideAPage)
{
    EngineUnderTest engine = this->engine(2, 16);
    runtime::Context& context = engine.context();
    const std::size_t shared = tokens_.size() - 6;
    const SequenceId first = context.open();
    const auto ignore = [](std::size_t, std::size_t, std::span<const float>) {};
    ASSERT_TRUE(context.feed(first, std::span(tokens_).first(shared), Want::none, ignore));
    const SequenceId second = context.fork(first, shared);
    // The other branch writes into the shared page first; neither may see the other.
    ASSERT_TRUE(context.feed(second, some_tokens(5, 9), Want::none, ignore));
    std::vector<float> logits;
    const auto keep = [&](std::size_t, std::size_t, std::span<const float> row) {
        logits.insert(logits.end(), row.begin(), row.end());
    };
    ASSERT_TRUE(context.feed(first, std::span(tokens_).subspan(shared), Want::all, keep));
    EXPECT_TRUE(same(logits, shared));

    logits.clear();
    context.close(first);
    context.truncate(second, shared);
    ASSERT_TRUE(context.feed(second, std::span(tokens_).subspan(shared), Want::all, keep));
    EXPECT_TRUE(same(logits, shared));
}

TEST_P(BitEquality, OfAStepThatIsDoneAgain)
{
    EngineUnderTest engine = this->engine(2);
    runtime::Context& context = engine.context();
    const SequenceId sequence = context.open();
    const Work work{sequence, tokens_, Want::all};
    std::vector<float> logits;
    const auto keep = [&](std::size_t, std::size_t, std::span<const float> row) {
        logits.insert(logits.end(), row.begin(), row.end());
    };
    std::atomic<bool> abort{true};
    EXPECT_EQ(context.step({&work, 1}, keep, &abort), runtime::Context::Outcome::aborted);
    EXPECT_TRUE(logits.empty());
    EXPECT_EQ(context.length(sequence), 0U);
    abort = false;
    std::thread stopper([&] { abort = true; }); // somewhere in the step, or after it
    const auto outcome = context.step({&work, 1}, keep, &abort);
    stopper.join();
    if (outcome == runtime::Context::Outcome::aborted) {
        EXPECT_EQ(context.length(sequence), 0U);
        logits.clear(); // where all rows are wanted, some may have been told
        context.step({&work, 1}, keep);
    }
    EXPECT_TRUE(same(logits));
    EXPECT_EQ(logits.size(), whole_.size());
}

INSTANTIATE_TEST_SUITE_P(Each, BitEquality, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return name_of(one.param); });

/// A step of more tokens than a device multiplies by at once, with biases, with experts, and with blocks of 256.
TEST(LongStep, IsTheSameInPieces)
{
    CONSTELA_NEED_GOLDEN(golden);
    for (const char* name : {"qwen2-yarn.gguf", "mixtral-MXFP4.gguf", "llama-Q4_K_M.gguf"}) {
        const auto model = open_model(golden / "logits" / name, 512);
        const Tokens tokens = some_tokens(300, 5);
        for (const kernels::KernelSet* set : permitted_sets()) {
            EngineSettings settings;
            settings.kernels = set;
            settings.context.max_batch = tokens.size();
            const std::vector<float> whole = EngineUnderTest(model, settings).logits(tokens);
            const std::vector<float> pieces = EngineUnderTest(model, settings).logits(tokens, {50});
            ASSERT_EQ(whole.size(), pieces.size());
            EXPECT_EQ(std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(float)), 0)
                << name << " by " << set->name;
        }
    }
}

/// Windows move on: pages are given back, and nothing changes.
TEST(SlidingWindow, ForgetsWhatNobodySees)
{
    CONSTELA_NEED_GOLDEN(golden);
    for (const char* name : {"gemma2.gguf", "gemma3.gguf"}) {
        const auto model = open_model(golden / "logits" / name, 4096);
        const Tokens tokens = some_tokens(1500, 3);
        EngineSettings settings;
        settings.kernels = &kernels::best_kernels();
        settings.context.context = 2048;
        settings.context.max_batch = 256;
        settings.context.page_positions = 16;
        EngineUnderTest engine(model, settings);
        std::vector<float> whole;
        std::vector<float> steps;
        const auto into = [](std::vector<float>& logits) {
            return [&logits](std::size_t, std::size_t, std::span<const float> row) {
                logits.assign(row.begin(), row.end());
            };
        };
        runtime::Context& context = engine.context();
        const SequenceId sequence = context.open();
        ASSERT_TRUE(context.feed(sequence, tokens, Want::last, into(whole)));
        EXPECT_FALSE(context.can_continue_at(sequence, 100));
        EXPECT_TRUE(context.can_continue_at(sequence, 1400));
        context.truncate(sequence, 1400);
        for (std::size_t i = 1400; i < tokens.size(); ++i) {
            ASSERT_TRUE(context.feed(sequence, std::span(tokens).subspan(i, 1), Want::last, into(steps)));
        }
        EXPECT_EQ(std::memcmp(whole.data(), steps.data(), whole.size() * sizeof(float)), 0) << name;
    }
}

TEST(KvCache, OfQ8NeedsHeadsOfWholeBlocks)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "llama-mha-odd.gguf", 64);
    const auto backend = device::make_cpu_backend(kernels::best_kernels(), 1).value();
    runtime::ContextOptions options;
    options.context = 64;
    options.kv_type = kernels::KvType::q8_0;
    const auto context = runtime::Context::create(model, *backend, options);
    ASSERT_FALSE(context);
    EXPECT_EQ(context.error().text(), "A KV cache of type q8_0 needs heads of a multiple of 32 elements; those of tiny "
                                      "random model have 48. Choose f16 or f32.");
}

} // namespace
} // namespace constela::test
