// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which sets this machine permits, and why not the others.
#include "kernels/cpu/common/processor.h"
#include "kernels/kernels.h"

namespace constela::kernels {

std::vector<KernelSetStatus> kernel_sets()
{
    return {{"reference", &reference_kernels(), ""}};
}

const KernelSet& best_kernels()
{
    return reference_kernels();
}

} // namespace constela::kernels
