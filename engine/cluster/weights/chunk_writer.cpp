// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/chunk_writer.h"

#include <utility>

namespace constela::cluster {

ChunkWriter::ChunkWriter(std::shared_ptr<CachedModel> model) : model_(std::move(model)), thread_([this] { run(); }) {}

ChunkWriter::~ChunkWriter()
{
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

std::vector<std::byte> ChunkWriter::buffer(std::size_t bytes)
{
    std::vector<std::byte> buffer;
    {
        const std::lock_guard lock(mutex_);
        if (!spare_.empty()) {
            buffer = std::move(spare_.back());
            spare_.pop_back();
        }
    }
    buffer.resize(bytes);
    return buffer;
}

void ChunkWriter::write(std::size_t peer, std::uint32_t chunk, std::vector<std::byte> bytes)
{
    ++under_way_;
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back({peer, chunk, std::move(bytes)});
    }
    changed_.notify_one();
}

std::vector<ChunkWriter::Done> ChunkWriter::done()
{
    std::vector<Done> done;
    {
        const std::lock_guard lock(mutex_);
        done.swap(done_);
    }
    under_way_ -= done.size();
    return done;
}

void ChunkWriter::run()
{
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return over_ || !tasks_.empty(); });
        if (over_) {
            return;
        }
        Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        auto outcome = model_->write_chunk(task.chunk, task.bytes);
        lock.lock();
        done_.push_back({task.peer, task.chunk, std::move(outcome)});
        spare_.push_back(std::move(task.bytes));
    }
}

} // namespace constela::cluster
