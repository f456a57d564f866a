// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/plan_json.h"

#include "engine/placement/placement_file.h"

#include <nlohmann/json.hpp>

namespace constela::placement {

using Json = nlohmann::ordered_json;

Json prediction_json(const Prediction& predicted)
{
    Json memory = Json::array();
    for (const DeviceMemory& device : predicted.memory) {
        memory.push_back(Json{{"device", device.device},
                              {"weights", device.use.weights},
                              {"kv", device.use.kv},
                              {"workspace", device.use.workspace},
                              {"free_after", device.free_after}});
    }
    return Json{{"tokens_per_second", predicted.tokens_per_second},
                {"ttft_ms", predicted.ttft_ms},
                {"memory", std::move(memory)}};
}

Json plan_json(const Plan& plan, std::size_t total)
{
    Json left_out = Json::array();
    for (const LeftOut& device : plan.left_out) {
        left_out.push_back(Json{{"device", device.device}, {"reason", device.reason.text()}});
    }
    Json alternatives = Json::array();
    for (const Alternative& alternative : plan.alternatives) {
        alternatives.push_back(Json{{"what", alternative.what.text()},
                                    {"placement", placement_json(alternative.placement, total)},
                                    {"predicted", prediction_json(alternative.predicted)}});
    }
    return Json{{"placement", placement_json(plan.placement, total)},
                {"predicted", prediction_json(plan.predicted)},
                {"why", plan.why.text()},
                {"left_out", std::move(left_out)},
                {"alternatives", std::move(alternatives)}};
}

} // namespace constela::placement
