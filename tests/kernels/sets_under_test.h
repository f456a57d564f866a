// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernel sets that the tests go through: every one that this machine permits, and the avx512 set as emulated by
// SIMDe where AVX2 is there to run it on.
#pragma once

#include "kernels/kernels.h"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace constela::test {

struct SetUnderTest {
    std::string name;
    const kernels::KernelSet* set = nullptr;
    bool rounds_activations = false; ///< It multiplies quantized weights by int8 activations.
};

[[nodiscard]] std::vector<SetUnderTest> sets_under_test();
[[nodiscard]] std::vector<kernels::TensorType> all_types();

inline void PrintTo(const SetUnderTest& set, std::ostream* out)
{
    *out << set.name;
}

class WithSet : public ::testing::TestWithParam<SetUnderTest> {
protected:
    [[nodiscard]] const kernels::KernelSet& set() const { return *GetParam().set; }
};

class WithSetAndType : public ::testing::TestWithParam<std::tuple<SetUnderTest, kernels::TensorType>> {
protected:
    [[nodiscard]] const SetUnderTest& under_test() const { return std::get<0>(GetParam()); }
    [[nodiscard]] const kernels::KernelSet& set() const { return *under_test().set; }
    [[nodiscard]] kernels::TensorType type() const { return std::get<1>(GetParam()); }
    [[nodiscard]] const kernels::TypeInfo& info() const { return kernels::type_info(type()); }
};

[[nodiscard]] std::string set_name(const ::testing::TestParamInfo<SetUnderTest>& param);
[[nodiscard]] std::string set_and_type_name(const ::testing::TestParamInfo<WithSetAndType::ParamType>& param);

} // namespace constela::test

#define CONSTELA_FOR_EACH_SET(suite)                                                                                   \
    INSTANTIATE_TEST_SUITE_P(Sets, suite, ::testing::ValuesIn(::constela::test::sets_under_test()),                    \
                             ::constela::test::set_name)
/// Each set with each of these types.
#define CONSTELA_FOR_EACH_SET_AND(suite, ...)                                                                          \
    INSTANTIATE_TEST_SUITE_P(Sets, suite,                                                                              \
                             ::testing::Combine(::testing::ValuesIn(::constela::test::sets_under_test()),              \
                                                ::testing::ValuesIn(__VA_ARGS__)),                                     \
                             ::constela::test::set_and_type_name)
#define CONSTELA_FOR_EACH_SET_AND_TYPE(suite) CONSTELA_FOR_EACH_SET_AND(suite, ::constela::test::all_types())
