// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/cpu_info.h"
#include "tests/engine/device/system_tree.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace constela::test {
namespace {

using device::cpu_temperature;
using State = device::Measured::State;

const std::string kChip = "sys/class/hwmon/hwmon1/"; // NOLINT(cert-err58-cpp): a test's constant

/// Root may read everything, so it has to become somebody else for a while.
class Nobody {
public:
    Nobody() : was_(::geteuid()) { is_ = was_ != 0 || ::seteuid(kNobody) == 0; }
    ~Nobody()
    {
        if (is_ && was_ == 0 && ::seteuid(was_) != 0) {
            std::abort();
        }
    }
    Nobody(const Nobody&) = delete;
    Nobody& operator=(const Nobody&) = delete;
    [[nodiscard]] bool is() const { return is_; }

private:
    static constexpr uid_t kNobody = 65534;
    uid_t was_;
    bool is_ = false;
};

TEST(CpuTemperature, WithoutSensorIsUnsupported)
{
    const SystemTree tree;
    EXPECT_EQ(cpu_temperature(tree.root()).state, State::unsupported);
    EXPECT_EQ(cpu_temperature(tree.root()).reason,
              "this machine has no temperature sensor of its processor that can be read");
}

TEST(CpuTemperature, OtherChipsDoNotCount)
{
    SystemTree tree;
    tree.put(kChip + "name", "nvme\n").put(kChip + "temp1_input", "35000\n");
    tree.put("sys/class/thermal/thermal_zone0/type", "acpitz\n").put("sys/class/thermal/thermal_zone0/temp", "20000\n");
    EXPECT_EQ(cpu_temperature(tree.root()).state, State::unsupported);
}

TEST(CpuTemperature, TdieRatherThanTctl)
{
    SystemTree tree;
    tree.put("sys/class/hwmon/hwmon0/name", "nvme\n").put("sys/class/hwmon/hwmon0/temp1_input", "99000\n");
    tree.put(kChip + "name", "k10temp\n");
    tree.put(kChip + "temp1_label", "Tctl\n").put(kChip + "temp1_input", "70500\n");
    EXPECT_EQ(cpu_temperature(tree.root()).state, State::ok);
    EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, 70.5);
    tree.put(kChip + "temp2_label", "Tdie\n").put(kChip + "temp2_input", "43500\n");
    tree.put(kChip + "temp3_label", "Tccd1\n").put(kChip + "temp3_input", "90000\n");
    EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, 43.5);
}

TEST(CpuTemperature, ThePackageRatherThanACore)
{
    SystemTree tree;
    tree.put(kChip + "name", "coretemp\n");
    tree.put(kChip + "temp1_label", "Core 0\n").put(kChip + "temp1_input", "51000\n");
    tree.put(kChip + "temp9_label", "Package id 0\n").put(kChip + "temp9_input", "55000\n");
    EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, 55.0);
    // The other processor of two
    tree.put("sys/class/hwmon/hwmon2/name", "coretemp\n");
    tree.put("sys/class/hwmon/hwmon2/temp1_label", "Package id 1\n");
    tree.put("sys/class/hwmon/hwmon2/temp1_input", "61000\n");
    EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, 61.0);
}

TEST(CpuTemperature, WithoutLabelsTheFirst)
{
    SystemTree tree;
    tree.put(kChip + "name", "cpu_thermal\n").put(kChip + "temp1_input", "-5000\n");
    EXPECT_EQ(cpu_temperature(tree.root()).state, State::ok);
    EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, -5.0);
}

TEST(CpuTemperature, ThermalZoneWhereThereIsNoChip)
{
    SystemTree tree;
    tree.put("sys/class/thermal/thermal_zone0/type", "acpitz\n").put("sys/class/thermal/thermal_zone0/temp", "1000\n");
    tree.put("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
    tree.put("sys/class/thermal/thermal_zone1/temp", "48000\n");
    EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, 48.0);
    // A chip that cannot be read stands back.
    tree.put(kChip + "name", "k10temp\n");
    EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, 48.0);
}

TEST(CpuTemperature, DeniedIsSaid)
{
    SystemTree tree;
    tree.put(kChip + "name", "k10temp\n").put(kChip + "temp1_input", "40000\n");
    std::filesystem::permissions(tree.root(), std::filesystem::perms::others_all, std::filesystem::perm_options::add);
    std::filesystem::permissions(tree.root() / (kChip + "temp1_input"), std::filesystem::perms::none);
    {
        const Nobody nobody;
        if (!nobody.is()) {
            GTEST_SKIP() << "root may read everything here and cannot become somebody else";
        }
        const device::Measured measured = cpu_temperature(tree.root());
        EXPECT_EQ(measured.state, State::denied);
        EXPECT_NE(measured.reason.find("temp1_input"), std::string::npos);
    }
}

TEST(CpuTemperature, GarbageIsAFailure)
{
    for (const std::string& text : garbage()) {
        SystemTree tree;
        tree.put(kChip + "name", "k10temp\n").put(kChip + "temp1_input", text);
        const device::Measured measured = cpu_temperature(tree.root());
        if (measured.state == State::ok) {
            EXPECT_GE(measured.value, -100) << text.substr(0, 50);
            EXPECT_LE(measured.value, 200) << text.substr(0, 50);
        } else {
            EXPECT_EQ(measured.state, State::failed);
            EXPECT_FALSE(measured.reason.empty());
        }
        tree.put(kChip + "name", text).put(kChip + "temp1_input", "40000");
        EXPECT_EQ(cpu_temperature(tree.root()).state, State::unsupported);
        tree.put(kChip + "name", "coretemp").put(kChip + "temp2_label", text);
        EXPECT_DOUBLE_EQ(cpu_temperature(tree.root()).value, 40.0);
    }
}

TEST(CpuTemperature, WhatNeverEndsIsNotWaitedFor)
{
    SystemTree tree;
    tree.put(kChip + "name", "k10temp\n");
    ASSERT_EQ(::mkfifo((tree.root() / (kChip + "temp1_input")).c_str(), 0600), 0);
    EXPECT_EQ(cpu_temperature(tree.root()).state, State::failed);
    std::filesystem::create_directories(tree.root() / "sys/class/hwmon/hwmon2/name");
    EXPECT_EQ(cpu_temperature(tree.root()).state, State::failed);
}

} // namespace
} // namespace constela::test
