// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/memory_plan.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::runtime {

namespace {

constexpr std::size_t kUsualContext = 8192;
constexpr std::size_t kSmallestContext = 512;
/// Further conversations may keep their keys and values while they take no more than this share of what is left.
constexpr std::uint64_t kShareForOthers = 4;
constexpr std::size_t kMostConversations = 8;

MemoryPlan plan_for(const model::Model& model, ContextOptions options)
{
    options.positions = options.context;
    const ContextMemory memory = context_memory(model, options);
    return {options, model.weight_bytes(), memory.kv, memory.workspace};
}

/// Positions of all sequences together.
std::size_t roomy_positions(const MemoryPlan& plan, std::uint64_t available)
{
    const std::uint64_t left = available - plan.total() - kMachineReserve;
    const std::uint64_t further = plan.kv == 0 ? 0 : left / kShareForOthers / plan.kv;
    return plan.options.context * (1 + std::min<std::uint64_t>(further, kMostConversations - 1));
}

} // namespace

std::string bytes_text(std::uint64_t bytes)
{
    const auto value = static_cast<double>(bytes);
    if (bytes >= 1'000'000'000) {
        return fmt::format("{:.1f} GB", value / 1e9);
    }
    if (bytes >= 1'000'000) {
        return fmt::format("{:.0f} MB", value / 1e6);
    }
    return fmt::format("{:.0f} kB", value / 1e3);
}

Result<MemoryPlan> plan_memory(const model::Model& model, const ContextOptions& wanted, std::uint64_t available)
{
    ContextOptions options = wanted;
    const bool free_choice = options.context == 0;
    if (free_choice) {
        options.context = std::min(model.config().context, kUsualContext);
    }
    MemoryPlan plan = plan_for(model, options);
    while (free_choice && plan.total() + kMachineReserve > available && options.context >= 2 * kSmallestContext) {
        options.context /= 2;
        plan = plan_for(model, options);
    }
    if (plan.total() + kMachineReserve > available) {
        return failure("{} needs {}: {} for its weights, {} for a context of {} tokens, {} to work with, and {} are to "
                       "stay free for the rest of the machine; {} are free. Close other programs, choose a shorter "
                       "context or a smaller quantization.",
                       model.config().name, bytes_text(plan.total() + kMachineReserve), bytes_text(plan.weights),
                       bytes_text(plan.kv), options.context, bytes_text(plan.workspace), bytes_text(kMachineReserve),
                       bytes_text(available));
    }
    plan.options.positions = roomy_positions(plan, available);
    return plan;
}

} // namespace constela::runtime
