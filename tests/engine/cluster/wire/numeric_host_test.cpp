// SPDX-License-Identifier: GPL-3.0-or-later
//
// Against a list, and against the system's own reader over many texts made by chance.
#include "engine/cluster/wire/numeric_host.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <string>

#ifndef _WIN32
#include <arpa/inet.h>
#endif

namespace constela::cluster {
namespace {

TEST(NumericHost, TakesAddresses)
{
    for (const char* host : {"0.0.0.0", "127.0.0.1", "255.255.255.255", "10.1.2.3", "::", "::1", "1::", "fe80::1%eth0",
                             "fe80::1%3", "2001:db8::8:800:200c:417a", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::",
                             "::2:3:4:5:6:7:8", "::ffff:10.0.0.1", "1:2:3:4:5:6:1.2.3.4", "FE80::ABCD"}) {
        EXPECT_TRUE(is_numeric_host(host)) << host;
    }
}

TEST(NumericHost, RefusesWhatIsNone)
{
    for (const char* host : {"",
                             "localhost",
                             "1",
                             "1.2.3",
                             "1.2.3.4.5",
                             "1.2.3.4.",
                             ".1.2.3",
                             "256.1.1.1",
                             "01.2.3.4",
                             "1..2.3",
                             "1.2.3.4 ",
                             "-1.2.3.4",
                             "0x7f.0.0.1",
                             ":",
                             ":::",
                             "1:2:3:4:5:6:7",
                             "1:2:3:4:5:6:7:8:9",
                             "1::2::3",
                             "12345::",
                             "g::",
                             "1:2:3:4:5:6:7:1.2.3.4",
                             "1.2.3.4::",
                             "1:2:3:4:5:6:7::8",
                             "fe80::1%",
                             "fe80::1%a/b",
                             "fe80::1%sixteenletterszz",
                             "127.0.0.1%lo",
                             "[::1]",
                             "::1;evil",
                             "*",
                             "1:",
                             ":1"}) {
        EXPECT_FALSE(is_numeric_host(host)) << host;
    }
}

#ifndef _WIN32
TEST(NumericHost, AgreesWithTheSystem)
{
    std::mt19937 random(7);
    const std::string alphabet = "012.:f5::..19:";
    int right = 0;
    for (int round = 0; round < 400'000; ++round) {
        std::string host;
        for (std::size_t length = random() % 16; host.size() < length;) {
            host += alphabet[random() % alphabet.size()];
        }
        std::array<unsigned char, 16> bytes{};
        const bool expected =
            inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
        ASSERT_EQ(is_numeric_host(host), expected) << host;
        right += expected ? 1 : 0;
    }
    EXPECT_GT(right, 500) << "hardly any text was an address: the test shows nothing";
}
#endif

} // namespace
} // namespace constela::cluster
