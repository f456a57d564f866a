// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the processor and the operating system permit (Intel SDM vol. 1, 13.3: CPUID says what the processor has,
// XGETBV whether the system saves those registers).
#pragma once

namespace constela::kernels {

struct Processor {
    bool is_x86 = false;
    bool has_avx2 = false;
    bool has_fma = false;
    bool has_f16c = false;
    bool has_avx512f = false;
    bool has_avx512bw = false;
    bool has_avx512vl = false;
    bool has_avx512dq = false;
    bool has_avx512vnni = false;
    bool has_amx_tile = false;
    bool has_amx_int8 = false;
    bool saves_avx = false;    ///< The system keeps the YMM registers.
    bool saves_avx512 = false; ///< The system keeps the ZMM and mask registers.
    bool saves_amx = false;    ///< The system can keep the tile registers.
    bool may_use_amx = false;  ///< It lets this program use them.
    bool has_avx2_fma = false; ///< All that code compiled with -mavx2 -mfma -mf16c may use.
};

/// This machine's, found out once.
[[nodiscard]] const Processor& processor();

} // namespace constela::kernels
