// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/link_json.h"

#include "tests/engine/cluster/links/sample_links.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::cluster {
namespace {

using Json = nlohmann::ordered_json;

TEST(LinkJson, ReadsBackWhatItWrote)
{
    for (const LinkMeasurement& link : {sample_link(1, 2), sample_link(3, 3)}) {
        const auto read = parse_link(Json::parse(link_json(link).dump()));
        ASSERT_TRUE(read) << read.error().text();
        EXPECT_EQ(read->from, link.from);
        EXPECT_EQ(read->to, link.to);
        EXPECT_EQ(read->kind, link.kind);
        EXPECT_DOUBLE_EQ(read->latency_us, link.latency_us);
        EXPECT_DOUBLE_EQ(read->latency_spread_us, link.latency_spread_us);
        EXPECT_DOUBLE_EQ(read->bandwidth_bytes_per_s, link.bandwidth_bytes_per_s);
        EXPECT_DOUBLE_EQ(read->spread, link.spread);
        EXPECT_EQ(read->when, link.when);
        EXPECT_EQ(read->transport, link.transport);
        EXPECT_EQ(read->encrypted, link.encrypted);
        EXPECT_EQ(read->address, link.address);
    }
}

TEST(LinkJson, RefusesAReportThatLacksOrBendsAField)
{
    const Json good = link_json(sample_link(1, 2));
    for (const auto& [key, value] : good.items()) {
        Json bad = good;
        bad.erase(key);
        const auto read = parse_link(bad);
        ASSERT_FALSE(read) << key;
        EXPECT_EQ(read.error().text(), "The report on a link has no right \"" + key + "\".");
        for (const Json& wrong : {Json(nullptr), Json(-1), Json(1e300), Json(std::string(1000, 'x')), Json::array()}) {
            bad[key] = wrong;
            EXPECT_FALSE(parse_link(bad)) << key << " " << wrong.dump().substr(0, 40);
        }
    }
    EXPECT_FALSE(parse_link(Json::array()));
}

} // namespace
} // namespace constela::cluster
