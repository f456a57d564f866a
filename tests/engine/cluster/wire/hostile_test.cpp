// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes that no encode() made: damaged, cut, or built by somebody who knows the format.
#include "engine/cluster/wire/codec.h"
#include "engine/cluster/wire/limits.h"
#include "tests/engine/cluster/wire/sample_messages.h"

#include "messages_generated.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace constela::cluster {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;

std::vector<std::byte> finished(Builder& builder, schema::Body kind, flatbuffers::Offset<void> body)
{
    schema::FinishEnvelopeBuffer(builder, schema::CreateEnvelope(builder, kind, body));
    const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    return {data, data + builder.GetSize()};
}

/// The sentence of the refusal, or nothing when the message was taken.
std::string refusal_of(std::span<const std::byte> bytes)
{
    const auto received = decode(bytes);
    return received ? std::string() : received.error().text();
}

void expect_wrong_field(std::span<const std::byte> bytes, const std::string& field)
{
    EXPECT_EQ(refusal_of(bytes), "A message has a field \"" + field + "\" that is not within what is allowed.");
}

TEST(Hostile, RefusesEveryMessageCutShort)
{
    for (const Message& message : test::sample_messages()) {
        const std::vector<std::byte> bytes = encode(message);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            // A copy of its own, so that a sanitizer sees a read beyond its end.
            const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
            const auto received = decode(cut);
            // The end may be padding or a field that the offsets of others do not reach past: then nothing is lost.
            if (received) {
                EXPECT_EQ(test::fields_of(*received), test::fields_of(message)) << name_of(message) << " at " << length;
                EXPECT_GE(length + 8, bytes.size()) << name_of(message);
            } else {
                EXPECT_FALSE(received.error().text().empty());
            }
        }
    }
}

TEST(Hostile, SurvivesFlippedBytes)
{
    std::mt19937 random(11);
    std::size_t refused = 0;
    std::size_t taken = 0;
    for (const Message& message : test::sample_messages()) {
        const std::vector<std::byte> bytes = encode(message);
        const auto try_it = [&](const std::vector<std::byte>& damaged) {
            const auto received = decode(damaged);
            if (!received) {
                ++refused;
                return;
            }
            ++taken;
            // What was taken can be sent on, and means the same.
            const auto again = decode(encode(*received));
            ASSERT_TRUE(again) << again.error().text();
            EXPECT_EQ(test::fields_of(*again), test::fields_of(*received));
        };
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            for (const unsigned flip : {0x01U, 0x80U, 0xFFU}) {
                std::vector<std::byte> damaged = bytes;
                damaged[at] ^= static_cast<std::byte>(flip);
                try_it(damaged);
            }
        }
        for (int round = 0; round < 300; ++round) {
            std::vector<std::byte> damaged = bytes;
            for (auto flips = 1 + random() % 6; flips > 0; --flips) {
                damaged[random() % damaged.size()] = static_cast<std::byte>(random());
            }
            try_it(damaged);
        }
    }
    EXPECT_GT(refused, 1000U);
    EXPECT_GT(taken, 100U);
}

TEST(Hostile, RefusesNoise)
{
    std::mt19937 random(13);
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::byte> noise(random() % 200);
        for (std::byte& byte : noise) {
            byte = static_cast<std::byte>(random());
        }
        if (noise.size() > 8 && round % 2 == 0) { // past the identifier
            std::memcpy(noise.data() + 4, "CSM1", 4);
        }
        EXPECT_FALSE(decode(noise));
    }
}

TEST(Hostile, RefusesAMessageThatIsTooLarge)
{
    const std::vector<std::byte> bytes(limits::kMessageBytes + 1);
    EXPECT_EQ(refusal_of(bytes), "A message has 1048577 bytes; at most 1048576 are allowed.");
}

TEST(Hostile, RefusesAnotherIdentifier)
{
    std::vector<std::byte> bytes = encode(Heartbeat{1, 2});
    bytes.at(4) = std::byte{'X'};
    EXPECT_FALSE(decode(bytes));
}

TEST(Hostile, RefusesAKindThatItDoesNotKnow)
{
    Builder builder;
    const auto body = schema::CreateGoodbye(builder).Union();
    expect_wrong_field(finished(builder, static_cast<schema::Body>(200), body), "body");
}

TEST(Hostile, RefusesEnumsOutOfRange)
{
    {
        Builder builder;
        const auto body = schema::CreateStageProgress(builder, 1, 1, static_cast<schema::Doing>(2), 1, 1).Union();
        expect_wrong_field(finished(builder, schema::Body::StageProgress, body), "doing");
    }
    Builder builder;
    const auto none = builder.CreateString("");
    const auto args = builder.CreateVector(std::vector<flatbuffers::Offset<flatbuffers::String>>{});
    const auto reason = schema::CreateError(builder, none, args, none);
    const auto body = schema::CreateCommandReply(builder, 1, static_cast<schema::ReplyKind>(3), none, reason).Union();
    expect_wrong_field(finished(builder, schema::Body::CommandReply, body), "kind");
}

TEST(Hostile, RefusesReadingsThatAreNoNumbers)
{
    Builder builder;
    const auto none = builder.CreateString("");
    const auto bad =
        schema::CreateReading(builder, schema::ReadingState::ok, std::numeric_limits<double>::infinity(), 0, none);
    const auto device = schema::CreateDeviceSnapshot(builder, none, none, none, none, 1, 1, bad, bad, bad);
    const auto devices = builder.CreateVector(std::vector{device});
    const auto body = schema::CreateStatus(builder, devices, 1, none, none).Union();
    expect_wrong_field(finished(builder, schema::Body::Status, body), "reading.value");
}

TEST(Hostile, RefusesAMessageWithoutItsParts)
{
    for (auto kind = schema::Body::Hello; kind <= schema::Body::MAX;
         kind = static_cast<schema::Body>(static_cast<int>(kind) + 1)) {
        Builder builder;
        const flatbuffers::Offset<void> empty(builder.EndTable(builder.StartTable()));
        const auto received = decode(finished(builder, kind, empty));
        // Those of numbers alone have nothing that must be there.
        const bool of_numbers = kind == schema::Body::Heartbeat || kind == schema::Body::HeartbeatReply ||
                                kind == schema::Body::Goodbye || kind == schema::Body::StageProgress ||
                                kind == schema::Body::StageReady || kind == schema::Body::StageRelease ||
                                kind == schema::Body::StageReleased || kind == schema::Body::CommandCancel;
        EXPECT_EQ(received.has_value(), of_numbers) << schema::EnumNameBody(kind);
    }
}

TEST(Hostile, RefusesAnEnvelopeWithoutAMessage)
{
    Builder builder;
    builder.Finish(flatbuffers::Offset<schema::Envelope>(builder.EndTable(builder.StartTable())), "CSM1");
    const auto* data = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    EXPECT_NE(refusal_of({data, builder.GetSize()}), "");
}

TEST(Hostile, RefusesOneLongTextReferredToManyTimes)
{
    Builder builder;
    const auto none = builder.CreateString("");
    const auto args = builder.CreateVector(std::vector(100'000, builder.CreateString(std::string(500'000, 'x'))));
    const auto body = schema::CreateStageFailed(builder, 1, 1, schema::CreateError(builder, none, args, none)).Union();
    expect_wrong_field(finished(builder, schema::Body::StageFailed, body), "error.args");
}

TEST(Hostile, RefusesPatternsThatCannotBeFilled)
{
    for (const char* pattern : {"{:>999999999}", "{0}", "{", "{} {}"}) {
        Builder builder;
        const auto none = builder.CreateString("");
        const auto args = builder.CreateVector(std::vector{none});
        const auto reason = schema::CreateError(builder, builder.CreateString(pattern), args, none);
        const auto body = schema::CreateStageFailed(builder, 1, 1, reason).Union();
        expect_wrong_field(finished(builder, schema::Body::StageFailed, body), "error.pattern");
    }
}

TEST(Hostile, RefusesTextsThatAreNoUtf8OrTooLong)
{
    for (const std::string& name : {std::string("\xFF"), std::string(limits::kWord + 1, 'x')}) {
        Builder builder;
        const auto text = builder.CreateString(name);
        const auto body = schema::CreateCommand(builder, 1, text, builder.CreateString("{}")).Union();
        expect_wrong_field(finished(builder, schema::Body::Command, body), "name");
    }
}

TEST(Hostile, RefusesHostsThatAreNamesAndPortsThatAreNone)
{
    Hello hello;
    expect_wrong_field(encode(hello), "ports.control");
    hello.ports.control = 1;
    hello.addresses = {{"studio.example", 1}};
    expect_wrong_field(encode(hello), "address.host");
    hello.addresses = {{"10.0.0.1", 0}};
    expect_wrong_field(encode(hello), "address.port");
}

TEST(Hostile, RefusesOrdersThatDoNotHoldTogether)
{
    StageOrder order;
    expect_wrong_field(encode(order), "stage");
    order.stages.resize(1);
    EXPECT_EQ(refusal_of(encode(order)), "");
    order.stage = 1;
    expect_wrong_field(encode(order), "stage");
    order.stage = 0;
    order.context.kv_type = 3;
    expect_wrong_field(encode(order), "context.kv_type");
    order.context.kv_type = 0;
    order.stages[0].first_shard = 0xFFFF'FFFFU;
    order.stages[0].shard_count = 2;
    expect_wrong_field(encode(order), "stage.shards");
    order.stages.assign(limits::kStages + 1, {});
    expect_wrong_field(encode(order), "stages");
}

} // namespace
} // namespace constela::cluster
