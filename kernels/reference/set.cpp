// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reference set: float32 throughout, activations as they are.
#include "kernels/cpu/common/packed.h"
#include "kernels/cpu/common/processor.h"
#include "kernels/kernels.h"
#include "kernels/reference/dequantize.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/variants.h"

#include <cstring>

namespace constela::kernels {
namespace {

ActivationFormat activation_format(TensorType /*weights*/)
{
    return ActivationFormat::f32;
}

std::size_t activation_bytes(ActivationFormat /*format*/, std::size_t columns)
{
    return (columns * sizeof(float) + 63) / 64 * 64;
}

void prepare_activation(ActivationFormat /*format*/, std::span<const float> row, std::byte* out)
{
    std::memcpy(out, row.data(), row.size_bytes());
}

void dequantize_row(TensorType type, const std::byte* data, std::span<float> row)
{
    reference::widen(type, data, row.data(), row.size());
}

void matmul(const MatmulArgs& args)
{
    const MatmulPlan plan = matmul_plan(args);
#ifdef CONSTELA_X86
    if (processor().has_avx2_fma) {
        reference::avx2::matmul(args, plan);
        return;
    }
#endif
    reference::portable::matmul(args, plan);
}

std::size_t row_group(TensorType /*type*/)
{
    return 1;
}

void attention(const AttentionArgs& args)
{
#ifdef CONSTELA_X86
    if (processor().has_avx2_fma) {
        reference::avx2::attention(args);
        return;
    }
#endif
    reference::portable::attention(args);
}

} // namespace

const KernelSet& reference_kernels()
{
    static constexpr KernelSet set{
        .name = "reference",
        .activation_format = activation_format,
        .activation_bytes = activation_bytes,
        .prepare_activation = prepare_activation,
        .matmul = matmul,
        .row_group = row_group,
        .pack = copy_rows,
        .dequantize_row = dequantize_row,
        .store_kv = reference::store_kv,
        .attention = attention,
        .rms_norm = reference::rms_norm,
        .rope = reference::rope,
        .silu_multiply = reference::silu_multiply,
        .gelu_multiply = reference::gelu_multiply,
        .add = reference::add,
        .add_scaled = reference::add_scaled,
        .scale = reference::scale,
        .softcap = reference::softcap,
        .softmax = reference::softmax,
        .multiply_peak = nullptr,
    };
    return set;
}

} // namespace constela::kernels
