// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/fitting.h"

#include "engine/placement/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace constela::placement {

namespace {

/// Contexts are offered in steps of this many positions, and none shorter.
constexpr std::size_t kContextStep = 256;
/// Devices that a sentence names.
constexpr std::size_t kNamed = 16;
/// Steps in which smaller weights are looked for.
constexpr int kWeightSteps = 100;

using Ends = std::vector<std::size_t>;

/// For each first shard, where the longest run that fits ends; the shard itself where none does.
Ends ends_of(const CostModel& cost, std::size_t device)
{
    Ends ends(cost.shards() + 1, cost.shards());
    std::size_t end = 0;
    for (std::size_t first = 0; first < cost.shards(); ++first) {
        end = std::max(end, first);
        while (end < cost.shards() && cost.fits(device, first, end + 1 - first)) {
            ++end;
        }
        ends[first] = end;
    }
    return ends;
}

bool all_held(const PlanRequest& request, std::span<const std::size_t> devices)
{
    const CostModel cost(request.model, request.devices, LinkTable(request.devices.size()), request.demand);
    return shards_held(cost, devices) == cost.shards();
}

/// The largest of 1 ... count for which `fits`, which holds for all smaller ones too; 0: none.
template <class Fits>
std::size_t largest(std::size_t count, Fits fits)
{
    std::size_t good = 0;
    while (good < count) {
        const std::size_t middle = good + (count - good + 1) / 2;
        if (fits(middle)) {
            good = middle;
        } else {
            count = middle - 1;
        }
    }
    return good;
}

std::size_t longest_context(PlanRequest request, std::span<const std::size_t> devices)
{
    const std::size_t asked = request.demand.context;
    if (all_held(request, devices)) {
        return asked;
    }
    return kContextStep * largest(asked / kContextStep, [&](std::size_t steps) {
               request.demand.context = steps * kContextStep;
               return all_held(request, devices);
           });
}

std::uint64_t part_of(std::uint64_t bytes, double part)
{
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(bytes) * part));
}

PlanRequest with_kv(PlanRequest request, double factor)
{
    for (ShardCosts& shard : request.model.shards) {
        shard.kv_bytes_per_position = part_of(shard.kv_bytes_per_position, factor);
    }
    return request;
}

PlanRequest with_weights(PlanRequest request, double part)
{
    for (ShardCosts& shard : request.model.shards) {
        shard.weight_bytes = part_of(shard.weight_bytes, part);
    }
    request.model.shared_bytes = static_cast<std::uint64_t>(static_cast<double>(request.model.shared_bytes) * part);
    return request;
}

std::string free_text(const PlanRequest& request, std::span<const std::size_t> devices)
{
    std::string text;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (k == kNamed) {
            return text + ", ...";
        }
        const DeviceCosts& device = request.devices[devices[k]];
        const std::uint64_t free = device.memory_free - std::min(device.memory_free, device.reserve);
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", device.id, bytes_text(free));
    }
    return text;
}

Error sentence(std::string_view pattern, std::vector<std::string> args)
{
    return {std::string(pattern), std::move(args), {}};
}

} // namespace

std::size_t shards_held(const CostModel& cost, std::span<const std::size_t> devices)
{
    std::vector<Ends> ends;
    for (const std::size_t device : devices) {
        ends.push_back(ends_of(cost, device));
    }
    if (devices.size() > kMostFilledExactly) {
        std::vector<std::size_t> order(devices.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t one, std::size_t other) { return ends[one][0] > ends[other][0]; });
        std::size_t held = 0;
        for (const std::size_t k : order) {
            held = ends[k][held];
        }
        return held;
    }
    // What a set can hold is what it can without its last device, and that one's run: more before is never worse.
    std::vector<std::size_t> held(std::size_t{1} << devices.size(), 0);
    for (std::size_t set = 1; set < held.size(); ++set) {
        for (std::size_t k = 0; k < devices.size(); ++k) {
            if ((set >> k & 1U) != 0) {
                held[set] = std::max(held[set], ends[k][held[set & ~(std::size_t{1} << k)]]);
            }
        }
    }
    return held.back();
}

WouldFit what_would_fit(const PlanRequest& request, std::span<const std::size_t> devices)
{
    WouldFit would;
    const std::size_t context = longest_context(request, devices);
    if (context > 0) {
        would.context = context;
    }
    for (const SmallerKv& kv : request.smaller_kv) {
        const std::size_t longer = longest_context(with_kv(request, kv.factor), devices);
        if (longer > context && longer > would.kv_context) {
            would.kv_type = kv.name;
            would.kv_context = longer;
        }
        if (would.kv_context == request.demand.context) {
            break;
        }
    }
    const std::size_t steps = largest(kWeightSteps, [&](std::size_t part) {
        return all_held(with_weights(request, static_cast<double>(part) / kWeightSteps), devices);
    });
    if (steps > 0) {
        would.weight_part = static_cast<double>(steps) / kWeightSteps;
    }
    return would;
}

Error does_not_fit(const PlanRequest& request, std::span<const std::size_t> devices)
{
    const CostModel cost(request.model, request.devices, LinkTable(request.devices.size()), request.demand);
    const StageMemory whole = cost.memory(0, cost.shards());
    std::vector<std::string> args{request.model.name,          bytes_text(whole.weights),
                                  bytes_text(whole.kv),        argument_text(cost.demand().context),
                                  bytes_text(whole.workspace), devices.empty() ? "-" : free_text(request, devices)};
    const auto add = [&args](std::string text) { args.push_back(std::move(text)); };
    const WouldFit would = what_would_fit(request, devices);
    if (would.context && would.kv_type.empty()) {
        add(argument_text(*would.context));
        return sentence("{} does not fit: it needs {} for its weights, {} for a context of {} tokens and up to {} on "
                        "each device to work with. Free are: {}. With a context of {} tokens it would fit.",
                        std::move(args));
    }
    if (would.context) {
        add(argument_text(*would.context));
        add(argument_text(would.kv_context));
        add(would.kv_type);
        return sentence("{} does not fit: it needs {} for its weights, {} for a context of {} tokens and up to {} on "
                        "each device to work with. Free are: {}. With a context of {} tokens it would fit, or with one "
                        "of {} tokens and a KV cache of type {}.",
                        std::move(args));
    }
    if (!would.kv_type.empty()) {
        add(argument_text(would.kv_context));
        add(would.kv_type);
        return sentence("{} does not fit: it needs {} for its weights, {} for a context of {} tokens and up to {} on "
                        "each device to work with. Free are: {}. With a context of {} tokens and a KV cache of type {} "
                        "it would fit.",
                        std::move(args));
    }
    if (would.weight_part) {
        add(bytes_text(part_of(whole.weights, *would.weight_part)));
        add(fmt::format("{:.0f} %", *would.weight_part * 100));
        return sentence("{} does not fit: it needs {} for its weights, {} for a context of {} tokens and up to {} on "
                        "each device to work with. Free are: {}. Weights of at most {} ({} of these) would fit: choose "
                        "a smaller quantization, close other programs or add a device.",
                        std::move(args));
    }
    return sentence("{} does not fit: it needs {} for its weights, {} for a context of {} tokens and up to {} on each "
                    "device to work with. Free are: {}. Choose a smaller model, close other programs or add a device.",
                    std::move(args));
}

} // namespace constela::placement
