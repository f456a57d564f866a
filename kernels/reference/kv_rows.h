// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stored keys and values, read back as float32. Internal linkage on purpose, see half.h.
#pragma once

#include "kernels/kernels.h"
#include "kernels/reference/half.h"

#include <cstddef>

namespace constela::kernels {

/// Reads elements [from, from + count) of a stored row; for q8_0, from and count are multiples of 32.
static inline void read_kv(KvType type, const std::byte* row, size_t from, size_t count, float* out)
{
    const auto* bytes = reinterpret_cast<const uint8_t*>(row);
    if (type == KvType::f32) {
        memcpy(out, bytes + from * sizeof(float), count * sizeof(float));
    } else if (type == KvType::f16) {
        for (size_t j = 0; j < count; ++j) {
            out[j] = load_half(bytes + 2 * (from + j));
        }
    } else {
        for (size_t j = 0; j < count; ++j) {
            const uint8_t* block = bytes + (from + j) / 32 * 34;
            out[j] = load_half(block) * static_cast<float>(static_cast<int8_t>(block[2 + (from + j) % 32]));
        }
    }
}

} // namespace constela::kernels
