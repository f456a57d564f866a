// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests of transfers share: a gate that lets keys in (ZAP, rfc.zeromq.org/spec/27), and sources of models that
// misbehave.
#pragma once

#include "engine/cluster/node_id.h"
#include "engine/cluster/weights/model_reader.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <zmq.hpp>

namespace constela::test {

/// Stands in for the Gatekeeper of a context: lets in every key that was not shut out, and calls it "friend".
class Gate {
public:
    explicit Gate(zmq::context_t& context);
    ~Gate();
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void shut_out(const cluster::PublicKey& key);
    void let_in(const cluster::PublicKey& key);

private:
    void run();
    [[nodiscard]] bool answer_one();

    zmq::socket_t handler_;
    std::mutex mutex_;
    std::set<cluster::PublicKey> shut_out_;
    std::atomic<bool> over_{false};
    std::thread thread_;
};

/// A source of one model. Each read goes through `on_read`, which may change the bytes; empty: nothing happens.
class FakeSource final : public cluster::ModelSource {
public:
    using OnRead = std::function<void(std::size_t chunk, std::span<std::byte> bytes)>;

    explicit FakeSource(std::shared_ptr<const cluster::ModelReader> model, OnRead on_read = {});

    [[nodiscard]] std::shared_ptr<const cluster::ModelReader> open(const cluster::ContentHash& hash) override;

    /// What the source says instead of the model's manifest, when it lies about that.
    std::shared_ptr<const cluster::Manifest> forged;
    /// Chunks that it has; empty: all.
    std::set<std::size_t> chunks;
    std::atomic<std::uint64_t> bytes_read{0};

private:
    class Reader;
    std::shared_ptr<const cluster::ModelReader> model_;
    cluster::ContentHash hash_;
    OnRead on_read_;
};

} // namespace constela::test
