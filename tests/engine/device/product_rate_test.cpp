// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/product_rate.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace constela::test {
namespace {

TEST(ProductRate, IsPlausibleForEachSetThatMultipliesInt8)
{
    for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
        if (status.set == nullptr) {
            continue;
        }
        const double rate = device::measured_int8_rate(*status.set, 2);
        std::printf("%s: %.2f million million operations a second\n", status.name.c_str(), rate / 1e12);
        if (status.name == "reference") {
            EXPECT_EQ(rate, 0);
        } else {
            // Even under a sanitizer on a busy machine, and no two threads do more than ten dense tiles a cycle.
            EXPECT_GT(rate, 1e9);
            EXPECT_LT(rate, 2 * 10 * 2048 * 6e9);
        }
    }
}

TEST(ProductRate, EndsSoonWhenItIsToldTo)
{
    const std::atomic<bool> abort{true};
    EXPECT_GE(device::measured_int8_rate(kernels::best_kernels(), 1, &abort), 0);
}

TEST(ProductRate, CountsTheProductsOfARound)
{
    for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
        if (status.set != nullptr && status.set->multiply_peak != nullptr) {
            const std::size_t once = status.set->multiply_peak(1);
            EXPECT_GT(once, 0U) << status.name;
            EXPECT_EQ(status.set->multiply_peak(7), 7 * once) << status.name;
        }
    }
}

} // namespace
} // namespace constela::test
