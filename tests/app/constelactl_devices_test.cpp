// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/child.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

TEST(Devices, AreListedInJson)
{
    const Outcome outcome = constelactl({"devices", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const auto json = nlohmann::json::parse(outcome.out);
    ASSERT_GE(json["devices"].size(), 1U);
    const auto& device = json["devices"][0];
    EXPECT_EQ(device["kind"], "cpu");
    EXPECT_NE(device["id"].get<std::string>().find('/'), std::string::npos);
    EXPECT_FALSE(device["name"].get<std::string>().empty());
    EXPECT_FALSE(device["backend"].get<std::string>().empty());
    EXPECT_GT(device["memory_total"], 0);
    for (const char* name : {"memory_free", "load", "temperature"}) {
        const auto& reading = device[name];
        EXPECT_EQ(reading["state"] == "ok", !reading["value"].is_null()) << name << reading;
        EXPECT_EQ(reading["state"] == "ok", reading["reason"] == "") << name << reading;
    }
}

TEST(Devices, AreShownToPeople)
{
    const Outcome outcome = constelactl({"devices"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("/cpu0"), std::string::npos) << outcome.out;
}

} // namespace
} // namespace constela::test
