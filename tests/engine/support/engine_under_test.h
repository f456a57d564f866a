// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model on a CPU backend, as tests of models and of the runtime use it.
#pragma once

#include "engine/device/cpu/cpu_backend.h"
#include "engine/runtime/context.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace constela::test {

/// Throws with the error's sentence where the file cannot be opened; tests that expect errors ask the engine itself.
[[nodiscard]] std::shared_ptr<const model::Model> open_model(const std::filesystem::path& path,
                                                             std::size_t context = 0);

struct EngineSettings {
    const kernels::KernelSet* kernels = &kernels::reference_kernels();
    unsigned threads = 2;
    runtime::ContextOptions context{};
};

/// Context and backend together.
class EngineUnderTest {
public:
    EngineUnderTest(std::shared_ptr<const model::Model> model, const EngineSettings& settings);

    [[nodiscard]] runtime::Context& context() { return *context_; }
    [[nodiscard]] std::size_t vocabulary() const { return context_->model().config().vocabulary; }

    /// Logits after each token of a sequence of its own, fed in chunks of these sizes (the last one repeated).
    [[nodiscard]] std::vector<float> logits(std::span<const std::int32_t> tokens,
                                            std::vector<std::size_t> chunks = {1U << 20U});

private:
    std::unique_ptr<device::Backend> backend_;
    std::unique_ptr<runtime::Context> context_;
};

/// The sets that this machine permits, the reference first.
[[nodiscard]] std::vector<const kernels::KernelSet*> permitted_sets();

} // namespace constela::test
