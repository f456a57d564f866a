// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two real models read a known text: their perplexity, by the rule of the golden answers' README.
#include "kernels/kernels.h"
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

struct Case {
    const char* name;
    const char* file;
    double exact; ///< All weights widened to float32.
    std::string kernels;
};

void PrintTo(const Case& one, std::ostream* out)
{
    *out << one.name << " by " << one.kernels;
}

std::vector<Case> all_cases()
{
    std::vector<Case> cases;
    for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
        if (status.set != nullptr) {
            cases.push_back({"SmolLM2", "SmolLM2-135M-Instruct.Q4_1.gguf", 18.300, status.name});
            cases.push_back({"Gemma3", "gemma-3-270m-q4_k_m.gguf", 13.829, status.name});
        }
    }
    return cases;
}

class Perplexity : public testing::TestWithParam<Case> {};

TEST_P(Perplexity, IsThatOfTheModel)
{
    CONSTELA_NEED_GOLDEN(golden);
    CONSTELA_NEED_MODEL(model, GetParam().file);
    const bool reference = GetParam().kernels == "reference";
    const Outcome outcome = constelactl(
        {"perplexity", "--model", model.string(), "--file", (golden / "real" / "gpl-3.txt").string(), "--ctx", "512",
         "--kernels", GetParam().kernels, "--kv", reference ? "f32" : "f16", "--threads", "1", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const double perplexity = nlohmann::json::parse(outcome.out)["perplexity"];
    RecordProperty("perplexity", std::to_string(perplexity));
    EXPECT_NEAR(perplexity, GetParam().exact, GetParam().exact * (reference ? 0.001 : 0.01));
}

INSTANTIATE_TEST_SUITE_P(Real, Perplexity, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return std::string(one.param.name) + "_" + one.param.kernels; });

} // namespace
} // namespace constela::test
