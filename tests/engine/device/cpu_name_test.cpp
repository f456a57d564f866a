// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/cpu_info.h"

#include <gtest/gtest.h>

namespace constela::test {
namespace {

using device::readable_cpu_name;

TEST(CpuName, IsWhatPeopleCallIt)
{
    EXPECT_EQ(readable_cpu_name("AMD EPYC 9B45"), "AMD EPYC 9B45");
    EXPECT_EQ(readable_cpu_name("AMD Ryzen 9 7950X 16-Core Processor            "), "AMD Ryzen 9 7950X");
    EXPECT_EQ(readable_cpu_name("Intel(R) Core(TM) i7-8550U CPU @ 1.80GHz"), "Intel Core i7-8550U");
    EXPECT_EQ(readable_cpu_name("       Intel(R) Xeon(R) CPU @ 2.20GHz\n"), "Intel Xeon");
    EXPECT_EQ(readable_cpu_name("Intel(R) Xeon(R) Platinum 8480+"), "Intel Xeon Platinum 8480+");
    EXPECT_EQ(readable_cpu_name("12th Gen Intel(R) Core(TM) i9-12900K"), "12th Gen Intel Core i9-12900K");
}

TEST(CpuName, NothingStrangeComesThrough)
{
    EXPECT_EQ(readable_cpu_name(""), "");
    EXPECT_EQ(readable_cpu_name(" \t\n"), "");
    EXPECT_EQ(readable_cpu_name("(R)(TM)"), "");
    EXPECT_EQ(readable_cpu_name(" @ 3 GHz"), "");
    EXPECT_EQ(readable_cpu_name("64-Core Processor"), "64-Core Processor");
    EXPECT_EQ(readable_cpu_name("a\x1b[31m\xFF"
                                "b"),
              "a [31m b");
    EXPECT_EQ(readable_cpu_name(std::string(100'000, 'x')).size(), 100U);
}

TEST(CpuName, ThisMachineHasOne)
{
    const device::CpuInfo info = device::cpu_info();
    EXPECT_FALSE(info.name.empty());
    EXPECT_GE(info.physical_cores, 1U);
    EXPECT_GE(info.usable_threads, info.physical_cores);
}

} // namespace
} // namespace constela::test
