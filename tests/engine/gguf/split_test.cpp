// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models in several parts, right and wrong.
#include "tests/engine/gguf/sample.h"
#include "tests/support/golden.h"

#include <cstring>

namespace constela::gguf {
namespace {

namespace fs = std::filesystem;
using test::GgufWriter;

class SplitTest : public testing::Test {
protected:
    /// Three parts with one tensor each, as gguf-split writes them: all metadata in the first.
    SplitTest() : parts_(3)
    {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            parts_[i]
                .set("split.no", static_cast<std::uint16_t>(i))
                .set("split.count", std::uint16_t{3})
                .set("split.tensors.count", std::int32_t{3});
            const auto value = static_cast<float>(i);
            parts_[i].tensor("blk." + std::to_string(i) + ".w", {4}, {value, value, value, value});
        }
        parts_[0].set("general.architecture", "llama").set("llama.block_count", std::uint32_t{3});
    }

    [[nodiscard]] fs::path path(std::size_t number, std::size_t count = 3) const
    {
        return folder_.path() / ("tiny-0000" + std::to_string(number) + "-of-0000" + std::to_string(count) + ".gguf");
    }

    void write() const
    {
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            parts_[i].write(path(i + 1));
        }
    }

    /// Sets a number of a part's key anew.
    template <class T>
    void replace(std::size_t part, std::string_view key, const T& value)
    {
        std::erase_if(parts_[part].keys, [&](const GgufWriter::Key& found) { return found.name == key; });
        parts_[part].set(key, value);
    }

    void expect_refused(std::initializer_list<std::string_view> expected, std::size_t open = 1) const
    {
        write();
        const auto file = File::open(path(open));
        ASSERT_FALSE(file);
        const std::string text = file.error().text();
        for (const std::string_view part : expected) {
            EXPECT_NE(text.find(part), std::string::npos) << "looked for \"" << part << "\" in: " << text;
        }
    }

    std::vector<GgufWriter> parts_;
    test::TempDir folder_;
};

TEST_F(SplitTest, OpensFromAnyPart)
{
    write();
    for (std::size_t number = 1; number <= 3; ++number) {
        const auto file = File::open(path(number));
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_EQ((*file)->metadata().get<std::uint32_t>("llama.block_count"), 3U);
        EXPECT_EQ((*file)->paths(), (std::vector<fs::path>{path(1), path(2), path(3)}));
        EXPECT_EQ((*file)->bytes(), fs::file_size(path(1)) + fs::file_size(path(2)) + fs::file_size(path(3)));
        ASSERT_EQ((*file)->tensors().size(), 3U);
        for (std::size_t i = 0; i < 3; ++i) {
            const TensorInfo* tensor = (*file)->find("blk." + std::to_string(i) + ".w");
            ASSERT_NE(tensor, nullptr);
            EXPECT_EQ(tensor->part, i);
            float value = -1;
            ASSERT_EQ((*file)->data(*tensor).size(), 16U);
            std::memcpy(&value, (*file)->data(*tensor).data(), sizeof value);
            EXPECT_EQ(value, static_cast<float>(i));
        }
    }
}

TEST_F(SplitTest, TheFirstPartMayHoldMetadataOnly)
{
    parts_[0].tensors.clear();
    for (std::size_t i = 0; i < 3; ++i) {
        replace(i, "split.tensors.count", std::int32_t{2});
    }
    write();
    const auto file = File::open(path(1));
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ((*file)->tensors().size(), 2U);
}

TEST_F(SplitTest, ASetOfOneNeedsNoKeys)
{
    sample().write(path(1, 1));
    const auto file = File::open(path(1, 1));
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ((*file)->paths().size(), 1U);
}

TEST_F(SplitTest, MissingPart)
{
    write();
    fs::remove(path(2));
    for (const std::size_t open : {1U, 3U}) {
        const auto file = File::open(path(open));
        ASSERT_FALSE(file);
        EXPECT_EQ(file.error().text(), path(open).filename().string() +
                                           ": part 2 of 3 is missing; tiny-00002-of-00003.gguf was expected in the "
                                           "same folder.");
    }
}

TEST_F(SplitTest, OtherCount)
{
    replace(1, "split.count", std::uint16_t{4});
    expect_refused({"tiny-00002-of-00003.gguf: split.count is 4", "3, as in the file's name, was expected"});
}

TEST_F(SplitTest, OtherNumber)
{
    replace(1, "split.no", std::uint16_t{2});
    expect_refused({"tiny-00002-of-00003.gguf: split.no is 2", "1 was expected in part 2 of 3"});
}

TEST_F(SplitTest, OtherArchitecture)
{
    parts_[2].set("general.architecture", "gemma3");
    expect_refused({"tiny-00003-of-00003.gguf: general.architecture is \"gemma3\"", "\"llama\"",
                    "as in tiny-00001-of-00003.gguf, was expected"});
}

TEST_F(SplitTest, PartOfNoSet)
{
    parts_[2] = sample();
    expect_refused({"tiny-00003-of-00003.gguf: the key split.count is missing"});
}

TEST_F(SplitTest, KeyOfAWrongType)
{
    replace(1, "split.no", "one");
    expect_refused({"tiny-00002-of-00003.gguf: split.no is \"one\"", "a whole number"});
}

TEST_F(SplitTest, TensorInTwoParts)
{
    parts_[2].tensors[0].name = "blk.0.w";
    expect_refused({"tiny-00003-of-00003.gguf: tensor blk.0.w", "tiny-00001-of-00003.gguf", "once"});
}

TEST_F(SplitTest, WrongTotalOfTensors)
{
    parts_[1].tensor("more", {1}, {0});
    expect_refused({"tiny-00001-of-00003.gguf: split.tensors.count is 3", "hold 4 tensors"});
}

TEST_F(SplitTest, TotalsThatDiffer)
{
    replace(2, "split.tensors.count", std::int32_t{-5});
    expect_refused({"tiny-00003-of-00003.gguf: split.tensors.count is -5", "whole number"});
}

TEST_F(SplitTest, DamagedPart)
{
    parts_[1].magic = "JUNK";
    expect_refused({"tiny-00002-of-00003.gguf: ", "not a GGUF file"}, 3);
}

TEST_F(SplitTest, NumbersInTheNameThatCannotBe)
{
    for (const char* name : {"tiny-00000-of-00003.gguf", "tiny-00004-of-00003.gguf", "tiny-00001-of-00000.gguf",
                             "tiny-00001-of-99999.gguf"}) {
        sample().write(folder_.path() / name);
        const auto file = File::open(folder_.path() / name);
        ASSERT_FALSE(file) << name;
        const std::string text = file.error().text();
        EXPECT_TRUE(text.starts_with(name)) << text;
        EXPECT_NE(text.find("the name speaks of part"), std::string::npos) << text;
    }
}

TEST_F(SplitTest, PartUnderAnotherName)
{
    parts_[0].write(folder_.path() / "renamed.gguf");
    const auto file = File::open(folder_.path() / "renamed.gguf");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().text(), "renamed.gguf: split.count is 3, so this is one of several parts; a name that ends "
                                   "like -00001-of-00003.gguf was expected.");
}

} // namespace
} // namespace constela::gguf
