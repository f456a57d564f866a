// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/common/processor.h"

#ifdef CONSTELA_X86
#include <cpuid.h>
#include <cstdint>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace constela::kernels {
namespace {

#ifdef CONSTELA_X86

/// XCR0: which registers the system saves. To be called only where CPUID says OSXSAVE.
std::uint64_t saved_registers()
{
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0U));
    return static_cast<std::uint64_t>(high) << 32U | low;
}

/// Linux lets a process use the tile registers once it has asked, all its threads at once (kernel documentation,
/// arch/x86/xstate.rst). What is refused stays refused, e.g. by a kernel before 5.16.
bool ask_for_tiles()
{
#ifdef __linux__
    constexpr long kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
    constexpr long kTileData = 18;              // XFEATURE_XTILEDATA
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
    return false;
#endif
}

bool bit(std::uint64_t word, unsigned index)
{
    return ((word >> index) & 1U) != 0;
}

Processor detect()
{
    Processor found;
    found.is_x86 = true;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) {
        return found;
    }
    found.has_fma = bit(c, 12);
    found.has_f16c = bit(c, 29);
    if (bit(c, 27)) {
        const std::uint64_t saved = saved_registers();
        constexpr std::uint64_t kYmm = 0x6;       // XMM, YMM
        constexpr std::uint64_t kZmm = 0xE6;      // and masks, upper ZMM, ZMM16-31
        constexpr std::uint64_t kTiles = 0x60000; // tile configuration, tile data
        found.saves_avx = (saved & kYmm) == kYmm;
        found.saves_avx512 = (saved & kZmm) == kZmm;
        found.saves_amx = (saved & kTiles) == kTiles;
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) {
        found.has_avx2 = bit(b, 5);
        found.has_avx512f = bit(b, 16);
        found.has_avx512dq = bit(b, 17);
        found.has_avx512bw = bit(b, 30);
        found.has_avx512vl = bit(b, 31);
        found.has_avx512vnni = bit(c, 11);
        found.has_amx_tile = bit(d, 24);
        found.has_amx_int8 = bit(d, 25);
    }
    found.may_use_amx = found.has_amx_tile && found.has_amx_int8 && found.saves_amx && ask_for_tiles();
    found.has_avx2_fma = found.has_avx2 && found.has_fma && found.has_f16c && found.saves_avx;
    return found;
}

#else

Processor detect()
{
    return {};
}

#endif

} // namespace

const Processor& processor()
{
    static const Processor found = detect();
    return found;
}

} // namespace constela::kernels
