// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/content_hash.h"

#include "engine/cluster/weights/disk.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <sodium.h>
#include <thread>

namespace constela::cluster {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are hashed and written as they lie in memory");

constexpr std::string_view kChunkPersonal = "constela chunk 1";
constexpr std::string_view kRootPersonal = "constela model 1";
static_assert(kChunkPersonal.size() == crypto_generichash_blake2b_PERSONALBYTES &&
              kRootPersonal.size() == crypto_generichash_blake2b_PERSONALBYTES);

constexpr std::string_view kMagic = "CNSTMAN1";
/// No file is larger on any system that we know; sums of kMostParts of them do not overflow.
constexpr std::uint64_t kMostPartBytes = kMostChunks * kChunkBytes;

const unsigned char* bytes_of(const void* bytes)
{
    return static_cast<const unsigned char*>(bytes);
}

/// BLAKE2b-256 of what is added, for one purpose.
class Blake2b {
public:
    explicit Blake2b(std::string_view personal)
    {
        crypto_generichash_blake2b_init_salt_personal(&state_, nullptr, 0, sizeof(ChunkHash), nullptr,
                                                      bytes_of(personal.data()));
    }
    void add(const void* bytes, std::size_t size) { crypto_generichash_blake2b_update(&state_, bytes_of(bytes), size); }
    void add(std::uint64_t number) { add(&number, sizeof number); }
    [[nodiscard]] ChunkHash finish()
    {
        ChunkHash hash{};
        crypto_generichash_blake2b_final(&state_, reinterpret_cast<unsigned char*>(hash.data()), hash.size());
        return hash;
    }

private:
    crypto_generichash_blake2b_state state_{};
};

std::uint64_t chunks_in(std::uint64_t part_bytes)
{
    return (part_bytes + kChunkBytes - 1) / kChunkBytes;
}

struct Part {
    DiskFile file;
    FileIdentity identity;
};

Result<std::vector<Part>> open_parts(std::span<const fs::path> paths)
{
    std::vector<Part> parts;
    for (const fs::path& path : paths) {
        CONSTELA_ASSIGN(DiskFile file, DiskFile::open(path));
        CONSTELA_ASSIGN(const FileIdentity identity, file.identity());
        if (identity.bytes == 0) {
            return failure("{}: the file is empty; a GGUF file was expected.", gguf::display_path(path));
        }
        parts.push_back({std::move(file), identity});
    }
    return parts;
}

/// Several threads that take one chunk after the other.
class HashRun {
public:
    HashRun(const std::vector<Part>& parts, const Hashing& hashing, Manifest& manifest)
        : parts_(parts), hashing_(hashing), manifest_(manifest), total_(manifest.total_bytes())
    {
    }

    Result<> run()
    {
        const std::size_t useful = std::max<std::size_t>(1, std::min<std::size_t>(hashing_.threads, 64));
        {
            std::vector<std::jthread> others;
            for (std::size_t i = 1; i < std::min(useful, manifest_.chunks.size()); ++i) {
                others.emplace_back([this] { work(); });
            }
            work();
        }
        if (error_) {
            return tl::unexpected<Error>(*std::move(error_));
        }
        return {};
    }

private:
    void work()
    {
        std::vector<std::byte> buffer(kChunkBytes);
        while (!stop_) {
            const std::size_t chunk = next_.fetch_add(1);
            if (chunk >= manifest_.chunks.size()) {
                return;
            }
            if (hashing_.cancelled && hashing_.cancelled()) {
                fail(failure("The model's content is no longer being read, as was asked.").value());
                return;
            }
            const ChunkPlace place = manifest_.place(chunk);
            const std::span<std::byte> bytes(buffer.data(), static_cast<std::size_t>(place.bytes));
            if (auto read = parts_[place.part].file.read_at(place.offset, bytes); !read) {
                fail(std::move(read).error());
                return;
            }
            manifest_.chunks[chunk] = hash_chunk(bytes);
            report(place.bytes);
        }
    }
    void report(std::uint64_t bytes)
    {
        const std::lock_guard lock(mutex_);
        done_ += bytes;
        if (hashing_.on_progress) {
            hashing_.on_progress(done_, total_);
        }
    }
    void fail(Error error)
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        if (!error_) {
            error_ = std::move(error);
        }
    }

    const std::vector<Part>& parts_;
    const Hashing& hashing_;
    Manifest& manifest_;
    std::uint64_t total_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> stop_{false};
    std::mutex mutex_; ///< Guards what follows.
    std::uint64_t done_ = 0;
    std::optional<Error> error_;
};

} // namespace

ChunkHash hash_chunk(std::span<const std::byte> bytes)
{
    Blake2b hasher(kChunkPersonal);
    hasher.add(bytes.data(), bytes.size());
    return hasher.finish();
}

std::string to_text(const ContentHash& hash)
{
    std::array<char, 2 * sizeof(ContentHash) + 1> text{};
    sodium_bin2hex(text.data(), text.size(), bytes_of(hash.bytes.data()), hash.bytes.size());
    return text.data();
}

std::optional<ContentHash> content_hash_from_text(std::string_view text)
{
    ContentHash hash;
    std::size_t size = 0;
    const bool lower = std::ranges::all_of(
        text, [](char digit) { return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'); });
    if (!lower || text.size() != 2 * hash.bytes.size() ||
        sodium_hex2bin(reinterpret_cast<unsigned char*>(hash.bytes.data()), hash.bytes.size(), text.data(), text.size(),
                       nullptr, &size, nullptr) != 0) {
        return std::nullopt;
    }
    return hash;
}

ContentHash Manifest::root() const
{
    Blake2b hasher(kRootPersonal);
    hasher.add(kChunkBytes);
    hasher.add(part_sizes.size());
    for (const std::uint64_t size : part_sizes) {
        hasher.add(size);
    }
    hasher.add(chunks.data(), chunks.size() * sizeof(ChunkHash));
    return {hasher.finish()};
}

std::uint64_t Manifest::total_bytes() const
{
    std::uint64_t total = 0;
    for (const std::uint64_t size : part_sizes) {
        total += size;
    }
    return total;
}

std::size_t Manifest::first_chunk(std::size_t part) const
{
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < part; ++i) {
        first += chunks_in(part_sizes[i]);
    }
    return static_cast<std::size_t>(first);
}

ChunkPlace Manifest::place(std::size_t chunk) const
{
    std::uint64_t in_part = chunk;
    for (std::size_t part = 0; part < part_sizes.size(); ++part) {
        const std::uint64_t here = chunks_in(part_sizes[part]);
        if (in_part < here) {
            const std::uint64_t offset = in_part * kChunkBytes;
            return {part, offset, std::min(kChunkBytes, part_sizes[part] - offset)};
        }
        in_part -= here;
    }
    return {};
}

std::optional<std::size_t> count_chunks(std::span<const std::uint64_t> part_sizes)
{
    if (part_sizes.empty() || part_sizes.size() > kMostParts) {
        return std::nullopt;
    }
    std::uint64_t count = 0;
    for (const std::uint64_t size : part_sizes) {
        if (size == 0 || size > kMostPartBytes) {
            return std::nullopt;
        }
        count += chunks_in(size);
    }
    return count <= kMostChunks ? std::optional(static_cast<std::size_t>(count)) : std::nullopt;
}

std::string Manifest::encode() const
{
    std::string bytes(kMagic);
    const auto put = [&bytes](const void* from, std::size_t size) {
        bytes.append(static_cast<const char*>(from), size);
    };
    const std::uint64_t parts = part_sizes.size();
    put(&parts, sizeof parts);
    put(part_sizes.data(), part_sizes.size() * sizeof(std::uint64_t));
    put(chunks.data(), chunks.size() * sizeof(ChunkHash));
    return bytes;
}

Result<Manifest> Manifest::parse(std::span<const std::byte> bytes, std::string_view source)
{
    constexpr std::size_t kHeader = 16;
    if (bytes.size() < kHeader || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
        return failure("{}: this is no list of a model's chunks that this version of Constela understands.", source);
    }
    std::uint64_t parts = 0;
    std::memcpy(&parts, bytes.data() + kMagic.size(), sizeof parts);
    bytes = bytes.subspan(kHeader);
    if (parts == 0 || parts > kMostParts || bytes.size() / sizeof(std::uint64_t) < parts) {
        return failure("{}: the list of a model's chunks speaks of {} files; 1 to {} with their sizes were expected.",
                       source, parts, kMostParts);
    }
    Manifest manifest;
    manifest.part_sizes.resize(static_cast<std::size_t>(parts));
    const std::size_t sizes = manifest.part_sizes.size() * sizeof(std::uint64_t);
    std::memcpy(manifest.part_sizes.data(), bytes.data(), sizes);
    bytes = bytes.subspan(sizes);
    const auto chunks = count_chunks(manifest.part_sizes);
    if (!chunks || bytes.size() != *chunks * sizeof(ChunkHash)) {
        return failure("{}: the list of a model's chunks does not fit the sizes of its files.", source);
    }
    manifest.chunks.resize(*chunks);
    std::memcpy(manifest.chunks.data(), bytes.data(), bytes.size());
    return manifest;
}

Result<Manifest> hash_files(std::span<const fs::path> paths, const Hashing& hashing)
{
    if (sodium_init() < 0) { // chooses the fastest BLAKE2b of this processor
        return failure("The cryptographic library libsodium cannot be used on this system.");
    }
    CONSTELA_ASSIGN(const std::vector<Part> parts, open_parts(paths));
    Manifest manifest;
    for (const Part& part : parts) {
        manifest.part_sizes.push_back(part.identity.bytes);
    }
    const auto chunks = count_chunks(manifest.part_sizes);
    if (!chunks) {
        return failure("{}: the model is too large; at most {} in at most {} files can be named by their content.",
                       paths.empty() ? std::string("?") : gguf::display_path(paths.front()), size_text(kMostPartBytes),
                       kMostParts);
    }
    manifest.chunks.resize(*chunks);
    CONSTELA_TRY(HashRun(parts, hashing, manifest).run());
    for (const Part& part : parts) {
        CONSTELA_ASSIGN(const FileIdentity now, part.file.identity());
        if (now != part.identity) {
            return failure("{}: the file was written to while it was read; try again when it is complete.",
                           gguf::display_path(part.file.path()));
        }
    }
    return manifest;
}

} // namespace constela::cluster
