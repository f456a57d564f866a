// SPDX-License-Identifier: GPL-3.0-or-later
//
// The avx2 set. This source is compiled for any processor: it takes spans apart, so that the sources that are not need
// no inline function.
#include "kernels/cpu/avx2/avx2.h"
#include "kernels/cpu/common/activations.h"
#include "kernels/cpu/common/packed.h"
#include "kernels/cpu/common/sets.h"
#include "kernels/reference/dequantize.h"

#include <cstring>

namespace constela::kernels {
namespace {

ActivationFormat activation_format(TensorType weights)
{
    const TypeInfo& info = type_info(weights);
    if (!info.quantized) {
        return ActivationFormat::f32;
    }
    return info.block_elements == 256 ? ActivationFormat::q8_block256 : ActivationFormat::q8_block32;
}

std::size_t activation_bytes(ActivationFormat format, std::size_t columns)
{
    switch (format) {
    case ActivationFormat::f32: return round_up_64(columns * sizeof(float));
    case ActivationFormat::q8_block32: return activation32_bytes(columns);
    case ActivationFormat::q8_block256: return activation256_bytes(columns);
    }
    return 0;
}

void prepare_activation(ActivationFormat format, std::span<const float> row, std::byte* out)
{
    switch (format) {
    case ActivationFormat::f32: std::memcpy(out, row.data(), row.size_bytes()); return;
    case ActivationFormat::q8_block32: avx2::quantize_block32(row.data(), row.size(), out); return;
    case ActivationFormat::q8_block256: avx2::quantize_block256(row.data(), row.size(), out); return;
    }
}

void matmul(const MatmulArgs& args)
{
    const MatmulPlan plan = matmul_plan(args);
    if (type_info(args.type).quantized) {
        avx2::matmul_quantized(args, plan);
    } else {
        avx2::matmul_plain(args, plan);
    }
}

std::size_t row_group(TensorType type)
{
    return type_info(type).quantized ? kPackedRows : 1;
}

void pack_rows(TensorType type, const std::byte* data, std::size_t stride, std::size_t rows, std::size_t columns,
               std::byte* out)
{
    if (type_info(type).quantized) {
        pack(type, data, stride, rows, columns, out);
    } else {
        copy_rows(type, data, stride, rows, columns, out);
    }
}

void dequantize_row(TensorType type, const std::byte* data, std::span<float> row)
{
    reference::widen(type, data, row.data(), row.size());
}

void store_kv(KvType type, std::span<const float> values, std::byte* out)
{
    switch (type) {
    case KvType::f32: std::memcpy(out, values.data(), values.size_bytes()); return;
    case KvType::f16: avx2::store_f16(values.data(), values.size(), out); return;
    case KvType::q8_0: avx2::store_q8_0(values.data(), values.size(), out); return;
    }
}

void rms_norm(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out)
{
    avx2::rms_norm(x.data(), weight.empty() ? nullptr : weight.data(), x.size(), eps, out.data());
}

void rope(RopeLayout layout, std::span<const float> cosines, std::span<const float> sines, std::span<float> head)
{
    avx2::rope(layout, cosines.data(), sines.data(), cosines.size(), head.data());
}

void silu_multiply(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    avx2::silu_multiply(gate.data(), up.data(), gate.size(), out.data());
}

void gelu_multiply(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    avx2::gelu_multiply(gate.data(), up.data(), gate.size(), out.data());
}

void add(std::span<float> x, std::span<const float> y)
{
    avx2::add(x.data(), y.data(), x.size());
}

void add_scaled(std::span<float> x, float factor, std::span<const float> y)
{
    avx2::add_scaled(x.data(), factor, y.data(), x.size());
}

void scale(std::span<float> x, float factor)
{
    avx2::scale(x.data(), factor, x.size());
}

void softcap(std::span<float> x, float cap)
{
    avx2::softcap(x.data(), cap, x.size());
}

void softmax(std::span<float> x)
{
    avx2::softmax(x.data(), x.size());
}

} // namespace

const KernelSet& avx2_kernels()
{
    static constexpr KernelSet set{
        .name = "avx2",
        .activation_format = activation_format,
        .activation_bytes = activation_bytes,
        .prepare_activation = prepare_activation,
        .matmul = matmul,
        .row_group = row_group,
        .pack = pack_rows,
        .dequantize_row = dequantize_row,
        .store_kv = store_kv,
        .attention = avx2::attention,
        .rms_norm = rms_norm,
        .rope = rope,
        .silu_multiply = silu_multiply,
        .gelu_multiply = gelu_multiply,
        .add = add,
        .add_scaled = add_scaled,
        .scale = scale,
        .softcap = softcap,
        .softmax = softmax,
        .multiply_peak = avx2::multiply_peak,
    };
    return set;
}

} // namespace constela::kernels
