// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/transfer_protocol.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace constela::cluster {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are sent as they lie in memory");

constexpr std::string_view kRequestMagic = "CLWQ";
constexpr std::string_view kReplyMagic = "CLWR";
constexpr std::byte kVersion{1};

template <class T>
T number_at(std::span<const std::byte> frame, std::size_t at)
{
    T value;
    std::memcpy(&value, frame.data() + at, sizeof value);
    return value;
}

template <class T>
void put(std::span<std::byte> frame, std::size_t at, const T& value)
{
    std::memcpy(frame.data() + at, &value, sizeof value);
}

bool begins_with(std::span<const std::byte> frame, std::string_view magic)
{
    return frame.size() >= magic.size() && std::memcmp(frame.data(), magic.data(), magic.size()) == 0;
}

bool zero(std::span<const std::byte> bytes)
{
    return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

std::optional<WeightKind> kind_at(std::span<const std::byte> frame)
{
    const auto kind = static_cast<WeightKind>(frame[5]);
    return kind >= WeightKind::manifest && kind <= WeightKind::held ? std::optional(kind) : std::nullopt;
}

struct Limits {
    std::uint64_t bytes; ///< An offset lies below.
    std::uint64_t total; ///< At most this.
};

Limits limits_of(WeightKind kind)
{
    switch (kind) {
    case WeightKind::manifest: return {kMostManifestBytes, kMostManifestBytes};
    case WeightKind::chunk: return {kChunkBytes, 0};
    case WeightKind::held: return {1, kMostChunks};
    }
    return {0, 0};
}

} // namespace

bool is_weight_request(std::span<const std::byte> frame)
{
    return begins_with(frame, kRequestMagic);
}

void write_request(const WeightRequest& request, std::span<std::byte> frame)
{
    std::ranges::fill(frame, std::byte{0});
    std::memcpy(frame.data(), kRequestMagic.data(), kRequestMagic.size());
    frame[4] = kVersion;
    put(frame, 5, request.kind);
    put(frame, 8, request.number);
    put(frame, 16, request.offset);
    put(frame, 24, request.chunk);
    put(frame, 28, request.length);
    put(frame, 32, request.model.bytes);
}

void write_reply(const WeightReply& reply, std::span<std::byte> frame)
{
    const std::span<std::byte> header = frame.first(kWeightReplyHeader);
    std::ranges::fill(header, std::byte{0});
    std::memcpy(header.data(), kReplyMagic.data(), kReplyMagic.size());
    header[4] = kVersion;
    put(header, 5, reply.kind);
    header[6] = std::byte{reply.here};
    put(header, 8, reply.number);
    put(header, 16, reply.total);
}

std::optional<WeightRequest> parse_weight_request(std::span<const std::byte> frame)
{
    if (frame.size() != kWeightRequestBytes || !begins_with(frame, kRequestMagic) || frame[4] != kVersion ||
        !zero(frame.subspan(6, 2))) {
        return std::nullopt;
    }
    const auto kind = kind_at(frame);
    if (!kind) {
        return std::nullopt;
    }
    WeightRequest request;
    request.kind = *kind;
    request.number = number_at<std::uint64_t>(frame, 8);
    request.offset = number_at<std::uint64_t>(frame, 16);
    request.chunk = number_at<std::uint32_t>(frame, 24);
    request.length = number_at<std::uint32_t>(frame, 28);
    std::memcpy(request.model.bytes.data(), frame.data() + 32, request.model.bytes.size());
    const std::uint64_t most = limits_of(*kind).bytes;
    const bool in_bounds = request.length >= 1 && request.length <= kPieceBytes && request.offset < most;
    if (!in_bounds || (*kind != WeightKind::chunk && request.chunk != 0)) {
        return std::nullopt;
    }
    return request;
}

std::optional<WeightReply> parse_weight_reply(std::span<const std::byte> frame)
{
    if (frame.size() < kWeightReplyHeader || !begins_with(frame, kReplyMagic) || frame[4] != kVersion ||
        frame[6] > std::byte{1} || frame[7] != std::byte{0} || !zero(frame.subspan(24, 8))) {
        return std::nullopt;
    }
    const auto kind = kind_at(frame);
    if (!kind) {
        return std::nullopt;
    }
    WeightReply reply;
    reply.kind = *kind;
    reply.here = frame[6] == std::byte{1};
    reply.number = number_at<std::uint64_t>(frame, 8);
    reply.total = number_at<std::uint64_t>(frame, 16);
    const std::size_t piece = frame.size() - kWeightReplyHeader;
    const std::uint64_t most_total = reply.here ? limits_of(*kind).total : 0;
    if (reply.here != (piece > 0) || piece > kPieceBytes || reply.total > most_total) {
        return std::nullopt;
    }
    return reply;
}

} // namespace constela::cluster
