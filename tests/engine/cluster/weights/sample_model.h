// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models for the tests of weights/: GGUF files of several chunks, filled with bytes of a seed.
#pragma once

#include "engine/cluster/weights/content_hash.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace constela::test {

/// `size` bytes of a generator; the same for the same seed.
[[nodiscard]] std::string random_bytes(std::size_t size, std::uint64_t seed);

struct SampleModel {
    std::vector<std::filesystem::path> paths;
    cluster::Manifest manifest;
    cluster::ContentHash hash;

    /// The bytes of a chunk as they should be.
    [[nodiscard]] std::vector<std::byte> chunk(std::size_t index) const;
};

struct SampleShape {
    std::size_t blocks = 3;
    std::size_t tensor_bytes = std::size_t{5} << 20U; ///< Of each of a block's two, the embedding's and the head's.
    std::size_t vocabulary = 4;                       ///< Tokens in the metadata; many make the header long.
    bool tied = false;                                ///< Without output.weight.
    std::size_t parts = 1;                            ///< Blocks are dealt to them in turn.
    std::uint64_t seed = 1;
};

/// Writes NAME.gguf, or NAME-0000I-of-0000N.gguf, into the folder and hashes it.
[[nodiscard]] SampleModel write_model(const std::filesystem::path& folder, const std::string& name,
                                      const SampleShape& shape = {});

/// The model that these files are.
[[nodiscard]] SampleModel sample_of(std::vector<std::filesystem::path> paths);

} // namespace constela::test
