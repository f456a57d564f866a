// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cluster/weights/transfer_rig.h"

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace constela::test {

using namespace std::chrono_literals;

Gate::Gate(zmq::context_t& context) : handler_(context, zmq::socket_type::rep)
{
    handler_.set(zmq::sockopt::linger, 0);
    handler_.bind("inproc://zeromq.zap.01");
    thread_ = std::thread([this] { run(); });
}

Gate::~Gate()
{
    over_ = true;
    thread_.join();
}

void Gate::shut_out(const cluster::PublicKey& key)
{
    const std::lock_guard lock(mutex_);
    shut_out_.insert(key);
}

void Gate::let_in(const cluster::PublicKey& key)
{
    const std::lock_guard lock(mutex_);
    shut_out_.erase(key);
}

void Gate::run()
{
    while (!over_) {
        std::array<zmq::pollitem_t, 1> items{{{handler_.handle(), 0, ZMQ_POLLIN, 0}}};
        if (zmq::poll(items, 10ms) > 0 && !answer_one()) {
            return;
        }
    }
}

bool Gate::answer_one()
{
    std::vector<std::string> frames;
    for (bool more = true; more;) {
        zmq::message_t frame;
        if (!handler_.recv(frame)) {
            return false;
        }
        more = frame.more();
        frames.push_back(frame.to_string());
    }
    cluster::PublicKey key;
    std::memcpy(key.bytes.data(), frames.at(6).data(), key.bytes.size());
    bool welcome = false;
    {
        const std::lock_guard lock(mutex_);
        welcome = !shut_out_.contains(key);
    }
    for (const std::string& frame : {std::string("1.0"), frames.at(1), std::string(welcome ? "200" : "400"),
                                     std::string(), std::string(welcome ? "friend" : "")}) {
        handler_.send(zmq::buffer(frame), zmq::send_flags::sndmore);
    }
    return handler_.send(zmq::message_t(), zmq::send_flags::none).has_value();
}

class FakeSource::Reader final : public cluster::ModelReader {
public:
    explicit Reader(FakeSource& source) : source_(source) {}

    [[nodiscard]] const cluster::Manifest& manifest() const override
    {
        return source_.forged ? *source_.forged : source_.model_->manifest();
    }
    [[nodiscard]] bool has(std::size_t chunk) const override
    {
        return source_.model_->has(chunk) && (source_.chunks.empty() || source_.chunks.contains(chunk));
    }
    [[nodiscard]] Result<> read(std::size_t chunk, std::uint64_t offset, std::span<std::byte> bytes) const override
    {
        CONSTELA_TRY(source_.model_->read(chunk, offset, bytes));
        source_.bytes_read += bytes.size();
        if (source_.on_read_) {
            source_.on_read_(chunk, bytes);
        }
        return {};
    }

private:
    FakeSource& source_;
};

FakeSource::FakeSource(std::shared_ptr<const cluster::ModelReader> model, OnRead on_read)
    : model_(std::move(model)), hash_(model_->manifest().root()), on_read_(std::move(on_read))
{
}

std::shared_ptr<const cluster::ModelReader> FakeSource::open(const cluster::ContentHash& hash)
{
    return hash == hash_ ? std::make_shared<const Reader>(*this) : nullptr;
}

} // namespace constela::test
