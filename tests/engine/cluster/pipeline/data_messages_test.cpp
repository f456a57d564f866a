// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pipeline/data_messages.h"

#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

DataPacket a_step()
{
    DataStep step;
    step.number = 5;
    step.ops = {{SequenceOp::Kind::open, 3, 0, 0}, {SequenceOp::Kind::fork, 4, 3, 17}};
    runtime::SampleRequest request;
    request.uniform = 0.25;
    request.counts = {{7, 2}};
    request.options.logit_bias = {{1, -2.5F}};
    step.works = {{3, 12, 2, std::nullopt}, {4, 17, 1, request}};
    step.tokens = {10, 11, 12};
    return {9, step};
}

TEST(DataMessages, ComeBackAsTheyWere)
{
    const auto packet = decode_packet(encode(a_step()));
    ASSERT_TRUE(packet) << packet.error().text();
    EXPECT_EQ(packet->epoch, 9U);
    const auto& step = std::get<DataStep>(packet->body);
    EXPECT_EQ(step.number, 5U);
    ASSERT_EQ(step.ops.size(), 2U);
    EXPECT_EQ(step.ops[1].from, 3U);
    EXPECT_EQ(step.ops[1].length, 17U);
    ASSERT_EQ(step.works.size(), 2U);
    EXPECT_FALSE(step.works[0].choose);
    ASSERT_TRUE(step.works[1].choose);
    EXPECT_EQ(step.works[1].choose->uniform, 0.25);
    EXPECT_EQ(step.works[1].choose->counts.front().second, 2U);
    EXPECT_EQ(step.works[1].choose->options.logit_bias.at(1), -2.5F);
    EXPECT_EQ(step.tokens, (std::vector<std::int32_t>{10, 11, 12}));
}

TEST(DataMessages, TruncatedOrChangedOnesAreRefusedOrBounded)
{
    const std::vector<std::byte> whole = encode(a_step());
    for (std::size_t length = 0; length < whole.size(); length += 4) {
        const auto cut = decode_packet(std::span(whole).first(length));
        if (cut) {
            ADD_FAILURE() << "accepted the first " << length << " bytes";
        }
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::vector<std::byte> changed = whole;
        changed[at] ^= std::byte{0xFF};
        static_cast<void>(decode_packet(changed)); // must not read outside, which sanitizers see
    }
}

TEST(DataMessages, TokensMustBeThoseOfTheWorks)
{
    DataPacket packet = a_step();
    std::get<DataStep>(packet.body).tokens.push_back(1);
    EXPECT_FALSE(decode_packet(encode(packet)));
}

} // namespace
} // namespace constela::cluster
