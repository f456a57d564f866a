// SPDX-License-Identifier: GPL-3.0-or-later
//
// One model of the cache of fetched models (fetch_cache.h): which chunks are here, and writing more of them. While an
// object of this lives, the model is in use and is not evicted.
//
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/byte_ranges.h"
#include "engine/cluster/weights/chunk_journal.h"
#include "engine/cluster/weights/disk.h"
#include "engine/cluster/weights/model_reader.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace constela::cluster {

/// What became of bytes that a peer sent.
enum class ChunkOutcome {
    stored,
    already_there,
    wrong_bytes, ///< They have another hash: nothing was written, and whoever sent them is to be named.
};

/// Who says whether more may be written, and keeps count: the cache. Threads: any.
class CacheSpace {
public:
    virtual ~CacheSpace() = default;
    CacheSpace() = default;
    CacheSpace(const CacheSpace&) = delete;
    CacheSpace& operator=(const CacheSpace&) = delete;

    /// Promises `bytes` to the model in place of `promised`, at the price of models that nobody uses if need be.
    [[nodiscard]] virtual Result<> promise(const ContentHash& model, std::uint64_t promised, std::uint64_t bytes) = 0;
    /// Whether the disk has `bytes` to spare at this moment, of `needed` that the model still asks for.
    [[nodiscard]] virtual Result<> check_disk(const ContentHash& model, std::uint64_t bytes,
                                              std::uint64_t needed) const = 0;
    /// `bytes` were written, of a promise or not.
    virtual void on_stored(const ContentHash& model, std::uint64_t bytes, std::uint64_t of_promise) = 0;
    /// Nobody uses the model any more; `held` bytes of it are on the disk.
    virtual void on_closed(const ContentHash& model, std::uint64_t promised, std::uint64_t held) = 0;
};

class CachedModel final : public ModelReader {
public:
    /// Opens what the folder holds of the model, or begins it there. `space` may be null: no limits.
    [[nodiscard]] static Result<std::shared_ptr<CachedModel>>
    open(const std::filesystem::path& folder, Manifest manifest, std::shared_ptr<CacheSpace> space);
    ~CachedModel() override;

    [[nodiscard]] const ContentHash& hash() const { return hash_; }
    [[nodiscard]] const Manifest& manifest() const override { return manifest_; }
    /// All files, first to last. Of full size, with holes where nothing was fetched.
    [[nodiscard]] const std::vector<std::filesystem::path>& paths() const { return paths_; }

    [[nodiscard]] bool has(std::size_t chunk) const override;
    [[nodiscard]] bool holds(std::span<const ByteRange> ranges) const { return missing(ranges).empty(); }
    [[nodiscard]] bool whole() const;
    /// The chunks that these bytes need and that are not here, ascending.
    [[nodiscard]] std::vector<std::uint32_t> missing(std::span<const ByteRange> ranges) const;
    [[nodiscard]] std::uint64_t held_bytes() const;

    /// Makes room for all of these chunks that are not here, before the first byte is asked from anybody. A second
    /// reservation replaces the first.
    [[nodiscard]] Result<> reserve(std::span<const std::uint32_t> chunks);
    /// Verifies and stores a chunk. It can be read at once, and outlives a crash after the next sync().
    [[nodiscard]] Result<ChunkOutcome> write_chunk(std::size_t chunk, std::span<const std::byte> bytes);
    /// Brings everything stored onto the disk. (Done by itself every few chunks, and at the end.)
    [[nodiscard]] Result<> sync();

    [[nodiscard]] Result<> read(std::size_t chunk, std::uint64_t offset, std::span<std::byte> bytes) const override;

private:
    CachedModel(Manifest manifest, ContentHash hash, std::vector<std::filesystem::path> paths,
                std::vector<DiskFile> files, ChunkJournal journal, std::shared_ptr<CacheSpace> space);
    [[nodiscard]] Result<> store(const ChunkPlace& place, std::span<const std::byte> bytes);

    Manifest manifest_;
    ContentHash hash_;
    std::vector<std::filesystem::path> paths_;
    std::vector<DiskFile> files_;
    std::shared_ptr<CacheSpace> space_;

    mutable std::mutex mutex_; ///< Guards what follows; the cache is never called under it.
    std::vector<bool> marks_;
    std::uint64_t held_ = 0;
    std::uint64_t promised_ = 0;         ///< Bytes that the cache keeps free for us.
    std::vector<std::uint32_t> pending_; ///< Stored, not yet in the journal.

    std::mutex syncing_; ///< Guards the journal; taken before mutex_.
    ChunkJournal journal_;
};

} // namespace constela::cluster
