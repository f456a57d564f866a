// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is read from a right file, byte for byte.
#include "tests/engine/gguf/sample.h"

namespace constela::gguf {
namespace {

TEST(Parse, ReadsEveryFieldOfVersions2And3)
{
    for (const std::uint32_t version : {2U, 3U}) {
        auto writer = sample();
        writer.version = version;
        const std::string bytes = writer.bytes();
        const auto parsed = parse(as_bytes(bytes), "model.gguf");
        ASSERT_TRUE(parsed) << parsed.error().text();
        EXPECT_EQ(parsed->version, version);
        EXPECT_EQ(parsed->metadata.file_name(), "model.gguf");
        EXPECT_EQ(parsed->metadata.all().size(), 18U);
        EXPECT_EQ(parsed->data_offset % 32, 0U);

        ASSERT_EQ(parsed->tensors.size(), 3U);
        const TensorInfo& a = parsed->tensors[0];
        EXPECT_EQ(a.name, "a.weight");
        EXPECT_EQ(a.type, kernels::TensorType::F32);
        EXPECT_EQ(a.shape, (std::array<std::uint64_t, 4>{3, 2, 1, 1}));
        EXPECT_EQ(a.dimensions, 2U);
        EXPECT_EQ(a.elements(), 6U);
        EXPECT_EQ(a.bytes, 24U);
        EXPECT_EQ(a.offset, parsed->data_offset);
        EXPECT_EQ(bytes.substr(a.offset + 20, 4), test::little_endian(6.0F));
        const TensorInfo& b = parsed->tensors[1];
        EXPECT_EQ(b.bytes, 2U * 3 * 2 * 18);
        EXPECT_EQ(b.offset, a.offset + 32);
        EXPECT_EQ(b.dimensions, 4U);
        const TensorInfo& c = parsed->tensors[2];
        EXPECT_EQ(c.bytes, 10U);
        EXPECT_EQ(c.offset, b.offset + 224);
    }
}

TEST(Parse, KeepsTheAlignmentOfTheFile)
{
    auto writer = sample();
    writer.alignment = 512;
    writer.set("general.alignment", std::uint32_t{512});
    const auto parsed = parse(as_bytes(writer.bytes()), "model.gguf");
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ(parsed->data_offset % 512, 0U);
    EXPECT_EQ(parsed->tensors[1].offset, parsed->data_offset + 512);
}

TEST(Parse, TakesTensorsInAnyOrderOfTheirData)
{
    auto writer = sample();
    std::swap(writer.tensors[0].offset, writer.tensors[1].offset);
    writer.tensors[0].offset = 224; // a behind b, as if the data were b, a, c
    writer.tensors[1].offset = 0;
    const auto parsed = parse(as_bytes(writer.bytes()), "model.gguf");
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ(parsed->tensors[0].offset, parsed->data_offset + 224);
}

TEST(Parse, TakesAFileThatEndsWithoutPadding)
{
    auto writer = sample();
    writer.pad_end = false;
    EXPECT_TRUE(parse(as_bytes(writer.bytes()), "model.gguf"));
}

TEST(Parse, TakesAVocabularyWithoutTensors)
{
    for (const bool padded : {false, true}) {
        auto writer = sample();
        writer.tensors.clear();
        writer.pad_end = padded;
        const auto parsed = parse(as_bytes(writer.bytes()), "model.gguf");
        ASSERT_TRUE(parsed) << parsed.error().text();
        EXPECT_TRUE(parsed->tensors.empty());
    }
}

TEST(Parse, KnowsTheSizeOfEverySupportedType)
{
    for (const kernels::TypeInfo& info : kernels::kTypes) {
        test::GgufWriter writer;
        writer.tensor("w", info.type, {256, 3});
        const auto parsed = parse(as_bytes(writer.bytes()), "model.gguf");
        ASSERT_TRUE(parsed) << parsed.error().text();
        EXPECT_EQ(parsed->tensors[0].bytes, std::size_t{768} / info.block_elements * info.block_bytes) << info.name;
    }
}

} // namespace
} // namespace constela::gguf
