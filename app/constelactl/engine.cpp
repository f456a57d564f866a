// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/engine.h"
#include "app/constelactl/platform.h"
#include "engine/device/cpu/cpu_backend.h"
#include "engine/device/cpu/cpu_info.h"
#include "engine/runtime/memory_plan.h"

#include <algorithm>

namespace constela::ctl {

Result<Engine> Engine::open(const EngineOptions& options, std::size_t context, std::size_t sequences)
{
    CONSTELA_ASSIGN(const kernels::KernelSet* kernels, device::choose_kernels(options.kernels));
    CONSTELA_ASSIGN(auto file, gguf::File::open(options.model));
    runtime::ContextOptions wanted;
    wanted.context = options.context > 0 ? static_cast<std::size_t>(options.context) : context;
    wanted.kv_type = options.kv_type;
    wanted.max_batch = static_cast<std::size_t>(options.batch);
    wanted.sequences = sequences;
    wanted.positions = wanted.context * sequences;
    CONSTELA_ASSIGN(auto model, model::Model::open(std::move(file), wanted.context));

    CONSTELA_TRY(check_interrupt());
    const device::Measured available = device::memory_info().available;
    if (available.state == device::Measured::State::ok) {
        runtime::ContextOptions planned = wanted;
        planned.context = wanted.positions; // the plan is for one sequence; this one takes as much as all
        CONSTELA_TRY(runtime::plan_memory(*model, planned, static_cast<std::uint64_t>(available.value)));
    }

    Engine engine;
    engine.kernels_ = kernels;
    engine.threads_ = options.threads > 0 ? static_cast<unsigned>(options.threads) : device::cpu_info().physical_cores;
    warn_of_many_threads(options.threads);
    warn_of_long_context(options.context, model->config().context);
    CONSTELA_ASSIGN(engine.backend_, device::make_cpu_backend(*kernels, engine.threads_));
    CONSTELA_ASSIGN(engine.context_, runtime::Context::create(std::move(model), *engine.backend_, wanted,
                                                              [](std::size_t) { return check_interrupt(); }));
    return engine;
}

Result<> Engine::check_interrupt()
{
    return interrupted() ? Result<>(failure("Interrupted.")) : Result<>();
}

Result<> Engine::feed(runtime::SequenceId sequence, std::span<const std::int32_t> tokens, runtime::Want want,
                      const runtime::OnLogits& on_logits)
{
    const runtime::ContextOptions& options = context_->options();
    const std::size_t held = context_->length(sequence);
    if (held + tokens.size() > options.context) {
        return failure("{} tokens do not fit into a context of {}; ask for a longer one with --ctx.",
                       held + tokens.size(), options.context);
    }
    for (std::size_t first = 0; first < tokens.size(); first += options.max_batch) {
        const std::size_t count = std::min(options.max_batch, tokens.size() - first);
        const bool is_last = first + count == tokens.size();
        const runtime::Work work{sequence, tokens.subspan(first, count),
                                 want == runtime::Want::last && !is_last ? runtime::Want::none : want};
        context_->step(
            {&work, 1},
            [&](std::size_t, std::size_t token, std::span<const float> row) { on_logits(0, first + token, row); },
            &interrupted());
        CONSTELA_TRY(check_interrupt());
    }
    return {};
}

Result<> Engine::step(std::span<const runtime::Work> works, const runtime::OnLogits& on_logits)
{
    context_->step(works, on_logits, &interrupted());
    return check_interrupt();
}

Result<> Engine::check_tokens(std::span<const std::int32_t> tokens) const
{
    for (const std::int32_t id : tokens) {
        if (id < 0 || static_cast<std::size_t>(id) >= vocabulary()) {
            return failure("There is no token {}: the vocabulary of {} has {} tokens, 0 to {}.", id,
                           metadata().file_name(), vocabulary(), vocabulary() - 1);
        }
    }
    return {};
}

} // namespace constela::ctl
