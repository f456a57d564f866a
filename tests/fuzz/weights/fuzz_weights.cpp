// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds any bytes to whatever reads what a peer says about weights: requests, replies, manifests. What is accepted must
// be within its limits, and come out the same when it is written again.
#include "engine/cluster/weights/content_hash.h"
#include "engine/cluster/weights/transfer_protocol.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace constela::cluster; // NOLINT(google-build-using-namespace): a program of one function.

namespace {

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

void try_request(std::span<const std::byte> bytes)
{
    const auto request = parse_weight_request(bytes);
    if (!request) {
        return;
    }
    require(is_weight_request(bytes));
    require(request->length >= 1 && request->length <= kPieceBytes);
    require(request->kind != WeightKind::chunk || request->offset < kChunkBytes);
    std::array<std::byte, kWeightRequestBytes> again{};
    write_request(*request, again);
    require(std::ranges::equal(again, bytes));
}

void try_reply(std::span<const std::byte> bytes)
{
    const auto reply = parse_weight_reply(bytes);
    if (!reply) {
        return;
    }
    require(bytes.size() <= kWeightReplyHeader + kPieceBytes && reply->total <= kMostManifestBytes);
    std::vector<std::byte> again(bytes.begin(), bytes.end());
    write_reply(*reply, again);
    require(std::ranges::equal(again, bytes));
}

void try_manifest(std::span<const std::byte> bytes)
{
    const auto manifest = Manifest::parse(bytes, "fuzz");
    if (!manifest) {
        require(manifest.error().text().starts_with("fuzz: "));
        return;
    }
    require(manifest->chunks.size() == count_chunks(manifest->part_sizes).value());
    const ChunkPlace last = manifest->place(manifest->chunks.size() - 1);
    require(last.bytes >= 1 && last.bytes <= kChunkBytes && last.offset + last.bytes == manifest->part_sizes.back());
    const std::string again = manifest->encode();
    require(std::ranges::equal(std::as_bytes(std::span(again)), bytes));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    try_request(bytes);
    try_reply(bytes);
    try_manifest(bytes);
    return 0;
}
