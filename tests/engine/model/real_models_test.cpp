// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two real models: their prompts, the logits after them, and their greedy continuations, by the rules of the golden
// answers' README.
#include "engine/node/prompt.h"
#include "tests/engine/support/engine_under_test.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

struct Case {
    std::string model; ///< "smollm2"
    const kernels::KernelSet* kernels;
};

void PrintTo(const Case& one, std::ostream* out)
{
    *out << one.model << " by " << one.kernels->name;
}

std::vector<Case> all_cases()
{
    std::vector<Case> cases;
    for (const char* model : {"smollm2", "gemma3"}) {
        for (const kernels::KernelSet* set : permitted_sets()) {
            cases.push_back({model, set});
        }
    }
    return cases;
}

bool is_reference(const kernels::KernelSet& set)
{
    return &set == &kernels::reference_kernels();
}

std::size_t best_of(std::span<const float> logits)
{
    return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

class RealModel : public testing::TestWithParam<Case> {
protected:
    void SetUp() override
    {
        const auto golden = golden_dir();
        if (!golden) {
            GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";
        }
        folder_ = *golden / "real";
        json_ = read_json(folder_ / "cases.json");
        about_ = json_["models"][GetParam().model];
        const auto path = real_model(about_["file"]);
        if (!path) {
            GTEST_SKIP() << "the real model " << about_["file"]
                         << " is not in the cache; ./test fetches it when it can";
        }
        model_ = open_model(*path, 2048);
        auto tokenizer = text::Tokenizer::create(model_->file().metadata());
        ASSERT_TRUE(tokenizer) << tokenizer.error().text();
        tokenizer_ = *std::move(tokenizer);
        for (const auto& [name, one] : json_["cases"].items()) {
            if (one["model"] == GetParam().model) {
                cases_[name] = one;
            }
        }
        ASSERT_FALSE(cases_.empty());
    }

    EngineUnderTest engine() const
    {
        EngineSettings settings;
        settings.kernels = GetParam().kernels;
        settings.threads = 1; // tests run side by side
        settings.context.context = 2048;
        settings.context.kv_type = is_reference(*GetParam().kernels) ? kernels::KvType::f32 : kernels::KvType::f16;
        return {model_, settings};
    }

    std::filesystem::path folder_;
    nlohmann::ordered_json json_;
    nlohmann::ordered_json about_;
    std::map<std::string, nlohmann::ordered_json> cases_;
    std::shared_ptr<const model::Model> model_;
    std::unique_ptr<const text::Tokenizer> tokenizer_;
};

TEST_P(RealModel, GivesItsPromptsLogitsAndContinuations)
{
    EngineUnderTest engine = this->engine();
    const bool reference = is_reference(*GetParam().kernels);
    const double sure = reference ? 0.01 : about_["sure_margin"].get<double>();
    std::size_t agreed = 0;
    std::size_t places = 0;
    for (const auto& [name, one] : cases_) {
        SCOPED_TRACE(name);
        const std::vector<std::int32_t> prompt = one["prompt_tokens"];
        const std::vector<std::int32_t> continuation = one["tokens"];
        const std::vector<double> margins = one["margin"];
        const std::vector<float> truth = read_floats(folder_ / (name + ".f32"));
        std::vector<std::int32_t> all = prompt;
        all.insert(all.end(), continuation.begin(), continuation.end());

        std::size_t sure_but_wrong = 0;
        const runtime::SequenceId sequence = engine.context().open();
        const auto ignore = [](std::size_t, std::size_t, std::span<const float>) {};
        ASSERT_TRUE(
            engine.context().feed(sequence, std::span(all).first(prompt.size() - 1), runtime::Want::none, ignore));
        const auto look = [&](std::size_t, std::size_t token, std::span<const float> logits) {
            if (token == 0) {
                const double distance = nmse(logits.data(), truth.data(), truth.size());
                const double allowed = std::max(1e-6, 1.5 * one["nmse_llama_cpp"].get<double>());
                EXPECT_LE(distance, reference ? 1e-5 : allowed);
            }
            if (token < continuation.size()) {
                const bool agrees = best_of(logits) == static_cast<std::size_t>(continuation[token]);
                agreed += agrees ? 1U : 0U;
                ++places;
                sure_but_wrong += !agrees && margins[token] >= sure ? 1U : 0U;
            }
        };
        ASSERT_TRUE(
            engine.context().feed(sequence, std::span(all).subspan(prompt.size() - 1), runtime::Want::all, look));
        engine.context().close(sequence);
        EXPECT_EQ(sure_but_wrong, 0U);
    }
    // "367 of 374": what llama.cpp reaches, less one in a hundred.
    const std::string peer = about_["llama_cpp_agrees"];
    const auto of = static_cast<double>(std::stoul(peer.substr(peer.find("of ") + 3)));
    EXPECT_EQ(static_cast<double>(places), of);
    EXPECT_GE(static_cast<double>(agreed), static_cast<double>(std::stoul(peer)) - 0.01 * of);
    RecordProperty("agreed", std::to_string(agreed));
}

INSTANTIATE_TEST_SUITE_P(Each, RealModel, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.model + "_" + std::string(one.param.kernels->name); });

class RealPrompts : public RealModel {};

TEST_P(RealPrompts, AreThoseOfTheTemplate)
{
    std::shared_ptr<const text::ChatTemplate> chat;
    if (model_->file().metadata().has("tokenizer.chat_template")) {
        auto parsed = text::ChatTemplate::parse(*model_->file().metadata().get<std::string>("tokenizer.chat_template"));
        ASSERT_TRUE(parsed) << parsed.error().text();
        chat = std::make_shared<const text::ChatTemplate>(*std::move(parsed));
    }
    for (const auto& [name, one] : cases_) {
        SCOPED_TRACE(name);
        node::AskRequest request;
        if (one.contains("raw")) {
            request.raw = true;
            request.raw_prompt = one["raw"];
        } else {
            ASSERT_NE(chat, nullptr);
            for (const auto& message : one["messages"]) {
                request.messages.push_back({message["role"], message["content"]});
            }
        }
        const text::ChatTemplate plain = text::ChatTemplate::plain();
        const auto tokens =
            node::prompt_tokens(request, *tokenizer_, chat != nullptr ? *chat : plain, {std::size_t{1} << 20U, 1});
        ASSERT_TRUE(tokens) << tokens.error().text();
        EXPECT_EQ(*tokens, one["prompt_tokens"].get<std::vector<std::int32_t>>());
    }
}

INSTANTIATE_TEST_SUITE_P(Each, RealPrompts,
                         testing::Values(Case{"smollm2", &kernels::reference_kernels()},
                                         Case{"gemma3", &kernels::reference_kernels()}),
                         [](const auto& one) { return one.param.model; });

} // namespace
} // namespace constela::test
