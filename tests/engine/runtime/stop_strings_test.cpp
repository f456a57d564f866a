// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/stop_strings.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace constela::test {
namespace {

using runtime::StopStrings;
using Texts = std::vector<std::string>;

TEST(StopStrings, WithoutAnyAllIsShownAtOnce)
{
    StopStrings stops({});
    EXPECT_EQ(stops.feed("anything"), "anything");
    EXPECT_FALSE(stops.matched());
    EXPECT_EQ(stops.finish(), "");
}

TEST(StopStrings, EmptyOnesAreLeftOut)
{
    StopStrings stops({"", "x", ""});
    EXPECT_EQ(stops.feed("ab"), "ab");
    EXPECT_FALSE(stops.matched());
    EXPECT_EQ(stops.feed("cxd"), "c");
    EXPECT_TRUE(stops.matched());
}

TEST(StopStrings, NothingIsShownOfOneNorAfterIt)
{
    StopStrings stops({"END"});
    EXPECT_EQ(stops.feed("the ENDing"), "the ");
    EXPECT_TRUE(stops.matched());
    EXPECT_EQ(stops.feed("more"), "");
    EXPECT_EQ(stops.finish(), "");
    EXPECT_TRUE(stops.matched());
}

TEST(StopStrings, MaySpanManyPieces)
{
    StopStrings stops({"<|end|>"});
    EXPECT_EQ(stops.feed("a<"), "a");
    for (const char* piece : {"|", "e", "n", "d", "|"}) {
        EXPECT_EQ(stops.feed(piece), "");
        EXPECT_FALSE(stops.matched());
    }
    EXPECT_EQ(stops.feed(">b"), "");
    EXPECT_TRUE(stops.matched());
}

TEST(StopStrings, WhatWasHeldBackInVainIsShown)
{
    StopStrings stops({"abcd"});
    EXPECT_EQ(stops.feed("xabc"), "x");
    EXPECT_EQ(stops.feed("abc"), "abc");
    EXPECT_EQ(stops.feed("y"), "abcy");
    EXPECT_EQ(stops.feed("ab"), "");
    EXPECT_EQ(stops.finish(), "ab");
    EXPECT_FALSE(stops.matched());
}

TEST(StopStrings, OneWithinItselfBeginsAgain)
{
    StopStrings stops({"aab"});
    EXPECT_EQ(stops.feed("aa"), "");
    EXPECT_EQ(stops.feed("a"), "a");
    EXPECT_EQ(stops.feed("ab"), "a");
    EXPECT_TRUE(stops.matched());
}

TEST(StopStrings, OneThatBeginsAnotherEndsTheText)
{
    StopStrings stops({"stop!", "stop"});
    EXPECT_EQ(stops.feed("do sto"), "do ");
    EXPECT_EQ(stops.feed("p!"), "");
    EXPECT_TRUE(stops.matched());
}

TEST(StopStrings, TheOneThatBeginsFirstCounts)
{
    for (const Texts& both : {Texts{"abcd", "bc"}, Texts{"bc", "abcd"}}) {
        StopStrings whole(both);
        EXPECT_EQ(whole.feed("-abc"), "-");
        EXPECT_FALSE(whole.matched()) << "abcd may still come";
        EXPECT_EQ(whole.feed("d"), "");
        EXPECT_TRUE(whole.matched());

        StopStrings inner(both);
        EXPECT_EQ(inner.feed("-abc"), "-");
        EXPECT_EQ(inner.feed("x"), "a");
        EXPECT_TRUE(inner.matched());

        StopStrings ended(both);
        EXPECT_EQ(ended.feed("-abc"), "-");
        EXPECT_EQ(ended.finish(), "a");
        EXPECT_TRUE(ended.matched());
    }
}

TEST(StopStrings, BytesOfAnyValueAreAlike)
{
    StopStrings stops({"ção", std::string("\0\xFF", 2)});
    EXPECT_EQ(stops.feed("a\xC3"), "a");
    EXPECT_EQ(stops.feed("\xA9"), "\xC3\xA9");
    EXPECT_EQ(stops.feed(std::string("b\0", 2)), "b");
    EXPECT_EQ(stops.feed("\xFF"), "");
    EXPECT_TRUE(stops.matched());
}

/// Where the first stop string begins in the whole text.
std::size_t first_begin(const std::string& text, const Texts& stops)
{
    std::size_t begin = std::string::npos;
    for (const std::string& stop : stops) {
        begin = std::min(begin, text.find(stop));
    }
    return begin;
}

/// How much of the end of a text may be the begin of a stop string.
std::size_t open_end(const std::string& text, const Texts& stops)
{
    for (std::size_t length = text.size(); length > 0; --length) {
        for (const std::string& stop : stops) {
            if (length < stop.size() && text.compare(text.size() - length, length, stop, 0, length) == 0) {
                return length;
            }
        }
    }
    return 0;
}

TEST(StopStrings, AgreeWithASearchOfTheWholeText)
{
    std::mt19937 random(1);
    const auto pick = [&random](unsigned count) { return static_cast<unsigned>(random()) % count; };
    const auto text_of = [&](unsigned length, unsigned letters) {
        std::string text;
        for (unsigned i = 0; i < length; ++i) {
            text += static_cast<char>('a' + pick(letters));
        }
        return text;
    };
    int matches = 0;
    for (int round = 0; round < 5000; ++round) {
        const unsigned letters = 2 + pick(3);
        Texts stops;
        for (unsigned i = 0, count = 1 + pick(4); i < count; ++i) {
            stops.push_back(text_of(1 + pick(6), letters));
        }
        const std::string text = text_of(pick(30), letters);
        StopStrings under_test(stops);
        std::string shown;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = std::min<std::size_t>(pick(5), text.size() - at);
            shown += under_test.feed(text.substr(at, length));
            at += length;
            const std::string so_far = text.substr(0, at);
            if (first_begin(so_far, stops) == std::string::npos) {
                ASSERT_EQ(shown, so_far.substr(0, at - open_end(so_far, stops))) << "no more is held back than must be";
            }
        }
        shown += under_test.finish();
        const std::size_t begin = first_begin(text, stops);
        ASSERT_EQ(shown, text.substr(0, begin)) << text << " with " << stops.front();
        ASSERT_EQ(under_test.matched(), begin != std::string::npos);
        matches += begin != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(matches, 500);
    EXPECT_LT(matches, 4900);
}

/// Were each byte compared with all that is held back, this would take minutes.
TEST(StopStrings, LongOnesCostNoMoreThanShortOnes)
{
    const std::size_t length = 200'000;
    StopStrings stops({std::string(length, 'a') + "b", std::string(length / 2, 'a') + "c"});
    std::size_t shown = 0;
    for (std::size_t i = 0; i < 3 * length; ++i) {
        shown += stops.feed("a").size();
    }
    EXPECT_EQ(shown, 2 * length);
    EXPECT_EQ(stops.feed("b"), "");
    EXPECT_TRUE(stops.matched());
}

} // namespace
} // namespace constela::test
