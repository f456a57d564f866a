// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fast sets as such, whether this machine can run them or not. kernel_sets() is what asks the processor.
#pragma once

#include "kernels/cpu/common/processor.h"
#include "kernels/kernels.h"

namespace constela::kernels {

#ifdef CONSTELA_X86
[[nodiscard]] const KernelSet& avx2_kernels();
[[nodiscard]] const KernelSet& avx512_kernels();
[[nodiscard]] const KernelSet& amx_kernels();
#endif

/// What kernel_sets() answers on such a processor.
[[nodiscard]] std::vector<KernelSetStatus> kernel_sets_for(const Processor& cpu);

} // namespace constela::kernels
