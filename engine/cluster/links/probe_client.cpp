// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/probe_client.h"

#include "engine/cluster/identity/keys.h"
#include "engine/cluster/links/bulk_pace.h"
#include "engine/cluster/links/probe_protocol.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace constela::cluster {

namespace {

using namespace std::chrono_literals;

/// Round trips before those that count: connection and caches warm up.
constexpr std::size_t kWarmUp = 20;
/// Enough for a median.
constexpr std::size_t kLeastEchoes = 20;
/// How often a wait looks whether it is to end.
constexpr std::chrono::milliseconds kLook = 50ms;
/// The waits at the end of each direction count too.
constexpr double kBulkPart = 0.45;

class Probe {
public:
    Probe(zmq::context_t& context, const ProbeOptions& options)
        : options_(options), socket_(context, zmq::socket_type::dealer), frame_(kProbeHeader + kLargeBlock)
    {
        fill_block(frame_);
        SodiumChance chance;
        run_ = chance.number();
    }

    Result<ProbeResult> run(const KeyPair& own)
    {
        set_plane_options(socket_, Plane::bulk);
        socket_.set(zmq::sockopt::linger, 0); // what is still under way at the end is of no use
        make_curve_client(socket_, own, options_.server);
        CONSTELA_TRY(connect_tcp(socket_, options_.address));
        ProbeResult result;
        CONSTELA_ASSIGN(result.latency, latency());
        CONSTELA_ASSIGN(result.bandwidth_in, bandwidth(ProbeKind::pull, result.latency));
        CONSTELA_ASSIGN(result.bandwidth_out, bandwidth(ProbeKind::push, result.latency));
        return result;
    }

private:
    [[nodiscard]] Time now() const { return clock_.now(); }
    [[nodiscard]] bool aborted() const { return options_.abort != nullptr && *options_.abort; }

    [[nodiscard]] tl::unexpected<Error> silence() const
    {
        if (aborted()) {
            return failure("Measuring the link to {} was stopped.", options_.name);
        }
        return failure("{} did not answer at {}, port {}, for {} s, so the link to it was not measured. See that it "
                       "runs, that both nodes are paired and that no firewall holds this port back.",
                       options_.name, options_.address.host, options_.address.port,
                       std::chrono::duration<double>(options_.answer_within).count());
    }

    /// Waits until the socket can do what `events` says; false at the deadline or when it is to end.
    [[nodiscard]] bool wait(short events, Time deadline)
    {
        while (!aborted() && now() < deadline) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now());
            std::array<zmq::pollitem_t, 1> items{{{socket_.handle(), 0, events, 0}}};
            if (zmq::poll(items, std::min(left, kLook)) > 0) {
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool ask(ProbeKind kind, std::uint32_t block, Time deadline)
    {
        const ProbeHeader header{kind, block, run_, ++number_};
        write_header(header, frame_);
        while (wait(ZMQ_POLLOUT, deadline)) {
            if (socket_.send(zmq::buffer(frame_.data(), request_bytes(header)), zmq::send_flags::dontwait)) {
                return true;
            }
        }
        return false;
    }

    /// The next reply of this run.
    [[nodiscard]] std::optional<ProbeHeader> reply(Time deadline)
    {
        while (wait(ZMQ_POLLIN, deadline)) {
            zmq::message_t message;
            if (!socket_.recv(message, zmq::recv_flags::dontwait) || message.more()) {
                continue;
            }
            const auto header = parse_reply({static_cast<const std::byte*>(message.data()), message.size()});
            if (header && header->run == run_) {
                return header;
            }
        }
        return std::nullopt;
    }

    Result<Summary> latency()
    {
        std::vector<double> samples;
        Time enough{0}; // set when the connection stands
        for (std::size_t i = 0; i < kWarmUp + options_.echoes; ++i) {
            if (i >= kWarmUp + kLeastEchoes && now() > enough) {
                break;
            }
            const Time deadline = now() + options_.answer_within;
            if (i == 0 && !wait(ZMQ_POLLOUT, deadline)) { // connecting is no part of a round trip
                return silence();
            }
            const Time begin = now();
            enough = i == 0 ? begin + options_.echo_time : enough;
            if (!ask(ProbeKind::echo, kEchoBlock, deadline)) {
                return silence();
            }
            for (auto header = reply(deadline);; header = reply(deadline)) {
                if (!header) {
                    return silence();
                }
                if (header->number == number_) {
                    break;
                }
            }
            if (i >= kWarmUp) {
                samples.push_back(std::chrono::duration<double>(now() - begin).count() / 2);
            }
        }
        return summary_of(std::move(samples));
    }

    Result<Summary> bandwidth(ProbeKind kind, const Summary& latency)
    {
        const auto round_trip = std::chrono::duration_cast<Time>(std::chrono::duration<double>(2 * latency.median));
        const auto duration = std::chrono::duration_cast<Time>(options_.bulk * kBulkPart);
        BulkPace pace(now(), duration, round_trip);
        std::unordered_map<std::uint64_t, Time> asked; // by number
        const auto take = [&](Time deadline) {
            const auto header = reply(deadline);
            const auto found = header ? asked.find(header->number) : asked.end();
            if (found != asked.end()) {
                pace.arrived(now(), found->second, header->block);
                asked.erase(found);
            }
            return header.has_value();
        };
        while (!aborted() && now() < pace.end()) {
            while (pace.may_ask(now())) {
                const Time begin = now();
                if (!ask(kind, pace.block(), pace.end())) {
                    break;
                }
                asked.emplace(number_, begin);
                pace.asked();
            }
            (void)take(pace.end());
        }
        // The rest, so that it is not in the way of what comes next. A link on which not one block has come yet gets
        // all the time that silence may take.
        const bool nothing = pace.rate().samples == 0;
        const Time deadline = now() + (nothing ? options_.answer_within : duration / 9);
        while (!asked.empty() && take(deadline)) {
            if (nothing) {
                break;
            }
        }
        const Summary rate = pace.rate();
        if (aborted() || rate.samples == 0) {
            return silence();
        }
        return rate;
    }

    const ProbeOptions& options_;
    SteadyClock clock_;
    zmq::socket_t socket_;
    std::vector<std::byte> frame_;
    std::uint64_t run_ = 0;
    std::uint64_t number_ = 0;
};

} // namespace

Result<ProbeResult> probe_link(zmq::context_t& context, const KeyPair& own, const ProbeOptions& options)
{
    return Probe(context, options).run(own);
}

BothWays measurements(const ProbeResult& result, const NodeId& own, const NodeId& other, const Address& address,
                      std::chrono::system_clock::time_point when)
{
    LinkMeasurement out;
    out.from = own;
    out.to = other;
    out.latency_us = result.latency.median * 1e6;
    out.latency_spread_us = (result.latency.high - result.latency.low) * 1e6;
    out.bandwidth_bytes_per_s = result.bandwidth_out.median;
    out.spread = result.bandwidth_out.spread();
    out.when = when;
    out.transport = "ZeroMQ with CURVE";
    out.encrypted = true;
    out.address = address;
    LinkMeasurement in = out;
    std::swap(in.from, in.to);
    in.bandwidth_bytes_per_s = result.bandwidth_in.median;
    in.spread = result.bandwidth_in.spread();
    return {out, in};
}

} // namespace constela::cluster
