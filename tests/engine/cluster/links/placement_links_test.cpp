// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/placement_links.h"

#include "tests/engine/cluster/links/sample_links.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

TEST(PlacementLinks, AreThoseOfTheDevicesNodes)
{
    LinkBook book;
    (void)book.add(sample_link(1, 2, 100e6, 150), "", "");
    (void)book.add(sample_link(1, 1, 9e9, 3), "", "");
    const std::vector<NodeId> nodes{node_number(1), node_number(1), node_number(2)};
    const placement::LinkTable table = placement_links(book, nodes, node_number(1), {1e-3, 1e6});
    EXPECT_DOUBLE_EQ(table.at(0, 1).bandwidth, 9e9);
    EXPECT_NEAR(table.at(0, 1).latency_s, 3e-6 - 2048 / 9e9, 1e-12) << "without what 2 kB take to send";
    EXPECT_DOUBLE_EQ(table.at(1, 2).bandwidth, 100e6);
    EXPECT_NEAR(table.at(table.coordinator(), 2).latency_s, 150e-6 - 2048 / 100e6, 1e-12);
    EXPECT_DOUBLE_EQ(table.at(2, table.coordinator()).bandwidth, 1e6) << "that direction is not known";
    EXPECT_GT(table.at(0, table.coordinator()).bandwidth, 1e9);
}

TEST(PlacementLinks, ThatAreNotKnownAreNone)
{
    const std::vector<NodeId> nodes{node_number(1), node_number(2)};
    const placement::LinkTable table = placement_links({}, nodes, node_number(1));
    EXPECT_EQ(table.at(0, 1).bandwidth, 0);
    EXPECT_GT(table.at(0, table.coordinator()).bandwidth, 0);
}

} // namespace
} // namespace constela::cluster
