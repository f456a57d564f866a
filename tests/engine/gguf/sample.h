// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of the GGUF reader share.
#pragma once

#include "engine/gguf/gguf.h"
#include "tests/support/gguf_writer.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace constela::gguf {

inline std::span<const std::byte> as_bytes(const std::string& text)
{
    return std::as_bytes(std::span<const char>(text));
}

/// A small right file: a key of every type, three tensors of different types.
inline test::GgufWriter sample()
{
    test::GgufWriter writer;
    writer.set("general.architecture", "llama")
        .set("u8", std::uint8_t{200})
        .set("i8", std::int8_t{-100})
        .set("u16", std::uint16_t{60000})
        .set("i16", std::int16_t{-30000})
        .set("u32", std::uint32_t{4000000000})
        .set("i32", std::int32_t{-2000000000})
        .set("f32", 0.5F)
        .set("yes", true)
        .set("no", false)
        .set("text", "Grüße, 世界")
        .set("u64", std::uint64_t{1} << 63U)
        .set("i64", std::int64_t{-1})
        .set("f64", 1e300)
        .set("numbers", std::vector<std::int32_t>{-1, 0, 1, 2, 3})
        .set("floats", std::vector<float>{0.25F, -4.0F})
        .set("flags", std::vector<bool>{true, false, true})
        .set("words", std::vector<std::string>{"a", "", "\xFF\n"});
    writer.tensor("a.weight", {3, 2}, {1, 2, 3, 4, 5, 6})
        .tensor("b.weight", kernels::TensorType::Q4_0, {64, 2, 1, 3})
        .tensor("c.bias", kernels::TensorType::F16, {5});
    return writer;
}

/// Checks that the bytes are refused in a sentence that begins with the file's name and holds each of `parts`.
inline void expect_refused(const std::string& bytes, std::initializer_list<std::string_view> parts)
{
    const auto parsed = parse(as_bytes(bytes), "model.gguf");
    ASSERT_FALSE(parsed) << "was accepted, though it should be refused";
    const std::string text = parsed.error().text();
    EXPECT_TRUE(text.starts_with("model.gguf: ")) << text;
    EXPECT_TRUE(text.ends_with(".") || text.ends_with("?")) << text;
    for (const std::string_view part : parts) {
        EXPECT_NE(text.find(part), std::string::npos) << "looked for \"" << part << "\" in: " << text;
    }
}

inline void expect_refused(const test::GgufWriter& writer, std::initializer_list<std::string_view> parts)
{
    expect_refused(writer.bytes(), parts);
}

} // namespace constela::gguf
