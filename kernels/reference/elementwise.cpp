// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference/elementwise.h"

#include "kernels/reference/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace constela::kernels::reference {

void store_kv(KvType type, std::span<const float> values, std::byte* out)
{
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    const auto put_half = [](std::uint8_t* at, float value) {
        const std::uint16_t half = half_from_float(value);
        std::memcpy(at, &half, sizeof half);
    };
    switch (type) {
    case KvType::f32: std::memcpy(out, values.data(), values.size_bytes()); return;
    case KvType::f16:
        for (std::size_t i = 0; i < values.size(); ++i) {
            put_half(bytes + 2 * i, values[i]);
        }
        return;
    case KvType::q8_0:
        for (std::size_t from = 0; from + 32 <= values.size(); from += 32, bytes += 34) {
            float largest = 0.0F;
            bool is_finite = true;
            for (const float value : values.subspan(from, 32)) {
                largest = std::max(largest, std::fabs(value));
                is_finite = is_finite && std::isfinite(value);
            }
            if (!is_finite) { // the whole block becomes NaN rather than numbers that look right
                put_half(bytes, std::numeric_limits<float>::quiet_NaN());
                std::memset(bytes + 2, 0, 32);
                continue;
            }
            const float d = largest / 127.0F;
            const float inverse = d >= std::numeric_limits<float>::min() ? 1.0F / d : 0.0F;
            put_half(bytes, d);
            for (std::size_t j = 0; j < 32; ++j) {
                const float q = std::clamp(std::nearbyint(values[from + j] * inverse), -127.0F, 127.0F);
                bytes[2 + j] = static_cast<std::uint8_t>(static_cast<std::int8_t>(q));
            }
        }
        return;
    }
}

void rms_norm(std::span<const float> x, std::span<const float> weight, float eps, std::span<float> out)
{
    float lanes[8] = {};
    for (std::size_t i = 0; i < x.size(); ++i) {
        lanes[i % 8] += x[i] * x[i];
    }
    const float sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    const float factor = 1.0F / std::sqrt(sum / static_cast<float>(x.size()) + eps);
    for (std::size_t i = 0; i < x.size(); ++i) {
        out[i] = weight.empty() ? x[i] * factor : x[i] * factor * weight[i];
    }
}

void rope(RopeLayout layout, std::span<const float> cosines, std::span<const float> sines, std::span<float> head)
{
    const std::size_t pairs = cosines.size();
    for (std::size_t i = 0; i < pairs; ++i) {
        float& a = head[layout == RopeLayout::adjacent ? 2 * i : i];
        float& b = head[layout == RopeLayout::adjacent ? 2 * i + 1 : i + pairs];
        const float turned = a * cosines[i] - b * sines[i];
        b = a * sines[i] + b * cosines[i];
        a = turned;
    }
}

void silu_multiply(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    for (std::size_t i = 0; i < gate.size(); ++i) {
        out[i] = gate[i] / (1.0F + std::exp(-gate[i])) * up[i];
    }
}

void gelu_multiply(std::span<const float> gate, std::span<const float> up, std::span<float> out)
{
    constexpr float kRootTwoOverPi = 0.7978845608F;
    for (std::size_t i = 0; i < gate.size(); ++i) {
        const float x = gate[i];
        out[i] = 0.5F * x * (1.0F + std::tanh(kRootTwoOverPi * (x + 0.044715F * x * x * x))) * up[i];
    }
}

void add(std::span<float> x, std::span<const float> y)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] += y[i];
    }
}

void add_scaled(std::span<float> x, float factor, std::span<const float> y)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] += factor * y[i];
    }
}

void scale(std::span<float> x, float factor)
{
    for (float& value : x) {
        value *= factor;
    }
}

void softcap(std::span<float> x, float cap)
{
    for (float& value : x) {
        value = cap * std::tanh(value / cap);
    }
}

void softmax(std::span<float> x)
{
    if (x.empty()) {
        return;
    }
    const float largest = *std::max_element(x.begin(), x.end());
    float sum = 0.0F;
    for (float& value : x) {
        value = std::exp(value - largest);
        sum += value;
    }
    for (float& value : x) {
        value /= sum;
    }
}

} // namespace constela::kernels::reference
