// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/probe_protocol.h"

#include <algorithm>
#include <array>
#include <random>

namespace constela::cluster {

namespace {

constexpr std::array kMagic{std::byte{'C'}, std::byte{'L'}, std::byte{'N'}, std::byte{'P'}};
constexpr std::byte kVersion{1};

template <class T>
void put(std::span<std::byte> frame, std::size_t offset, T value)
{
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        frame[offset + i] = static_cast<std::byte>(value >> (8 * i));
    }
}

template <class T>
T get(std::span<const std::byte> frame, std::size_t offset)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        value = static_cast<T>(value | static_cast<T>(frame[offset + i]) << (8 * i));
    }
    return value;
}

std::optional<ProbeHeader> parse_header(std::span<const std::byte> frame)
{
    if (frame.size() < kProbeHeader || !std::equal(kMagic.begin(), kMagic.end(), frame.begin()) ||
        frame[4] != kVersion || get<std::uint16_t>(frame, 6) != 0 || get<std::uint32_t>(frame, 12) != 0) {
        return std::nullopt;
    }
    const auto kind = static_cast<ProbeKind>(frame[5]);
    const auto block = get<std::uint32_t>(frame, 8);
    const bool bulk = kind == ProbeKind::pull || kind == ProbeKind::push;
    if (!(kind == ProbeKind::echo && block == kEchoBlock) &&
        !(bulk && (block == kSmallBlock || block == kLargeBlock))) {
        return std::nullopt;
    }
    return ProbeHeader{kind, block, get<std::uint64_t>(frame, 16), get<std::uint64_t>(frame, 24)};
}

} // namespace

std::size_t request_bytes(const ProbeHeader& header)
{
    return kProbeHeader + (header.kind == ProbeKind::pull ? 0 : header.block);
}

std::size_t reply_bytes(const ProbeHeader& header)
{
    return kProbeHeader + (header.kind == ProbeKind::push ? 0 : header.block);
}

void write_header(const ProbeHeader& header, std::span<std::byte> frame)
{
    std::fill_n(frame.begin(), kProbeHeader, std::byte{0});
    std::copy(kMagic.begin(), kMagic.end(), frame.begin());
    frame[4] = kVersion;
    frame[5] = static_cast<std::byte>(header.kind);
    put(frame, 8, header.block);
    put(frame, 16, header.run);
    put(frame, 24, header.number);
}

std::optional<ProbeHeader> parse_request(std::span<const std::byte> frame)
{
    const auto header = parse_header(frame);
    return header && frame.size() == request_bytes(*header) ? header : std::nullopt;
}

std::optional<ProbeHeader> parse_reply(std::span<const std::byte> frame)
{
    const auto header = parse_header(frame);
    return header && frame.size() == reply_bytes(*header) ? header : std::nullopt;
}

ProbeResponder::ProbeResponder() : reply_(kProbeHeader + kLargeBlock)
{
    fill_block(reply_);
}

std::span<const std::byte> ProbeResponder::answer(std::span<const std::byte> request)
{
    const auto header = parse_request(request);
    if (!header) {
        return {};
    }
    if (header->kind == ProbeKind::echo) {
        return request;
    }
    write_header(*header, reply_);
    return std::span(reply_).first(reply_bytes(*header));
}

void fill_block(std::span<std::byte> bytes)
{
    std::minstd_rand random(1); // the same for all: only its look counts
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random() >> 8U); });
}

} // namespace constela::cluster
