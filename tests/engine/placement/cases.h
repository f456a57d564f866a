// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small models and clusters for the tests of placements.
#pragma once

#include "engine/placement/planner.h"

#include <cstdint>
#include <string>

namespace constela::placement {

inline constexpr std::uint64_t kMB = 1'000'000;

/// `blocks` equal blocks of 100 MB, embedding and head of 50 MB each; nothing else takes memory.
inline ModelCosts plain_model(std::size_t blocks)
{
    ModelCosts model;
    model.name = "Plain";
    model.shards.resize(blocks + 2, ShardCosts{100 * kMB, 100 * kMB, 200'000'000, 0, 0, 0});
    model.shards.front() = {50 * kMB, 1000, 0, 0, 0, 0};
    model.shards.back() = {50 * kMB, 50 * kMB, 100'000'000, 0, 0, 0};
    model.activation_bytes = 4096;
    return model;
}

/// A device with so much memory; it reads 10 GB a second.
inline DeviceCosts plain_device(std::string id, std::uint64_t memory, double bandwidth = 10e9)
{
    return {std::move(id), memory, bandwidth, 1e12, 0};
}

/// Every link 0.1 ms and 100 MB a second; the coordinator is on the first device's node.
inline PlanRequest plain_request(std::size_t blocks, std::vector<DeviceCosts> devices)
{
    PlanRequest request;
    request.model = plain_model(blocks);
    request.links = LinkTable(devices.size());
    const std::size_t coordinator = request.links.coordinator();
    for (std::size_t i = 0; i <= devices.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            request.links.set(i, j, {100e-6, 100e6});
        }
    }
    if (!devices.empty()) {
        request.links.set(coordinator, 0, {0, 10e9});
    }
    request.devices = std::move(devices);
    return request;
}

inline CostModel cost_of(const PlanRequest& request)
{
    return {request.model, request.devices, request.links, request.demand};
}

} // namespace constela::placement
