// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pipeline/device_host.h"

#include "engine/cluster/pipeline/data_messages.h"
#include "engine/cluster/pipeline/stage_runner.h"
#include "engine/device/cpu/cpu_backend.h"
#include "engine/device/cpu/cpu_info.h"
#include "engine/runtime/memory_plan.h"

#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

namespace constela::cluster {

namespace {

/// Messages that are worked off before others are looked at.
constexpr int kMessagesAtOnce = 64;

runtime::ContextOptions context_options(const ContextSettings& settings)
{
    runtime::ContextOptions options;
    options.context = settings.context;
    options.positions = settings.positions;
    options.sequences = settings.sequences;
    options.kv_type = static_cast<kernels::KvType>(settings.kv_type);
    options.max_batch = settings.max_batch;
    options.page_positions = settings.page_positions;
    return options;
}

/// What a peer may ask for, so that sums of it stay small.
Result<> check_settings(const ContextSettings& settings)
{
    constexpr std::uint64_t kMostPositions = std::uint64_t{1} << 26U;
    if (settings.context == 0 || settings.context > kMostPositions || settings.positions > kMostPositions ||
        settings.max_batch == 0 || settings.max_batch > kMostTokensOfAStep || settings.sequences == 0 ||
        settings.sequences > 1024 || settings.page_positions == 0 || settings.page_positions > 4096 ||
        settings.kv_type > static_cast<std::uint8_t>(kernels::KvType::q8_0)) {
        return failure(
            "The coordinator asked for a context that cannot be ({} positions). It may be of another version.",
            settings.context);
    }
    return {};
}

class CpuHost final : public DeviceHost {
public:
    CpuHost(const DataPlane& plane, DeviceHostOptions options, DeviceEvents events, DataInlet inlet)
        : plane_(plane), options_(std::move(options)), events_(std::move(events)), port_(inlet.port()),
          wake_out_(plane.context, zmq::socket_type::push), wake_in_(plane.context, zmq::socket_type::pull),
          inlet_(std::move(inlet))
    {
        const std::string wake = "inproc://device/" + options_.name;
        wake_in_.bind(wake);
        wake_out_.set(zmq::sockopt::linger, 0);
        wake_out_.connect(wake);
        thread_ = std::thread([this] { run(); });
    }

    ~CpuHost() override
    {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
            cancelled_ = true;
        }
        wake();
        thread_.join();
    }

    const DeviceHostOptions& options() const override { return options_; }
    std::uint16_t port() const override { return port_; }
    std::uint64_t held() const override { return held_; }
    std::string kernels() const override
    {
        const std::lock_guard lock(mutex_);
        return kernels_;
    }

    void assign(StageAssignment assignment) override
    {
        post([this, assignment = std::move(assignment)]() mutable { begin(std::move(assignment)); });
    }

    void release(Epoch epoch) override
    {
        {
            const std::lock_guard lock(mutex_);
            released_ = std::max(released_.load(), epoch);
            if (epoch >= current_) {
                cancelled_ = true; // placing and sending stop
            }
            commands_.emplace_back([this, epoch] { end(epoch); });
        }
        wake();
    }

private:
    struct Held {
        StageOrder order;
        NodeId coordinator;
        std::shared_ptr<const void> keep;
        std::unique_ptr<StageRunner> runner;
        std::optional<DataOutlet> next; ///< Once the route is known.
        std::uint64_t bytes = 0;
    };

    void post(std::function<void()> command)
    {
        {
            const std::lock_guard lock(mutex_);
            commands_.push_back(std::move(command));
        }
        wake();
    }

    void wake()
    {
        const std::lock_guard lock(wake_mutex_);
        wake_out_.send(zmq::message_t(), zmq::send_flags::dontwait);
    }

    // ---- the device's thread ----

    void run()
    {
        while (work_off_commands()) {
            for (int i = 0; i < kMessagesAtOnce; ++i) {
                auto message = inlet_.receive();
                if (!message) {
                    wait();
                    break;
                }
                guarded([&] { take(*message); });
            }
        }
        stages_.clear();
        backend_.reset();
    }

    void wait()
    {
        const auto data = inlet_.poll_items();
        std::array items{zmq::pollitem_t{wake_in_.handle(), 0, ZMQ_POLLIN, 0}, data[0], data[1]};
        // A connection that breaks while nothing comes in is looked for now and then.
        zmq::poll(items.data(), items.size(), std::chrono::milliseconds(stages_.empty() ? -1 : 200));
        zmq::message_t nothing;
        while (wake_in_.recv(nothing, zmq::recv_flags::dontwait)) {
        }
        for (auto& [index, held] : stages_) {
            if (held.next && held.next->broken()) {
                note_broken(failure("The connection that carries the model's activations broke.").value());
            }
        }
        if (broken_ && std::chrono::steady_clock::now() > broken_at_ + kVerdictTime) {
            fail_all(Error(*broken_));
        }
    }

    /// False at the end.
    bool work_off_commands()
    {
        for (;;) {
            std::function<void()> command;
            {
                const std::lock_guard lock(mutex_);
                if (stopping_) {
                    return false;
                }
                if (commands_.empty()) {
                    return true;
                }
                command = std::move(commands_.front());
                commands_.pop_front();
            }
            guarded(command);
        }
    }

    /// Whatever goes wrong costs the stages, never the node.
    void guarded(const std::function<void()>& work)
    {
        try {
            work();
        } catch (const std::bad_alloc&) {
            fail_all(
                failure("The device {} has run out of memory. Close other programs there, or place fewer blocks on "
                        "it.",
                        options_.name)
                    .value());
        } catch (const std::exception& problem) {
            Error error =
                failure("Something went wrong inside the device {}. Load the model again.", options_.name).value();
            error.details = problem.what();
            fail_all(error);
        }
    }

    void begin(StageAssignment assignment)
    {
        const StageOrder order = assignment.order;
        {
            const std::lock_guard lock(mutex_);
            if (order.epoch <= released_) {
                return; // taken back meanwhile
            }
            if (!stages_.empty() && order.epoch != current_) {
                return report(order, failure("The device {} still holds another model.", options_.name).value());
            }
            current_ = order.epoch;
            cancelled_ = false;
        }
        Result<Held> held = make(std::move(assignment));
        if (!held) {
            return report(order, std::move(held).error());
        }
        StageReady ready{order.epoch, order.stage, 0, 0, port_};
        const runtime::Stage& stage = held->runner->stage();
        const runtime::ShardRange range = stage.shards();
        for (std::size_t i = range.first; i < range.end(); ++i) {
            ready.weight_bytes += stage.model().shards()[i]->weight_bytes();
        }
        ready.kv_bytes = runtime::context_memory(stage.model(), stage.options(), range).kv;
        held_ += held->bytes;
        stages_.insert_or_assign(order.stage, *std::move(held));
        events_.on_ready(ready);
    }

    Result<Held> make(StageAssignment assignment)
    {
        const StageOrder& order = assignment.order;
        const model::Model& model = *assignment.model;
        CONSTELA_TRY(check_settings(order.context));
        if (order.stage >= order.stages.size()) {
            return failure("The coordinator's order is damaged.");
        }
        const StagePlacement& placement = order.stages[order.stage];
        const std::size_t shards = model.shards().size();
        if (placement.shard_count == 0 || placement.first_shard >= shards ||
            placement.shard_count > shards - placement.first_shard) {
            return failure("The coordinator asked for blocks that {} does not have.", model.config().name);
        }
        const runtime::ShardRange range{placement.first_shard, placement.shard_count};
        const runtime::ContextOptions options = context_options(order.context);
        std::uint64_t weights = 0;
        for (std::size_t i = range.first; i < range.end(); ++i) {
            weights += model.shards()[i]->weight_bytes();
        }
        const runtime::ContextMemory memory = runtime::context_memory(model, options, range);
        const std::uint64_t needed = weights + memory.kv + memory.workspace;
        CONSTELA_TRY(check_memory(needed));
        CONSTELA_ASSIGN(const kernels::KernelSet* set, device::choose_kernels(order.kernels));
        if (backend_ == nullptr || kernels() != set->name) {
            CONSTELA_ASSIGN(backend_, device::make_cpu_backend(*set, options_.threads));
            const std::lock_guard lock(mutex_);
            kernels_ = set->name;
        }
        StageProgress progress{order.epoch, order.stage, StageProgress::Doing::placing, 0, weights};
        const auto on_placed = [&](std::size_t bytes) -> Result<> {
            progress.done = std::min<std::uint64_t>(progress.done + bytes, weights);
            events_.on_progress(progress);
            return cancelled_ ? Result<>(failure("Loading was cancelled.")) : Result<>();
        };
        CONSTELA_ASSIGN(auto stage, runtime::Stage::create(assignment.model, *backend_, options, range, on_placed));
        Held held;
        held.coordinator = assignment.coordinator;
        held.keep = std::move(assignment.keep);
        held.order = std::move(assignment.order);
        held.runner = std::make_unique<StageRunner>(std::move(stage));
        held.bytes = needed;
        return held;
    }

    Result<> check_memory(std::uint64_t needed) const
    {
        const device::Measured available = device::memory_info().available;
        std::uint64_t free = available.state == device::Measured::State::ok
                                 ? static_cast<std::uint64_t>(available.value)
                                 : std::numeric_limits<std::uint64_t>::max();
        if (options_.memory_limit > 0) {
            free = std::min(free, options_.memory_limit - std::min(options_.memory_limit, held_.load()));
        }
        if (needed > free) {
            return failure(
                "The device {} is to hold {}, but has {} free. Place fewer blocks on it, or choose a shorter "
                "context.",
                options_.name, runtime::bytes_text(needed), runtime::bytes_text(free));
        }
        return {};
    }

    void end(Epoch epoch)
    {
        if (epoch >= current_ && !stages_.empty()) {
            stages_.clear();
            backend_.reset();
            broken_.reset();
            held_ = 0;
            const std::lock_guard lock(mutex_);
            kernels_.clear();
        }
        events_.on_released(epoch);
    }

    void note_broken(Error error)
    {
        if (!broken_) {
            broken_ = std::move(error);
            broken_at_ = std::chrono::steady_clock::now();
        }
    }

    void report(const StageOrder& order, Error error)
    {
        events_.on_failed({order.epoch, order.stage, std::move(error)});
    }

    void fail_all(const Error& error)
    {
        std::vector<StageFailed> failed;
        for (const auto& [index, held] : stages_) {
            failed.push_back({held.order.epoch, index, error});
        }
        if (failed.empty() && current_ > released_) {
            failed.push_back({current_, 0, error});
        }
        stages_.clear();
        backend_.reset();
        broken_.reset();
        held_ = 0;
        for (const StageFailed& one : failed) {
            events_.on_failed(one);
        }
    }

    // ---- the data plane ----

    void take(DataMessage& message)
    {
        const auto index = stage_of_frame(message.frames.front());
        const auto found = index ? stages_.find(*index) : stages_.end();
        if (found == stages_.end() || message.frames.size() < 2) {
            return; // of another epoch, or of nobody
        }
        Held& held = found->second;
        const StagePlacement* before = *index == 0 ? nullptr : &held.order.stages[*index - 1];
        const bool from_coordinator = message.from == held.coordinator;
        if (!from_coordinator && (before == nullptr || message.from != before->node)) {
            return;
        }
        auto packet = decode_packet(bytes_of(message.frames[1]));
        if (!packet || packet->epoch != held.order.epoch) {
            return;
        }
        Result<> done;
        if (const auto* route = std::get_if<DataRoute>(&packet->body)) {
            if (from_coordinator) {
                done = connect(held, *route);
            }
        } else if (const auto* step = std::get_if<DataStep>(&packet->body); step != nullptr && !broken_) {
            done = work(held, *step, message);
        }
        if (!done && !cancelled_) {
            if (held.next && held.next->broken()) {
                note_broken(done.error());
            } else {
                fail_all(done.error());
            }
        }
    }

    Result<> connect(Held& held, const DataRoute& route)
    {
        const std::size_t next = held.order.stage + 1;
        if (route.stages.size() != held.order.stages.size()) {
            return failure("The coordinator's order is damaged.");
        }
        if (next == route.stages.size()) {
            CONSTELA_ASSIGN(held.next,
                            DataOutlet::open(plane_, held.coordinator, fmt::format("results/{}", held.order.epoch),
                                             route.results_port));
        } else {
            const RouteStage& stage = route.stages[next];
            CONSTELA_ASSIGN(held.next, DataOutlet::open(plane_, stage.node, stage.device, stage.port));
        }
        return {};
    }

    Result<> work(Held& held, const DataStep& step, DataMessage& message)
    {
        if (!held.next) {
            return failure("The coordinator's order is damaged.");
        }
        Result<> sent;
        const auto on_rows = [&](device::Rows rows) {
            zmq::message_t frame(rows.count * rows.columns * sizeof(float));
            for (std::size_t i = 0; i < rows.count; ++i) {
                std::memcpy(frame.data<float>() + i * rows.columns, rows.row(i).data(), rows.columns * sizeof(float));
            }
            std::vector<zmq::message_t> frames;
            frames.push_back(stage_frame(held.order.stage + 1));
            frames.push_back(std::move(message.frames[1])); // what all stages are told alike
            frames.push_back(std::move(frame));
            sent = held.next->send(std::move(frames), cancelled_);
        };
        const std::span<const std::byte> rows =
            message.frames.size() > 2 ? bytes_of(message.frames[2]) : std::span<const std::byte>();
        CONSTELA_ASSIGN(const DataOutcome outcome, held.runner->step(step, rows, on_rows));
        if (held.runner->stage().gives_logits()) {
            const auto bytes = encode({held.order.epoch, outcome});
            std::vector<zmq::message_t> frames;
            frames.push_back(stage_frame(held.order.stage + 1));
            frames.push_back(bytes_frame(bytes));
            sent = held.next->send(std::move(frames), cancelled_);
        }
        return sent;
    }

    const DataPlane plane_;
    const DeviceHostOptions options_;
    const DeviceEvents events_;
    const std::uint16_t port_;
    std::atomic<std::uint64_t> held_{0};
    std::atomic<bool> cancelled_{false};

    mutable std::mutex mutex_; ///< Of the next five.
    std::deque<std::function<void()>> commands_;
    std::string kernels_;
    std::atomic<Epoch> current_{0};
    std::atomic<Epoch> released_{0};
    bool stopping_ = false;

    std::mutex wake_mutex_;
    zmq::socket_t wake_out_; ///< Under wake_mutex_.

    // Of the device's thread.
    zmq::socket_t wake_in_;
    DataInlet inlet_;
    std::unique_ptr<device::Backend> backend_;
    std::optional<Error> broken_; ///< A connection is, since the next.
    std::chrono::steady_clock::time_point broken_at_;
    std::map<std::uint32_t, Held> stages_; // after the backend, which they use
    std::thread thread_;
};

} // namespace

Result<std::unique_ptr<DeviceHost>> DeviceHost::create(const DataPlane& plane, const DeviceHostOptions& options,
                                                       DeviceEvents events)
{
    CONSTELA_ASSIGN(auto inlet, DataInlet::open(plane, options.name, options.port));
    return std::make_unique<CpuHost>(plane, options, std::move(events), std::move(inlet));
}

} // namespace constela::cluster
