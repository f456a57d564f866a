// SPDX-License-Identifier: GPL-3.0-or-later
//
// One stage as the pipeline works it: checks what a step asks for, keeps the sequences, computes. It knows no socket.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/pipeline/data_messages.h"
#include "engine/runtime/stage.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

namespace constela::cluster {

/// Threads: one, the device's.
class StageRunner {
public:
    explicit StageRunner(std::unique_ptr<runtime::Stage> stage) : stage_(std::move(stage)) {}

    [[nodiscard]] const runtime::Stage& stage() const { return *stage_; }

    /// Carries out a step, which must be the one after the last. `rows`: a row for each token from the stage before;
    /// none for the first. `on_rows` gets what the next stage takes; the last stage gives the choices instead. Fails
    /// when the step cannot be: whoever sent it is broken, and the stage is to be thrown away.
    [[nodiscard]] Result<DataOutcome> step(const DataStep& step, std::span<const std::byte> rows,
                                           const runtime::OnRows& on_rows);

private:
    [[nodiscard]] Result<> apply(const SequenceOp& op);
    [[nodiscard]] Result<std::vector<runtime::Work>> works_of(const DataStep& step) const;

    std::unique_ptr<runtime::Stage> stage_;
    std::uint64_t next_ = 0; ///< The number of the next step.
};

} // namespace constela::cluster
