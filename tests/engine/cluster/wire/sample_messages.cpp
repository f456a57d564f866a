// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cluster/wire/sample_messages.h"

#include <array>
#include <sstream>
#include <type_traits>

namespace constela::test {

using namespace cluster; // NOLINT(google-build-using-namespace): this file is about its types

namespace {

template <std::size_t n>
std::array<std::byte, n> counting(std::uint8_t from)
{
    std::array<std::byte, n> bytes{};
    for (std::size_t i = 0; i < n; ++i) {
        bytes.at(i) = static_cast<std::byte>(from + i);
    }
    return bytes;
}

telemetry::Reading reading(telemetry::Reading::State state, double value, std::string reason)
{
    return {state, value, std::chrono::system_clock::time_point(std::chrono::microseconds(1'791'234'567'890'123)),
            std::move(reason)};
}

/// Writes fields one after the other. The structured bindings below stop compiling when a struct gets a field more.
class Writer {
public:
    [[nodiscard]] std::string text() const { return out_.str(); }

    template <class... Values>
    void all(const Values&... values)
    {
        out_ << "(";
        (one(values), ...);
        out_ << ")";
    }

    template <class T>
    void one(const T& value)
    {
        if constexpr (std::is_enum_v<T>) {
            one(static_cast<int>(value));
        } else if constexpr (std::is_arithmetic_v<T>) {
            out_.precision(17);
            out_ << +value << ",";
        } else {
            put(value);
        }
    }

private:
    void put(const std::string& value) { out_ << value.size() << ":" << value << ","; }
    template <std::size_t n>
    void put(const std::array<std::byte, n>& bytes)
    {
        for (const std::byte byte : bytes) {
            out_ << std::to_integer<int>(byte) << ".";
        }
        out_ << ",";
    }
    template <class T>
    void put(const std::vector<T>& values)
    {
        out_ << "[";
        for (const T& value : values) {
            one(value);
        }
        out_ << "]";
    }
    void put(const NodeId& value) { one(value.bytes); }
    void put(const PublicKey& value) { one(value.bytes); }
    void put(const ContentHash& value) { one(value.bytes); }
    void put(std::chrono::system_clock::time_point value) { one(value.time_since_epoch().count()); }
    void put(const Error& value)
    {
        const auto& [pattern, args, details] = value;
        all(pattern, args, details);
    }
    void put(const Address& value)
    {
        const auto& [host, port] = value;
        all(host, port);
    }
    void put(const Ports& value)
    {
        const auto& [control, data, bulk] = value;
        all(control, data, bulk);
    }
    void put(const telemetry::Reading& value)
    {
        const auto& [state, number, when, reason] = value;
        all(state, number, when, reason);
    }
    void put(const telemetry::DeviceSnapshot& value)
    {
        const auto& [id, name, kind, backend, threads, memory_total, memory_free, load, temperature] = value;
        all(id, name, kind, backend, threads, memory_total, memory_free, load, temperature);
    }
    void put(const Hello& value)
    {
        const auto& [protocol, version, name, incarnation, ports, addresses] = value;
        all(protocol, version, name, incarnation, ports, addresses);
    }
    void put(const Refusal& value)
    {
        const auto& [protocol, version, reason] = value;
        all(protocol, version, reason);
    }
    void put(const Heartbeat& value)
    {
        const auto& [incarnation, number] = value;
        all(incarnation, number);
    }
    void put(const HeartbeatReply& value)
    {
        const auto& [incarnation, number] = value;
        all(incarnation, number);
    }
    void put(const Goodbye& /*value*/) {}
    void put(const Status& value)
    {
        const auto& [devices, revision, model, model_state] = value;
        all(devices, revision, model, model_state);
    }
    void put(const Introduction& value)
    {
        const auto& [key, name, addresses, vouched] = value;
        all(key, name, addresses, vouched);
    }
    void put(const Withdrawal& value)
    {
        const auto& [node] = value;
        all(node);
    }
    void put(const StagePlacement& value)
    {
        const auto& [node, device, first_shard, shard_count] = value;
        all(node, device, first_shard, shard_count);
    }
    void put(const ContextSettings& value)
    {
        const auto& [context, positions, max_batch, sequences, page_positions, kv_type] = value;
        all(context, positions, max_batch, sequences, page_positions, kv_type);
    }
    void put(const StageOrder& value)
    {
        const auto& [epoch, model, model_name, model_bytes, kernels, context, stages, stage] = value;
        all(epoch, model, model_name, model_bytes, kernels, context, stages, stage);
    }
    void put(const StageProgress& value)
    {
        const auto& [epoch, stage, doing, done, total] = value;
        all(epoch, stage, doing, done, total);
    }
    void put(const StageReady& value)
    {
        const auto& [epoch, stage, weight_bytes, kv_bytes, data_port] = value;
        all(epoch, stage, weight_bytes, kv_bytes, data_port);
    }
    void put(const StageFailed& value)
    {
        const auto& [epoch, stage, reason] = value;
        all(epoch, stage, reason);
    }
    void put(const StageRelease& value)
    {
        const auto& [epoch] = value;
        all(epoch);
    }
    void put(const StageReleased& value)
    {
        const auto& [epoch] = value;
        all(epoch);
    }
    void put(const Command& value)
    {
        const auto& [id, name, arguments] = value;
        all(id, name, arguments);
    }
    void put(const CommandReply& value)
    {
        const auto& [id, kind, body, error] = value;
        all(id, kind, body, error);
    }
    void put(const CommandCancel& value)
    {
        const auto& [id] = value;
        all(id);
    }

    std::ostringstream out_;
};

} // namespace

std::vector<Message> sample_messages()
{
    using State = telemetry::Reading::State;
    const Error error{"The device {} of {} has {} free; {{}} needs more.", {"cpu0", "Estúdio", "3.2 GiB"}, "errno 12"};
    const telemetry::DeviceSnapshot device{"studio/cpu0",
                                           "AMD EPYC 9B45",
                                           "cpu",
                                           "avx512",
                                           64,
                                           (std::uint64_t{1} << 40U) + 7,
                                           reading(State::ok, 1.5e11, ""),
                                           reading(State::denied, 0, "only root may"),
                                           reading(State::failed, -3.25, "the sensor is gone")};
    const std::vector<Address> addresses{{"192.168.1.7", 7710}, {"fe80::1%eth0", 7711}, {"::1", 65535}};
    const Epoch epoch = 0xFEDC'BA98'7654'0001U;
    return {
        Hello{1, "0.1.0", "studio", 0x8899'AABB'CCDD'EEFFU, {7710, 7712, 7713}, addresses},
        Refusal{2, "0.2.0", error},
        Heartbeat{11, 12},
        HeartbeatReply{13, 14},
        Goodbye{},
        Status{{device, telemetry::DeviceSnapshot{}}, 21, "Qwen3 8B", "ready"},
        Introduction{{counting<32>(100)}, "kiste", addresses, true},
        Withdrawal{{counting<16>(50)}},
        StageOrder{epoch,
                   {counting<32>(7)},
                   "SmolLM2 135M Instruct",
                   98'362'432,
                   "avx2",
                   {4096, 16384, 512, 4, 64, 2},
                   {{{counting<16>(1)}, "cpu0", 0, 16}, {{counting<16>(2)}, "cpu1", 16, 17}},
                   1},
        StageProgress{epoch, 3, StageProgress::Doing::placing, 31, 32},
        StageReady{epoch, 4, 41, 42, 43},
        StageFailed{epoch, 5, error},
        StageRelease{epoch},
        StageReleased{epoch - 1},
        Command{61, "ask", R"({"prompt":"Olá \u0000 \n"})"},
        CommandReply{71, CommandReply::Kind::event, R"({"text":"世界"})", {}},
        CommandReply{72, CommandReply::Kind::failure, "", error},
        CommandCancel{81},
    };
}

std::string fields_of(const Message& message)
{
    Writer writer;
    writer.one(message.index());
    std::visit([&](const auto& value) { writer.one(value); }, message);
    return writer.text();
}

} // namespace constela::test
