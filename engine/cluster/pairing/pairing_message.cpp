// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pairing/pairing_message.h"
#include "engine/cluster/identity/node_name.h"

#include <algorithm>

namespace constela::cluster {
namespace {

constexpr std::array kMagic{std::byte{'C'}, std::byte{'S'}, std::byte{'T'}, std::byte{'P'}};
constexpr std::size_t kVersionAt = 4;
constexpr std::size_t kKindAt = 6;
constexpr std::size_t kReasonAt = 7;
constexpr std::size_t kValueAt = 8;
constexpr std::size_t kNonceAt = 40;
constexpr std::size_t kPortAt = 72;
constexpr std::size_t kNameLengthAt = 74;
constexpr std::size_t kNameAt = 75;
static_assert(kNameAt + kMaxNameBytes <= kPairingBytes);

std::uint16_t number(std::span<const std::byte> bytes, std::size_t at)
{
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[at]) | std::to_integer<unsigned>(bytes[at + 1])
                                                                                 << 8U);
}

void put_number(PairingBytes& bytes, std::size_t at, std::uint16_t value)
{
    bytes[at] = static_cast<std::byte>(value & 0xFFU);
    bytes[at + 1] = static_cast<std::byte>(value >> 8U);
}

bool introduces(PairingKind kind)
{
    return kind == PairingKind::reply || kind == PairingKind::open;
}

bool fits_its_kind(const PairingMessage& message)
{
    const bool refuses = message.kind == PairingKind::refusal;
    return refuses == (message.reason != PairingReason::none) && introduces(message.kind) == !message.name.empty() &&
           (!introduces(message.kind) || (is_node_name(message.name) && message.control_port != 0)) &&
           (!refuses || message.value == Hash{});
}

} // namespace

PairingBytes encode(const PairingMessage& message)
{
    PairingBytes bytes{};
    std::copy(kMagic.begin(), kMagic.end(), bytes.begin());
    put_number(bytes, kVersionAt, kPairingVersion);
    bytes[kKindAt] = static_cast<std::byte>(message.kind);
    bytes[kReasonAt] = static_cast<std::byte>(message.reason);
    std::copy(message.value.begin(), message.value.end(), bytes.begin() + kValueAt);
    if (introduces(message.kind)) {
        std::copy(message.nonce.begin(), message.nonce.end(), bytes.begin() + kNonceAt);
        put_number(bytes, kPortAt, message.control_port);
        const auto name = std::as_bytes(std::span(message.name)).first(std::min(message.name.size(), kMaxNameBytes));
        bytes[kNameLengthAt] = static_cast<std::byte>(name.size());
        std::copy(name.begin(), name.end(), bytes.begin() + kNameAt);
    }
    return bytes;
}

PairingBytes refusal(PairingReason reason)
{
    PairingMessage message;
    message.reason = reason;
    return encode(message);
}

bool begins_own_version(std::span<const std::byte> bytes)
{
    return bytes.size() >= kPairingHeaderBytes && std::equal(kMagic.begin(), kMagic.end(), bytes.begin()) &&
           number(bytes, kVersionAt) == kPairingVersion;
}

std::variant<PairingMessage, OtherPairingVersion, MalformedPairing> parse_pairing(std::span<const std::byte> bytes)
{
    if (bytes.size() < kPairingHeaderBytes || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
        return MalformedPairing{};
    }
    const auto kind = static_cast<PairingKind>(bytes[kKindAt]);
    if (const std::uint16_t version = number(bytes, kVersionAt); version != kPairingVersion) {
        return OtherPairingVersion{version, kind == PairingKind::refusal};
    }
    if (bytes.size() != kPairingBytes || kind < PairingKind::commit || kind > PairingKind::refusal ||
        static_cast<PairingReason>(bytes[kReasonAt]) > PairingReason::too_late) {
        return MalformedPairing{};
    }
    const std::size_t name_bytes = std::to_integer<std::size_t>(bytes[kNameLengthAt]);
    if (name_bytes > kMaxNameBytes) {
        return MalformedPairing{};
    }
    PairingMessage message;
    message.kind = kind;
    message.reason = static_cast<PairingReason>(bytes[kReasonAt]);
    std::copy_n(bytes.begin() + kValueAt, message.value.size(), message.value.begin());
    std::copy_n(bytes.begin() + kNonceAt, message.nonce.size(), message.nonce.begin());
    message.control_port = number(bytes, kPortAt);
    message.name.assign(reinterpret_cast<const char*>(bytes.data()) + kNameAt, name_bytes);
    // Written again, it must be the same: whatever a kind has no use for is zero.
    const PairingBytes again = encode(message);
    if (!fits_its_kind(message) || !std::equal(bytes.begin(), bytes.end(), again.begin())) {
        return MalformedPairing{};
    }
    return message;
}

} // namespace constela::cluster
