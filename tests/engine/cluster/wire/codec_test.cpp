// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every message comes back as it was sent, and what a sender may hand over carelessly is made to fit.
#include "engine/cluster/wire/codec.h"

#include "engine/cluster/wire/limits.h"
#include "tests/engine/cluster/wire/sample_messages.h"

#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace constela::cluster {
namespace {

using test::fields_of;

template <class T>
T sent(const Message& message)
{
    auto received = decode(encode(message));
    EXPECT_TRUE(received) << (received ? "" : received.error().text());
    return received ? std::get<T>(std::move(*received)) : T{};
}

TEST(Codec, GivesBackEveryFieldOfEveryMessage)
{
    std::set<std::size_t> kinds;
    for (const Message& message : test::sample_messages()) {
        const auto received = decode(encode(message));
        ASSERT_TRUE(received) << name_of(message) << ": " << received.error().text();
        EXPECT_EQ(fields_of(*received), fields_of(message)) << name_of(message);
        kinds.insert(message.index());
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<Message>) << "a kind of message has no sample";
}

TEST(Codec, GivesBackMessagesThatAreEmpty)
{
    // (A Hello without a port and a StageOrder without a stage are refused.)
    for (const Message& message :
         std::vector<Message>{Refusal{}, Heartbeat{}, HeartbeatReply{}, Status{}, Introduction{}, Withdrawal{},
                              StageProgress{}, StageReady{}, StageFailed{}, StageRelease{}, StageReleased{}, Command{},
                              CommandReply{}, CommandCancel{}}) {
        const auto received = decode(encode(message));
        ASSERT_TRUE(received) << name_of(message) << ": " << received.error().text();
        EXPECT_EQ(fields_of(*received), fields_of(message)) << name_of(message);
    }
}

TEST(Codec, NamesMessages)
{
    EXPECT_EQ(name_of(Hello{}), "Hello");
    EXPECT_EQ(name_of(StageOrder{}), "StageOrder");
    EXPECT_EQ(name_of(CommandCancel{}), "CommandCancel");
}

TEST(Codec, ReadsBytesThatLieAnywhere)
{
    for (const Message& message : test::sample_messages()) {
        const std::vector<std::byte> bytes = encode(message);
        for (std::size_t shift = 0; shift < 9; ++shift) {
            std::vector<std::byte> moved(shift);
            moved.insert(moved.end(), bytes.begin(), bytes.end());
            const auto received = decode(std::span(moved).subspan(shift));
            ASSERT_TRUE(received) << name_of(message) << " at " << shift;
            EXPECT_EQ(fields_of(*received), fields_of(message));
        }
    }
}

TEST(Codec, CarriesABodyOfTheLargestSize)
{
    const std::string body = "\"" + std::string(limits::kBody - 2, 'x') + "\"";
    const auto bytes = encode(CommandReply{1, CommandReply::Kind::result, body, {}});
    EXPECT_LE(bytes.size(), limits::kMessageBytes);
    EXPECT_EQ(sent<CommandReply>(CommandReply{1, CommandReply::Kind::result, body, {}}).body, body);
    EXPECT_EQ(sent<Command>(Command{1, "ask", body}).arguments, body);
}

TEST(Codec, TurnsAnAnswerThatIsTooLongIntoAFailure)
{
    const CommandReply reply{5, CommandReply::Kind::result, std::string(limits::kBody + 1, 'x'), {}};
    const auto received = sent<CommandReply>(reply);
    EXPECT_EQ(received.id, 5U);
    EXPECT_EQ(received.kind, CommandReply::Kind::failure);
    EXPECT_EQ(received.body, "");
    EXPECT_NE(received.error.text().find("at most 983040 can be sent"), std::string::npos) << received.error.text();
}

TEST(Codec, RefusesArgumentsThatAreTooLong)
{
    EXPECT_FALSE(decode(encode(Command{1, "ask", std::string(limits::kBody + 1, 'x')})));
    EXPECT_FALSE(decode(encode(Command{1, "ask", std::string(limits::kMessageBytes, 'x')})));
}

TEST(Codec, CutsTextsForPeopleBetweenCharacters)
{
    Status status;
    status.model = std::string(limits::kName - 1, 'm') + "é";
    EXPECT_EQ(sent<Status>(status).model, std::string(limits::kName - 1, 'm'));
    status.model = std::string(limits::kName - 2, 'm') + "é";
    EXPECT_EQ(sent<Status>(status).model, status.model);
}

TEST(Codec, ReplacesWhatIsNotUtf8)
{
    const StageFailed failed{1, 2, Error{"{} is missing.", {"/models/a\xFF.gguf"}, "\xC3"}};
    const auto received = sent<StageFailed>(failed);
    EXPECT_EQ(received.reason.text(), "/models/a\xEF\xBF\xBD.gguf is missing.");
    EXPECT_EQ(received.reason.details, "\xEF\xBF\xBD");
}

TEST(Codec, EndsListsOfHintsAtTheirLimit)
{
    Hello hello;
    hello.ports.control = 1;
    hello.addresses.assign(limits::kAddresses + 5, {"10.0.0.1", 1});
    EXPECT_EQ(sent<Hello>(hello).addresses.size(), limits::kAddresses);
    Status status;
    status.devices.resize(limits::kDevices + 1);
    EXPECT_EQ(sent<Status>(status).devices.size(), limits::kDevices);
}

TEST(Codec, SendsNoReadingThatIsNoNumber)
{
    Status status;
    status.devices.resize(1);
    telemetry::Reading& load = status.devices[0].load;
    load.state = telemetry::Reading::State::ok;
    load.value = std::numeric_limits<double>::quiet_NaN();
    const auto received = sent<Status>(status).devices.at(0).load;
    EXPECT_EQ(received.state, telemetry::Reading::State::failed);
    EXPECT_EQ(received.value, 0);
}

TEST(Codec, SendsAPatternThatCannotBeFilledAsItsText)
{
    for (const std::string pattern : {"{:>99999}", "{", "}", "{0}", "{} {}", "a {b}"}) {
        const auto received = sent<StageFailed>(StageFailed{1, 2, Error{pattern, {"x"}, {}}});
        EXPECT_EQ(received.reason.text(), pattern);
    }
}

} // namespace
} // namespace constela::cluster
