// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/sets_under_test.h"

#include "kernels/matmul_plan.h"

#ifdef CONSTELA_EMULATED_AVX512
#include "kernels/cpu/amx/amx.h"
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

/// As cpu/amx/set.cpp shares the tokens out.
void emulated_tiles(const kernels::MatmulArgs& args)
{
    constexpr std::size_t kTile = kernels::amx_emulated::kTileTokens;
    const std::size_t in_tiles = kernels::type_info(args.type).quantized ? args.tokens / kTile * kTile : 0;
    if (in_tiles > 0) {
        const kernels::MatmulArgs tiles = kernels::of_tokens(args, 0, in_tiles);
        kernels::amx_emulated::matmul_quantized(tiles, kernels::matmul_plan(tiles));
    }
    if (in_tiles < args.tokens) {
        emulated_matmul(kernels::of_tokens(args, in_tiles, args.tokens - in_tiles));
    }
}

/// The avx2 set with other products, as avx512_kernels() and amx_kernels() are put together.
kernels::KernelSet emulated(const kernels::KernelSet& avx2, const char* name,
                            void (*matmul)(const kernels::MatmulArgs&))
{
    kernels::KernelSet made = avx2;
    made.name = name;
    made.matmul = matmul;
    return made;
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
            static const kernels::KernelSet avx512 = emulated(*status.set, "avx512_emulated", emulated_matmul);
            static const kernels::KernelSet amx = emulated(*status.set, "amx_emulated", emulated_tiles);
            sets.push_back({"avx512_emulated", &avx512, true});
            sets.push_back({"amx_emulated", &amx, true});
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
