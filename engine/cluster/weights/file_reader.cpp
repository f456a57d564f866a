// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/file_reader.h"

#include "engine/gguf/printable.h"

namespace constela::cluster {

namespace {

Result<> check(const DiskFile& file, const FileIdentity& hashed)
{
    CONSTELA_ASSIGN(const FileIdentity now, file.identity());
    if (now != hashed) {
        return failure("{}: the file was changed after its content was read.", gguf::display_path(file.path()));
    }
    return {};
}

} // namespace

Result<std::shared_ptr<const FileReader>> FileReader::open(std::span<const std::filesystem::path> paths,
                                                           std::span<const FileIdentity> identities, Manifest manifest)
{
    std::vector<Part> parts;
    for (std::size_t part = 0; part < paths.size(); ++part) {
        CONSTELA_ASSIGN(DiskFile file, DiskFile::open(paths[part]));
        CONSTELA_TRY(check(file, identities[part]));
        parts.push_back({std::move(file), identities[part]});
    }
    return std::shared_ptr<const FileReader>(new FileReader(std::move(parts), std::move(manifest)));
}

Result<> FileReader::read(std::size_t chunk, std::uint64_t offset, std::span<std::byte> bytes) const
{
    const ChunkPlace place = has(chunk) ? manifest_.place(chunk) : ChunkPlace{};
    if (offset > place.bytes || bytes.size() > place.bytes - offset) {
        return failure("Chunk {} of a model has {} bytes; {} from byte {} were asked for.", chunk, place.bytes,
                       bytes.size(), offset);
    }
    const Part& part = parts_[place.part];
    CONSTELA_TRY(check(part.file, part.identity));
    return part.file.read_at(place.offset + offset, bytes);
}

} // namespace constela::cluster
