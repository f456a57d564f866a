// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/matmul_model.h"

#include "tests/support/random_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace constela::test {
namespace {

using kernels::Segments;
using kernels::TensorType;
using kernels::TypeInfo;

std::vector<float> widened(TensorType type, std::span<const std::byte> row)
{
    const TypeInfo& info = kernels::type_info(type);
    std::vector<float> values(row.size() / info.block_bytes * info.block_elements);
    kernels::reference_kernels().dequantize_row(type, row.data(), values);
    return values;
}

float tree(std::span<const float> parts)
{
    if (parts.size() == 1) {
        return parts[0];
    }
    const std::size_t half = parts.size() / 2;
    return tree(parts.first(half)) + tree(parts.last(half));
}

/// Runs add_block(sum, block) over the blocks of each segment in order, and adds the segments as the tree.
float segmented(std::size_t blocks, Segments segments, const std::function<float(float, std::size_t)>& add_block)
{
    std::vector<float> sums;
    for (unsigned s = segments.first; s < segments.first + segments.count; ++s) {
        float sum = 0.0F;
        for (std::size_t b = kernels::segment_begin(s, blocks); b < kernels::segment_begin(s + 1, blocks); ++b) {
            sum = add_block(sum, b);
        }
        sums.push_back(sum);
    }
    return tree(sums);
}

/// Eight lanes, added as the tree; `fused` says whether a product is rounded before it is added.
float lanes_of_block(const float* w, const float* x, std::size_t count, bool fused)
{
    std::vector<float> lanes(8, 0.0F);
    for (std::size_t j = 0; j < count; ++j) {
        float& lane = lanes[j % 8];
        if (fused) {
            lane = std::fma(w[j], x[j], lane);
        } else {
            const float product = w[j] * x[j];
            lane += product;
        }
    }
    return tree(lanes);
}

/// The block with other scales in place of its own: widened, it shows the integers behind it.
std::vector<float> with_scales(TensorType type, std::span<const std::byte> block, float d, float m)
{
    std::vector<std::byte> copy(block.begin(), block.end());
    const ScalePlaces places = scale_places(type);
    const float scales[2] = {d, m};
    for (std::size_t i = 0; i < places.count; ++i) {
        const std::uint16_t half = kernels::half_from_float(scales[i]);
        std::memcpy(copy.data() + places.offsets[i], &half, sizeof half);
    }
    if (type == TensorType::MXFP4) {
        copy[0] = static_cast<std::byte>(128); // 2^(128 - 127), halved
    }
    return widened(type, copy);
}

float scale_of(TensorType type, std::span<const std::byte> block, std::size_t index)
{
    if (type == TensorType::MXFP4) {
        return std::ldexp(1.0F, std::to_integer<int>(block[0]) - 128);
    }
    return kernels::load_half(block.data() + scale_places(type).offsets[index]);
}

struct QuantizedBlock {
    float scale = 0.0F;
    std::vector<int> values;
};

QuantizedBlock quantized(std::span<const float> x)
{
    float largest = 0.0F;
    for (const float value : x) {
        largest = std::max(largest, std::fabs(value));
    }
    QuantizedBlock block;
    const bool is_zero = largest < 1e-30F;
    block.scale = is_zero ? 0.0F : largest / 127.0F;
    const float inverse = is_zero ? 0.0F : 127.0F / largest;
    for (const float value : x) {
        block.values.push_back(static_cast<int>(std::nearbyint(value * inverse)));
    }
    return block;
}

/// The activations of one row that are multiplied apart (kernels/cpu/common/activations.h), and the row without them.
struct Separated {
    std::vector<float> rest;
    std::vector<std::size_t> columns;
};

Separated separated(std::span<const float> x)
{
    Separated result{{x.begin(), x.end()}, {}};
    for (std::size_t unit = 0; unit < x.size(); unit += 32) {
        std::vector<float> squares(8, 0.0F);
        std::size_t largest = unit;
        for (std::size_t j = unit; j < unit + 32; ++j) {
            squares[j % 8] = std::fma(x[j], x[j], squares[j % 8]);
            largest = std::fabs(x[j]) > std::fabs(x[largest]) ? j : largest;
        }
        const float square = x[largest] * x[largest];
        if (square * 31.0F > 49.0F * (tree(squares) - square)) {
            result.columns.push_back(largest);
            result.rest[largest] = 0.0F;
        }
    }
    return result;
}

long long integer_dot(std::span<const float> weights, const std::vector<int>& x)
{
    long long sum = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        sum += static_cast<long long>(weights[j]) * x[j];
    }
    return sum;
}

} // namespace

double exact_product(TensorType type, std::span<const std::byte> row, std::span<const float> x)
{
    const std::vector<float> w = widened(type, row);
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        sum += static_cast<double>(w[j]) * static_cast<double>(x[j]);
    }
    return sum;
}

float reference_product(TensorType type, std::span<const std::byte> row, std::span<const float> x, Segments segments)
{
    const std::size_t block = kernels::type_info(type).sum_block();
    const std::vector<float> w = widened(type, row);
    return segmented((x.size() + block - 1) / block, segments, [&](float sum, std::size_t b) {
        const std::size_t count = std::min(block, x.size() - b * block); // the last block may be incomplete
        return sum + lanes_of_block(w.data() + b * block, x.data() + b * block, count, false);
    });
}

float fast_product(TensorType type, std::span<const std::byte> row, std::span<const float> x, Segments segments)
{
    const TypeInfo& info = kernels::type_info(type);
    const std::size_t block = info.sum_block();
    if (!info.quantized) {
        const std::vector<float> w = widened(type, row);
        return segmented((x.size() + block - 1) / block, segments, [&](float sum, std::size_t b) {
            const std::size_t count = std::min(block, x.size() - b * block);
            return sum + lanes_of_block(w.data() + b * block, x.data() + b * block, count, true);
        });
    }
    // A block times these integers: what the scales of the weights make of them.
    const auto value_of = [&](std::span<const std::byte> stored, const std::vector<int>& values) {
        const float d = scale_of(type, stored, 0);
        const auto of_scale = static_cast<float>(integer_dot(with_scales(type, stored, 1.0F, 0.0F), values));
        if (scale_places(type).count < 2) {
            return d * of_scale;
        }
        const long long of_minimum = integer_dot(with_scales(type, stored, 0.0F, 1.0F), values);
        return std::fma(d, of_scale, scale_of(type, stored, 1) * static_cast<float>(of_minimum));
    };
    const auto stored_block = [&](std::size_t b) { return row.subspan(b * info.block_bytes, info.block_bytes); };
    const Separated parts = separated(x);
    std::vector<float> sums;
    for (unsigned s = segments.first; s < segments.first + segments.count; ++s) {
        const Segments one{s, 1};
        const float of_blocks = segmented(x.size() / block, one, [&](float sum, std::size_t b) {
            const QuantizedBlock activations = quantized(std::span(parts.rest).subspan(b * block, block));
            return std::fma(activations.scale, value_of(stored_block(b), activations.values), sum);
        });
        bool has_outliers = false;
        const float of_outliers = segmented(x.size() / block, one, [&](float sum, std::size_t b) {
            for (const std::size_t column : parts.columns) {
                if (column / block == b) {
                    has_outliers = true;
                    std::vector<int> unit(block, 0);
                    unit[column % block] = 1;
                    sum = std::fma(x[column], value_of(stored_block(b), unit), sum);
                }
            }
            return sum;
        });
        sums.push_back(has_outliers ? of_blocks + of_outliers : of_blocks);
    }
    return tree(sums);
}

double rounding_bound(TensorType type, std::span<const std::byte> row, std::span<const float> x)
{
    const TypeInfo& info = kernels::type_info(type);
    const std::vector<float> w = widened(type, row);
    double bound = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        const std::span<const float> block = x.subspan(j / info.sum_block() * info.sum_block(), info.sum_block());
        double step = 0.0;
        for (const float value : block) {
            step = std::max(step, std::fabs(static_cast<double>(value)) / 127.0);
        }
        bound += std::fabs(static_cast<double>(w[j])) * step * 0.5001;
    }
    return bound;
}

} // namespace constela::test
