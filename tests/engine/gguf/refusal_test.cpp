// SPDX-License-Identifier: GPL-3.0-or-later
//
// One test for each thing that the reader refuses: the sentence names the file, the field, what stood there and what
// was expected.
#include "tests/engine/gguf/sample.h"

#include <limits>

namespace constela::gguf {
namespace {

using test::gguf_string;
using test::little_endian;

constexpr std::uint32_t kStringType = 8;
constexpr std::uint32_t kArrayType = 9;
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

// Header ---------------------------------------------------------------------------------------------------------

TEST(Refusal, EmptyFile)
{
    expect_refused(std::string(), {"empty"});
}

TEST(Refusal, OtherKindOfFile)
{
    expect_refused("PK\x03\x04 and more", {"not a GGUF file", R"("PK\x03\x04")", "\"GGUF\" was expected"});
    expect_refused("GG", {"not a GGUF file", "\"GG\""});
}

TEST(Refusal, Version)
{
    for (const std::uint32_t version : {0U, 1U, 4U}) {
        auto writer = sample();
        writer.version = version;
        expect_refused(writer, {"version is " + std::to_string(version), "2 or 3 was expected"});
    }
}

TEST(Refusal, BigEndian)
{
    auto writer = sample();
    writer.version = 0x03000000;
    expect_refused(writer, {"big-endian", "version is 0x03000000", "little-endian one was expected"});
}

TEST(Refusal, TensorCount)
{
    auto writer = sample();
    writer.tensor_count = kHuge;
    expect_refused(writer, {"tensor_count is 18446744073709551615", "at most 262144"});
    writer.tensor_count = 200000;
    expect_refused(writer, {"tensor_count is 200000", "bytes that are left hold at most"});
}

TEST(Refusal, KeyCount)
{
    auto writer = sample();
    writer.key_count = kHuge;
    expect_refused(writer, {"metadata_kv_count is 18446744073709551615", "at most 65536"});
    writer.key_count = 60000;
    expect_refused(writer, {"metadata_kv_count is 60000", "bytes that are left hold at most"});
}

// Metadata -------------------------------------------------------------------------------------------------------

TEST(Refusal, DuplicateKey)
{
    auto writer = sample();
    writer.set("u8", "again");
    expect_refused(writer, {"key u8", "twice", "once"});
}

TEST(Refusal, EmptyKey)
{
    auto writer = sample();
    writer.set("", true);
    expect_refused(writer, {"metadata_kv[18].key is \"\"", "was expected"});
}

TEST(Refusal, KeyThatIsNotText)
{
    for (const std::string_view key : {"a\nb", "a\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
        auto writer = sample();
        writer.set(key, true);
        expect_refused(writer, {"metadata_kv[18].key", "\\x", "UTF-8"});
    }
}

TEST(Refusal, LongKey)
{
    auto writer = sample();
    writer.set(std::string(65536, 'k'), true);
    expect_refused(writer, {"metadata_kv[18].key", "65536 bytes", "at most 65535"});
}

TEST(Refusal, KeyBeyondTheEnd)
{
    const std::string header =
        "GGUF" + little_endian(std::uint32_t{3}) + little_endian(std::uint64_t{0}) + little_endian(std::uint64_t{1});
    expect_refused(header + little_endian(kHuge) + std::string(20, 'k'),
                   {"metadata_kv[0].key", "18446744073709551615 bytes", "only 20 are left"});
}

TEST(Refusal, UnknownValueType)
{
    auto writer = sample();
    writer.raw("strange", 13, "12345678");
    expect_refused(writer, {"strange has the value type 13", "0 to 12"});
}

TEST(Refusal, InvalidBool)
{
    auto writer = sample();
    writer.raw("flag", 7, "\x02");
    expect_refused(writer, {"flag is a bool of the value 2", "0 or 1"});
}

TEST(Refusal, InvalidBoolInArray)
{
    auto writer = sample();
    writer.raw("flagged", kArrayType,
               little_endian(std::uint32_t{7}) + little_endian(std::uint64_t{2}) + std::string("\x01\xFF"));
    expect_refused(writer, {"flagged[1] is a bool of the value 255", "0 or 1"});
}

TEST(Refusal, NestedArray)
{
    auto writer = sample();
    writer.set("nested", std::vector<std::vector<std::uint8_t>>{{1}, {2}});
    expect_refused(writer, {"nested is an array of arrays", "was expected"});
}

TEST(Refusal, UnknownElementType)
{
    auto writer = sample();
    writer.raw("list", kArrayType, little_endian(std::uint32_t{77}) + little_endian(std::uint64_t{0}));
    expect_refused(writer, {"list has the value type 77"});
}

TEST(Refusal, ArrayCountBeyondTheEnd)
{
    for (const std::uint32_t type : {0U, 5U, 7U, 8U, 12U}) {
        for (const std::uint64_t count : {std::uint64_t{100000}, kHuge, kHuge / 8 + 1}) {
            auto writer = sample();
            writer.raw("list", kArrayType, little_endian(type) + little_endian(count));
            expect_refused(writer, {"list is an array of " + std::to_string(count), "bytes are left"});
        }
    }
}

TEST(Refusal, ArraysOfMoreElementsThanAnyModelHas)
{
    constexpr std::uint64_t half = (std::uint64_t{1} << 22U) + 1;
    auto writer = sample();
    for (const std::string_view key : {"one", "two"}) {
        writer.raw(key, kArrayType,
                   little_endian(std::uint32_t{0}) + little_endian(half) + std::string(std::size_t{half}, 'x'));
    }
    expect_refused(writer, {"two is an array of 4194305 values", "at most 8388608"});
}

TEST(Refusal, TextBeyondTheEnd)
{
    auto writer = sample();
    writer.tensors.clear();
    writer.raw("long", kStringType, little_endian(std::uint64_t{1} << 40U) + "short");
    expect_refused(writer, {"long needs 1099511627776 bytes", "are left"});
}

TEST(Refusal, TextInArrayBeyondTheEnd)
{
    auto writer = sample();
    writer.raw("texts", kArrayType,
               little_endian(kStringType) + little_endian(std::uint64_t{2}) + gguf_string("one") +
                   little_endian(kHuge));
    expect_refused(writer, {"texts[1] needs 18446744073709551615 bytes", "are left"});
}

TEST(Refusal, Alignment)
{
    for (const std::uint32_t alignment : {0U, 1U, 4U, 24U, 33U, 1U << 21U}) {
        auto writer = sample();
        writer.set("general.alignment", alignment);
        expect_refused(writer, {"general.alignment is " + std::to_string(alignment), "power of two from 8 to 1048576"});
    }
    auto writer = sample();
    writer.set("general.alignment", "32");
    expect_refused(writer, {"general.alignment is \"32\"", "a whole number"});
}

// Tensors --------------------------------------------------------------------------------------------------------

TEST(Refusal, DuplicateTensor)
{
    auto writer = sample();
    writer.tensor("b.weight", {1}, {0});
    expect_refused(writer, {"tensor b.weight", "twice"});
}

TEST(Refusal, TensorName)
{
    auto writer = sample();
    writer.tensors[1].name = std::string(65, 'n');
    expect_refused(writer, {"tensor_infos[1].name", "65 bytes", "at most 64"});
    writer.tensors[1].name.clear();
    expect_refused(writer, {"tensor_infos[1].name is \"\""});
    writer.tensors[1].name = std::string("a\0b", 3);
    expect_refused(writer, {R"(tensor_infos[1].name is "a\x00b")", "UTF-8"});
}

TEST(Refusal, NumberOfDimensions)
{
    auto writer = sample();
    writer.tensors[0].shape.clear();
    expect_refused(writer, {"tensor a.weight has 0 dimensions", "1 to 4"});
    writer.tensors[0].shape = {1, 1, 1, 1, 1};
    expect_refused(writer, {"tensor a.weight has 5 dimensions", "1 to 4"});
}

TEST(Refusal, ZeroDimension)
{
    auto writer = sample();
    writer.tensors[0].shape = {3, 0};
    expect_refused(writer, {"tensor a.weight has 0 elements in dimension 1", "at least 1"});
}

TEST(Refusal, OverflowingProduct)
{
    auto writer = sample();
    for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{kHuge},
                                                    {std::uint64_t{1} << 32U, std::uint64_t{1} << 32U},
                                                    {std::uint64_t{1} << 32U, std::uint64_t{1} << 31U, 2, 1},
                                                    {1U << 31U, 1U << 31U, 1U << 31U, 1U << 31U},
                                                    {3, 6148914691236517206U}}) {
        writer.tensors[0].shape = shape;
        expect_refused(writer, {"tensor a.weight has", "overflows"});
    }
    writer.tensors[0].shape = {std::uint64_t{1} << 61U}; // The product fits, 4 bytes of each do not.
    expect_refused(writer, {"tensor a.weight has 2305843009213693952 elements of the type F32", "overflows"});
}

TEST(Refusal, KnownTensorTypeThatIsNotSupported)
{
    auto writer = sample();
    writer.tensors[0].type = 16;
    expect_refused(writer, {"tensor a.weight has type 16 (IQ2_XXS), which this version cannot compute",
                            "supported are F32, F16, Q4_0", "MXFP4"});
}

TEST(Refusal, UnknownTensorType)
{
    auto writer = sample();
    writer.tensors[0].type = 4000000000;
    expect_refused(writer, {"tensor a.weight has type 4000000000, which this version does not know", "supported are"});
}

TEST(Refusal, RowsThatAreNotWholeBlocks)
{
    auto writer = sample();
    writer.tensors[1].shape = {48, 2};
    expect_refused(writer, {"tensor b.weight has rows of 48 elements", "Q4_0 needs a multiple of 32"});
    writer.tensors[1].type = static_cast<std::uint32_t>(kernels::TensorType::Q6_K);
    writer.tensors[1].shape = {128, 2};
    expect_refused(writer, {"tensor b.weight has rows of 128 elements", "Q6_K needs a multiple of 256"});
}

TEST(Refusal, MisalignedOffset)
{
    auto writer = sample();
    writer.tensors[1].offset = 33;
    expect_refused(writer, {"tensor b.weight has the offset 33", "multiple of the alignment 32"});
}

TEST(Refusal, OffsetBeyondTheEnd)
{
    for (const std::uint64_t offset : {std::uint64_t{4096}, std::uint64_t{1} << 63U, kHuge - 31}) {
        auto writer = sample();
        writer.tensors[2].offset = offset;
        expect_refused(writer, {"tensor c.bias", std::to_string(offset), "file ends at byte"});
    }
}

TEST(Refusal, OverlappingData)
{
    auto writer = sample();
    writer.tensors[2].offset = 64;
    expect_refused(writer, {"tensor c.bias begins at byte", "inside tensor b.weight"});
    writer.tensors[2].offset = 0; // The same place as another.
    expect_refused(writer, {"tensor", "inside tensor"});
}

TEST(Refusal, HoleBetweenTensors)
{
    auto writer = sample();
    writer.tensors[0].data += std::string(64, '\0');
    expect_refused(writer, {"tensor b.weight begins at byte", "was expected"});
}

TEST(Refusal, DataThatBeginsLate)
{
    auto writer = sample();
    for (std::uint64_t i = 0; auto& tensor : writer.tensors) {
        tensor.offset = std::vector<std::uint64_t>{32, 64, 288}[i++];
    }
    expect_refused(writer.bytes() + std::string(32, '\0'), {"tensor a.weight begins at byte", "was expected"});
}

TEST(Refusal, DataCutShort)
{
    const std::string bytes = sample().bytes();
    expect_refused(bytes.substr(0, bytes.size() - 32), {"tensor c.bias", "10 bytes", "cut short"});
}

TEST(Refusal, TwoFilesGluedTogether)
{
    const std::string bytes = sample().bytes();
    expect_refused(bytes + bytes, {std::to_string(bytes.size()) + " bytes stand behind the end", "joined"});
    auto vocabulary = sample();
    vocabulary.tensors.clear();
    expect_refused(vocabulary.bytes() + bytes, {"stand behind the end"});
    expect_refused(bytes + "\n", {"1 bytes stand behind the end"});
}

} // namespace
} // namespace constela::gguf
