// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/wire/unpack.h"

#include "engine/cluster/wire/limits.h"
#include "engine/cluster/wire/numeric_host.h"
#include "engine/cluster/wire/texts.h"

#include "messages_generated.h"

#include <cmath>
#include <cstring>

namespace constela::cluster {
namespace {

/// The last value of kernels::KvType.
constexpr std::uint8_t kLastKvType = 2;

template <class T>
using List = flatbuffers::Vector<flatbuffers::Offset<T>>;

/// Takes values out of a message and remembers the first field that was not as it must be. A length is held against its
/// limit before anything is copied: one long text may be referred to from many places.
class Fields {
public:
    [[nodiscard]] const char* wrong() const { return wrong_; }

    bool check(bool right, const char* field)
    {
        if (!right && wrong_ == nullptr) {
            wrong_ = field;
        }
        return right;
    }

    std::string text(const flatbuffers::String* value, std::size_t limit, const char* field)
    {
        if (!check(value->size() <= limit && is_utf8(value->string_view()), field)) {
            return {};
        }
        return value->str();
    }

    template <class Value, class T, class Take>
    std::vector<Value> list(const List<T>* values, std::size_t limit, const char* field, const Take& take)
    {
        std::vector<Value> result;
        if (check(values->size() <= limit, field)) {
            result.reserve(values->size());
            for (const T* value : *values) {
                result.push_back(take(*value));
            }
        }
        return result;
    }

    template <class Enum, class WireEnum>
    Enum enumerator(WireEnum value, const char* field)
    {
        return check(value <= WireEnum::MAX, field) ? static_cast<Enum>(value) : Enum{};
    }

private:
    const char* wrong_ = nullptr;
};

template <std::uint16_t n>
std::array<std::byte, n> bytes_of(const flatbuffers::Array<std::uint8_t, n>& array)
{
    std::array<std::byte, n> bytes{};
    std::memcpy(bytes.data(), array.data(), n);
    return bytes;
}

Error take(Fields& fields, const schema::Error& error)
{
    Error result;
    result.pattern = fields.text(error.pattern(), limits::kPattern, "error.pattern");
    result.args =
        fields.list<std::string>(error.args(), limits::kArguments, "error.args", [&](const flatbuffers::String& arg) {
            return fields.text(&arg, limits::kArgument, "error.args");
        });
    result.details = fields.text(error.details(), limits::kDetails, "error.details");
    fields.check(is_fillable(result.pattern, result.args.size()), "error.pattern");
    return result;
}

std::vector<Address> take(Fields& fields, const List<schema::Address>* addresses)
{
    return fields.list<Address>(addresses, limits::kAddresses, "addresses", [&](const schema::Address& address) {
        Address result{fields.text(address.host(), limits::kHost, "address.host"), address.port()};
        fields.check(is_numeric_host(result.host), "address.host");
        fields.check(result.port != 0, "address.port");
        return result;
    });
}

telemetry::Reading take(Fields& fields, const schema::Reading& reading)
{
    telemetry::Reading result;
    result.state = fields.enumerator<telemetry::Reading::State>(reading.state(), "reading.state");
    if (fields.check(std::isfinite(reading.value()), "reading.value")) {
        result.value = reading.value();
    }
    result.when = std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::nanoseconds(reading.when())));
    result.reason = fields.text(reading.reason(), limits::kReason, "reading.reason");
    return result;
}

telemetry::DeviceSnapshot take(Fields& fields, const schema::DeviceSnapshot& device)
{
    telemetry::DeviceSnapshot result;
    result.id = fields.text(device.id(), limits::kName, "device.id");
    result.name = fields.text(device.name(), limits::kName, "device.name");
    result.kind = fields.text(device.kind(), limits::kWord, "device.kind");
    result.backend = fields.text(device.backend(), limits::kWord, "device.backend");
    result.threads = device.threads();
    result.memory_total = device.memory_total();
    result.memory_free = take(fields, *device.memory_free());
    result.load = take(fields, *device.load());
    result.temperature = take(fields, *device.temperature());
    return result;
}

Message take(Fields& fields, const schema::Hello& hello)
{
    Hello result;
    result.protocol = hello.protocol();
    result.version = fields.text(hello.version(), limits::kWord, "version");
    result.name = fields.text(hello.name(), limits::kName, "name");
    result.incarnation = hello.incarnation();
    result.ports = {hello.ports()->control(), hello.ports()->data(), hello.ports()->bulk()};
    fields.check(result.ports.control != 0, "ports.control");
    result.addresses = take(fields, hello.addresses());
    return result;
}

Message take(Fields& fields, const schema::Refusal& refusal)
{
    return Refusal{refusal.protocol(), fields.text(refusal.version(), limits::kWord, "version"),
                   take(fields, *refusal.reason())};
}

Message take(Fields& /*fields*/, const schema::Heartbeat& heartbeat)
{
    return Heartbeat{heartbeat.incarnation(), heartbeat.number()};
}

Message take(Fields& /*fields*/, const schema::HeartbeatReply& reply)
{
    return HeartbeatReply{reply.incarnation(), reply.number()};
}

Message take(Fields& /*fields*/, const schema::Goodbye& /*goodbye*/)
{
    return Goodbye{};
}

Message take(Fields& fields, const schema::Status& status)
{
    Status result;
    result.devices = fields.list<telemetry::DeviceSnapshot>(
        status.devices(), limits::kDevices, "devices",
        [&](const schema::DeviceSnapshot& device) { return take(fields, device); });
    result.revision = status.revision();
    result.model = fields.text(status.model(), limits::kName, "model");
    result.model_state = fields.text(status.model_state(), limits::kWord, "model_state");
    return result;
}

Message take(Fields& fields, const schema::Introduction& introduction)
{
    Introduction result;
    result.key.bytes = bytes_of(*introduction.key()->bytes());
    result.name = fields.text(introduction.name(), limits::kName, "name");
    result.addresses = take(fields, introduction.addresses());
    result.vouched = introduction.vouched();
    return result;
}

Message take(Fields& /*fields*/, const schema::Withdrawal& withdrawal)
{
    return Withdrawal{{bytes_of(*withdrawal.node()->bytes())}};
}

StagePlacement take(Fields& fields, const schema::StagePlacement& stage)
{
    StagePlacement result;
    result.node.bytes = bytes_of(*stage.node()->bytes());
    result.device = fields.text(stage.device(), limits::kName, "stage.device");
    result.first_shard = stage.first_shard();
    result.shard_count = stage.shard_count();
    fields.check(result.first_shard < limits::kShards && result.shard_count <= limits::kShards - result.first_shard,
                 "stage.shards");
    return result;
}

Message take(Fields& fields, const schema::StageOrder& order)
{
    StageOrder result;
    result.epoch = order.epoch();
    result.model.bytes = bytes_of(*order.model()->bytes());
    result.model_name = fields.text(order.model_name(), limits::kName, "model_name");
    result.model_bytes = order.model_bytes();
    result.kernels = fields.text(order.kernels(), limits::kWord, "kernels");
    const schema::ContextSettings& context = *order.context();
    result.context = {context.context(),   context.positions(),      context.max_batch(),
                      context.sequences(), context.page_positions(), context.kv_type()};
    fields.check(result.context.kv_type <= kLastKvType, "context.kv_type");
    result.stages =
        fields.list<StagePlacement>(order.stages(), limits::kStages, "stages",
                                    [&](const schema::StagePlacement& stage) { return take(fields, stage); });
    result.stage = order.stage();
    fields.check(result.stage < result.stages.size(), "stage");
    return result;
}

Message take(Fields& fields, const schema::StageProgress& progress)
{
    return StageProgress{progress.epoch(), progress.stage(),
                         fields.enumerator<StageProgress::Doing>(progress.doing(), "doing"), progress.done(),
                         progress.total()};
}

Message take(Fields& /*fields*/, const schema::StageReady& ready)
{
    return StageReady{ready.epoch(), ready.stage(), ready.weight_bytes(), ready.kv_bytes(), ready.data_port()};
}

Message take(Fields& fields, const schema::StageFailed& failed)
{
    return StageFailed{failed.epoch(), failed.stage(), take(fields, *failed.reason())};
}

Message take(Fields& /*fields*/, const schema::StageRelease& release)
{
    return StageRelease{release.epoch()};
}

Message take(Fields& /*fields*/, const schema::StageReleased& released)
{
    return StageReleased{released.epoch()};
}

Message take(Fields& fields, const schema::Command& command)
{
    return Command{command.id(), fields.text(command.name(), limits::kWord, "name"),
                   fields.text(command.arguments(), limits::kBody, "arguments")};
}

Message take(Fields& fields, const schema::CommandReply& reply)
{
    CommandReply result;
    result.id = reply.id();
    result.kind = fields.enumerator<CommandReply::Kind>(reply.kind(), "kind");
    result.body = fields.text(reply.body(), limits::kBody, "body");
    result.error = take(fields, *reply.error());
    return result;
}

Message take(Fields& /*fields*/, const schema::CommandCancel& cancel)
{
    return CommandCancel{cancel.id()};
}

Message take(Fields& fields, const schema::Envelope& envelope)
{
    switch (envelope.body_type()) {
    case schema::Body::Hello: return take(fields, *envelope.body_as_Hello());
    case schema::Body::Refusal: return take(fields, *envelope.body_as_Refusal());
    case schema::Body::Heartbeat: return take(fields, *envelope.body_as_Heartbeat());
    case schema::Body::HeartbeatReply: return take(fields, *envelope.body_as_HeartbeatReply());
    case schema::Body::Goodbye: return take(fields, *envelope.body_as_Goodbye());
    case schema::Body::Status: return take(fields, *envelope.body_as_Status());
    case schema::Body::Introduction: return take(fields, *envelope.body_as_Introduction());
    case schema::Body::Withdrawal: return take(fields, *envelope.body_as_Withdrawal());
    case schema::Body::StageOrder: return take(fields, *envelope.body_as_StageOrder());
    case schema::Body::StageProgress: return take(fields, *envelope.body_as_StageProgress());
    case schema::Body::StageReady: return take(fields, *envelope.body_as_StageReady());
    case schema::Body::StageFailed: return take(fields, *envelope.body_as_StageFailed());
    case schema::Body::StageRelease: return take(fields, *envelope.body_as_StageRelease());
    case schema::Body::StageReleased: return take(fields, *envelope.body_as_StageReleased());
    case schema::Body::Command: return take(fields, *envelope.body_as_Command());
    case schema::Body::CommandReply: return take(fields, *envelope.body_as_CommandReply());
    case schema::Body::CommandCancel: return take(fields, *envelope.body_as_CommandCancel());
    case schema::Body::NONE: break;
    }
    // The verifier takes a kind that it does not know, since a newer schema may have it.
    fields.check(false, "body");
    return Goodbye{};
}

} // namespace

Result<Message> unpack(const schema::Envelope& envelope)
{
    Fields fields;
    Message message = take(fields, envelope);
    if (fields.wrong() != nullptr) {
        return failure("A message has a field \"{}\" that is not within what is allowed.", fields.wrong());
    }
    return message;
}

} // namespace constela::cluster
