// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/common/sets.h"
#include "kernels/reference/variants.h"
#include "tests/kernels/sets_under_test.h"
#include "tests/support/random_weights.h"

namespace constela::test {
namespace {

using kernels::KernelSetStatus;

TEST(KernelSets, StandFromThePlainestToTheFastest)
{
    std::vector<std::string> names;
    for (const KernelSetStatus& status : kernels::kernel_sets()) {
        names.push_back(status.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"reference", "avx2", "avx512", "amx"}));
}

TEST(KernelSets, AreThereOrSayWhyNot)
{
    for (const KernelSetStatus& status : kernels::kernel_sets()) {
        EXPECT_NE(status.set == nullptr, status.reason.empty()) << status.name;
        if (status.set != nullptr) {
            EXPECT_EQ(status.set->name, status.name);
        }
    }
    EXPECT_EQ(kernels::kernel_sets().front().set, &kernels::reference_kernels());
}

TEST(KernelSets, TheBestIsTheLastPermitted)
{
    const kernels::KernelSet* last = nullptr;
    for (const KernelSetStatus& status : kernels::kernel_sets()) {
        last = status.set != nullptr ? status.set : last;
    }
    EXPECT_EQ(&kernels::best_kernels(), last);
}

#ifdef CONSTELA_X86

/// Everything there is: what a test takes away is what must be missed.
kernels::Processor complete_processor()
{
    kernels::Processor cpu;
    cpu.is_x86 = true;
    cpu.has_avx2 = cpu.has_fma = cpu.has_f16c = cpu.has_avx2_fma = cpu.saves_avx = true;
    cpu.has_avx512f = cpu.has_avx512bw = cpu.has_avx512vl = cpu.has_avx512dq = cpu.has_avx512vnni = true;
    cpu.saves_avx512 = cpu.has_amx_tile = cpu.has_amx_int8 = cpu.saves_amx = cpu.may_use_amx = true;
    return cpu;
}

/// The reason of each set, in the order of the sets.
std::vector<std::string> reasons(const kernels::Processor& cpu)
{
    std::vector<std::string> result;
    for (const KernelSetStatus& status : kernels::kernel_sets_for(cpu)) {
        EXPECT_EQ(status.set == nullptr, !status.reason.empty()) << status.name;
        result.push_back(status.reason);
    }
    return result;
}

using Reasons = std::vector<std::string>;

TEST(KernelSets, AreAllPermittedWhereEverythingIsThere)
{
    EXPECT_EQ(reasons(complete_processor()), (Reasons{"", "", "", ""}));
}

TEST(KernelSets, NameWhatTheProcessorLacks)
{
    const Reasons none = reasons({});
    EXPECT_EQ(none[0], "");
    EXPECT_EQ(none[1], "the processor has no AVX2, FMA, F16C");
    EXPECT_EQ(none[2], none[1]);
    EXPECT_EQ(none[3], none[1]);

    kernels::Processor cpu = complete_processor();
    cpu.has_fma = false;
    EXPECT_EQ(reasons(cpu),
              (Reasons{"", "the processor has no FMA", "the processor has no FMA", "the processor has no FMA"}));
    cpu = complete_processor();
    cpu.has_avx512vnni = false;
    EXPECT_EQ(reasons(cpu)[1], "");
    EXPECT_EQ(reasons(cpu)[2], "the processor has no AVX-512 VNNI");
    cpu.has_avx512bw = false;
    EXPECT_EQ(reasons(cpu)[2], "the processor has no AVX-512 BW, AVX-512 VNNI");
    EXPECT_EQ(reasons(cpu)[3], reasons(cpu)[2]);
    cpu = complete_processor();
    cpu.has_amx_int8 = false;
    EXPECT_EQ(reasons(cpu), (Reasons{"", "", "", "the processor has no AMX-INT8"}));
}

TEST(KernelSets, NameTheRegistersThatTheSystemDoesNotSave)
{
    kernels::Processor cpu = complete_processor();
    cpu.saves_amx = false;
    EXPECT_EQ(reasons(cpu), (Reasons{"", "", "", "the operating system does not save the AMX tile registers"}));
    cpu.saves_amx = true;
    cpu.may_use_amx = false;
    EXPECT_EQ(reasons(cpu)[3], "the operating system does not let this program use the AMX tiles");
    cpu.saves_avx512 = false;
    EXPECT_EQ(reasons(cpu)[1], "");
    EXPECT_EQ(reasons(cpu)[2], "the operating system does not save the AVX-512 registers");
    cpu.saves_avx = false;
    EXPECT_EQ(reasons(cpu)[1], "the operating system does not save the AVX registers");
    EXPECT_EQ(reasons(cpu)[2], reasons(cpu)[1]);
}

TEST(ReferenceVariants, MultiplyToTheSameBits)
{
    if (!kernels::processor().has_avx2_fma) {
        GTEST_SKIP() << "the processor has no AVX2, so only one variant can run";
    }
    for (const kernels::TensorType type : all_types()) {
        constexpr std::size_t kRows = 13;
        constexpr std::size_t kTokens = 67;
        const std::size_t columns =
            kernels::type_info(type).sum_block() * 9 + (kernels::type_info(type).quantized ? 0 : 5);
        const std::vector<std::byte> weights = random_weights(type, kRows, columns, 3);
        const std::vector<float> x = random_floats(columns * kTokens, 4);
        kernels::MatmulArgs args;
        args.type = type;
        args.weights = weights.data();
        args.weight_stride = kernels::type_info(type).row_bytes(columns);
        args.rows = kRows;
        args.columns = columns;
        args.x = reinterpret_cast<const std::byte*>(x.data());
        args.x_stride = columns * sizeof(float);
        args.tokens = kTokens;
        args.out_stride = kRows;
        std::vector<float> portable(kRows * kTokens);
        std::vector<float> avx2(kRows * kTokens);
        args.out = portable.data();
        kernels::reference::portable::matmul(args, kernels::matmul_plan(args));
        args.out = avx2.data();
        kernels::reference::avx2::matmul(args, kernels::matmul_plan(args));
        EXPECT_EQ(std::memcmp(portable.data(), avx2.data(), portable.size() * sizeof(float)), 0)
            << kernels::type_info(type).name;
    }
}

TEST(ReferenceVariants, AttendToTheSameBits)
{
    if (!kernels::processor().has_avx2_fma) {
        GTEST_SKIP() << "the processor has no AVX2, so only one variant can run";
    }
    for (const kernels::KvType type : {kernels::KvType::f32, kernels::KvType::f16, kernels::KvType::q8_0}) {
        constexpr std::size_t kSize = 288;
        constexpr std::size_t kPositions = 50;
        const std::vector<float> rows = random_floats(kSize * kPositions, 1);
        const std::vector<float> queries = random_floats(2 * kSize, 2);
        std::vector<std::byte> stored(kernels::kv_bytes(type, rows.size()));
        kernels::reference_kernels().store_kv(type, rows, stored.data());
        const std::byte* page = stored.data();
        std::vector<float> scores(2 * kPositions);
        kernels::AttentionArgs args;
        args.queries = queries.data();
        args.group = 2;
        args.head_size = kSize;
        args.value_head_size = kSize;
        args.type = type;
        args.key_pages = &page;
        args.value_pages = &page;
        args.page_positions = kPositions;
        args.key_position_stride = kernels::kv_bytes(type, kSize);
        args.value_position_stride = kernels::kv_bytes(type, kSize);
        args.last = kPositions;
        args.scale = 0.1F;
        args.softcap = 20.0F;
        args.scores = scores.data();
        std::vector<float> portable(2 * kSize);
        std::vector<float> avx2(2 * kSize);
        args.out = portable.data();
        kernels::reference::portable::attention(args);
        args.out = avx2.data();
        kernels::reference::avx2::attention(args);
        EXPECT_EQ(std::memcmp(portable.data(), avx2.data(), portable.size() * sizeof(float)), 0);
    }
}

#endif

} // namespace
} // namespace constela::test
