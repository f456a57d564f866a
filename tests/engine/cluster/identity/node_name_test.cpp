// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/node_name.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

TEST(NodeNames, MayBeWhatAPersonCanRead)
{
    for (const char* name : {"studio", "a", "my machine", "Estúdio", "工作室", "rig-2.local", "🖥 big"}) {
        EXPECT_TRUE(is_node_name(name)) << name;
        EXPECT_EQ(node_name_from(name), name);
    }
    EXPECT_TRUE(is_node_name(std::string(kMaxNameBytes, 'x')));
}

TEST(NodeNames, MayNotDeceive)
{
    const std::string_view bad[] = {"",
                                    " studio",
                                    "studio ",
                                    "a/b",
                                    "a\nb",
                                    "a\tb",
                                    "a\x7f",
                                    "\xC3",
                                    "a\xC3(",
                                    "\xED\xA0\x80",
                                    "\xC2\x85",
                                    "stu\xE2\x80\x8B"
                                    "dio",
                                    "\xE2\x80\xAE"
                                    "oiduts",
                                    "a\xEF\xBB\xBF"
                                    "b",
                                    std::string_view("a\0b", 3),
                                    "\xF3\xA0\x80\xA1",
                                    "a\xC2\xAD"
                                    "b"};
    for (const std::string_view name : bad) {
        EXPECT_FALSE(is_node_name(name)) << name;
        EXPECT_TRUE(is_node_name(node_name_from(name))) << name << " became " << node_name_from(name);
    }
    EXPECT_FALSE(is_node_name(std::string(kMaxNameBytes + 1, 'x')));
}

TEST(NodeNames, AreMadeFromWhatIsThere)
{
    EXPECT_EQ(node_name_from("  stu\x01"
                             "dio/\n "),
              "studio");
    EXPECT_EQ(node_name_from("\x01\x02"), "node");
    EXPECT_EQ(node_name_from(std::string(100, 'x')), std::string(kMaxNameBytes, 'x'));
    // A character is taken whole or not at all.
    EXPECT_EQ(node_name_from(std::string(63, 'x') + "é"), std::string(63, 'x'));
}

} // namespace
} // namespace constela::cluster
