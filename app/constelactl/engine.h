// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model on this machine's CPU, as commands use it that look at logits.
#pragma once

#include "app/constelactl/options.h"
#include "engine/device/backend.h"
#include "engine/model/model.h"
#include "engine/runtime/context.h"

#include <cstdint>
#include <memory>
#include <span>

namespace constela::ctl {

/// Threads: one.
class Engine {
public:
    /// `context`: positions of a sequence where the options do not say; `sequences`: how many there will be at once.
    /// Fails where the machine does not permit the kernels, with the reason.
    [[nodiscard]] static Result<Engine> open(const EngineOptions& options, std::size_t context,
                                             std::size_t sequences = 1);

    [[nodiscard]] const model::Model& model() const { return context_->model(); }
    [[nodiscard]] const gguf::Metadata& metadata() const { return model().file().metadata(); }
    [[nodiscard]] std::size_t vocabulary() const { return model().config().vocabulary; }
    [[nodiscard]] const runtime::Context& context() const { return *context_; }
    [[nodiscard]] std::string backend() const { return backend_->name(); }
    [[nodiscard]] const kernels::KernelSet& kernels() const { return *kernels_; }
    [[nodiscard]] unsigned threads() const { return threads_; }

    [[nodiscard]] runtime::SequenceId open_sequence() { return context_->open(); }
    void close_sequence(runtime::SequenceId sequence) { context_->close(sequence); }
    /// Like Context::feed(), and fails soon after Ctrl-C. Every id must be in the vocabulary, see check_tokens().
    [[nodiscard]] Result<> feed(runtime::SequenceId sequence, std::span<const std::int32_t> tokens, runtime::Want want,
                                const runtime::OnLogits& on_logits);
    /// One token for each of some sequences, with the logits after it, in one step. Fails soon after Ctrl-C.
    [[nodiscard]] Result<> step(std::span<const runtime::Work> works, const runtime::OnLogits& on_logits);
    /// Fails when Ctrl-C was pressed.
    [[nodiscard]] static Result<> check_interrupt();
    /// Fails with the first id that the model has no row for.
    [[nodiscard]] Result<> check_tokens(std::span<const std::int32_t> tokens) const;

private:
    Engine() = default;

    const kernels::KernelSet* kernels_ = nullptr;
    unsigned threads_ = 0;
    std::unique_ptr<device::Backend> backend_;
    std::unique_ptr<runtime::Context> context_; // after the backend, which it uses
};

} // namespace constela::ctl
