// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/probe_protocol.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace constela::cluster {
namespace {

constexpr ProbeHeader kEcho{ProbeKind::echo, kEchoBlock, 0x1122334455667788U, 9};
constexpr ProbeHeader kPull{ProbeKind::pull, kLargeBlock, 1, 2};
constexpr ProbeHeader kPush{ProbeKind::push, kSmallBlock, 3, 0xffffffffffffffffU};

std::vector<std::byte> request(const ProbeHeader& header)
{
    std::vector<std::byte> frame(request_bytes(header));
    fill_block(frame);
    write_header(header, frame);
    return frame;
}

TEST(ProbeProtocol, ReadsBackWhatItWrote)
{
    for (const ProbeHeader& header : {kEcho, kPull, kPush}) {
        EXPECT_EQ(parse_request(request(header)), header);
    }
}

TEST(ProbeProtocol, AnswersEachKind)
{
    ProbeResponder responder;
    const auto echo = request(kEcho);
    EXPECT_TRUE(std::ranges::equal(responder.answer(echo), echo));
    const auto pulled = responder.answer(request(kPull));
    EXPECT_EQ(pulled.size(), kProbeHeader + kLargeBlock);
    EXPECT_EQ(parse_reply(pulled), kPull);
    const auto pushed = responder.answer(request(kPush));
    EXPECT_EQ(pushed.size(), kProbeHeader);
    EXPECT_EQ(parse_reply(pushed), kPush);
}

TEST(ProbeProtocol, RefusesEveryOtherSize)
{
    ProbeResponder responder;
    for (const ProbeHeader& header : {kEcho, kPull, kPush}) {
        std::vector<std::byte> frame = request(header);
        frame.push_back(std::byte{0});
        EXPECT_TRUE(responder.answer(frame).empty());
        frame.resize(frame.size() - 2);
        EXPECT_TRUE(responder.answer(frame).empty());
        frame.resize(kProbeHeader - 1);
        EXPECT_TRUE(responder.answer(frame).empty());
    }
    EXPECT_TRUE(responder.answer({}).empty());
    EXPECT_FALSE(parse_reply(request(kPull))) << "a request for a block is no reply with one";
}

TEST(ProbeProtocol, RefusesEveryOtherHeader)
{
    // All but run and number (from 16 on) is fixed; of the kind and the block few values are right.
    for (const ProbeHeader& header : {kEcho, kPull, kPush}) {
        for (std::size_t place = 0; place < 16; ++place) {
            for (int bit = 0; bit < 8; ++bit) {
                std::vector<std::byte> frame = request(header);
                frame[place] ^= static_cast<std::byte>(1U << bit);
                EXPECT_FALSE(parse_request(frame)) << "byte " << place << ", bit " << bit;
            }
        }
    }
}

TEST(ProbeProtocol, TakesNoHarmFromAnyBytes)
{
    std::mt19937 random(1);
    ProbeResponder responder;
    for (int i = 0; i < 20000; ++i) {
        std::vector<std::byte> frame = request(i % 2 == 0 ? kPull : kEcho);
        frame.resize(random() % 64);
        for (int change = 0; change < 3 && !frame.empty(); ++change) {
            frame[random() % frame.size()] = static_cast<std::byte>(random());
        }
        EXPECT_LE(responder.answer(frame).size(), kProbeHeader + kLargeBlock);
    }
}

} // namespace
} // namespace constela::cluster
