// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one way in which a window (or a terminal) sees and steers a node: immutable snapshots out, commands in that
// answer later. An in-process node, a node on another machine and the scripted fake of the window's tests all implement
// it.
//
// Threads: every method may be called from any thread and returns at once. Listeners are called on a thread of
// the node's own choosing, must return quickly and must not call back into the node while they are being called
// (post to your own thread, then call). After remove_listener() or the node's destructor returned, none is called.
#pragma once

#include "engine/base/result.h"
#include "engine/runtime/generation.h"
#include "engine/telemetry/readings.h"
#include "kernels/kernels.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace constela::node {

using telemetry::DeviceSnapshot;
using telemetry::Reading;

struct ModelSnapshot {
    enum class State { none, loading, ready, failed };
    State state = State::none;
    std::filesystem::path path;
    std::string name;         ///< general.name, else the file's name.
    std::string architecture; ///< "llama"
    std::string quantization; ///< The type that holds most bytes: "Q4_1"
    std::uint64_t parameters = 0;
    std::uint64_t file_bytes = 0;
    std::uint64_t memory_bytes = 0;    ///< Weights, KV cache and workspace as foreseen.
    std::uint32_t context_length = 0;  ///< In force.
    std::uint32_t trained_context = 0; ///< What the model was made for.
    double progress = 0;               ///< 0 to 1 while loading.
    double load_seconds = 0;
    std::optional<Error> error; ///< When failed.
    std::optional<Error>
        template_notice; ///< Set when the model's chat template cannot be used and the plain format stands in.
};

using AnswerId = std::uint64_t;

struct AnswerSnapshot {
    enum class State { queued, prefill, decoding };
    AnswerId id = 0;
    State state = State::queued;
    runtime::GenerationStats stats; ///< So far.
    std::uint32_t prompt_done = 0;  ///< Tokens of the prompt already computed.
    double tokens_per_second = 0;   ///< Over the last second or so.
};

struct Snapshot {
    std::uint64_t revision = 0; ///< Grows with every change.
    std::string node_id;
    std::string node_name;
    std::string version;
    std::vector<DeviceSnapshot> devices;
    ModelSnapshot model;
    std::vector<AnswerSnapshot> answers; ///< Those under way.
};

struct Message {
    std::string role; ///< "system", "user", "assistant"
    std::string content;
};

struct LoadRequest {
    std::filesystem::path path;
    std::uint32_t context_length = 0; ///< 0: the model's own, but at most 8192 and what memory allows.
    kernels::KvType kv_type = kernels::KvType::f16;
    std::uint32_t threads = 0;   ///< 0: one per core.
    std::string kernels;         ///< Name of a set; empty: the best permitted.
    std::uint32_t max_batch = 0; ///< Largest prefill chunk in tokens; 0: the default.
    std::string placement;       ///< A placement file's text; empty: the program decides.
};

struct AskRequest {
    std::vector<Message> messages; ///< Put through the model's template, with the generation prompt.
    std::string raw_prompt;        ///< Used instead when `raw` is set: no template.
    bool raw = false;
    runtime::GenerationOptions options;
};

/// A piece of an answer. Text is always whole characters.
struct AnswerPiece {
    AnswerId id = 0;
    std::string text;
    std::int32_t token = -1; ///< That completed it; -1: none, what was held back comes at the end.
};

struct AnswerEnd {
    AnswerId id = 0;
    runtime::StopReason reason = runtime::StopReason::end_token;
    std::optional<Error> error; ///< When reason is failed.
    runtime::GenerationStats stats;
    std::vector<std::int32_t> tokens;      ///< The generated ids, the end token included.
    std::vector<std::string> devices;      ///< Ids of the devices that made it.
    std::vector<double> log_probabilities; ///< By token, where they were asked for.
};

/// What a listener may hear. Pieces of one answer come in order; its end comes last.
struct Listener {
    std::function<void(std::shared_ptr<const Snapshot>)> on_snapshot; ///< At most some 20 times a second.
    std::function<void(const AnswerPiece&)> on_piece;
    std::function<void(const AnswerEnd&)> on_end;
};
using ListenerId = std::uint64_t;

class Node {
public:
    virtual ~Node() = default;
    Node() = default;
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    /// The newest snapshot; never null.
    [[nodiscard]] virtual std::shared_ptr<const Snapshot> snapshot() const = 0;
    virtual ListenerId add_listener(Listener listener) = 0;
    virtual void remove_listener(ListenerId id) = 0;

    /// Starts loading; a model that is loaded or loading is put away first, and its answers end as cancelled.
    /// Progress and outcome show in Snapshot::model.
    virtual void load(LoadRequest request) = 0;
    /// Stops a load that is under way; the model's state becomes none.
    virtual void cancel_load() = 0;
    virtual void unload() = 0;

    /// Starts an answer; several at once are batched. Its pieces and its end come to the listeners.
    /// A request that cannot be served (no model, prompt too long) ends as failed, with the reason.
    virtual AnswerId ask(AskRequest request) = 0;
    /// Ends an answer as cancelled, within 100 ms.
    virtual void cancel(AnswerId id) = 0;
};

} // namespace constela::node
