// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides which device gets which shards, and says why: the placement with the least time a token (cost_model.h) of all
// that fit. So a model that fits one device is not split unless that is faster, and a device that makes all slower is
// left out, with the reason.
//
// Threads: functions of their arguments; some 100 ms for a dozen devices. Errors: what does not fit is a sentence with
// what is needed, what is free on each device, and what would fit.
#pragma once

#include "engine/base/result.h"
#include "engine/placement/cost_model.h"
#include "engine/placement/placement.h"

#include <string>
#include <vector>

namespace constela::placement {

/// Sentences that are no failures are made, kept and translated in the same way.
using Sentence = Error;

/// A type of the KV cache that takes less than the asked one.
struct SmallerKv {
    std::string name;  ///< "q8_0"
    double factor = 1; ///< Its bytes a position, as a part of those of the asked type.
};

struct PlanRequest {
    ModelCosts model;
    std::vector<DeviceCosts> devices;
    LinkTable links{0}; ///< For as many devices.
    Demand demand;
    std::vector<SmallerKv> smaller_kv; ///< What may be offered when it does not fit.
    /// A person chose these devices: all that can are used, so that prompts go fastest.
    bool use_all = false;
};

struct DeviceMemory {
    std::string device;
    StageMemory use;
    std::int64_t free_after = 0; ///< Bytes, the reserve included; negative: it does not fit.
};

struct Prediction {
    double tokens_per_second = 0;     ///< Of a single sequence, when demand.depth positions are held. 0: not possible.
    double ttft_ms = 0;               ///< Until the first token of an answer to a prompt of demand.prompt tokens.
    std::vector<DeviceMemory> memory; ///< By stage.
};

struct LeftOut {
    std::string device;
    Sentence reason;
};

struct Alternative {
    Sentence what;
    Placement placement;
    Prediction predicted;
};

struct Plan {
    Placement placement;
    Prediction predicted;
    Sentence why;
    std::vector<LeftOut> left_out;
    std::vector<Alternative> alternatives;
};

[[nodiscard]] Result<Plan> plan(const PlanRequest& request);

/// What a placement would give that a person made by hand or is dragging; also of one that does not fit. Fails where it
/// names a device that is not in the request, or is no placement of this model's shards.
[[nodiscard]] Result<Prediction> predict(const PlanRequest& request, const Placement& placement);

/// Fails with a sentence about the first device on which it does not fit, or the first link that is missing.
[[nodiscard]] Result<> check_fits(const PlanRequest& request, const Placement& placement);

} // namespace constela::placement
