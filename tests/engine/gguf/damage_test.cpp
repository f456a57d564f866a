// SPDX-License-Identifier: GPL-3.0-or-later
//
// Damaged files never lead to a crash or to a tensor outside of the file.
#include "tests/engine/gguf/sample.h"

#include <random>

namespace constela::gguf {
namespace {

/// Parses a copy of exactly this size, so that AddressSanitizer sees one byte too far, and checks what was accepted.
bool opens(std::string_view damaged)
{
    const std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(damaged.data()),
                                       reinterpret_cast<const std::byte*>(damaged.data()) + damaged.size());
    const auto parsed = parse(bytes, "model.gguf");
    if (!parsed) {
        EXPECT_TRUE(parsed.error().text().starts_with("model.gguf: "));
        return false;
    }
    for (const TensorInfo& tensor : parsed->tensors) {
        EXPECT_LE(tensor.offset, bytes.size());
        EXPECT_LE(tensor.bytes, bytes.size() - tensor.offset);
        EXPECT_GT(tensor.elements(), 0U);
    }
    for (const auto& [key, value] : parsed->metadata.all()) {
        EXPECT_FALSE(describe(value).empty());
    }
    return true;
}

TEST(Damage, EveryTruncationIsRefusedUntilTheDataIsWhole)
{
    const std::string bytes = sample().bytes();
    auto unpadded = sample();
    unpadded.pad_end = false;
    const std::size_t whole = unpadded.bytes().size();
    ASSERT_LT(whole, bytes.size());
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
        EXPECT_EQ(opens(std::string_view(bytes).substr(0, length)), length >= whole) << length;
    }
}

TEST(Damage, FlippedBitsAndBytesNeverCrash)
{
    const std::string bytes = sample().bytes();
    std::mt19937 random(20261201); // NOLINT(cert-msc51-cpp): the same damage on every run.
    std::size_t accepted = 0;
    constexpr std::size_t rounds = 20000;
    for (std::size_t round = 0; round < rounds; ++round) {
        std::string damaged = bytes;
        const std::size_t flips = 1 + random() % 4;
        for (std::size_t flip = 0; flip < flips; ++flip) {
            char& byte = damaged[random() % damaged.size()];
            byte = static_cast<char>(random() % 2 == 0 ? byte ^ (1 << (random() % 8)) : static_cast<int>(random()));
        }
        accepted += opens(damaged) ? 1U : 0U;
    }
    // Flips in values and data are harmless, those in lengths and types are not.
    EXPECT_GT(accepted, rounds / 20);
    EXPECT_LT(accepted, rounds * 19 / 20);
}

TEST(Damage, EveryFieldAtItsLargestIsHarmless)
{
    const std::string bytes = sample().bytes();
    for (const std::size_t width : {1U, 4U, 8U}) {
        for (std::size_t at = 0; at + width <= bytes.size(); ++at) {
            for (const char fill : {'\xFF', '\x7F', '\0'}) {
                std::string damaged = bytes;
                damaged.replace(at, width, width, fill);
                static_cast<void>(opens(damaged));
            }
        }
    }
}

} // namespace
} // namespace constela::gguf
