// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/spread.h"

#include "engine/runtime/memory_plan.h"

#include <fmt/format.h>

namespace constela::node {

namespace {

std::uint64_t bytes_of(const model::Model& model, const runtime::ContextOptions& options, runtime::ShardRange range)
{
    std::uint64_t bytes = 0;
    for (std::size_t i = range.first; i < range.end(); ++i) {
        bytes += model.shards()[i]->weight_bytes();
    }
    const runtime::ContextMemory memory = runtime::context_memory(model, options, range);
    return bytes + memory.kv + memory.workspace;
}

} // namespace

Result<placement::Placement> spread(const model::Model& model, const runtime::ContextOptions& options,
                                    const std::vector<FreeDevice>& devices)
{
    const runtime::ShardRange all = runtime::all_shards(model);
    const std::uint64_t whole = bytes_of(model, options, all);
    for (const FreeDevice& device : devices) {
        if (device.free >= whole) {
            return placement::Placement{{{device.id, 0, all.count}}};
        }
    }
    placement::Placement placement;
    std::size_t next = 0;
    for (const FreeDevice& device : devices) {
        std::size_t count = 0;
        while (next + count < all.count && bytes_of(model, options, {next, count + 1}) <= device.free) {
            ++count;
        }
        if (count > 0) {
            placement.stages.push_back({device.id, next, count});
            next += count;
        }
    }
    if (next < all.count) {
        std::string free;
        for (const FreeDevice& device : devices) {
            free += fmt::format("{}{} on {}", free.empty() ? "" : ", ", runtime::bytes_text(device.free), device.id);
        }
        return failure(
            "{} needs {} with a context of {} tokens; free are {}. Add a machine, choose a shorter context or a "
            "smaller quantization.",
            model.config().name, runtime::bytes_text(whole), options.context, free);
    }
    return placement;
}

} // namespace constela::node
