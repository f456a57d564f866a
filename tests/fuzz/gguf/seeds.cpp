// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the seed corpus: small files that show the fuzzer what a GGUF file is made of.
#include "tests/support/gguf_writer.h"

#include <cstdio>
#include <filesystem>

namespace {

namespace fs = std::filesystem;
using constela::kernels::TensorType;
using constela::test::GgufWriter;

GgufWriter every_value()
{
    GgufWriter writer;
    writer.set("general.architecture", "llama")
        .set("u8", std::uint8_t{1})
        .set("i8", std::int8_t{-1})
        .set("u16", std::uint16_t{2})
        .set("i16", std::int16_t{-2})
        .set("u32", std::uint32_t{4})
        .set("i32", std::int32_t{-4})
        .set("f32", 0.5F)
        .set("bool", true)
        .set("u64", std::uint64_t{8})
        .set("i64", std::int64_t{-8})
        .set("f64", 1e300);
    return writer;
}

GgufWriter every_array()
{
    GgufWriter writer;
    writer.set("u8", std::vector<std::uint8_t>{1, 2})
        .set("i8", std::vector<std::int8_t>{-1, 2})
        .set("u16", std::vector<std::uint16_t>{1, 2})
        .set("i16", std::vector<std::int16_t>{-1, 2})
        .set("u32", std::vector<std::uint32_t>{1, 2})
        .set("i32", std::vector<std::int32_t>{-1, 2})
        .set("f32", std::vector<float>{1, 2})
        .set("bool", std::vector<bool>{true, false})
        .set("text", std::vector<std::string>{"a", "", "\xE4\xB8\x96"})
        .set("u64", std::vector<std::uint64_t>{1, 2})
        .set("i64", std::vector<std::int64_t>{-1, 2})
        .set("f64", std::vector<double>{1, 2})
        .set("none", std::vector<std::string>{});
    return writer;
}

GgufWriter every_type()
{
    GgufWriter writer;
    for (const auto& info : constela::kernels::kTypes) {
        writer.tensor(info.name, info.type, {info.block_elements});
    }
    return writer;
}

GgufWriter every_shape()
{
    GgufWriter writer;
    writer.alignment = 8;
    writer.set("general.alignment", std::uint32_t{8})
        .tensor("d1", TensorType::F32, {3})
        .tensor("d2", TensorType::F16, {3, 2})
        .tensor("d3", TensorType::Q4_0, {32, 2, 2})
        .tensor("d4", TensorType::BF16, {1, 2, 3, 4});
    return writer;
}

GgufWriter part_of_a_set()
{
    GgufWriter writer;
    writer.set("split.no", std::uint16_t{1})
        .set("split.count", std::uint16_t{2})
        .set("split.tensors.count", std::int32_t{2})
        .tensor("w", {2}, {1, 2});
    return writer;
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 2) {
        std::fputs("usage: fuzz_gguf_seeds FOLDER\n", stderr);
        return 2;
    }
    const fs::path folder = arguments[1];
    fs::create_directories(folder);
    every_value().write(folder / "values.gguf");
    every_array().write(folder / "arrays.gguf");
    every_type().write(folder / "types.gguf");
    every_shape().write(folder / "shapes.gguf");
    part_of_a_set().write(folder / "part.gguf");
    GgufWriter old = every_shape();
    old.version = 2;
    old.write(folder / "version2.gguf");
    return 0;
}
