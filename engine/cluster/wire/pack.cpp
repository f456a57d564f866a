// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/wire/pack.h"

#include "engine/cluster/wire/limits.h"
#include "engine/cluster/wire/texts.h"

#include "messages_generated.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace constela::cluster {
namespace {

using Builder = flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::String;
template <class T>
using List = Offset<flatbuffers::Vector<Offset<T>>>;

Offset<String> text(Builder& builder, std::string_view value, std::size_t limit)
{
    return builder.CreateString(fitted(value, limit));
}

template <class Fixed, std::size_t n>
Fixed fixed(const std::array<std::byte, n>& bytes)
{
    return Fixed(flatbuffers::span<const std::uint8_t, n>(reinterpret_cast<const std::uint8_t*>(bytes.data()), n));
}

/// A list of what `make` makes of each value, at most `limit` of them.
template <class T, class Values, class Make>
List<T> list(Builder& builder, const Values& values, std::size_t limit, const Make& make)
{
    std::vector<Offset<T>> offsets;
    offsets.reserve(std::min(values.size(), limit));
    for (const auto& value : std::span(values).first(std::min(values.size(), limit))) {
        offsets.push_back(make(value));
    }
    return builder.CreateVector(offsets);
}

Offset<schema::Error> put(Builder& builder, const Error& error)
{
    const std::string pattern = fitted(error.pattern, limits::kPattern);
    const std::size_t arguments = std::min(error.args.size(), limits::kArguments);
    // A pattern that cannot be filled over there is sent as the sentence that it makes here.
    const bool fillable = is_fillable(pattern, arguments);
    const auto args = list<String>(builder, fillable ? error.args : std::vector{error.pattern}, limits::kArguments,
                                   [&](const std::string& arg) { return text(builder, arg, limits::kArgument); });
    const auto pattern_text = builder.CreateString(fillable ? pattern : "{}");
    return schema::CreateError(builder, pattern_text, args, text(builder, error.details, limits::kDetails));
}

List<schema::Address> put(Builder& builder, const std::vector<Address>& addresses)
{
    return list<schema::Address>(builder, addresses, limits::kAddresses, [&](const Address& address) {
        return schema::CreateAddress(builder, builder.CreateString(address.host), address.port);
    });
}

Offset<schema::Reading> put(Builder& builder, const telemetry::Reading& reading)
{
    auto state = static_cast<schema::ReadingState>(reading.state);
    // What is not a number is no reading.
    const bool finite = std::isfinite(reading.value);
    if (!finite && reading.state == telemetry::Reading::State::ok) {
        state = schema::ReadingState::failed;
    }
    const auto when = std::chrono::duration_cast<std::chrono::nanoseconds>(reading.when.time_since_epoch()).count();
    const auto reason = text(builder, reading.reason, limits::kReason);
    return schema::CreateReading(builder, state, finite ? reading.value : 0, when, reason);
}

Offset<schema::DeviceSnapshot> put(Builder& builder, const telemetry::DeviceSnapshot& device)
{
    const auto id = text(builder, device.id, limits::kName);
    const auto name = text(builder, device.name, limits::kName);
    const auto kind = text(builder, device.kind, limits::kWord);
    const auto backend = text(builder, device.backend, limits::kWord);
    const auto memory_free = put(builder, device.memory_free);
    const auto load = put(builder, device.load);
    const auto temperature = put(builder, device.temperature);
    return schema::CreateDeviceSnapshot(builder, id, name, kind, backend, device.threads, device.memory_total,
                                        memory_free, load, temperature);
}

Offset<schema::Hello> put(Builder& builder, const Hello& hello)
{
    const auto version = text(builder, hello.version, limits::kWord);
    const auto name = text(builder, hello.name, limits::kName);
    const schema::Ports ports(hello.ports.control, hello.ports.data, hello.ports.bulk);
    const auto addresses = put(builder, hello.addresses);
    return schema::CreateHello(builder, hello.protocol, version, name, hello.incarnation, &ports, addresses);
}

Offset<schema::Refusal> put(Builder& builder, const Refusal& refusal)
{
    const auto version = text(builder, refusal.version, limits::kWord);
    return schema::CreateRefusal(builder, refusal.protocol, version, put(builder, refusal.reason));
}

Offset<schema::Heartbeat> put(Builder& builder, const Heartbeat& heartbeat)
{
    return schema::CreateHeartbeat(builder, heartbeat.incarnation, heartbeat.number);
}

Offset<schema::HeartbeatReply> put(Builder& builder, const HeartbeatReply& reply)
{
    return schema::CreateHeartbeatReply(builder, reply.incarnation, reply.number);
}

Offset<schema::Goodbye> put(Builder& builder, const Goodbye& /*goodbye*/)
{
    return schema::CreateGoodbye(builder);
}

Offset<schema::Status> put(Builder& builder, const Status& status)
{
    const auto devices = list<schema::DeviceSnapshot>(builder, status.devices, limits::kDevices,
                                                      [&](const auto& device) { return put(builder, device); });
    const auto model = text(builder, status.model, limits::kName);
    const auto model_state = text(builder, status.model_state, limits::kWord);
    return schema::CreateStatus(builder, devices, status.revision, model, model_state);
}

Offset<schema::Introduction> put(Builder& builder, const Introduction& introduction)
{
    const auto key = fixed<schema::PublicKey>(introduction.key.bytes);
    const auto name = text(builder, introduction.name, limits::kName);
    const auto addresses = put(builder, introduction.addresses);
    return schema::CreateIntroduction(builder, &key, name, addresses, introduction.vouched);
}

Offset<schema::Withdrawal> put(Builder& builder, const Withdrawal& withdrawal)
{
    const auto node = fixed<schema::NodeId>(withdrawal.node.bytes);
    return schema::CreateWithdrawal(builder, &node);
}

Offset<schema::StageOrder> put(Builder& builder, const StageOrder& order)
{
    const auto model = fixed<schema::ContentHash>(order.model.bytes);
    const auto model_name = text(builder, order.model_name, limits::kName);
    const auto kernels = text(builder, order.kernels, limits::kWord);
    const schema::ContextSettings context(order.context.positions, order.context.context, order.context.max_batch,
                                          order.context.sequences, order.context.page_positions, order.context.kv_type);
    const auto stages =
        list<schema::StagePlacement>(builder, order.stages, order.stages.size(), [&](const StagePlacement& stage) {
            const auto node = fixed<schema::NodeId>(stage.node.bytes);
            const auto device = text(builder, stage.device, limits::kName);
            return schema::CreateStagePlacement(builder, &node, device, stage.first_shard, stage.shard_count);
        });
    return schema::CreateStageOrder(builder, order.epoch, &model, model_name, order.model_bytes, kernels, &context,
                                    stages, order.stage);
}

Offset<schema::StageProgress> put(Builder& builder, const StageProgress& progress)
{
    return schema::CreateStageProgress(builder, progress.epoch, progress.stage,
                                       static_cast<schema::Doing>(progress.doing), progress.done, progress.total);
}

Offset<schema::StageReady> put(Builder& builder, const StageReady& ready)
{
    return schema::CreateStageReady(builder, ready.epoch, ready.stage, ready.weight_bytes, ready.kv_bytes,
                                    ready.data_port);
}

Offset<schema::StageFailed> put(Builder& builder, const StageFailed& failed)
{
    return schema::CreateStageFailed(builder, failed.epoch, failed.stage, put(builder, failed.reason));
}

Offset<schema::StageRelease> put(Builder& builder, const StageRelease& release)
{
    return schema::CreateStageRelease(builder, release.epoch);
}

Offset<schema::StageReleased> put(Builder& builder, const StageReleased& released)
{
    return schema::CreateStageReleased(builder, released.epoch);
}

Offset<schema::Command> put(Builder& builder, const Command& command)
{
    const auto name = text(builder, command.name, limits::kWord);
    return schema::CreateCommand(builder, command.id, name, builder.CreateString(command.arguments));
}

Offset<schema::CommandReply> put(Builder& builder, const CommandReply& reply)
{
    if (reply.body.size() > limits::kBody) {
        const auto too_long =
            failure("The answer has {} bytes; at most {} can be sent.", reply.body.size(), limits::kBody);
        return put(builder, CommandReply{reply.id, CommandReply::Kind::failure, {}, too_long.value()});
    }
    const auto body = builder.CreateString(fitted(reply.body, limits::kBody));
    const auto error = put(builder, reply.error);
    return schema::CreateCommandReply(builder, reply.id, static_cast<schema::ReplyKind>(reply.kind), body, error);
}

Offset<schema::CommandCancel> put(Builder& builder, const CommandCancel& cancel)
{
    return schema::CreateCommandCancel(builder, cancel.id);
}

} // namespace

void pack(flatbuffers::FlatBufferBuilder& builder, const Message& message)
{
    // Both unions list the messages in the same order; schema::Body begins with NONE.
    static_assert(std::variant_size_v<Message> == static_cast<std::size_t>(schema::Body::MAX));
    const auto kind = static_cast<schema::Body>(message.index() + 1);
    const Offset<void> body = std::visit([&](const auto& value) { return put(builder, value).Union(); }, message);
    schema::FinishEnvelopeBuffer(builder, schema::CreateEnvelope(builder, kind, body));
}

} // namespace constela::cluster
