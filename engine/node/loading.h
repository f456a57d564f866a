// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a request to a model that can answer.
#pragma once

#include "engine/base/result.h"
#include "engine/device/backend.h"
#include "engine/gguf/gguf.h"
#include "engine/model/model.h"
#include "engine/node/node.h"
#include "engine/runtime/local_executor.h"
#include "engine/runtime/memory_plan.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <atomic>
#include <memory>
#include <optional>

namespace constela::node {

/// Everything that a loaded model is.
struct LoadedModel {
    std::shared_ptr<const gguf::File> file;
    std::shared_ptr<const model::Model> model;
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::shared_ptr<const text::ChatTemplate> chat_template;
    std::size_t longest_token = 1;        ///< Bytes; no token stands for more.
    std::optional<Error> template_notice; ///< Why the plain format stands in for the model's own.
    runtime::MemoryPlan memory;
    std::string kernels;
    unsigned threads = 0;
    std::unique_ptr<device::Backend> backend;
    std::unique_ptr<runtime::Context> context; // after the backend, which it uses
    std::unique_ptr<runtime::Executor> executor;
    std::vector<std::string> devices; ///< Ids of those that answer; none: this machine's CPU.
    std::shared_ptr<void> lease;      ///< What is given back when the model is put away.
};

/// A load under way, as others see it. Threads: any.
struct LoadProgress {
    std::atomic<bool> cancelled{false};
    std::atomic<double> part{0}; ///< 0 to 1.
};

/// What the file says of itself, for the window to show while the rest is being read.
[[nodiscard]] ModelSnapshot describe(const model::Model& model);

/// Everything but what computes: the file, opened and checked, its tokenizer and template, and the memory that is
/// foreseen where `available` bytes are free.
[[nodiscard]] Result<LoadedModel> prepare_model(const LoadRequest& request, std::uint64_t available,
                                                const LoadProgress& progress,
                                                const std::function<void(ModelSnapshot)>& on_described);

/// prepare_model(), and reads every weight into memory. `available`: bytes free. `on_described` is
/// called as soon as the file is understood. A cancelled load fails with a sentence that nobody sees.
[[nodiscard]] Result<LoadedModel> load_model(const LoadRequest& request, std::uint64_t available,
                                             LoadProgress& progress,
                                             const std::function<void(ModelSnapshot)>& on_described);

} // namespace constela::node
