// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast the matrix product is, by kernel set, type of weights, shape and number of tokens, on one thread:
// constela_kernels_bench --benchmark_filter='avx2/Q4_K'. Names are set/type/rows x columns/tokens.
// bytes_per_second counts the stored weights once a product, items_per_second the multiplications of
// weights by activations. Preparing the activations is not counted; prepare/... measures it, a row at a time.
#include "kernels/kernels.h"
#include "tests/support/random_weights.h"

#include <benchmark/benchmark.h>
#include <string>
#include <vector>

namespace constela::test {
namespace {

struct Shape {
    std::size_t rows;
    std::size_t columns;
};

constexpr Shape kShapes[] = {{576, 1536}, {2048, 2048}};
constexpr std::size_t kTokens[] = {1, 2, 4, 8, 16, 32, 48, 512}; // decode, decode of a batch, prefill

void multiply(benchmark::State& state, const kernels::KernelSet& set, kernels::TensorType type, Shape shape,
              std::size_t tokens)
{
    const std::vector<std::byte> weights = random_weights(type, shape.rows, shape.columns, 1);
    const std::vector<float> x = random_floats(shape.columns * tokens, 2);
    const kernels::ActivationFormat format = set.activation_format(type);
    std::vector<float> out(shape.rows * tokens);
    kernels::MatmulArgs args;
    args.x_stride = set.activation_bytes(format, shape.columns);
    std::vector<std::byte> prepared(args.x_stride * tokens);
    for (std::size_t t = 0; t < tokens; ++t) {
        set.prepare_activation(format, std::span(x).subspan(t * shape.columns, shape.columns),
                               prepared.data() + t * args.x_stride);
    }
    args.type = type;
    const std::size_t row_bytes = kernels::type_info(type).row_bytes(shape.columns);
    const std::size_t group = set.row_group(type);
    std::vector<std::byte> packed((shape.rows + group - 1) / group * group * row_bytes);
    set.pack(type, weights.data(), row_bytes, shape.rows, shape.columns, packed.data());
    args.weights = packed.data();
    args.weight_stride = group * row_bytes;
    args.rows = shape.rows;
    args.columns = shape.columns;
    args.x = prepared.data();
    args.tokens = tokens;
    args.out = out.data();
    args.out_stride = shape.rows;
    for ([[maybe_unused]] auto iteration : state) {
        set.matmul(args);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    const auto products = static_cast<std::int64_t>(state.iterations());
    state.SetBytesProcessed(products * static_cast<std::int64_t>(weights.size()));
    state.SetItemsProcessed(products * static_cast<std::int64_t>(shape.rows * shape.columns * tokens));
}

void prepare(benchmark::State& state, const kernels::KernelSet& set, kernels::ActivationFormat format)
{
    const std::vector<float> x = random_floats(2048, 2);
    std::vector<std::byte> prepared(set.activation_bytes(format, x.size()));
    for ([[maybe_unused]] auto iteration : state) {
        set.prepare_activation(format, x, prepared.data());
        benchmark::DoNotOptimize(prepared.data());
        benchmark::ClobberMemory();
    }
    const auto rows = static_cast<std::int64_t>(state.iterations());
    state.SetItemsProcessed(rows * static_cast<std::int64_t>(x.size()));
}

void register_set(const std::string& name, const kernels::KernelSet& set)
{
    for (const kernels::TypeInfo& info : kernels::kTypes) {
        for (const Shape& shape : kShapes) {
            for (const std::size_t tokens : kTokens) {
                const std::string title = name + "/" + std::string(info.name) + "/" + std::to_string(shape.rows) + "x" +
                                          std::to_string(shape.columns) + "/" + std::to_string(tokens);
                const kernels::TensorType type = info.type;
                benchmark::RegisterBenchmark(title.c_str(), [&set, type, shape, tokens](benchmark::State& state) {
                    multiply(state, set, type, shape, tokens);
                });
            }
        }
    }
    for (const auto& [title, type] : {std::pair("prepare/q8_block32", kernels::TensorType::Q4_0),
                                      std::pair("prepare/q8_block256", kernels::TensorType::Q4_K)}) {
        const kernels::ActivationFormat format = set.activation_format(type);
        if (format != kernels::ActivationFormat::f32) {
            benchmark::RegisterBenchmark((name + "/" + title).c_str(),
                                         [&set, format](benchmark::State& state) { prepare(state, set, format); });
        }
    }
}

} // namespace
} // namespace constela::test

int main(int argc, char** argv)
{
    for (const constela::kernels::KernelSetStatus& status : constela::kernels::kernel_sets()) {
        if (status.set != nullptr) {
            constela::test::register_set(status.name, *status.set);
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
