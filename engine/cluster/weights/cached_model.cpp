// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/cached_model.h"

#include "engine/gguf/printable.h"
#include "engine/gguf/split_name.h"

#include <algorithm>
#include <set>

namespace constela::cluster {

namespace fs = std::filesystem;

namespace {

/// Chunks between two waits for the disk: 64 MiB, so that a crash costs little and waiting costs little.
constexpr std::size_t kPendingChunks = 16;
/// The time of change that all files of the cache bear, in nanoseconds since 1970 (9 September 2001). Readers that
/// watch for changes (gguf::File::changed) must not see one when another shard's chunks are added.
constexpr std::int64_t kModified = 1'000'000'000'000'000'000;

std::vector<fs::path> part_paths(const fs::path& folder, std::size_t parts)
{
    std::vector<fs::path> paths;
    for (std::size_t part = 1; part <= parts; ++part) {
        paths.push_back(folder / (parts == 1 ? "model.gguf"
                                             : "model" + gguf::split_suffix(static_cast<std::uint32_t>(part),
                                                                            static_cast<std::uint32_t>(parts))));
    }
    return paths;
}

bool all_there(const std::vector<fs::path>& paths, const Manifest& manifest)
{
    for (std::size_t part = 0; part < paths.size(); ++part) {
        const auto identity = identify(paths[part]);
        if (!identity || identity->bytes != manifest.part_sizes[part]) {
            return false;
        }
    }
    return true;
}

} // namespace

Result<std::shared_ptr<CachedModel>> CachedModel::open(const fs::path& folder, Manifest manifest,
                                                       std::shared_ptr<CacheSpace> space)
{
    const std::vector<fs::path> paths = part_paths(folder, manifest.part_sizes.size());
    const fs::path journal_path = folder / "verified";
    // The journal speaks of these files alone; when one is not as it was left, nothing in it is believed.
    const bool kept = all_there(paths, manifest);
    std::error_code error;
    if (!kept && !fs::remove(journal_path, error) && error) {
        return failure("{}: the file cannot be removed: {}.", gguf::display_path(journal_path), error.message());
    }
    std::vector<DiskFile> files;
    for (std::size_t part = 0; part < paths.size(); ++part) {
        if (!kept) {
            fs::remove(paths[part], error);
        }
        CONSTELA_ASSIGN(DiskFile file, DiskFile::open_for_writing(paths[part]));
        if (!kept) {
            CONSTELA_TRY(file.resize(manifest.part_sizes[part]));
            CONSTELA_TRY(file.set_modified(kModified));
            CONSTELA_TRY(file.sync());
        }
        files.push_back(std::move(file));
    }
    CONSTELA_ASSIGN(ChunkJournal journal, ChunkJournal::open(journal_path, manifest.chunks.size()));
    const ContentHash hash = manifest.root();
    return std::shared_ptr<CachedModel>(
        new CachedModel(std::move(manifest), hash, paths, std::move(files), std::move(journal), std::move(space)));
}

CachedModel::CachedModel(Manifest manifest, ContentHash hash, std::vector<fs::path> paths, std::vector<DiskFile> files,
                         ChunkJournal journal, std::shared_ptr<CacheSpace> space)
    : manifest_(std::move(manifest)), hash_(hash), paths_(std::move(paths)), files_(std::move(files)),
      space_(std::move(space)), marks_(journal.marks()), journal_(std::move(journal))
{
    for (std::size_t chunk = 0; chunk < marks_.size(); ++chunk) {
        held_ += marks_[chunk] ? manifest_.place(chunk).bytes : 0;
    }
}

CachedModel::~CachedModel()
{
    if (auto synced = sync(); !synced) {
        // What is not in the journal is fetched again; there is nobody left to tell.
        pending_.clear();
    }
    if (space_ != nullptr) {
        space_->on_closed(hash_, promised_, held_);
    }
}

bool CachedModel::has(std::size_t chunk) const
{
    const std::lock_guard lock(mutex_);
    return chunk < marks_.size() && marks_[chunk];
}

bool CachedModel::whole() const
{
    const std::lock_guard lock(mutex_);
    return std::ranges::find(marks_, false) == marks_.end();
}

std::vector<std::uint32_t> CachedModel::missing(std::span<const ByteRange> ranges) const
{
    std::vector<std::uint32_t> chunks = chunks_of(manifest_, ranges);
    const std::lock_guard lock(mutex_);
    std::erase_if(chunks, [this](std::uint32_t chunk) { return marks_[chunk]; });
    return chunks;
}

std::uint64_t CachedModel::held_bytes() const
{
    const std::lock_guard lock(mutex_);
    return held_;
}

Result<> CachedModel::reserve(std::span<const std::uint32_t> chunks)
{
    std::uint64_t bytes = 0;
    std::uint64_t promised = 0;
    {
        const std::lock_guard lock(mutex_);
        for (const std::uint32_t chunk : chunks) {
            bytes += chunk < marks_.size() && !marks_[chunk] ? manifest_.place(chunk).bytes : 0;
        }
        promised = std::exchange(promised_, 0);
    }
    if (space_ != nullptr) {
        CONSTELA_TRY(space_->promise(hash_, promised, bytes));
        const std::lock_guard lock(mutex_);
        promised_ = bytes;
    }
    return {};
}

Result<> CachedModel::store(const ChunkPlace& place, std::span<const std::byte> bytes)
{
    std::uint64_t promised = 0;
    if (space_ != nullptr) {
        {
            const std::lock_guard lock(mutex_);
            promised = promised_;
        }
        if (promised < bytes.size()) { // nobody reserved it
            CONSTELA_TRY(space_->promise(hash_, 0, bytes.size()));
            const std::lock_guard lock(mutex_);
            promised_ += bytes.size();
        }
        CONSTELA_TRY(space_->check_disk(hash_, bytes.size(), std::max<std::uint64_t>(promised, bytes.size())));
    }
    DiskFile& file = files_[place.part];
    if (auto written = file.write_at(place.offset, bytes); !written) {
        if (space_ != nullptr) { // says it with numbers, if the disk is what it is about
            CONSTELA_TRY(space_->check_disk(hash_, bytes.size(), std::max<std::uint64_t>(promised, bytes.size())));
        }
        return written;
    }
    file.begin_sync(place.offset, place.bytes); // so that the next sync() finds little left to wait for
    return file.set_modified(kModified);
}

Result<ChunkOutcome> CachedModel::write_chunk(std::size_t chunk, std::span<const std::byte> bytes)
{
    const ChunkPlace place = chunk < manifest_.chunks.size() ? manifest_.place(chunk) : ChunkPlace{};
    if (place.bytes == 0 || bytes.size() != place.bytes || hash_chunk(bytes) != manifest_.chunks[chunk]) {
        return ChunkOutcome::wrong_bytes;
    }
    if (has(chunk)) {
        return ChunkOutcome::already_there;
    }
    CONSTELA_TRY(store(place, bytes));
    std::uint64_t of_promise = 0;
    bool full = false;
    {
        const std::lock_guard lock(mutex_);
        if (marks_[chunk]) { // another thread was faster with the same bytes
            return ChunkOutcome::already_there;
        }
        marks_[chunk] = true;
        held_ += place.bytes;
        pending_.push_back(static_cast<std::uint32_t>(chunk));
        full = pending_.size() >= kPendingChunks;
        of_promise = std::min(promised_, place.bytes);
        promised_ -= of_promise;
    }
    if (space_ != nullptr) {
        space_->on_stored(hash_, place.bytes, of_promise);
    }
    if (full) {
        CONSTELA_TRY(sync());
    }
    return ChunkOutcome::stored;
}

Result<> CachedModel::sync()
{
    const std::lock_guard one_at_a_time(syncing_);
    std::vector<std::uint32_t> chunks;
    {
        const std::lock_guard lock(mutex_);
        chunks.swap(pending_);
    }
    if (chunks.empty()) {
        return {};
    }
    const auto outcome = [&]() -> Result<> {
        std::set<std::size_t> parts;
        for (const std::uint32_t chunk : chunks) {
            parts.insert(manifest_.place(chunk).part);
        }
        for (const std::size_t part : parts) {
            CONSTELA_TRY(files_[part].sync());
        }
        return journal_.append(chunks);
    }();
    if (!outcome) { // the disk did not take them after all
        const std::lock_guard lock(mutex_);
        for (const std::uint32_t chunk : chunks) {
            marks_[chunk] = false;
            held_ -= manifest_.place(chunk).bytes;
        }
    }
    return outcome;
}

Result<> CachedModel::read(std::size_t chunk, std::uint64_t offset, std::span<std::byte> bytes) const
{
    if (!has(chunk)) {
        return failure("Chunk {} of the model {} is not in the cache.", chunk, to_text(hash_));
    }
    const ChunkPlace place = manifest_.place(chunk);
    if (offset > place.bytes || bytes.size() > place.bytes - offset) {
        return failure("Chunk {} of the model {} has {} bytes; {} from byte {} were asked for.", chunk, to_text(hash_),
                       place.bytes, bytes.size(), offset);
    }
    return files_[place.part].read_at(place.offset + offset, bytes);
}

} // namespace constela::cluster
