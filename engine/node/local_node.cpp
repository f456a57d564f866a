// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/local_node.h"

#include "engine/node/cpu_device.h"
#include "engine/node/listeners.h"
#include "engine/node/loading.h"
#include "engine/node/prompt.h"
#include "engine/node/task_thread.h"
#include "engine/runtime/scheduler.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <thread>

namespace constela::node {

namespace {

using runtime::Clock;
using runtime::StopReason;

constexpr auto kBetweenSnapshots = std::chrono::milliseconds(50);
constexpr auto kStepTime = std::chrono::milliseconds(500); // so often commands are looked at and progress shown
constexpr auto kBetweenReadings = std::chrono::seconds(1);
constexpr auto kAfterFirstReading = std::chrono::milliseconds(200); // how busy it is shows only between two

/// The model's file is not what was loaded any more.
struct FileChanged : std::exception {
    explicit FileChanged(Error why) : error(std::move(why)) {}
    [[nodiscard]] const char* what() const noexcept override { return error.pattern.c_str(); }
    Error error;
};

/// Everything that the node knows belongs to its engine thread; the public methods only post commands to it.
/// Loading and the making of prompts, which may take long, have threads of their own and post what came of it.
class LocalNode final : public Node {
public:
    explicit LocalNode(const LocalNodeOptions& options)
        : name_(options.name.empty() ? machine_name() : options.name), id_(options.id.empty() ? name_ : options.id),
          load_with_(options.load), read_devices_with_(options.devices), device_(name_)
    {
        read_devices();
        publish();
        engine_ = std::thread([this] { run(); });
    }

    ~LocalNode() override
    {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
            interrupt_ = true;
        }
        changed_.notify_one();
        engine_.join();
    }

    std::shared_ptr<const Snapshot> snapshot() const override
    {
        const std::lock_guard lock(snapshot_mutex_);
        return snapshot_;
    }
    ListenerId add_listener(Listener listener) override { return listeners_.add(std::move(listener)); }
    void remove_listener(ListenerId id) override { listeners_.remove(id); }

    void load(LoadRequest request) override
    {
        post([this, request = std::move(request)] { begin_load(request); }, true);
    }
    void cancel_load() override
    {
        post(
            [this] {
                if (load_ != nullptr) {
                    put_away();
                }
            },
            true);
    }
    void unload() override
    {
        post([this] { put_away(); }, true);
    }

    AnswerId ask(AskRequest request) override
    {
        const AnswerId id = next_answer_++;
        post([this, id, request = std::move(request), asked = Clock::now()] { begin_answer(id, request, asked); });
        return id;
    }
    void cancel(AnswerId id) override
    {
        post([this, id] { cancel_answer(id); }, true);
    }

private:
    using Command = std::function<void()>;

    /// interrupts: the step under way is thrown away, so that the command need not wait for it.
    void post(Command command, bool interrupts = false)
    {
        {
            const std::lock_guard lock(mutex_);
            commands_.push_back(std::move(command));
            if (interrupts) {
                interrupt_ = true;
            }
        }
        changed_.notify_one();
    }

    // ---- the engine thread ----

    void run()
    {
        while (const auto commands = next_commands()) {
            for (const Command& command : *commands) {
                guarded(command);
            }
            guarded([this] { step(); });
            if (Clock::now() >= next_reading_) {
                read_devices();
            }
            if (dirty_ && Clock::now() >= next_snapshot_) {
                publish();
            }
        }
        put_away();
        publish();
    }

    /// Waits until there is something to do. Nothing when the node ends.
    std::optional<std::deque<Command>> next_commands()
    {
        std::unique_lock lock(mutex_);
        if (scheduler_ == nullptr || scheduler_->idle()) {
            const auto until = dirty_ || load_ != nullptr ? std::min(next_snapshot_, next_reading_) : next_reading_;
            changed_.wait_until(lock, until, [this] { return stopping_ || !commands_.empty(); });
        }
        if (stopping_) {
            return std::nullopt;
        }
        interrupt_ = false;
        return std::exchange(commands_, {});
    }

    void step()
    {
        if (load_ != nullptr && model_.progress != load_->part) {
            model_.progress = load_->part;
            dirty_ = true;
        }
        if (scheduler_ == nullptr || scheduler_->idle()) {
            return;
        }
        if (auto changed = loaded_->file->changed()) {
            return lose_model(*std::move(changed));
        }
        if (auto done = scheduler_->step(&interrupt_); !done) {
            return lose_model(std::move(done).error());
        }
        dirty_ = true;
    }

    /// Whatever goes wrong in the engine costs the model, never the program.
    void guarded(const Command& work)
    {
        try {
            work();
        } catch (const FileChanged& changed) {
            lose_model(changed.error);
        } catch (const std::bad_alloc&) {
            lose_model(failure("The machine has run out of memory while it was answering; the model was put away. "
                               "Close other programs, or load it with a shorter context.")
                           .value());
        } catch (const std::exception& problem) {
            Error error = failure("Something went wrong inside while it was answering; the model was put away. "
                                  "Load it again.")
                              .value();
            error.details = problem.what();
            lose_model(std::move(error));
        }
    }

    // ---- loading ----

    void begin_load(const LoadRequest& request)
    {
        put_away();
        model_.state = ModelSnapshot::State::loading;
        model_.path = request.path;
        model_.name = request.path.stem().string();
        load_began_ = Clock::now();
        load_ = std::make_shared<LoadProgress>();
        loader_.add([this, request, progress = load_] {
            const auto on_described = [&](ModelSnapshot described) {
                post([this, progress, described = std::move(described)] { describe_load(progress, described); });
            };
            auto result = std::make_shared<Result<LoadedModel>>(load_guarded(request, *progress, on_described));
            post([this, progress, result] { finish_load(progress, *result); });
        });
        publish();
    }

    [[nodiscard]] Result<LoadedModel> load_guarded(const LoadRequest& request, LoadProgress& progress,
                                                   const std::function<void(ModelSnapshot)>& on_described) const
    {
        try {
            if (load_with_) {
                return load_with_(request, progress, on_described);
            }
            return load_model(request, CpuDevice::memory_available(), progress, on_described);
        } catch (const std::bad_alloc&) {
            return failure("There is not enough memory to load {}. Close other programs or choose a smaller model.",
                           request.path.filename().string());
        } catch (const std::exception& problem) {
            auto error = failure("{} could not be loaded.", request.path.filename().string());
            error.value().details = problem.what();
            return error;
        }
    }

    void describe_load(const std::shared_ptr<LoadProgress>& progress, ModelSnapshot described)
    {
        if (progress != load_) {
            return; // cancelled since
        }
        described.state = ModelSnapshot::State::loading;
        described.progress = model_.progress;
        described.path = model_.path;
        model_ = std::move(described);
        publish();
    }

    void finish_load(const std::shared_ptr<LoadProgress>& progress, Result<LoadedModel>& result)
    {
        if (progress != load_) {
            return;
        }
        load_.reset();
        model_.load_seconds = std::chrono::duration<double>(Clock::now() - load_began_).count();
        if (!result) {
            model_.state = ModelSnapshot::State::failed;
            model_.error = std::move(result).error();
        } else {
            loaded_.emplace(*std::move(result));
            scheduler_ =
                std::make_unique<runtime::Scheduler>(*loaded_->executor, *loaded_->tokenizer, events(), kStepTime);
            model_.state = ModelSnapshot::State::ready;
            model_.progress = 1;
            model_.template_notice = loaded_->template_notice;
        }
        read_devices();
        publish();
    }

    /// Ends what is under way and forgets the model.
    void put_away()
    {
        if (load_ != nullptr) {
            load_->cancelled = true;
            load_.reset();
        }
        for (const AnswerId id : std::exchange(preparing_, {})) {
            listeners_.tell(AnswerEnd{id, StopReason::cancelled, std::nullopt, {}, {}, {}, {}});
        }
        if (scheduler_ != nullptr) {
            scheduler_->end_all(StopReason::cancelled);
        }
        scheduler_.reset();
        loaded_.reset();
        model_ = {};
        dirty_ = true;
    }

    /// The model cannot be used any more, and all answers fail with it.
    void lose_model(Error error)
    {
        if (load_ != nullptr) {
            load_->cancelled = true;
            load_.reset();
        }
        if (scheduler_ != nullptr) {
            ending_error_ = error;
            scheduler_->end_all(StopReason::failed);
            ending_error_.reset();
        }
        for (const AnswerId id : std::exchange(preparing_, {})) {
            fail(id, error);
        }
        scheduler_.reset();
        loaded_.reset();
        model_.state = ModelSnapshot::State::failed;
        model_.error = std::move(error);
        publish();
    }

    // ---- answering ----

    void begin_answer(AnswerId id, const AskRequest& request, Clock::time_point asked)
    {
        if (!loaded_) {
            return fail(id, load_ != nullptr
                                ? failure("The model is still being loaded; ask again when it is ready.").value()
                                : failure("No model is loaded; choose one first.").value());
        }
        preparing_.insert(id);
        dirty_ = true;
        const PromptLimit limit{loaded_->executor->options().context, loaded_->longest_token};
        preparer_.add([this, id, request, asked, tokenizer = loaded_->tokenizer, tmpl = loaded_->chat_template, limit] {
            auto tokens = prompt_guarded(request, *tokenizer, *tmpl, limit);
            post([this, id, asked, options = request.options, tokens = std::move(tokens)] {
                start_answer(id, tokens, options, asked);
            });
        });
    }

    static Result<std::vector<std::int32_t>> prompt_guarded(const AskRequest& request, const text::Tokenizer& tokenizer,
                                                            const text::ChatTemplate& chat_template,
                                                            const PromptLimit& limit)
    {
        try {
            return prompt_tokens(request, tokenizer, chat_template, limit);
        } catch (const std::bad_alloc&) {
            return failure("There is not enough memory to prepare a message of this length. Shorten it.");
        } catch (const std::exception& problem) {
            auto error = failure("The message could not be prepared for the model. Write it differently.");
            error.value().details = problem.what();
            return error;
        }
    }

    void start_answer(AnswerId id, const Result<std::vector<std::int32_t>>& tokens,
                      const runtime::GenerationOptions& options, Clock::time_point asked)
    {
        if (preparing_.erase(id) == 0) {
            return; // cancelled since
        }
        dirty_ = true;
        if (!tokens) {
            return fail(id, tokens.error());
        }
        if (auto added = scheduler_->add(id, *tokens, options, asked); !added) {
            fail(id, std::move(added).error());
        }
    }

    void cancel_answer(AnswerId id)
    {
        if (preparing_.erase(id) > 0) {
            listeners_.tell(AnswerEnd{id, StopReason::cancelled, std::nullopt, {}, {}, {}, {}});
        } else if (scheduler_ != nullptr) {
            scheduler_->cancel(id);
        }
        dirty_ = true;
    }

    void fail(AnswerId id, Error error)
    {
        listeners_.tell(AnswerEnd{id, StopReason::failed, std::move(error), {}, {}, {}, {}});
        dirty_ = true;
    }

    runtime::SchedulerEvents events()
    {
        runtime::SchedulerEvents events;
        // A file that was cut short reads as zeros: what is computed from them must not become an answer.
        events.before_tokens = [this] {
            if (auto changed = loaded_->file->changed()) {
                throw FileChanged(*std::move(changed));
            }
        };
        events.on_text = [this](const runtime::Answer& answer, const std::string& text) {
            const auto generated = answer.generated();
            listeners_.tell(AnswerPiece{answer.id(), text, generated.empty() ? -1 : generated.back()});
        };
        events.on_end = [this](const runtime::Answer& answer, StopReason reason) {
            AnswerEnd end{answer.id(), reason, ending_error_, answer.stats(), {}, loaded_->devices, {}};
            if (end.devices.empty()) {
                end.devices = {device_.id()};
            }
            end.tokens.assign(answer.generated().begin(), answer.generated().end());
            if (answer.wants_log_probabilities()) {
                end.log_probabilities.assign(answer.log_probabilities().begin(), answer.log_probabilities().end());
            }
            listeners_.tell(end);
        };
        return events;
    }

    // ---- what others see ----

    void read_devices()
    {
        if (read_devices_with_) {
            devices_ = read_devices_with_();
            next_reading_ = Clock::now() + kBetweenReadings;
            dirty_ = true;
            return;
        }
        devices_ = {device_.read()};
        devices_.front().backend = loaded_ ? loaded_->kernels : std::string(kernels::best_kernels().name);
        if (loaded_) {
            devices_.front().threads = loaded_->threads;
        }
        next_reading_ = Clock::now() + (std::exchange(first_reading_, false) ? kAfterFirstReading : kBetweenReadings);
        dirty_ = true;
    }

    std::vector<AnswerSnapshot> answers() const
    {
        std::vector<AnswerSnapshot> all;
        if (scheduler_ != nullptr) {
            for (const runtime::AnswerProgress& progress : scheduler_->progress()) {
                AnswerSnapshot one;
                one.id = progress.id;
                one.state = static_cast<AnswerSnapshot::State>(progress.state);
                one.stats = progress.stats;
                one.prompt_done = static_cast<std::uint32_t>(progress.prompt_done);
                one.tokens_per_second = progress.tokens_per_second;
                all.push_back(one);
            }
        }
        for (const AnswerId id : preparing_) {
            all.push_back({id, AnswerSnapshot::State::queued, {}, 0, 0});
        }
        return all;
    }

    void publish()
    {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->revision = ++revision_;
        snapshot->node_id = id_;
        snapshot->node_name = name_;
        snapshot->version = CONSTELA_VERSION;
        snapshot->devices = devices_;
        snapshot->model = model_;
        snapshot->answers = answers();
        {
            const std::lock_guard lock(snapshot_mutex_);
            snapshot_ = snapshot;
        }
        listeners_.tell(std::shared_ptr<const Snapshot>(snapshot));
        dirty_ = false;
        next_snapshot_ = Clock::now() + kBetweenSnapshots;
    }

    const std::string name_;
    const std::string id_;
    const ModelLoader load_with_;
    const std::function<std::vector<DeviceSnapshot>()> read_devices_with_;
    Listeners listeners_;
    mutable std::mutex snapshot_mutex_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::atomic<AnswerId> next_answer_{1};

    std::mutex mutex_; // of the next four
    std::condition_variable changed_;
    std::deque<Command> commands_;
    bool stopping_ = false;
    std::atomic<bool> interrupt_{false};

    CpuDevice device_;
    std::vector<DeviceSnapshot> devices_;
    ModelSnapshot model_;
    std::shared_ptr<LoadProgress> load_; ///< Of the load under way.
    Clock::time_point load_began_;
    std::optional<LoadedModel> loaded_;
    std::unique_ptr<runtime::Scheduler> scheduler_; // after loaded_, which it uses
    std::set<AnswerId> preparing_;                  ///< Their prompts are being made.
    std::optional<Error> ending_error_;             ///< Why answers are being ended as failed.
    std::uint64_t revision_ = 0;
    bool first_reading_ = true;
    bool dirty_ = false; ///< Something has changed since the last snapshot.
    Clock::time_point next_snapshot_;
    Clock::time_point next_reading_;

    // The helpers post to the node; they end before what stands above.
    TaskThread loader_;
    TaskThread preparer_;
    std::thread engine_;
};

} // namespace

std::unique_ptr<Node> make_local_node(const LocalNodeOptions& options)
{
    return std::make_unique<LocalNode>(options);
}

} // namespace constela::node
