// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pipeline/data_messages.h"

#include "data_generated.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace constela::cluster {

namespace {

constexpr std::size_t kMostOps = 4096;
constexpr std::size_t kMostWorks = 1024;
constexpr std::size_t kMostCounts = 1U << 20U;
constexpr std::size_t kDeviceName = 64;
constexpr flatbuffers::uoffset_t kDepth = 8;
constexpr flatbuffers::uoffset_t kTables = 4096;

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Offset<data::Sample> pack(FlatBufferBuilder& builder, const runtime::SampleRequest& request)
{
    std::vector<data::Count> counts;
    for (const auto& [token, count] : request.counts) {
        counts.emplace_back(token, count);
    }
    std::vector<data::Bias> biases;
    for (const auto& [token, bias] : request.options.logit_bias) {
        biases.emplace_back(token, bias);
    }
    const auto packed_counts = counts.empty() ? 0 : builder.CreateVectorOfStructs(counts);
    const auto packed_biases = biases.empty() ? 0 : builder.CreateVectorOfStructs(biases);
    const runtime::SamplingOptions& options = request.options;
    return data::CreateSample(builder, options.temperature, options.top_k, options.top_p, options.min_p,
                              options.repeat_penalty, options.presence_penalty, options.frequency_penalty,
                              request.uniform, request.log_probability, packed_counts, packed_biases);
}

Offset<data::Step> pack(FlatBufferBuilder& builder, const DataStep& step)
{
    std::vector<data::SequenceOp> ops;
    for (const SequenceOp& op : step.ops) {
        ops.emplace_back(static_cast<data::OpKind>(op.kind), op.sequence, op.from, op.length);
    }
    std::vector<Offset<data::Work>> works;
    for (const StepWork& work : step.works) {
        const auto sample = work.choose ? pack(builder, *work.choose) : 0;
        works.push_back(data::CreateWork(builder, work.sequence, work.length, work.count, sample));
    }
    const auto packed_ops = builder.CreateVectorOfStructs(ops);
    const auto packed_works = builder.CreateVector(works);
    const auto tokens = builder.CreateVector(step.tokens);
    return data::CreateStep(builder, step.number, packed_ops, packed_works, tokens);
}

Offset<data::Route> pack(FlatBufferBuilder& builder, const DataRoute& route)
{
    std::vector<Offset<data::RouteStage>> stages;
    for (const RouteStage& stage : route.stages) {
        const auto node = builder.CreateVector(reinterpret_cast<const std::uint8_t*>(stage.node.bytes.data()),
                                               stage.node.bytes.size());
        const auto device = builder.CreateString(stage.device);
        stages.push_back(data::CreateRouteStage(builder, node, device, stage.port));
    }
    return data::CreateRoute(builder, builder.CreateVector(stages), route.results_port);
}

Offset<data::Outcome> pack(FlatBufferBuilder& builder, const DataOutcome& outcome)
{
    std::vector<data::Choice> choices;
    for (const runtime::Executor::Chosen& chosen : outcome.choices) {
        choices.emplace_back(static_cast<std::uint32_t>(chosen.work), chosen.choice.token,
                             chosen.choice.log_probability);
    }
    return data::CreateOutcome(builder, outcome.number, builder.CreateVectorOfStructs(choices));
}

tl::unexpected<Error> malformed()
{
    return failure("A message of the data plane is damaged or of another version of Constela.");
}

/// Null stands for an empty vector.
template <class Vector>
std::size_t size_of(const Vector* vector)
{
    return vector == nullptr ? 0 : vector->size();
}

Result<runtime::SampleRequest> unpack(const data::Sample& sample)
{
    if (size_of(sample.counts()) > kMostCounts || size_of(sample.biases()) > kMostCounts ||
        !(sample.uniform() >= 0 && sample.uniform() < 1)) {
        return malformed();
    }
    runtime::SampleRequest request;
    request.uniform = sample.uniform();
    request.log_probability = sample.log_probability();
    runtime::SamplingOptions& options = request.options;
    options.temperature = sample.temperature();
    options.top_k = sample.top_k();
    options.top_p = sample.top_p();
    options.min_p = sample.min_p();
    options.repeat_penalty = sample.repeat_penalty();
    options.presence_penalty = sample.presence_penalty();
    options.frequency_penalty = sample.frequency_penalty();
    for (std::size_t i = 0; i < size_of(sample.counts()); ++i) {
        const data::Count* count = sample.counts()->Get(static_cast<flatbuffers::uoffset_t>(i));
        request.counts.emplace_back(count->token(), count->count());
    }
    for (std::size_t i = 0; i < size_of(sample.biases()); ++i) {
        const data::Bias* bias = sample.biases()->Get(static_cast<flatbuffers::uoffset_t>(i));
        options.logit_bias[bias->token()] = bias->bias();
    }
    CONSTELA_TRY(runtime::check(options));
    return request;
}

Result<DataStep> unpack(const data::Step& step)
{
    if (size_of(step.ops()) > kMostOps || size_of(step.works()) > kMostWorks ||
        size_of(step.tokens()) > kMostTokensOfAStep) {
        return malformed();
    }
    DataStep result;
    result.number = step.number();
    for (std::size_t i = 0; i < size_of(step.ops()); ++i) {
        const data::SequenceOp* op = step.ops()->Get(static_cast<flatbuffers::uoffset_t>(i));
        if (op->kind() > data::OpKind::MAX) {
            return malformed();
        }
        result.ops.push_back({static_cast<SequenceOp::Kind>(op->kind()), op->sequence(), op->from(), op->length()});
    }
    std::uint64_t tokens = 0;
    for (std::size_t i = 0; i < size_of(step.works()); ++i) {
        const data::Work* work = step.works()->Get(static_cast<flatbuffers::uoffset_t>(i));
        StepWork one{work->sequence(), work->length(), work->count(), std::nullopt};
        tokens += one.count;
        if (one.count == 0) {
            return malformed();
        }
        if (work->sample() != nullptr) {
            CONSTELA_ASSIGN(one.choose, unpack(*work->sample()));
        }
        result.works.push_back(std::move(one));
    }
    if (tokens != size_of(step.tokens())) {
        return malformed();
    }
    if (step.tokens() != nullptr) {
        result.tokens.assign(step.tokens()->begin(), step.tokens()->end());
    }
    return result;
}

Result<DataRoute> unpack(const data::Route& route)
{
    DataRoute result;
    result.results_port = route.results_port();
    if (size_of(route.stages()) == 0 || size_of(route.stages()) > kMostStages) {
        return malformed();
    }
    for (const data::RouteStage* stage : *route.stages()) {
        RouteStage one;
        if (size_of(stage->node()) != one.node.bytes.size() || size_of(stage->device()) > kDeviceName) {
            return malformed();
        }
        std::memcpy(one.node.bytes.data(), stage->node()->data(), one.node.bytes.size());
        if (stage->device() != nullptr) {
            one.device = stage->device()->str();
        }
        one.port = stage->port();
        result.stages.push_back(std::move(one));
    }
    return result;
}

Result<DataOutcome> unpack(const data::Outcome& outcome)
{
    if (size_of(outcome.choices()) > kMostWorks) {
        return malformed();
    }
    DataOutcome result;
    result.number = outcome.number();
    for (std::size_t i = 0; i < size_of(outcome.choices()); ++i) {
        const data::Choice* choice = outcome.choices()->Get(static_cast<flatbuffers::uoffset_t>(i));
        result.choices.push_back({choice->work(), {choice->token(), choice->log_probability()}});
    }
    return result;
}

} // namespace

std::vector<std::byte> encode(const DataPacket& packet)
{
    FlatBufferBuilder builder;
    Offset<void> body;
    data::Body kind = data::Body::NONE;
    if (const auto* route = std::get_if<DataRoute>(&packet.body)) {
        body = pack(builder, *route).Union();
        kind = data::Body::Route;
    } else if (const auto* step = std::get_if<DataStep>(&packet.body)) {
        body = pack(builder, *step).Union();
        kind = data::Body::Step;
    } else {
        body = pack(builder, std::get<DataOutcome>(packet.body)).Union();
        kind = data::Body::Outcome;
    }
    data::FinishPacketBuffer(builder, data::CreatePacket(builder, packet.epoch, kind, body));
    const auto* bytes = reinterpret_cast<const std::byte*>(builder.GetBufferPointer());
    return {bytes, bytes + builder.GetSize()};
}

Result<DataPacket> decode_packet(std::span<const std::byte> bytes)
{
    const auto* start = reinterpret_cast<const std::uint8_t*>(bytes.data());
    flatbuffers::Verifier verifier(start, bytes.size(), kDepth, kTables);
    if (bytes.size() < 2 * sizeof(flatbuffers::uoffset_t) || !data::VerifyPacketBuffer(verifier)) {
        return malformed();
    }
    const data::Packet* packet = data::GetPacket(start);
    DataPacket result;
    result.epoch = packet->epoch();
    if (const data::Route* route = packet->body_as_Route()) {
        CONSTELA_ASSIGN(result.body, unpack(*route));
    } else if (const data::Step* step = packet->body_as_Step()) {
        CONSTELA_ASSIGN(result.body, unpack(*step));
    } else if (const data::Outcome* outcome = packet->body_as_Outcome()) {
        CONSTELA_ASSIGN(result.body, unpack(*outcome));
    } else {
        return malformed();
    }
    return result;
}

} // namespace constela::cluster
