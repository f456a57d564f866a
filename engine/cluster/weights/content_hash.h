// SPDX-License-Identifier: GPL-3.0-or-later
//
// The name of a model by its content: the file, or the parts of a split set in order, are cut into chunks of 4 MiB (the
// last of each part is shorter), each chunk is hashed, and the hash over the sizes and the chunks' hashes is the
// model's. So a chunk from anybody can be checked on its own against a list that the model's name vouches for.
//
//   chunk hash = BLAKE2b-256(personal "constela chunk 1", bytes of the chunk)
//   root       = BLAKE2b-256(personal "constela model 1", chunk size, number of parts, size of each part, chunk hashes)
//
// Numbers are 64 bits, little-endian. BLAKE2: RFC 7693; "personal" as in the BLAKE2 paper, section 2.8.
//
// Threads: values; the functions by any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace constela::cluster {

inline constexpr std::uint64_t kChunkBytes = std::uint64_t{4} << 20U;
/// Limits for what a peer may say: as many parts as gguf::File opens, and 4 TiB.
inline constexpr std::size_t kMostParts = 1024;
inline constexpr std::size_t kMostChunks = std::size_t{1} << 20U;

using ChunkHash = std::array<std::byte, 32>;

[[nodiscard]] ChunkHash hash_chunk(std::span<const std::byte> bytes);

/// 64 hexadecimal digits, lower case.
[[nodiscard]] std::string to_text(const ContentHash& hash);
[[nodiscard]] std::optional<ContentHash> content_hash_from_text(std::string_view text);

/// Where a chunk lies.
struct ChunkPlace {
    std::size_t part = 0;
    std::uint64_t offset = 0; ///< In its part.
    std::uint64_t bytes = 0;
};

struct Manifest {
    std::vector<std::uint64_t> part_sizes;
    std::vector<ChunkHash> chunks; ///< Those of the first part, then those of the second ...

    [[nodiscard]] ContentHash root() const;
    [[nodiscard]] std::uint64_t total_bytes() const;
    /// The number of the first chunk of a part; of the part behind the last one: the number of all chunks.
    [[nodiscard]] std::size_t first_chunk(std::size_t part) const;
    /// `chunk` is below chunks.size().
    [[nodiscard]] ChunkPlace place(std::size_t chunk) const;

    /// "CNSTMAN1", number of parts, their sizes, the hashes of all chunks.
    [[nodiscard]] std::string encode() const;
    /// Accepts what encode() makes and nothing else. `source` names in sentences where the bytes come from. Whether it
    /// is the manifest of the model that was asked for is root()'s to say.
    [[nodiscard]] static Result<Manifest> parse(std::span<const std::byte> bytes, std::string_view source);
};

/// The number of chunks that parts of these sizes have; none when a size is 0 or there are too many of either.
[[nodiscard]] std::optional<std::size_t> count_chunks(std::span<const std::uint64_t> part_sizes);

/// Bytes of the encoding of the largest manifest.
inline constexpr std::uint64_t kMostManifestBytes = 16 + 8 * kMostParts + sizeof(ChunkHash) * kMostChunks;

struct Hashing {
    unsigned threads = 1;
    /// Called from any of the threads, one at a time; may be empty.
    std::function<void(std::uint64_t done, std::uint64_t total)> on_progress{};
    /// Asked before each chunk, by any of the threads; may be empty.
    std::function<bool()> cancelled{};
};

/// Hashes a model's files, first part to last. Fails for what cannot be read, changes meanwhile, or is cancelled.
[[nodiscard]] Result<Manifest> hash_files(std::span<const std::filesystem::path> parts, const Hashing& hashing);

} // namespace constela::cluster
