// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/planner.h"

#include "engine/placement/fitting.h"
#include "engine/placement/placement_file.h"
#include "engine/placement/search.h"
#include "engine/placement/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace constela::placement {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;

template <class... Args>
Sentence sentence(std::string_view pattern, const Args&... args)
{
    return {std::string(pattern), {argument_text(args)...}, {}};
}

std::string ms_text(double seconds)
{
    return number_text(seconds * 1e3);
}

Placement placement_of(const CostModel& cost, std::span<const IndexedStage> stages)
{
    Placement placement;
    for (const IndexedStage& stage : stages) {
        placement.stages.push_back({cost.devices()[stage.device].id, stage.first, stage.count});
    }
    return placement;
}

Prediction prediction_of(const CostModel& cost, std::span<const IndexedStage> stages)
{
    Prediction predicted;
    const double seconds = cost.token_seconds(stages);
    if (seconds < kInfinite) {
        predicted.tokens_per_second = seconds > 0 ? 1 / seconds : 0;
        predicted.ttft_ms = cost.first_token_seconds(stages) * 1e3;
    }
    for (const IndexedStage& stage : stages) {
        const DeviceCosts& device = cost.devices()[stage.device];
        const StageMemory use = cost.memory(stage.first, stage.count);
        predicted.memory.push_back(
            {device.id, use, static_cast<std::int64_t>(device.memory_free) - static_cast<std::int64_t>(use.total())});
    }
    return predicted;
}

/// Makes one plan; keeps what its parts are about.
class Planner {
public:
    explicit Planner(const PlanRequest& request)
        : request_(request), cost_(request.model, request.devices, request.links, request.demand)
    {
    }

    Result<Plan> run()
    {
        CONSTELA_TRY(check());
        sort_out();
        if (usable_.empty() || shards_held(cost_, usable_) < cost_.shards()) {
            return refusal();
        }
        routes_ = search(cost_, usable_);
        if (!routes_.best.found()) {
            return failure("{} fits the devices together, but not those of them between which links have been "
                           "measured. See that all nodes reach each other, and measure the links again.",
                           request_.model.name);
        }
        balanced_ = routes_.all.found() ? balanced_in_order(cost_, order_of(routes_.all)) : Route{};
        const bool use_all = request_.use_all && balanced_.found();
        const Route& chosen = use_all ? balanced_ : routes_.best;
        Plan plan{placement_of(cost_, chosen.stages), prediction_of(cost_, chosen.stages), why(chosen, use_all),
                  std::move(left_out_), alternatives(chosen)};
        for (std::size_t i = 0; i < usable_.size(); ++i) {
            if (!uses(chosen, usable_[i])) {
                plan.left_out.push_back({id(usable_[i]), reason(i)});
            }
        }
        return plan;
    }

private:
    [[nodiscard]] const std::string& id(std::size_t device) const { return cost_.devices()[device].id; }

    [[nodiscard]] static bool uses(const Route& route, std::size_t device)
    {
        return std::any_of(route.stages.begin(), route.stages.end(),
                           [device](const IndexedStage& stage) { return stage.device == device; });
    }

    [[nodiscard]] static std::vector<std::size_t> order_of(const Route& route)
    {
        std::vector<std::size_t> order;
        for (const IndexedStage& stage : route.stages) {
            order.push_back(stage.device);
        }
        return order;
    }

    [[nodiscard]] Result<> check() const
    {
        if (request_.devices.empty()) {
            return failure("There is no device to place {} on.", request_.model.name);
        }
        return {};
    }

    /// Whether some hop leads to the device, and one away from it.
    [[nodiscard]] bool linked(std::size_t device) const
    {
        bool in = false;
        bool out = false;
        for (std::size_t other = 0; other <= cost_.coordinator(); ++other) {
            in = in || (other != device && cost_.hop_seconds(other, device) < kInfinite);
            out = out || (other != device && cost_.hop_seconds(device, other) < kInfinite);
        }
        return in && out;
    }

    /// The least that a stage takes on a device.
    [[nodiscard]] std::uint64_t smallest_stage() const
    {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (std::size_t i = 0; i < cost_.shards(); ++i) {
            least = std::min(least, cost_.memory(i, 1).total());
        }
        return least;
    }

    /// Leaves out what no plan can use.
    void sort_out()
    {
        const std::uint64_t least = smallest_stage();
        for (std::size_t i = 0; i < cost_.devices().size(); ++i) {
            const DeviceCosts& device = cost_.devices()[i];
            if (device.read_bandwidth <= 0) {
                left_out_.push_back({device.id, sentence("Its speed has not been measured yet.")});
            } else if (device.memory_free < device.reserve || least > device.memory_free - device.reserve) {
                left_out_.push_back({device.id, sentence("It has {} free, of which {} are to stay free: too little for "
                                                         "a single part of the model.",
                                                         bytes_text(device.memory_free), bytes_text(device.reserve))});
                small_.push_back(i);
            } else if (!linked(i)) {
                left_out_.push_back({device.id, sentence("No link between it and another device has been measured.")});
            } else {
                usable_.push_back(i);
            }
        }
    }

    [[nodiscard]] tl::unexpected<Error> refusal() const
    {
        std::vector<std::size_t> all = usable_;
        all.insert(all.end(), small_.begin(), small_.end());
        std::sort(all.begin(), all.end());
        if (!all.empty()) {
            return tl::unexpected<Error>(does_not_fit(request_, all));
        }
        const LeftOut& first = left_out_.front();
        auto failed = failure("No device can be used for {} yet: of {} and the others no speed or no link has been "
                              "measured. Measure them and try again.",
                              request_.model.name, first.device);
        failed.value().details = first.device + ": " + first.reason.text();
        return failed;
    }

    /// Why usable_[i] is not in the best route.
    [[nodiscard]] Sentence reason(std::size_t i) const
    {
        const Route& with = routes_.with[i];
        const double best = routes_.best.seconds;
        if (!with.found()) {
            return sentence("The links that have been measured do not lead through it, or what it could hold is of no "
                            "use to the others.");
        }
        if (with.seconds > best * (1 + kRounding) && ms_text(with.seconds) != ms_text(best)) {
            return sentence("With it a token would take {} ms instead of {} ms.", ms_text(with.seconds), ms_text(best));
        }
        return sentence("With it a token would take no less than the {} ms that it takes without.", ms_text(best));
    }

    [[nodiscard]] Route single() const
    {
        Route best;
        for (const std::size_t device : usable_) {
            const IndexedStage whole{device, 0, cost_.shards()};
            if (cost_.possible({&whole, 1}) && cost_.token_seconds({&whole, 1}) < best.seconds) {
                best = {cost_.token_seconds({&whole, 1}), {whole}};
            }
        }
        return best;
    }

    [[nodiscard]] Sentence why(const Route& chosen, bool use_all) const
    {
        const Route alone = single();
        const std::string& model = request_.model.name;
        if (chosen.stages.size() == 1) {
            const std::string& device = id(chosen.stages.front().device);
            return usable_.size() == 1
                       ? sentence("{} holds all of {}; no other device can be used.", device, model)
                       : sentence("{} holds all of {}, and no split would give a token in less than its {} ms.", device,
                                  model, ms_text(chosen.seconds));
        }
        if (use_all) {
            return sentence("All {} devices were asked for; {} is cut so that the slowest of them is done with its "
                            "part of a prompt as soon as can be.",
                            chosen.stages.size(), model);
        }
        if (!alone.found()) {
            return sentence("No device alone can hold {} with a context of {} tokens; of all splits that fit, this one "
                            "over {} devices takes the least time a token, {} ms.",
                            model, cost_.demand().context, chosen.stages.size(), ms_text(chosen.seconds));
        }
        return sentence("{} alone could hold {}, but would take {} ms a token; split over {} devices it takes {} ms.",
                        id(alone.stages.front().device), model, ms_text(alone.seconds), chosen.stages.size(),
                        ms_text(chosen.seconds));
    }

    [[nodiscard]] std::vector<Alternative> alternatives(const Route& chosen) const
    {
        std::vector<Alternative> others;
        const auto add = [&](const Route& route, Sentence what) {
            if (route.found() && route.stages != chosen.stages) {
                others.push_back(
                    {std::move(what), placement_of(cost_, route.stages), prediction_of(cost_, route.stages)});
            }
        };
        add(routes_.best, sentence("The least time a token."));
        if (const Route alone = single(); alone.found() && alone.stages != routes_.best.stages) {
            add(alone, sentence("All on {}, the best single device.", id(alone.stages.front().device)));
        }
        if (usable_.size() > 1) {
            add(balanced_, sentence("All {} devices, cut so that prompts are read fastest.", usable_.size()));
        }
        return others;
    }

    const PlanRequest& request_;
    CostModel cost_;
    std::vector<std::size_t> usable_;
    std::vector<std::size_t> small_; ///< Devices with too little memory for anything.
    std::vector<LeftOut> left_out_;
    Routes routes_;
    Route balanced_;
};

Result<std::vector<IndexedStage>> indexed(const PlanRequest& request, const Placement& placement)
{
    std::vector<std::string> ids;
    for (const DeviceCosts& device : request.devices) {
        ids.push_back(device.id);
    }
    CONSTELA_TRY(check_placement(placement, request.model.shards.size(), ids));
    std::vector<IndexedStage> stages;
    for (const StageChoice& stage : placement.stages) {
        const auto found = std::find(ids.begin(), ids.end(), stage.device);
        stages.push_back({static_cast<std::size_t>(found - ids.begin()), stage.first_shard, stage.shard_count});
    }
    return stages;
}

} // namespace

Result<Plan> plan(const PlanRequest& request)
{
    return Planner(request).run();
}

Result<Prediction> predict(const PlanRequest& request, const Placement& placement)
{
    CONSTELA_ASSIGN(const std::vector<IndexedStage> stages, indexed(request, placement));
    return prediction_of(CostModel(request.model, request.devices, request.links, request.demand), stages);
}

Result<> check_fits(const PlanRequest& request, const Placement& placement)
{
    CONSTELA_ASSIGN(const std::vector<IndexedStage> stages, indexed(request, placement));
    const CostModel cost(request.model, request.devices, request.links, request.demand);
    for (const IndexedStage& stage : stages) {
        if (!cost.fits(stage.device, stage.first, stage.count)) {
            const DeviceCosts& device = request.devices[stage.device];
            const StageMemory use = cost.memory(stage.first, stage.count);
            return failure("{} does not fit {}: it needs {} for its weights, {} for a context of {} tokens and {} to "
                           "work with; {} are free, of which {} are to stay free. Move a part to another device, or "
                           "choose a shorter context.",
                           describe(stage.first, stage.count, cost.shards()), device.id, bytes_text(use.weights),
                           bytes_text(use.kv), cost.demand().context, bytes_text(use.workspace),
                           bytes_text(device.memory_free), bytes_text(device.reserve));
        }
    }
    return {};
}

} // namespace constela::placement
