// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/gguf/sample.h"

#include <limits>

namespace constela::gguf {
namespace {

using Texts = std::vector<std::string>;

class MetadataTest : public testing::Test {
protected:
    MetadataTest() : metadata_(parse(as_bytes(sample().bytes()), "model.gguf").value().metadata) {}

    template <class T>
    void expect_wrong(std::string_view key, std::initializer_list<std::string_view> parts) const
    {
        for (const auto& found : {metadata_.get<T>(key), metadata_.get_or<T>(key, T{})}) {
            ASSERT_FALSE(found) << key;
            const std::string text = found.error().text();
            EXPECT_TRUE(text.starts_with("model.gguf: " + std::string(key))) << text;
            for (const std::string_view part : parts) {
                EXPECT_NE(text.find(part), std::string::npos) << "looked for \"" << part << "\" in: " << text;
            }
        }
    }

    Metadata metadata_;
};

TEST_F(MetadataTest, EveryTypeReadsAsItself)
{
    EXPECT_EQ(metadata_.get<std::uint32_t>("u8"), 200U);
    EXPECT_EQ(metadata_.get<std::int32_t>("i8"), -100);
    EXPECT_EQ(metadata_.get<std::uint32_t>("u16"), 60000U);
    EXPECT_EQ(metadata_.get<std::int32_t>("i16"), -30000);
    EXPECT_EQ(metadata_.get<std::uint32_t>("u32"), 4000000000U);
    EXPECT_EQ(metadata_.get<std::int32_t>("i32"), -2000000000);
    EXPECT_EQ(metadata_.get<float>("f32"), 0.5F);
    EXPECT_EQ(metadata_.get<bool>("yes"), true);
    EXPECT_EQ(metadata_.get<bool>("no"), false);
    EXPECT_EQ(metadata_.get<std::string>("text"), "Grüße, 世界");
    EXPECT_EQ(metadata_.get<std::uint64_t>("u64"), std::uint64_t{1} << 63U);
    EXPECT_EQ(metadata_.get<std::vector<std::int32_t>>("numbers"), (std::vector<std::int32_t>{-1, 0, 1, 2, 3}));
    EXPECT_EQ(metadata_.get<std::vector<float>>("floats"), (std::vector<float>{0.25F, -4.0F}));
    EXPECT_EQ(metadata_.get<std::vector<bool>>("flags"), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(metadata_.get<Texts>("words"), (Texts{"a", "", "\xFF\n"})); // Tokens may be any bytes.
}

TEST_F(MetadataTest, NumbersConvertWhereNothingIsLost)
{
    EXPECT_EQ(metadata_.get<std::uint64_t>("u8"), 200U);
    EXPECT_EQ(metadata_.get<std::int32_t>("u16"), 60000);
    EXPECT_EQ(metadata_.get<float>("u8"), 200.0F);
    EXPECT_EQ(metadata_.get<float>("i8"), -100.0F);
    EXPECT_EQ(metadata_.get<std::vector<float>>("numbers"), (std::vector<float>{-1, 0, 1, 2, 3}));

    expect_wrong<std::int32_t>("u32", {"is 4000000000", "a whole number from -2147483648 to 2147483647"});
    expect_wrong<std::uint32_t>("i8", {"is -100", "a whole number from 0 to 4294967295"});
    expect_wrong<std::uint64_t>("i64", {"is -1", "a whole number from 0"});
    expect_wrong<std::uint32_t>("u64", {"is 9223372036854775808", "a whole number"});
    expect_wrong<float>("f64", {"is 1e+300", "a number"});
    expect_wrong<std::uint32_t>("f32", {"is 0.5", "a whole number"});
    expect_wrong<std::vector<std::uint32_t>>("numbers", {"is [-1, 0, 1, 2, ...]", "an array of whole numbers from 0"});
}

TEST_F(MetadataTest, OtherTypesDoNotConvert)
{
    expect_wrong<std::uint32_t>("text", {"is \"Grüße, 世界\"", "a whole number", "was expected"});
    expect_wrong<float>("text", {"a number"});
    expect_wrong<bool>("u8", {"is 200", "true or false"});
    expect_wrong<std::uint32_t>("yes", {"is true", "a whole number"});
    expect_wrong<float>("no", {"is false", "a number"});
    expect_wrong<std::string>("f32", {"is 0.5", "a text"});
    expect_wrong<std::string>("words", {R"(is ["a", "", "\xff\x0a"])", "a text"});
    expect_wrong<Texts>("text", {"an array of texts"});
    expect_wrong<Texts>("flags", {"is [true, false, true]", "an array of texts"});
    expect_wrong<std::vector<bool>>("numbers", {"an array of true and false"});
    expect_wrong<std::vector<float>>("words", {"an array of numbers"});
    expect_wrong<std::vector<std::int32_t>>("floats", {"is [0.25, -4]", "an array of whole numbers"});
    expect_wrong<std::uint32_t>("numbers", {"a whole number"});
}

TEST_F(MetadataTest, MissingKeys)
{
    EXPECT_TRUE(metadata_.has("u8"));
    EXPECT_FALSE(metadata_.has("llama.block_count"));
    const auto found = metadata_.get<std::uint32_t>("llama.block_count");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().text(), "model.gguf: the key llama.block_count is missing.");
    EXPECT_EQ(metadata_.get_or<std::uint32_t>("llama.block_count", 7), 7U);
    EXPECT_EQ(metadata_.get_or<std::uint32_t>("u8", 7), 200U);
    EXPECT_EQ(metadata_.get_or<Texts>("none", {"x"}), Texts{"x"});
}

TEST(Describe, ShowsValuesShortAndSafe)
{
    EXPECT_EQ(describe(Value(std::uint64_t{7})), "7");
    EXPECT_EQ(describe(Value(std::int64_t{-7})), "-7");
    EXPECT_EQ(describe(Value(0.5)), "0.5");
    EXPECT_EQ(describe(Value(true)), "true");
    EXPECT_EQ(describe(Value(std::string("a\x1b[31m"))), "\"a\\x1b[31m\"");
    EXPECT_EQ(describe(Value(Array(std::vector<double>{}))), "[]");
    EXPECT_EQ(describe(Value(Array(std::vector<std::uint64_t>(1000, 1)))), "[1, 1, 1, 1, ...]");
    EXPECT_LT(describe(Value(std::string(100000, 'x'))).size(), 120U);
}

} // namespace
} // namespace constela::gguf
