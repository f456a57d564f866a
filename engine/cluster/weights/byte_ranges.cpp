// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/byte_ranges.h"

#include <algorithm>
#include <charconv>

namespace constela::cluster {

namespace {

/// The block that a tensor belongs to; none when it belongs to no single one.
std::optional<std::uint64_t> block_of(std::string_view name)
{
    constexpr std::string_view kBlock = "blk.";
    std::uint64_t block = 0;
    if (!name.starts_with(kBlock)) {
        return std::nullopt;
    }
    const char* end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + kBlock.size(), end, block);
    return error == std::errc() && rest != end && *rest == '.' ? std::optional(block) : std::nullopt;
}

bool is_tied(const gguf::File& file)
{
    return file.find("output.weight") == nullptr;
}

} // namespace

std::uint64_t shard_count(const gguf::File& file)
{
    std::uint64_t blocks = 0;
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        if (const auto block = block_of(tensor.name); block && *block < file.tensors().size()) {
            blocks = std::max(blocks, *block + 1);
        }
    }
    return blocks + 2;
}

bool needs_tensor(std::string_view name, ShardRun run, std::uint64_t shards, bool tied)
{
    if (const auto block = block_of(name)) {
        return run.holds(*block + 1);
    }
    const std::uint64_t head = shards - 1;
    if (name.starts_with("token_embd")) {
        return run.holds(0) || (tied && run.holds(head));
    }
    if (name.starts_with("output")) {
        return run.holds(head);
    }
    return true; // factors of positions and the like: small, and read by whoever has a block
}

Result<std::vector<ByteRange>> ranges_of_shards(const gguf::File& file, ShardRun run)
{
    const std::uint64_t shards = shard_count(file);
    if (run.count == 0 || run.first >= shards || run.count > shards - run.first) {
        return failure("{}: shards {} to {} were asked for; the model has {} of them, numbered from 0.",
                       file.metadata().file_name(), run.first,
                       static_cast<std::uint64_t>(run.first) + run.count - (run.count == 0 ? 0 : 1), shards);
    }
    const bool tied = is_tied(file);
    std::vector<ByteRange> ranges;
    std::vector<std::uint64_t> headers(file.paths().size(), UINT64_MAX);
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        headers[tensor.part] = std::min(headers[tensor.part], tensor.offset);
        if (needs_tensor(tensor.name, run, shards, tied)) {
            ranges.push_back({tensor.part, tensor.offset, tensor.bytes});
        }
    }
    for (std::size_t part = 0; part < headers.size(); ++part) {
        ranges.push_back({part, 0, headers[part]}); // a part without tensors is all header
    }
    std::ranges::sort(ranges);
    return ranges;
}

std::vector<ByteRange> whole_ranges(const Manifest& manifest)
{
    std::vector<ByteRange> ranges;
    for (std::size_t part = 0; part < manifest.part_sizes.size(); ++part) {
        ranges.push_back({part, 0, manifest.part_sizes[part]});
    }
    return ranges;
}

std::vector<std::uint32_t> chunks_of(const Manifest& manifest, std::span<const ByteRange> ranges)
{
    std::vector<std::uint32_t> chunks;
    for (const ByteRange& range : ranges) {
        if (range.part >= manifest.part_sizes.size() || range.bytes == 0 ||
            range.offset >= manifest.part_sizes[range.part]) {
            continue;
        }
        const std::uint64_t bytes = std::min(range.bytes, manifest.part_sizes[range.part] - range.offset);
        const std::uint64_t base = manifest.first_chunk(range.part);
        const std::uint64_t last = base + (range.offset + bytes - 1) / kChunkBytes;
        for (std::uint64_t chunk = base + range.offset / kChunkBytes; chunk <= last; ++chunk) {
            chunks.push_back(static_cast<std::uint32_t>(chunk));
        }
    }
    std::ranges::sort(chunks);
    chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
    return chunks;
}

} // namespace constela::cluster
