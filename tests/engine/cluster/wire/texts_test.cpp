// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/wire/texts.h"

#include "engine/base/result.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

TEST(Texts, KnowsUtf8WhereverItBreaks)
{
    EXPECT_TRUE(is_utf8(""));
    EXPECT_TRUE(is_utf8("plain"));
    EXPECT_TRUE(is_utf8("Olá, 世界 \xF0\x9F\x98\x80"));
    for (std::size_t before = 0; before < 20; ++before) {
        const std::string ascii(before, 'a');
        EXPECT_TRUE(is_utf8(ascii + "é" + ascii)) << before;
        EXPECT_FALSE(is_utf8(ascii + "\xC3")) << before;
        EXPECT_FALSE(is_utf8(ascii + "\x80" + ascii)) << before;
        EXPECT_FALSE(is_utf8(ascii + "\xED\xA0\x80")) << before << ", a surrogate";
        EXPECT_FALSE(is_utf8(ascii + "\xC0\xAF")) << before << ", an overlong form";
    }
}

TEST(Texts, CutsBetweenCharacters)
{
    EXPECT_EQ(fitted("abc", 3), "abc");
    EXPECT_EQ(fitted("abcd", 3), "abc");
    EXPECT_EQ(fitted("aé", 2), "a");
    EXPECT_EQ(fitted("aé", 3), "aé");
    EXPECT_EQ(fitted("é", 0), "");
    EXPECT_EQ(fitted("a\xFF", 4), "a\xEF\xBF\xBD");
    EXPECT_EQ(fitted("a\xFF", 3), "a");
    EXPECT_EQ(fitted("世", 2), "");
}

TEST(Texts, WhatIsFillableCanBeFilled)
{
    const std::vector<std::string> args{"x", "y"};
    for (const char* pattern : {"", "{}", "{} and {}", "{{}}", "{{{}}}", "{{ {} }}", "{}{}{{"}) {
        EXPECT_TRUE(is_fillable(pattern, args.size())) << pattern;
        EXPECT_NO_THROW((void)Error({pattern, args, {}}).text()) << pattern;
    }
    for (const char* pattern : {"{", "}", "{0}", "{:}", "{:9999999}", "{}{}{}", "{a}", "{{}", "{}}", "{ }", "{{{"}) {
        EXPECT_FALSE(is_fillable(pattern, args.size())) << pattern;
    }
    EXPECT_FALSE(is_fillable("{}", 0));
}

} // namespace
} // namespace constela::cluster
