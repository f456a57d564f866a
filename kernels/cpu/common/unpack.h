// SPDX-License-Identifier: GPL-3.0-or-later
//
// From packed weights (packed.h) to a panel (panel.h), for any vector width. Layouts of the types:
// kernels/reference/dequantize_linear.cpp, dequantize_k.cpp and dequantize_table.cpp; an offset in PackedBlock is that
// of a stored block. Also the small scales are taken apart for all rows at once: their bytes need only be spread to
// pairs of int16.
//
// Isa: what a vector of bytes is and does (avx2/bytes.h, avx512/bytes.h). Everything has internal linkage on purpose:
// included by sources that are compiled for a newer processor.
#pragma once

#include "kernels/cpu/common/packed.h"
#include "kernels/cpu/common/panel.h"
#include "kernels/reference/k_scales.h"

namespace constela::kernels {
namespace {

/// One packed block, seen from the row where a vector begins.
template <class Isa>
class PackedBlock {
public:
    PackedBlock(const uint8_t* at, size_t row) : at_(at), row_(row) {}

    [[nodiscard]] typename Isa::Bytes words(size_t offset) const
    {
        return Isa::load_bytes(at_ + kPackedRows * offset + 4 * row_);
    }
    [[nodiscard]] typename Isa::Floats halves(size_t offset) const
    {
        return Isa::widen_halves(at_ + kPackedRows * offset + 2 * row_);
    }
    /// Unsigned numbers of 16 bits, each in a word of its own.
    [[nodiscard]] typename Isa::Bytes shorts(size_t offset) const
    {
        return Isa::widen_shorts(at_ + kPackedRows * offset + 2 * row_);
    }
    /// Unsigned numbers of 8 bits, each in a word of its own.
    [[nodiscard]] typename Isa::Bytes bytes(size_t offset) const
    {
        return Isa::widen_bytes(at_ + kPackedRows * offset + row_);
    }

private:
    const uint8_t* at_;
    size_t row_;
};

/// Offset: what a stored value exceeds the true one by, for sets whose panels have the true ones.
template <class Isa, int Offset>
struct Unpacker {
    using Bytes = typename Isa::Bytes;
    using Block = PackedBlock<Isa>;
    static constexpr size_t kRows = Isa::kRows;
    using Into = Panel<kRows>;

    static Bytes low_nibbles(Bytes b) { return Isa::both(b, Isa::fill8(0x0F)); }
    static Bytes high_nibbles(Bytes b) { return Isa::both(Isa::template right16<4>(b), Isa::fill8(0x0F)); }
    /// The two bits at 2 * Field of each byte.
    template <int Field>
    static Bytes field(Bytes b)
    {
        return Isa::both(Isa::template right16<2 * Field>(b), Isa::fill8(3));
    }

    static void put_group(Into& panel, size_t group, Bytes quants)
    {
        Isa::store_bytes(panel.quants + group * kRows * 4, Isa::template stored_quants<Offset>(quants));
    }
    static void put_signed_group(Into& panel, size_t group, Bytes quants)
    {
        Isa::store_bytes(panel.quants + group * kRows * 4, Isa::signed_quants(quants));
    }
    static void put_scale(Into& panel, size_t block, typename Isa::Floats scale)
    {
        Isa::store(panel.scales + block * kRows, scale);
    }
    static void put_minimum(Into& panel, size_t block, typename Isa::Floats minimum)
    {
        Isa::store(panel.minima + block * kRows, minimum);
    }

    /// Bytes i and j of each word, as the high bytes of the word's two int16.
    static Bytes high_bytes(Bytes words, size_t i, size_t j)
    {
        const auto a = static_cast<int>(i);
        const auto b = static_cast<int>(j);
        return Isa::shuffle(words, Isa::add32(Isa::fill32(0x00800080 | a << 8 | b << 24),
                                              Isa::words128(0, 0x04000400, 0x08000800, 0x0C000C00)));
    }

    /// The int8 scale in byte s % 4 of words[s / 4], for each of `count` sub-blocks.
    static void put_factors(Into& panel, const Bytes* words, size_t count)
    {
        for (size_t s = 0; s < count; ++s) {
            const Bytes pair = Isa::template right16_signed<8>(high_bytes(words[s / 4], s % 4, s % 4));
            Isa::store_bytes(panel.factors + s * kRows * 2, Isa::factor_pair(pair));
        }
    }

    /// What multiplies the sums of 16 activations: bytes 2 k and 2 k + 1 of four words, shifted right by Shift - 8 bits
    /// (so 8 takes the int8 as it is, 3 takes it times 32).
    template <int Shift>
    static void put_weights_of_16(Into& panel, const Bytes* words)
    {
        for (size_t k = 0; k < 8; ++k) {
            const size_t i = 2 * k % 4;
            Isa::store_bytes(panel.weights + k * kRows * 2,
                             Isa::template right16_signed<Shift>(high_bytes(words[k / 2], i, i + 1)));
        }
    }

    /// What multiplies the sums of 32 activations: bytes 2 k and 2 k + 1 of two words.
    static void put_weights_of_32(Into& panel, const Bytes* words)
    {
        for (size_t k = 0; k < 4; ++k) {
            const size_t i = 2 * k % 4;
            Isa::store_bytes(panel.weights + k * kRows * 2,
                             Isa::template right16_signed<8>(high_bytes(words[k / 2], i, i + 1)));
        }
    }

    static void put_nibbles(Into& panel, size_t group, const Block& from, size_t offset)
    {
        for (size_t i = 0; i < 4; ++i) {
            const Bytes packed = from.words(offset + 4 * i);
            put_group(panel, group + i, low_nibbles(packed));
            put_group(panel, group + 4 + i, high_nibbles(packed));
        }
    }

    static Bytes table(const int8_t (&values)[16], int add)
    {
        alignas(16) int8_t bytes[16];
        for (size_t i = 0; i < 16; ++i) {
            bytes[i] = static_cast<int8_t>(values[i] + add);
        }
        return Isa::repeat128(bytes);
    }

    /// Bits 4 g to 4 g + 3 of each row's word, each as 0x10 in a byte of its own.
    static Bytes fifth_bits(Bytes words, size_t group)
    {
        const Bytes one = Isa::add32(Isa::fill32(static_cast<int>(group / 2 * 0x01010101U)),
                                     Isa::words128(0, 0x04040404, 0x08080808, 0x0C0C0C0C));
        const Bytes bits = Isa::fill32(static_cast<int>(group % 2 == 0 ? 0x08040201U : 0x80402010U));
        return Isa::where_bits(Isa::shuffle(words, one), bits, Isa::fill8(0x10));
    }

    static void put_five_bits(Into& panel, size_t group, const Block& from, size_t high_offset)
    {
        const Bytes high = from.words(high_offset);
        for (size_t i = 0; i < 4; ++i) {
            const Bytes packed = from.words(high_offset + 4 + 4 * i);
            put_group(panel, group + i, Isa::either(low_nibbles(packed), fifth_bits(high, i)));
            put_group(panel, group + 4 + i, Isa::either(high_nibbles(packed), fifth_bits(high, 4 + i)));
        }
    }

    static void q4_0(const Block& from, Into& panel, size_t block)
    {
        put_scale(panel, block, from.halves(0));
        put_nibbles(panel, block * 8, from, 2);
    }

    static void q4_1(const Block& from, Into& panel, size_t block)
    {
        put_scale(panel, block, from.halves(0));
        put_minimum(panel, block, from.halves(2));
        put_nibbles(panel, block * 8, from, 4);
    }

    static void q5_0(const Block& from, Into& panel, size_t block)
    {
        put_scale(panel, block, from.halves(0));
        put_five_bits(panel, block * 8, from, 2);
    }

    static void q5_1(const Block& from, Into& panel, size_t block)
    {
        put_scale(panel, block, from.halves(0));
        put_minimum(panel, block, from.halves(2));
        put_five_bits(panel, block * 8, from, 4);
    }

    static void q8_0(const Block& from, Into& panel, size_t block)
    {
        put_scale(panel, block, from.halves(0));
        for (size_t i = 0; i < 8; ++i) {
            put_signed_group(panel, block * 8 + i, from.words(2 + 4 * i));
        }
    }

    static void iq4_nl(const Block& from, Into& panel, size_t block)
    {
        const Bytes values = table(kIq4Values, 0);
        put_scale(panel, block, from.halves(0));
        for (size_t i = 0; i < 4; ++i) {
            const Bytes packed = from.words(2 + 4 * i);
            put_signed_group(panel, block * 8 + i, Isa::shuffle(values, low_nibbles(packed)));
            put_signed_group(panel, block * 8 + 4 + i, Isa::shuffle(values, high_nibbles(packed)));
        }
    }

    static void mxfp4(const Block& from, Into& panel, size_t block)
    {
        const Bytes values = table(kMxfp4Values, 12); // the offset makes them fit the unsigned product
        put_scale(panel, block, Isa::power_of_two(from.bytes(0)));
        for (size_t i = 0; i < 4; ++i) {
            const Bytes packed = from.words(1 + 4 * i);
            put_group(panel, block * 8 + i, Isa::shuffle(values, low_nibbles(packed)));
            put_group(panel, block * 8 + 4 + i, Isa::shuffle(values, high_nibbles(packed)));
        }
    }

    static void q2_k(const Block& from, Into& panel)
    {
        Bytes scales[4];
        Bytes minima[4];
        for (size_t i = 0; i < 4; ++i) {
            scales[i] = low_nibbles(from.words(4 * i));
            minima[i] = high_nibbles(from.words(4 * i));
        }
        put_factors(panel, scales, 16);
        put_weights_of_16<8>(panel, minima);
        put_scale(panel, 0, from.halves(80));
        put_minimum(panel, 0, from.halves(82));
        for (size_t i = 0; i < 16; ++i) { // word i % 8 of the half i / 8
            const Bytes packed = from.words(16 + 4 * i);
            const size_t group = i / 8 * 32 + i % 8;
            put_group(panel, group, field<0>(packed));
            put_group(panel, group + 8, field<1>(packed));
            put_group(panel, group + 16, field<2>(packed));
            put_group(panel, group + 24, field<3>(packed));
        }
    }

    static void q3_k_scales(const Block& from, Into& panel)
    {
        const Bytes words[3] = {from.words(96), from.words(100), from.words(104)};
        const Bytes two = Isa::fill8(0x30);
        const Bytes high[4] = {Isa::both(Isa::template left16<4>(words[2]), two),
                               Isa::both(Isa::template left16<2>(words[2]), two), Isa::both(words[2], two),
                               Isa::both(Isa::template right16<2>(words[2]), two)};
        const Bytes low[4] = {low_nibbles(words[0]), low_nibbles(words[1]), high_nibbles(words[0]),
                              high_nibbles(words[1])};
        Bytes scales[4];
        for (size_t i = 0; i < 4; ++i) {
            scales[i] = Isa::sub8(Isa::either(low[i], high[i]), Isa::fill8(32));
        }
        put_factors(panel, scales, 16);
        put_weights_of_16<6>(panel, scales); // 4 is the offset of a stored value
    }

    template <int Field, size_t Half>
    static void put_q3_k_field(Into& panel, size_t i, Bytes packed, Bytes mask)
    {
        constexpr int kBit = static_cast<int>(Half) * 4 + Field;
        const Bytes third = Isa::both(Isa::template right16<kBit>(mask), Isa::fill8(1));
        put_group(panel, Half * 32 + Field * 8 + i, Isa::either(field<Field>(packed), Isa::template left16<2>(third)));
    }

    template <size_t Half>
    static void put_q3_k_half(const Block& from, Into& panel)
    {
        for (size_t i = 0; i < 8; ++i) {
            const Bytes mask = from.words(4 * i);
            const Bytes packed = from.words(32 + 32 * Half + 4 * i);
            put_q3_k_field<0, Half>(panel, i, packed, mask);
            put_q3_k_field<1, Half>(panel, i, packed, mask);
            put_q3_k_field<2, Half>(panel, i, packed, mask);
            put_q3_k_field<3, Half>(panel, i, packed, mask);
        }
    }

    static void q3_k(const Block& from, Into& panel)
    {
        q3_k_scales(from, panel);
        put_scale(panel, 0, from.halves(108));
        put_q3_k_half<0>(from, panel);
        put_q3_k_half<1>(from, panel);
    }

    /// The 16 bytes that Q4_K and Q5_K begin with: d, dmin, and the small scales and minima.
    static void put_q4_k_header(const Block& from, Into& panel)
    {
        put_scale(panel, 0, from.halves(0));
        put_minimum(panel, 0, from.halves(2));
        const Bytes words[3] = {from.words(4), from.words(8), from.words(12)};
        const Bytes six = Isa::fill8(0x3F);
        const Bytes two = Isa::fill8(0x30);
        const Bytes scales[2] = {
            Isa::both(words[0], six),
            Isa::either(low_nibbles(words[2]), Isa::both(Isa::template right16<2>(words[0]), two))};
        const Bytes minima[2] = {
            Isa::both(words[1], six),
            Isa::either(high_nibbles(words[2]), Isa::both(Isa::template right16<2>(words[1]), two))};
        put_factors(panel, scales, 8);
        put_weights_of_32(panel, minima);
    }

    static void q4_k(const Block& from, Into& panel)
    {
        put_q4_k_header(from, panel);
        for (size_t i = 0; i < 32; ++i) { // word i % 8 of the 32 bytes that hold 64 elements
            const Bytes packed = from.words(16 + 4 * i);
            const size_t group = i / 8 * 16 + i % 8;
            put_group(panel, group, low_nibbles(packed));
            put_group(panel, group + 8, high_nibbles(packed));
        }
    }

    template <int Part>
    static void put_q5_k_part(const Block& from, Into& panel, size_t i, Bytes high)
    {
        const Bytes packed = from.words(48 + 32 * Part + 4 * i);
        const Bytes bit = Isa::fill8(1);
        const Bytes low_fifth = Isa::template left16<4>(Isa::both(Isa::template right16<2 * Part>(high), bit));
        const Bytes high_fifth = Isa::template left16<4>(Isa::both(Isa::template right16<2 * Part + 1>(high), bit));
        put_group(panel, Part * 16 + i, Isa::either(low_nibbles(packed), low_fifth));
        put_group(panel, Part * 16 + 8 + i, Isa::either(high_nibbles(packed), high_fifth));
    }

    static void q5_k(const Block& from, Into& panel)
    {
        put_q4_k_header(from, panel);
        for (size_t i = 0; i < 8; ++i) {
            const Bytes high = from.words(16 + 4 * i);
            put_q5_k_part<0>(from, panel, i, high);
            put_q5_k_part<1>(from, panel, i, high);
            put_q5_k_part<2>(from, panel, i, high);
            put_q5_k_part<3>(from, panel, i, high);
        }
    }

    static void q6_k(const Block& from, Into& panel)
    {
        const Bytes scales[4] = {from.words(192), from.words(196), from.words(200), from.words(204)};
        put_factors(panel, scales, 16);
        put_weights_of_16<3>(panel, scales); // 32 is the offset of a stored value
        put_scale(panel, 0, from.halves(208));
        const Bytes two = Isa::fill8(0x30);
        for (size_t i = 0; i < 16; ++i) { // word i % 8 of the half i / 8, which has 64 bytes of low and 32 of high
            const Bytes low = from.words(i / 8 * 64 + i % 8 * 4);
            const Bytes low_next = from.words(i / 8 * 64 + 32 + i % 8 * 4);
            const Bytes high = from.words(128 + 4 * i);
            const size_t group = i / 8 * 32 + i % 8;
            put_group(panel, group, Isa::either(low_nibbles(low), Isa::both(Isa::template left16<4>(high), two)));
            put_group(panel, group + 8,
                      Isa::either(low_nibbles(low_next), Isa::both(Isa::template left16<2>(high), two)));
            put_group(panel, group + 16, Isa::either(high_nibbles(low), Isa::both(high, two)));
            put_group(panel, group + 24,
                      Isa::either(high_nibbles(low_next), Isa::both(Isa::template right16<2>(high), two)));
        }
    }

    static void iq4_xs(const Block& from, Into& panel)
    {
        put_scale(panel, 0, from.halves(0));
        Bytes high = from.shorts(2);
        Bytes low = from.words(4);
        Bytes before = low;
        for (size_t s = 0; s < 8; ++s) {
            const Bytes top = Isa::template left32<4>(Isa::both(high, Isa::fill32(3)));
            const Bytes biased = Isa::either(Isa::both(low, Isa::fill32(15)), top);
            const Bytes scale = Isa::sub32(biased, Isa::fill32(32));
            const Bytes upper = Isa::template left32<16>(scale);
            const Bytes lower = Isa::both(scale, Isa::fill32(0xFFFF));
            Isa::store_bytes(panel.factors + s * kRows * 2, Isa::factor_pair(Isa::either(lower, upper)));
            if (s % 2 == 1) {
                Isa::store_bytes(panel.weights + s / 2 * kRows * 2, Isa::either(before, upper));
            }
            before = lower;
            low = Isa::template right32<4>(low);
            high = Isa::template right32<2>(high);
        }
        const Bytes values = table(kIq4Values, 0);
        for (size_t i = 0; i < 32; ++i) {
            const Bytes packed = from.words(8 + 4 * i);
            const size_t group = i / 4 * 8 + i % 4;
            put_signed_group(panel, group, Isa::shuffle(values, low_nibbles(packed)));
            put_signed_group(panel, group + 4, Isa::shuffle(values, high_nibbles(packed)));
        }
    }

    /// Block `index` of the panel; a type with blocks of 256 has one.
    template <TensorType Type>
    static void block(const uint8_t* packed, size_t row, Into& panel, [[maybe_unused]] size_t index)
    {
        const Block from(packed, row);
        if constexpr (Type == TensorType::Q4_0) {
            q4_0(from, panel, index);
        } else if constexpr (Type == TensorType::Q4_1) {
            q4_1(from, panel, index);
        } else if constexpr (Type == TensorType::Q5_0) {
            q5_0(from, panel, index);
        } else if constexpr (Type == TensorType::Q5_1) {
            q5_1(from, panel, index);
        } else if constexpr (Type == TensorType::Q8_0) {
            q8_0(from, panel, index);
        } else if constexpr (Type == TensorType::IQ4_NL) {
            iq4_nl(from, panel, index);
        } else if constexpr (Type == TensorType::MXFP4) {
            mxfp4(from, panel, index);
        } else if constexpr (Type == TensorType::Q2_K) {
            q2_k(from, panel);
        } else if constexpr (Type == TensorType::Q3_K) {
            q3_k(from, panel);
        } else if constexpr (Type == TensorType::Q4_K) {
            q4_k(from, panel);
        } else if constexpr (Type == TensorType::Q5_K) {
            q5_k(from, panel);
        } else if constexpr (Type == TensorType::Q6_K) {
            q6_k(from, panel);
        } else {
            static_assert(Type == TensorType::IQ4_XS);
            iq4_xs(from, panel);
        }
    }
};

} // namespace
} // namespace constela::kernels
