// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace constela::text {

/// What rendering may use; beyond it the render fails with a sentence.
struct TemplateLimits {
    std::size_t max_output_bytes = 16U << 20U;
    std::size_t max_steps =
        20'000'000; ///< Evaluated nodes and characters copied, a stand-in for time that is the same on every machine.
    std::size_t max_depth = 200; ///< Nested calls and expressions.
};

} // namespace constela::text
