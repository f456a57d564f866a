// SPDX-License-Identifier: GPL-3.0-or-later
//
// The logits of tiny models of every architecture and type, against those of float32 arithmetic.
#include "tests/engine/support/engine_under_test.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

struct Case {
    std::string name;
    const kernels::KernelSet* kernels;
};

void PrintTo(const Case& one, std::ostream* out)
{
    *out << one.name << " by " << one.kernels->name;
}

std::vector<Case> all_cases()
{
    std::vector<Case> cases;
    if (const auto golden = golden_dir()) {
        const nlohmann::ordered_json json = read_json(*golden / "logits" / "cases.json");
        for (const auto& [name, details] : json["cases"].items()) {
            for (const kernels::KernelSet* set : permitted_sets()) {
                cases.push_back({name, set});
            }
        }
    }
    return cases;
}

bool is_quantized(const model::Model& model)
{
    const auto& tensors = model.file().tensors();
    return std::any_of(tensors.begin(), tensors.end(),
                       [](const gguf::TensorInfo& tensor) { return kernels::type_info(tensor.type).quantized; });
}

/// The rule of the golden answers' README.
double allowed(const model::Model& model, const kernels::KernelSet& set, double peer)
{
    if (&set == &kernels::reference_kernels()) {
        return is_quantized(model) ? 1e-5 : 2e-6;
    }
    const bool router_may_tip = is_quantized(model) && model.config().experts > 0;
    return std::max(1e-6, (router_may_tip ? 3.0 : 1.5) * peer);
}

class GoldenLogits : public testing::TestWithParam<Case> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenLogits);

TEST_P(GoldenLogits, AreMet)
{
    CONSTELA_NEED_GOLDEN(golden);
    const nlohmann::ordered_json json = read_json(golden / "logits" / "cases.json");
    const nlohmann::ordered_json& expected = json["cases"][GetParam().name];
    const std::vector<std::int32_t> tokens = json["tokens"];
    const std::vector<float> truth = read_floats(golden / "logits" / expected["logits"].get<std::string>());

    const auto model = open_model(golden / "logits" / expected["model"].get<std::string>(), 512);
    EngineSettings settings;
    settings.kernels = GetParam().kernels;
    const bool is_reference = settings.kernels == &kernels::reference_kernels();
    settings.context.kv_type = is_reference ? kernels::KvType::f32 : kernels::KvType::f16;
    EngineUnderTest engine(model, settings);
    const std::vector<float> logits = engine.logits(tokens);

    ASSERT_EQ(logits.size(), truth.size());
    const double distance = nmse(logits.data(), truth.data(), truth.size());
    RecordProperty("nmse", std::to_string(distance));
    EXPECT_LE(distance, allowed(*model, *settings.kernels, expected["nmse_llama_cpp"]));
}

INSTANTIATE_TEST_SUITE_P(Each, GoldenLogits, testing::ValuesIn(all_cases()), [](const auto& one) {
    std::string name = one.param.name + "_" + std::string(one.param.kernels->name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(GoldenLogits, AreThere)
{
    if (!golden_dir()) {
        GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";
    }
    EXPECT_GE(all_cases().size(), 29U);
}

} // namespace
} // namespace constela::test
