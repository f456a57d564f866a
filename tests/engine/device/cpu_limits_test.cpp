// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a container or an affinity leaves of the machine.
#include "engine/device/cpu/cpu_info.h"
#include "tests/engine/device/system_tree.h"

#include <array>
#include <gtest/gtest.h>

namespace constela::test {
namespace {

using device::cpu_info;
using device::memory_info;
using State = device::Measured::State;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

constexpr std::array<unsigned, 8> kEight{0, 1, 2, 3, 4, 5, 6, 7};

/// Eight CPUs, two of each core: 0 and 4, 1 and 5 ...
void put_topology(SystemTree& tree, const char* name = "core_cpus_list")
{
    for (const unsigned cpu : kEight) {
        tree.put("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/" + name,
                 std::to_string(cpu % 4) + "," + std::to_string(cpu % 4 + 4) + "\n");
    }
}

TEST(CpuInfo, CountsCoresOnce)
{
    for (const char* name : {"core_cpus_list", "thread_siblings_list"}) {
        SystemTree tree;
        put_topology(tree, name);
        const device::CpuInfo info = cpu_info(tree.root(), kEight);
        EXPECT_EQ(info.physical_cores, 4U);
        EXPECT_EQ(info.usable_threads, 8U);
    }
}

TEST(CpuInfo, CountsOnlyAllowedCpus)
{
    SystemTree tree;
    put_topology(tree);
    const std::array<unsigned, 3> allowed{1, 5, 6};
    const device::CpuInfo info = cpu_info(tree.root(), allowed);
    EXPECT_EQ(info.physical_cores, 2U);
    EXPECT_EQ(info.usable_threads, 3U);
}

TEST(CpuInfo, WithoutTopologyEachCpuIsACore)
{
    const SystemTree tree;
    const device::CpuInfo info = cpu_info(tree.root(), kEight);
    EXPECT_EQ(info.physical_cores, 8U);
    EXPECT_EQ(info.usable_threads, 8U);
}

TEST(CpuInfo, NameStandsInCpuinfo)
{
    SystemTree tree;
    tree.put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: X\nmodel\t\t: 1\nmodel name\t: Some(R) Processor 9\n");
    EXPECT_EQ(cpu_info(tree.root()).name, "Some Processor 9");
}

TEST(CpuInfo, QuotaOfVersion2)
{
    SystemTree tree;
    put_topology(tree);
    tree.put("proc/self/cgroup", "0::/user/app\n").put("sys/fs/cgroup/cgroup.controllers", "cpu memory\n");
    tree.put("sys/fs/cgroup/user/app/cpu.max", "max 100000\n").put("sys/fs/cgroup/cpu.max", "max 100000\n");
    EXPECT_EQ(cpu_info(tree.root(), kEight).usable_threads, 8U);
    tree.put("sys/fs/cgroup/user/app/cpu.max", "250000 100000\n");
    EXPECT_EQ(cpu_info(tree.root(), kEight).usable_threads, 3U) << "rounded up";
    EXPECT_EQ(cpu_info(tree.root(), kEight).physical_cores, 3U);
    tree.put("sys/fs/cgroup/user/cpu.max", "100000 50000\n");
    EXPECT_EQ(cpu_info(tree.root(), kEight).usable_threads, 2U) << "the group above sets less";
    tree.put("sys/fs/cgroup/user/app/cpu.max", "1000 100000\n");
    EXPECT_EQ(cpu_info(tree.root(), kEight).usable_threads, 1U) << "one at least";
}

TEST(CpuInfo, QuotaOfVersion1)
{
    SystemTree tree;
    tree.put("proc/self/cgroup", "5:cpuacct,cpu:/docker/abc\n4:memory:/docker/abc\n0::/\n");
    tree.put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n").put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cpu_info(tree.root(), kEight).usable_threads, 8U);
    tree.put("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "400000\n");
    tree.put("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cpu_info(tree.root(), kEight).usable_threads, 4U);
}

TEST(MemoryInfo, WithoutLimitIsTheMachines)
{
    SystemTree tree;
    tree.meminfo(1'048'576, 524'288);
    EXPECT_EQ(memory_info(tree.root()).total, 1024 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.value, 512.0 * kMiB);

    tree.put("proc/self/cgroup", "0::/app\n").put("sys/fs/cgroup/cgroup.controllers", "memory\n");
    tree.put("sys/fs/cgroup/app/memory.max", "max\n").put("sys/fs/cgroup/app/memory.current", "1000\n");
    EXPECT_EQ(memory_info(tree.root()).total, 1024 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.value, 512.0 * kMiB);
}

TEST(MemoryInfo, LimitOfVersion2)
{
    SystemTree tree;
    tree.meminfo(1'048'576, 524'288);
    tree.put("proc/self/cgroup", "0::/user/app\n").put("sys/fs/cgroup/cgroup.controllers", "memory\n");
    tree.put("sys/fs/cgroup/user/app/memory.max", std::to_string(200 * kMiB) + "\n");
    tree.put("sys/fs/cgroup/user/app/memory.current", std::to_string(150 * kMiB) + "\n");
    tree.put("sys/fs/cgroup/user/app/memory.stat",
             "anon 1\nfile 2\nactive_file 7\ninactive_file " + std::to_string(100 * kMiB) + "\n");
    EXPECT_EQ(memory_info(tree.root()).total, 200 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.value, 150.0 * kMiB) << "what is cached of files can be let go";

    // The group above it is nearly full although its limit is higher.
    tree.put("sys/fs/cgroup/user/memory.max", std::to_string(300 * kMiB) + "\n");
    tree.put("sys/fs/cgroup/user/memory.current", std::to_string(290 * kMiB) + "\n");
    EXPECT_EQ(memory_info(tree.root()).total, 200 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.value, 10.0 * kMiB);
}

TEST(MemoryInfo, LimitOfVersion1)
{
    SystemTree tree;
    tree.meminfo(1'048'576, 524'288);
    tree.put("proc/self/cgroup", "4:memory:/some/where\n1:cpu:/\n0::/\n");
    tree.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); // none
    tree.put("sys/fs/cgroup/memory/memory.usage_in_bytes", "4096\n");
    EXPECT_EQ(memory_info(tree.root()).total, 1024 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.value, 512.0 * kMiB);
    tree.put("sys/fs/cgroup/memory/some/where/memory.limit_in_bytes", std::to_string(100 * kMiB) + "\n");
    tree.put("sys/fs/cgroup/memory/some/where/memory.usage_in_bytes", std::to_string(90 * kMiB) + "\n");
    tree.put("sys/fs/cgroup/memory/some/where/memory.stat",
             "inactive_file 5\ntotal_inactive_file " + std::to_string(20 * kMiB) + "\n");
    EXPECT_EQ(memory_info(tree.root()).total, 100 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.value, 30.0 * kMiB);
}

TEST(MemoryInfo, AContainerSeesItsOwnGroupAsTheTop)
{
    SystemTree tree;
    tree.meminfo(1'048'576, 524'288);
    tree.put("proc/self/cgroup", "4:memory:/docker/0123456789\n"); // as the host names it
    tree.put("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(64 * kMiB));
    tree.put("sys/fs/cgroup/memory/memory.usage_in_bytes", "0");
    EXPECT_EQ(memory_info(tree.root()).total, 64 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.value, 64.0 * kMiB);
}

TEST(MemoryInfo, AGroupOutsideIsNotSoughtInside)
{
    SystemTree tree;
    tree.meminfo(1'048'576, 524'288);
    tree.put("proc/self/cgroup", "0::/../../app\n").put("sys/fs/cgroup/cgroup.controllers", "memory\n");
    tree.put("sys/fs/cgroup/app/memory.max", "1000\n"); // another one's
    tree.put("app/memory.max", "1000\n");
    EXPECT_EQ(memory_info(tree.root()).total, 1024 * kMiB);
}

TEST(MemoryInfo, MoreUsedThanAllowedLeavesNothing)
{
    SystemTree tree;
    tree.meminfo(1'048'576, 524'288);
    tree.put("proc/self/cgroup", "0::/\n").put("sys/fs/cgroup/cgroup.controllers", "memory\n");
    tree.put("sys/fs/cgroup/memory.max", "1000\n").put("sys/fs/cgroup/memory.current", "5000\n");
    EXPECT_EQ(memory_info(tree.root()).available.state, State::ok);
    EXPECT_EQ(memory_info(tree.root()).available.value, 0.0);
}

TEST(MemoryInfo, WithoutMeminfoSaysSo)
{
    SystemTree tree;
    EXPECT_EQ(memory_info(tree.root()).total, 0U);
    EXPECT_EQ(memory_info(tree.root()).available.state, State::failed);
    EXPECT_FALSE(memory_info(tree.root()).available.reason.empty());
    tree.put("proc/meminfo", "MemTotal: 2048 kB\n");
    EXPECT_EQ(memory_info(tree.root()).total, 2 * kMiB);
    EXPECT_EQ(memory_info(tree.root()).available.state, State::failed);
}

TEST(LastLevelCache, CountsSharedOnesOnce)
{
    SystemTree tree;
    const std::string cpu0 = "sys/devices/system/cpu/cpu0/cache/";
    tree.put(cpu0 + "index0/level", "1\n").put(cpu0 + "index0/size", "32K\n");
    tree.put(cpu0 + "index0/shared_cpu_list", "0\n");
    tree.put(cpu0 + "index1/level", "3\n").put(cpu0 + "index1/size", "16M\n");
    tree.put(cpu0 + "index1/shared_cpu_list", "0-1\n");
    tree.put("sys/devices/system/cpu/cpu1/cache/index1/level", "3\n");
    tree.put("sys/devices/system/cpu/cpu1/cache/index1/size", "16M\n");
    tree.put("sys/devices/system/cpu/cpu1/cache/index1/shared_cpu_list", "0-1\n");
    const std::uint64_t bytes = device::last_level_cache_bytes(tree.root());
    if (bytes == 0) {
        GTEST_SKIP() << "this process may use neither CPU 0 nor CPU 1, which this test makes up";
    }
    EXPECT_EQ(bytes, 16 * kMiB);
}

/// Whatever stands in the files: an answer that could be true.
TEST(SystemGarbage, UpsetsNothing)
{
    const std::vector<std::string> files{"proc/cpuinfo",
                                         "proc/meminfo",
                                         "proc/self/cgroup",
                                         "sys/fs/cgroup/cgroup.controllers",
                                         "sys/fs/cgroup/cpu.max",
                                         "sys/fs/cgroup/app/cpu.max",
                                         "sys/fs/cgroup/memory.max",
                                         "sys/fs/cgroup/memory.current",
                                         "sys/fs/cgroup/memory.stat",
                                         "sys/fs/cgroup/memory/memory.limit_in_bytes",
                                         "sys/fs/cgroup/memory/memory.usage_in_bytes",
                                         "sys/fs/cgroup/cpu/cpu.cfs_quota_us",
                                         "sys/fs/cgroup/cpu/cpu.cfs_period_us",
                                         "sys/devices/system/cpu/cpu0/topology/core_cpus_list",
                                         "sys/devices/system/cpu/cpu0/cache/index0/level",
                                         "sys/devices/system/cpu/cpu0/cache/index0/size",
                                         "sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list"};
    for (const char* groups : {"0::/app\n", "3:cpu:/app\n2:memory:/app\n"}) {
        for (const std::string& file : files) {
            SystemTree tree;
            for (const std::string& text : garbage()) {
                tree.meminfo(1'048'576, 524'288).put("proc/self/cgroup", groups);
                tree.put("sys/fs/cgroup/cgroup.controllers", "");
                tree.put("sys/fs/cgroup/memory.max", "1000000").put("sys/fs/cgroup/memory.current", "1000");
                tree.put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000");
                tree.put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
                tree.put(file, text);
                const device::CpuInfo info = cpu_info(tree.root(), kEight);
                const device::MemoryInfo memory = memory_info(tree.root());
                EXPECT_FALSE(info.name.empty());
                EXPECT_GE(info.physical_cores, 1U) << file << ": " << text.substr(0, 50);
                EXPECT_LE(info.physical_cores, info.usable_threads) << file << ": " << text.substr(0, 50);
                EXPECT_LE(info.usable_threads, 8U) << file << ": " << text.substr(0, 50);
                EXPECT_LE(memory.available.value, static_cast<double>(memory.total))
                    << file << ": " << text.substr(0, 50);
                EXPECT_EQ(memory.available.state == State::ok, memory.available.reason.empty());
                EXPECT_LE(device::last_level_cache_bytes(tree.root()), std::uint64_t{1} << 50U);
            }
        }
    }
}

TEST(SystemGarbage, LongFilesAreCutOff)
{
    SystemTree tree;
    tree.meminfo(1'048'576, 524'288).put("proc/cpuinfo", std::string(5'000'000, '1') + "\nmodel name : far away\n");
    EXPECT_NE(cpu_info(tree.root()).name, "far away");
    tree.put("proc/self/cgroup", "0::/" + std::string(1'000'000, '/') + std::string(1'000'000, 'a') + "\n");
    EXPECT_EQ(memory_info(tree.root()).total, 1024 * kMiB);
}

} // namespace
} // namespace constela::test
