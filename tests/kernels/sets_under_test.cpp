// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/sets_under_test.h"

#include "kernels/matmul_plan.h"

#ifdef CONSTELA_EMULATED_AVX512
#include "kernels/cpu/avx512/avx512.h"
#endif

namespace constela::test {
namespace {

#ifdef CONSTELA_EMULATED_AVX512

void emulated_matmul(const kernels::MatmulArgs& args)
{
    if (kernels::type_info(args.type).quantized) {
        kernels::avx512_emulated::matmul_quantized(args, kernels::matmul_plan(args));
    } else {
        kernels::kernel_sets()[1].set->matmul(args);
    }
}

/// The avx2 set with the products of the avx512 one, as avx512_kernels() is put together.
const kernels::KernelSet& emulated_avx512(const kernels::KernelSet& avx2)
{
    static const kernels::KernelSet set = [&avx2] {
        kernels::KernelSet made = avx2;
        made.name = "avx512_emulated";
        made.matmul = emulated_matmul;
        return made;
    }();
    return set;
}

#endif

std::string type_name(kernels::TensorType type)
{
    return std::string(kernels::type_info(type).name);
}

} // namespace

std::vector<SetUnderTest> sets_under_test()
{
    std::vector<SetUnderTest> sets;
    for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
        if (status.set != nullptr) {
            sets.push_back({status.name, status.set, status.name != "reference"});
        }
#ifdef CONSTELA_EMULATED_AVX512
        if (status.name == "avx2" && status.set != nullptr) {
            sets.push_back({"avx512_emulated", &emulated_avx512(*status.set), true});
        }
#endif
    }
    return sets;
}

std::vector<kernels::TensorType> all_types()
{
    std::vector<kernels::TensorType> types;
    for (const kernels::TypeInfo& info : kernels::kTypes) {
        types.push_back(info.type);
    }
    return types;
}

std::string set_name(const ::testing::TestParamInfo<SetUnderTest>& param)
{
    return param.param.name;
}

std::string set_and_type_name(const ::testing::TestParamInfo<WithSetAndType::ParamType>& param)
{
    return std::get<0>(param.param).name + "_" + type_name(std::get<1>(param.param));
}

} // namespace constela::test
