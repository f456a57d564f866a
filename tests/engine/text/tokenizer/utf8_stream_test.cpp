// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/utf8.h"
#include "engine/text/utf8_stream.h"

#include <gtest/gtest.h>
#include <random>

namespace constela::text {
namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

std::string at_once(std::string_view bytes)
{
    Utf8Stream stream;
    std::string text = stream.feed(bytes);
    return text + stream.finish();
}

bool is_whole(std::string_view text)
{
    while (!text.empty()) {
        const Utf8Step step = next_utf8(text);
        if (step.kind != Utf8Kind::character) {
            return false;
        }
        text.remove_prefix(step.length);
    }
    return true;
}

TEST(Utf8Stream, HoldsBackHalfCharacters)
{
    Utf8Stream stream;
    EXPECT_EQ(stream.feed("a\xF0\x9F"), "a");
    EXPECT_EQ(stream.feed("\x9A"), "");
    EXPECT_EQ(stream.feed("\x80z"), "\xF0\x9F\x9A\x80z");
    EXPECT_EQ(stream.finish(), "");
}

TEST(Utf8Stream, AnUnfinishedCharacterEndsAsOneReplacement)
{
    Utf8Stream stream;
    EXPECT_EQ(stream.feed("\xF0\x9F\x9A"), "");
    EXPECT_EQ(stream.finish(), kReplacement);
    EXPECT_EQ(stream.finish(), "");
    EXPECT_EQ(stream.feed("b"), "b");
}

// The cases of table 3-8 of the Unicode Standard and their like.
TEST(Utf8Stream, ReplacesMaximalSubparts)
{
    const std::string& r = kReplacement;
    EXPECT_EQ(at_once("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
              "a" + r + r + r + "b" + r + "c" + r + r + "d");
    EXPECT_EQ(at_once("\xC0\xAF"), r + r);         // overlong
    EXPECT_EQ(at_once("\xED\xA0\x80"), r + r + r); // surrogate
    EXPECT_EQ(at_once("\xF4\x90\x80\x80"), r + r + r + r);
    EXPECT_EQ(at_once("\xF5\xFF"), r + r);
    EXPECT_EQ(at_once("\xE2\x82\xE2\x82\xAC"), r + "\xE2\x82\xAC");
    EXPECT_EQ(at_once(std::string("a\0b", 3)), std::string("a\0b", 3));
}

TEST(Utf8Stream, WholeTextPasses)
{
    const std::string text = "Olá, 日本語 👩‍👩‍👧 \xF4\x8F\xBF\xBF \xED\x9F\xBF \xEE\x80\x80";
    EXPECT_EQ(at_once(text), text);
}

TEST(Utf8Stream, TheSameHoweverItIsCut)
{
    std::mt19937 random(7);
    const std::string pieces[] = {"a",    "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x9A\x80", "\xF0",
                                  "\x9F", "\xE2",     "\xED\xA0",     "\xF4\x90\x80",     "\xC0",
                                  "\xFF", "\x80",     "\xE0\x80"};
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        for (int i = 0; i < 6; ++i) {
            bytes += pieces[random() % std::size(pieces)];
        }
        const std::string whole = at_once(bytes);
        ASSERT_TRUE(is_whole(whole));
        for (std::size_t a = 0; a <= bytes.size(); ++a) {
            for (std::size_t b = a; b <= bytes.size(); ++b) {
                Utf8Stream stream;
                std::string text;
                for (const auto& part : {bytes.substr(0, a), bytes.substr(a, b - a), bytes.substr(b)}) {
                    const std::string complete = stream.feed(part);
                    ASSERT_TRUE(is_whole(complete));
                    text += complete;
                }
                ASSERT_EQ(text + stream.finish(), whole);
            }
        }
        Utf8Stream stream;
        std::string text;
        for (const char byte : bytes) {
            text += stream.feed(std::string_view(&byte, 1));
        }
        ASSERT_EQ(text + stream.finish(), whole);
    }
}

} // namespace
} // namespace constela::text
