// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/cpu_info.h"
#include "tests/engine/device/system_tree.h"

#include <gtest/gtest.h>

namespace constela::test {
namespace {

using device::CpuLoadMeter;
using device::Measured;
using State = Measured::State;

#ifndef _WIN32
TEST(CpuLoad, IsTheShareSinceTheLastLook)
{
    SystemTree tree;
    CpuLoadMeter meter(tree.root());
    //                           user nice sys idle wait irq soft steal guest
    tree.put("proc/stat", "cpu  100 10 20 800 50 5 5 10 90 0\ncpu0 1 1 1 1\n");
    const Measured first = meter.read();
    EXPECT_EQ(first.state, State::failed) << "one look tells nothing";
    EXPECT_FALSE(first.reason.empty());
    tree.put("proc/stat", "cpu  120 10 25 850 75 5 5 10 99 0\n"); // 25 busy of 100
    EXPECT_DOUBLE_EQ(meter.read().value, 0.25);
    EXPECT_DOUBLE_EQ(meter.read().value, 0.25) << "no tick has passed";
    tree.put("proc/stat", "cpu  220 10 25 850 75 5 5 10 99 0\n");
    EXPECT_DOUBLE_EQ(meter.read().value, 1.0);
    tree.put("proc/stat", "cpu  220 10 25 950 75 5 5 10 99 0\n");
    EXPECT_EQ(meter.read().state, State::ok);
    EXPECT_DOUBLE_EQ(meter.read().value, 0.0);
}

TEST(CpuLoad, CountersThatGoBackBeginAnew)
{
    SystemTree tree;
    CpuLoadMeter meter(tree.root());
    tree.put("proc/stat", "cpu  100 0 0 100\n");
    (void)meter.read();
    tree.put("proc/stat", "cpu  10 0 0 10\n");
    EXPECT_EQ(meter.read().state, State::failed);
    tree.put("proc/stat", "cpu  20 0 0 40\n");
    EXPECT_DOUBLE_EQ(meter.read().value, 0.25);
}

TEST(CpuLoad, WithoutStatSaysSo)
{
    SystemTree tree;
    CpuLoadMeter meter(tree.root());
    EXPECT_EQ(meter.read().state, State::failed);
    EXPECT_FALSE(meter.read().reason.empty());
}

TEST(CpuLoad, GarbageIsNeverALoad)
{
    for (const std::string& text : garbage()) {
        SystemTree tree;
        CpuLoadMeter meter(tree.root());
        for (const std::string& stat : {text, "cpu  " + text, std::string("cpu  1 1 1 1\n"), "cpu " + text}) {
            tree.put("proc/stat", stat);
            const Measured measured = meter.read();
            EXPECT_GE(measured.value, 0);
            EXPECT_LE(measured.value, 1);
            EXPECT_EQ(measured.state == State::ok, measured.reason.empty());
        }
    }
}
#endif

TEST(CpuLoad, ThisMachineHasOne)
{
    CpuLoadMeter meter;
    (void)meter.read();
    const Measured second = meter.read();
    EXPECT_GE(second.value, 0);
    EXPECT_LE(second.value, 1);
    EXPECT_EQ(second.state == State::ok, second.reason.empty());
}

} // namespace
} // namespace constela::test
