// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small operations of a KernelSet as plain loops; the formulas stand in kernels/kernels.h.
#pragma once

#include "kernels/kernels.h"

#include <span>

namespace constela::kernels::reference {

void store_kv(KvType type, std::span<const float> values, std::byte* out);
void rms_norm(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out);
void rope(RopeLayout layout, std::span<const float> cosines, std::span<const float> sines, std::span<float> head);
void silu_multiply(std::span<const float> gate, std::span<const float> up, std::span<float> out);
void gelu_multiply(std::span<const float> gate, std::span<const float> up, std::span<float> out);
void add(std::span<float> x, std::span<const float> y);
void add_scaled(std::span<float> x, float factor, std::span<const float> y);
void scale(std::span<float> x, float factor);
void softcap(std::span<float> x, float cap);
void softmax(std::span<float> x);

} // namespace constela::kernels::reference
