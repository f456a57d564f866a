// SPDX-License-Identifier: GPL-3.0-or-later
//
// Requests and replies: what is written is read again, and nothing else is taken.
#include "engine/cluster/weights/transfer_protocol.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace constela::cluster {
namespace {

WeightRequest sample()
{
    WeightRequest request;
    request.number = 0x1122334455667788;
    request.offset = 3 * kPieceBytes;
    request.chunk = 77;
    request.length = kPieceBytes;
    request.model.bytes.fill(std::byte{0xAA});
    return request;
}

std::array<std::byte, kWeightRequestBytes> written(const WeightRequest& request)
{
    std::array<std::byte, kWeightRequestBytes> frame{};
    write_request(request, frame);
    return frame;
}

std::vector<std::byte> written(const WeightReply& reply, std::size_t piece)
{
    std::vector<std::byte> frame(kWeightReplyHeader + piece);
    write_reply(reply, frame);
    return frame;
}

TEST(WeightRequests, AreReadAsTheyWereWritten)
{
    WeightRequest request = sample();
    EXPECT_EQ(parse_weight_request(written(request)), request);
    EXPECT_TRUE(is_weight_request(written(request)));
    request.kind = WeightKind::manifest;
    request.chunk = 0;
    request.length = 1;
    EXPECT_EQ(parse_weight_request(written(request)), request);
    request.kind = WeightKind::held;
    request.offset = 0;
    EXPECT_EQ(parse_weight_request(written(request)), request);
}

TEST(WeightRequests, BeyondTheLimitsAreRefused)
{
    const auto refused = [](auto change) {
        WeightRequest request = sample();
        change(request);
        return !parse_weight_request(written(request));
    };
    EXPECT_FALSE(refused([](WeightRequest&) {}));
    EXPECT_TRUE(refused([](WeightRequest& request) { request.length = 0; }));
    EXPECT_TRUE(refused([](WeightRequest& request) { request.length = kPieceBytes + 1; }));
    EXPECT_TRUE(refused([](WeightRequest& request) { request.offset = kChunkBytes; }));
    EXPECT_TRUE(refused([](WeightRequest& request) { request.kind = WeightKind::manifest; })) << "has no chunk";
    EXPECT_TRUE(refused([](WeightRequest& request) { request.kind = WeightKind{4}; }));
    EXPECT_TRUE(refused([](WeightRequest& request) { request.kind = WeightKind{0}; }));
    EXPECT_TRUE(refused([](WeightRequest& request) {
        request.kind = WeightKind::held;
        request.chunk = 0;
    })) << "has no offset";
}

TEST(WeightRequests, OfAnotherFormAreRefused)
{
    const auto good = written(sample());
    for (const std::size_t at : {0U, 1U, 2U, 3U, 4U, 6U, 7U}) {
        auto frame = good;
        frame[at] ^= std::byte{0x10};
        EXPECT_FALSE(parse_weight_request(frame)) << "byte " << at;
    }
    EXPECT_FALSE(parse_weight_request(std::span(good).first(good.size() - 1)));
    EXPECT_FALSE(parse_weight_request({}));
    std::vector<std::byte> longer(good.begin(), good.end());
    longer.emplace_back();
    EXPECT_FALSE(parse_weight_request(longer));
    EXPECT_FALSE(is_weight_request(std::span(good).first(3)));
}

TEST(WeightReplies, AreReadAsTheyWereWritten)
{
    const WeightReply piece{WeightKind::chunk, true, 5, 0};
    EXPECT_EQ(parse_weight_reply(written(piece, kPieceBytes)), piece);
    const WeightReply manifest{WeightKind::manifest, true, 6, kMostManifestBytes};
    EXPECT_EQ(parse_weight_reply(written(manifest, 1)), manifest);
    const WeightReply held{WeightKind::held, true, 8, kMostChunks};
    EXPECT_EQ(parse_weight_reply(written(held, kMostChunks / 8)), held);
    const WeightReply missing{WeightKind::chunk, false, 7, 0};
    EXPECT_EQ(parse_weight_reply(written(missing, 0)), missing);
}

TEST(WeightReplies, OfAnotherFormAreRefused)
{
    const WeightReply good{WeightKind::chunk, true, 5, 0};
    EXPECT_FALSE(parse_weight_reply(written(good, 0))) << "bytes that do not follow";
    EXPECT_FALSE(parse_weight_reply(written(good, kPieceBytes + 1)));
    EXPECT_FALSE(parse_weight_reply(written({WeightKind::chunk, false, 5, 0}, 1))) << "bytes of nothing";
    EXPECT_FALSE(parse_weight_reply(written({WeightKind::chunk, true, 5, 1}, 1)));
    EXPECT_FALSE(parse_weight_reply(written({WeightKind::manifest, true, 5, kMostManifestBytes + 1}, 1)));
    EXPECT_FALSE(parse_weight_reply(written({WeightKind::manifest, false, 5, 1}, 0)));
    EXPECT_FALSE(parse_weight_reply(written({WeightKind::held, true, 5, kMostChunks + 1}, 1)));
    for (const std::size_t at : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 24U, 31U}) {
        auto frame = written(good, 9);
        frame[at] ^= std::byte{0x10};
        EXPECT_FALSE(parse_weight_reply(frame)) << "byte " << at;
    }
    EXPECT_FALSE(parse_weight_reply({}));
}

} // namespace
} // namespace constela::cluster
