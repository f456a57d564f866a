// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/memory_bandwidth.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace constela::test {
namespace {

using device::bandwidth_buffer_bytes;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

TEST(MemoryBandwidth, BufferIsBeyondTheCachesAndWithinWhatIsFree)
{
    EXPECT_EQ(bandwidth_buffer_bytes(0, 0), 256 * kMiB);
    EXPECT_EQ(bandwidth_buffer_bytes(32 * kMiB, 100'000 * kMiB), 256 * kMiB);
    EXPECT_EQ(bandwidth_buffer_bytes(384 * kMiB, 100'000 * kMiB), 1536 * kMiB);
    EXPECT_EQ(bandwidth_buffer_bytes(384 * kMiB, 400 * kMiB), 100 * kMiB);
    EXPECT_EQ(bandwidth_buffer_bytes(32 * kMiB, 1), 0U);
    EXPECT_LE(bandwidth_buffer_bytes(~std::uint64_t{0}, 0), std::uint64_t{1} << 36U);
}

TEST(MemoryBandwidth, IsPlausible)
{
    for (const unsigned threads : {0U, 2U}) {
        const double bandwidth = device::measured_read_bandwidth(threads);
        std::printf("%u threads read %.1f GB/s\n", threads, bandwidth / 1e9);
        // No machine reads its memory more slowly than 50 MB/s, even under a sanitizer, or faster than 10 TB/s.
        EXPECT_GT(bandwidth, 50e6);
        EXPECT_LT(bandwidth, 10e12);
    }
}

} // namespace
} // namespace constela::test
