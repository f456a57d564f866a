// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which sets this machine permits, and why not the others.
#include "kernels/cpu/common/sets.h"

namespace constela::kernels {
namespace {

#ifdef CONSTELA_X86

struct Need {
    bool met;
    std::string_view name;
};

/// Why not all needs are met, in words; empty when they are.
std::string why_not(const Need* needs, std::size_t count, bool saved, std::string_view registers)
{
    std::string missing;
    for (std::size_t i = 0; i < count; ++i) {
        if (!needs[i].met) {
            missing += missing.empty() ? "" : ", ";
            missing += needs[i].name;
        }
    }
    if (!missing.empty()) {
        return "the processor has no " + missing;
    }
    return saved ? "" : "the operating system does not save the " + std::string(registers) + " registers";
}

std::string why_no_avx2(const Processor& cpu)
{
    const Need needs[] = {{cpu.has_avx2, "AVX2"}, {cpu.has_fma, "FMA"}, {cpu.has_f16c, "F16C"}};
    return why_not(needs, std::size(needs), cpu.saves_avx, "AVX");
}

std::string why_no_avx512(const Processor& cpu)
{
    std::string reason = why_no_avx2(cpu); // its sources are used too
    if (!reason.empty()) {
        return reason;
    }
    const Need needs[] = {{cpu.has_avx512f, "AVX-512 F"},
                          {cpu.has_avx512bw, "AVX-512 BW"},
                          {cpu.has_avx512vl, "AVX-512 VL"},
                          {cpu.has_avx512dq, "AVX-512 DQ"},
                          {cpu.has_avx512vnni, "AVX-512 VNNI"}};
    return why_not(needs, std::size(needs), cpu.saves_avx512, "AVX-512");
}

std::string why_no_amx(const Processor& cpu)
{
    std::string reason = why_no_avx512(cpu); // its sources are used too
    if (!reason.empty()) {
        return reason;
    }
    const Need needs[] = {{cpu.has_amx_tile, "AMX-TILE"}, {cpu.has_amx_int8, "AMX-INT8"}};
    reason = why_not(needs, std::size(needs), cpu.saves_amx, "AMX tile");
    if (!reason.empty()) {
        return reason;
    }
    return cpu.may_use_amx ? "" : "the operating system does not let this program use the AMX tiles";
}

KernelSetStatus status(const KernelSet& set, std::string reason)
{
    return {std::string(set.name), reason.empty() ? &set : nullptr, std::move(reason)};
}

#endif

} // namespace

std::vector<KernelSetStatus> kernel_sets_for([[maybe_unused]] const Processor& cpu)
{
    std::vector<KernelSetStatus> sets{{"reference", &reference_kernels(), ""}};
#ifdef CONSTELA_X86
    sets.push_back(status(avx2_kernels(), why_no_avx2(cpu)));
    sets.push_back(status(avx512_kernels(), why_no_avx512(cpu)));
    sets.push_back(status(amx_kernels(), why_no_amx(cpu)));
#else
    for (const char* name : {"avx2", "avx512", "amx"}) {
        sets.push_back({name, nullptr, "this build is not for x86-64 processors"});
    }
#endif
    return sets;
}

std::vector<KernelSetStatus> kernel_sets()
{
    return kernel_sets_for(processor());
}

const KernelSet& best_kernels()
{
    static const KernelSet* const best = [] {
        const KernelSet* found = &reference_kernels();
        for (const KernelSetStatus& status : kernel_sets()) {
            found = status.set != nullptr ? status.set : found;
        }
        return found;
    }();
    return *best;
}

} // namespace constela::kernels
