// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/link_book.h"

#include "tests/engine/cluster/links/sample_links.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

TEST(LinkBook, KeepsTheNewestOfEachDirection)
{
    LinkBook book;
    EXPECT_FALSE(book.add(sample_link(1, 2, 100e6), "a", "b"));
    EXPECT_FALSE(book.add(sample_link(2, 1, 50e6), "b", "a"));
    EXPECT_FALSE(book.add(sample_link(1, 2, 110e6), "a", "b"));
    EXPECT_EQ(book.all().size(), 2U);
    ASSERT_NE(book.find(node_number(1), node_number(2)), nullptr);
    EXPECT_DOUBLE_EQ(book.find(node_number(1), node_number(2))->bandwidth_bytes_per_s, 110e6);
    EXPECT_EQ(book.find(node_number(1), node_number(3)), nullptr);
    book.forget(node_number(1));
    EXPECT_TRUE(book.all().empty());
}

TEST(LinkBook, RaisesAnAlarmWhenALinkFallsToASlowerWay)
{
    LinkBook book;
    EXPECT_FALSE(book.add(sample_link(1, 2, 110e6), "studio", "attic"));
    LinkMeasurement slow = sample_link(1, 2, 4e6);
    slow.address.host = "10.0.0.2";
    const auto alarm = book.add(slow, "studio", "attic");
    ASSERT_TRUE(alarm);
    EXPECT_EQ(alarm->text(), "The link from studio to attic has become slower: 4 MB/s over 10.0.0.2, after 110 MB/s "
                             "over 192.168.1.7. Look whether a cable or a network is gone.");
    EXPECT_FALSE(book.add(sample_link(1, 2, 3.5e6), "studio", "attic")) << "it is no slower than it was";
}

TEST(BetterLink, HasMoreBandwidthOrElseLessLatency)
{
    EXPECT_TRUE(better(sample_link(1, 2, 100e6, 300), sample_link(1, 2, 50e6, 100)));
    EXPECT_FALSE(better(sample_link(1, 2, 50e6, 100), sample_link(1, 2, 100e6, 300)));
    EXPECT_TRUE(better(sample_link(1, 2, 95e6, 100), sample_link(1, 2, 100e6, 300)));
}

} // namespace
} // namespace constela::cluster
