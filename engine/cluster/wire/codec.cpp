// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/wire/codec.h"

#include "engine/cluster/wire/limits.h"
#include "engine/cluster/wire/pack.h"
#include "engine/cluster/wire/unpack.h"

#include "messages_generated.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace constela::cluster {
namespace {

/// Envelope, message, list, device, reading, and some to spare; and more tables than any message within limits has.
constexpr flatbuffers::uoffset_t kDepth = 12;
constexpr flatbuffers::uoffset_t kTables = 4096;
/// What the largest scalars ask for.
constexpr std::size_t kAlignment = 8;
/// Small messages fit without growing.
constexpr std::size_t kFirstBytes = 1024;

Result<Message> decode_aligned(std::span<const std::byte> bytes)
{
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    flatbuffers::Verifier verifier(data, bytes.size(), kDepth, kTables);
    if (!schema::VerifyEnvelopeBuffer(verifier)) {
        return failure("A message of {} bytes is damaged, or of another program.", bytes.size());
    }
    return unpack(*schema::GetEnvelope(data));
}

} // namespace

std::vector<std::byte> encode(const Message& message)
{
    flatbuffers::FlatBufferBuilder builder(kFirstBytes);
    builder.ForceDefaults(false);
    pack(builder, message);
    const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    return {data, data + builder.GetSize()};
}

Result<Message> decode(std::span<const std::byte> bytes)
{
    if (bytes.size() > limits::kMessageBytes) {
        return failure("A message has {} bytes; at most {} are allowed.", bytes.size(), limits::kMessageBytes);
    }
    // Below this there is not even an offset and an identifier, and the verifier wants bytes to look at.
    if (bytes.size() < sizeof(flatbuffers::uoffset_t) + flatbuffers::kFileIdentifierLength) {
        return failure("A message of {} bytes is damaged, or of another program.", bytes.size());
    }
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment == 0) {
        return decode_aligned(bytes);
    }
    std::vector<std::uint64_t> aligned((bytes.size() + kAlignment - 1) / kAlignment);
    const std::span<std::byte> copy = std::as_writable_bytes(std::span(aligned)).first(bytes.size());
    std::ranges::copy(bytes, copy.begin());
    return decode_aligned(copy);
}

std::string_view name_of(const Message& message)
{
    static constexpr auto kNames = std::to_array<std::string_view>(
        {"Hello", "Refusal", "Heartbeat", "HeartbeatReply", "Goodbye", "Status", "Introduction", "Withdrawal",
         "StageOrder", "StageProgress", "StageReady", "StageFailed", "StageRelease", "StageReleased", "Command",
         "CommandReply", "CommandCancel"});
    static_assert(kNames.size() == std::variant_size_v<Message>);
    return kNames.at(message.index());
}

} // namespace constela::cluster
