// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/chunk_journal.h"

#include "engine/cluster/weights/content_hash.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace constela::cluster {

namespace {

struct Header {
    std::array<char, 8> magic{'C', 'N', 'S', 'T', 'J', 'R', 'N', '1'};
    std::uint64_t chunks = 0;
    bool operator==(const Header&) const = default;
};

struct Record {
    std::uint32_t chunk = 0;
    std::uint32_t turned = 0;
};

static_assert(sizeof(Header) == 16 && sizeof(Record) == 8);

/// Records that are read; a journal of a sane model has as many as the model has chunks.
constexpr std::uint64_t kMostRecords = 4 * std::uint64_t{kMostChunks};

Result<bool> has_header(const DiskFile& file, std::uint64_t bytes, const Header& expected)
{
    if (bytes < sizeof(Header)) {
        return false;
    }
    Header found;
    CONSTELA_TRY(file.read_at(0, std::as_writable_bytes(std::span(&found, 1))));
    return found == expected;
}

} // namespace

Result<ChunkJournal> ChunkJournal::open(const std::filesystem::path& path, std::size_t chunks)
{
    Header header;
    header.chunks = chunks;
    CONSTELA_ASSIGN(DiskFile file, DiskFile::open_for_writing(path));
    CONSTELA_ASSIGN(const FileIdentity identity, file.identity());
    std::vector<bool> marks(chunks, false);
    CONSTELA_ASSIGN(const bool known, has_header(file, identity.bytes, header));
    if (!known) {
        CONSTELA_TRY(file.resize(0));
        CONSTELA_TRY(file.write_at(0, std::as_bytes(std::span(&header, 1))));
        CONSTELA_TRY(file.sync());
        return ChunkJournal(std::move(file), std::move(marks), sizeof(Header));
    }
    const std::uint64_t count = std::min((identity.bytes - sizeof(Header)) / sizeof(Record), kMostRecords);
    std::vector<Record> records(static_cast<std::size_t>(count));
    CONSTELA_TRY(file.read_at(sizeof(Header), std::as_writable_bytes(std::span(records))));
    std::uint64_t end = sizeof(Header);
    for (const Record& record : records) {
        if (record.turned != ~record.chunk || record.chunk >= chunks) {
            break;
        }
        marks[record.chunk] = true;
        end += sizeof(Record);
    }
    if (end < identity.bytes) {
        CONSTELA_TRY(file.resize(end));
    }
    return ChunkJournal(std::move(file), std::move(marks), end);
}

Result<> ChunkJournal::append(std::span<const std::uint32_t> chunks)
{
    std::vector<Record> records;
    records.reserve(chunks.size());
    for (const std::uint32_t chunk : chunks) {
        records.push_back({chunk, ~chunk});
    }
    auto written = file_.write_at(end_, std::as_bytes(std::span(std::as_const(records))));
    if (written) {
        written = file_.sync();
    }
    if (!written) {
        if (auto undone = file_.resize(end_); !undone) {
            return undone;
        }
        return written;
    }
    end_ += records.size() * sizeof(Record);
    return {};
}

} // namespace constela::cluster
