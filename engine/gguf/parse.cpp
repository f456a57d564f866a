// SPDX-License-Identifier: GPL-3.0-or-later
//
// One file, top to bottom: header, metadata, tensor infos, padding, data.
#include "engine/gguf/gguf.h"
#include "engine/gguf/printable.h"
#include "engine/gguf/reader.h"
#include "engine/gguf/tensor_table.h"
#include "engine/gguf/values.h"

#include <bit>
#include <fmt/format.h>

namespace constela::gguf {

namespace {

constexpr std::string_view kMagic = "GGUF";
constexpr std::uint32_t kDefaultAlignment = 32;
constexpr std::uint32_t kLeastAlignment = 8;
constexpr std::uint32_t kMostAlignment = std::uint32_t{1} << 20U;

Result<void> check_magic(Reader& reader, std::span<const std::byte> bytes)
{
    if (bytes.empty()) {
        return failure("{}: the file is empty; a GGUF file was expected.", reader.file());
    }
    std::string start;
    for (const std::byte byte : bytes.first(std::min(bytes.size(), kMagic.size()))) {
        start += static_cast<char>(byte);
    }
    if (start != kMagic) {
        return failure(R"({}: this is not a GGUF file: it begins with "{}", where "{}" was expected.)", reader.file(),
                       printable(start), kMagic);
    }
    CONSTELA_TRY(reader.number<std::uint32_t>({"magic"}));
    return {};
}

Result<std::uint32_t> read_version(Reader& reader)
{
    CONSTELA_ASSIGN(const auto version, reader.number<std::uint32_t>({"version"}));
    // Read with the wrong byte order, a small number has its bits at the top.
    if ((version & 0xFFFFU) == 0 && version != 0) {
        return failure("{}: this is a big-endian GGUF file (version is {}); a little-endian one was expected.",
                       reader.file(), fmt::format("{:#010x}", version));
    }
    if (version != 2 && version != 3) {
        return failure("{}: version is {}; 2 or 3 was expected. Convert the model again with a current tool.",
                       reader.file(), version);
    }
    return version;
}

Result<std::uint64_t> read_alignment(const Metadata& metadata)
{
    CONSTELA_ASSIGN(const auto alignment, metadata.get_or<std::uint32_t>("general.alignment", kDefaultAlignment));
    if (!std::has_single_bit(alignment) || alignment < kLeastAlignment || alignment > kMostAlignment) {
        return failure("{}: general.alignment is {}; a power of two from {} to {} was expected.", metadata.file_name(),
                       alignment, kLeastAlignment, kMostAlignment);
    }
    return alignment;
}

/// Refuses what stands behind the end of the last tensor and its padding.
Result<void> check_end(const ParsedPart& part, std::uint64_t header_end, std::uint64_t alignment,
                       std::uint64_t file_bytes)
{
    std::uint64_t end = header_end;
    for (const TensorInfo& tensor : part.tensors) {
        end = std::max(end, tensor.offset + tensor.bytes);
    }
    if (const std::uint64_t padded = align_up(end, alignment); file_bytes > padded) {
        return failure("{}: {} bytes stand behind the end of the model at byte {}; nothing was expected there. "
                       "Were two files joined?",
                       part.metadata.file_name(), file_bytes - padded, padded);
    }
    return {};
}

} // namespace

Result<ParsedPart> parse(std::span<const std::byte> bytes, std::string_view file_name)
{
    const std::string file(file_name);
    Reader reader(bytes, file);
    ParsedPart part;
    CONSTELA_TRY(check_magic(reader, bytes));
    CONSTELA_ASSIGN(part.version, read_version(reader));
    CONSTELA_ASSIGN(const auto tensor_count, reader.number<std::uint64_t>({"tensor_count"}));
    CONSTELA_ASSIGN(const auto key_count, reader.number<std::uint64_t>({"metadata_kv_count"}));
    CONSTELA_ASSIGN(auto values, read_values(reader, key_count));
    part.metadata = Metadata(file, std::move(values));
    CONSTELA_ASSIGN(const std::uint64_t alignment, read_alignment(part.metadata));
    CONSTELA_ASSIGN(part.tensors, read_tensors(reader, tensor_count));

    const std::uint64_t header_end = reader.position();
    part.data_offset = align_up(header_end, alignment);
    CONSTELA_TRY(place_tensors(part.tensors, file, part.data_offset, alignment, bytes.size()));
    CONSTELA_TRY(check_end(part, header_end, alignment, bytes.size()));
    return part;
}

} // namespace constela::gguf
