// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/placement_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

namespace constela::placement {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kExample = R"({"stages": [{"device": "studio/cpu0", "shards": "embed,block.0-14"}, ...]})";
constexpr std::string_view kStageExample = R"({"device": "studio/cpu0", "shards": "embed,block.0-14"})";

/// Line and column, both from 1, of a byte of the text.
struct Place {
    std::size_t line = 1;
    std::size_t column = 1;
};

Place place_of(std::string_view text, std::size_t byte)
{
    Place place;
    for (const char c : text.substr(0, std::min(byte, text.size()))) {
        place = c == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
    }
    return place;
}

Result<Json> parse_json(std::string_view text)
{
    // The library keeps the last of two equal keys; a person who wrote both meant something else.
    std::vector<std::set<std::string>> keys;
    std::string twice;
    const auto watch = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) {
            keys.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            keys.pop_back();
        } else if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
            twice = parsed.get<std::string>();
        }
        return true;
    };
    try {
        Json json = Json::parse(text, watch);
        if (!twice.empty()) {
            return failure("The placement has \"{}\" twice in one object. Leave one of them.", twice);
        }
        return json;
    } catch (const Json::parse_error& error) {
        const Place place = place_of(text, error.byte == 0 ? 0 : error.byte - 1);
        auto failed = failure("The placement is not JSON: line {}, column {} cannot be read. Expected is "
                              "{}.",
                              place.line, place.column, kExample);
        failed.value().details = error.what();
        return failed;
    }
}

Result<std::string> text_field(const Json& stage, const char* name, std::size_t number)
{
    const auto found = stage.find(name);
    if (found == stage.end()) {
        return failure("Stage {} of the placement has no \"{}\".", number, name);
    }
    if (!found->is_string()) {
        return failure("\"{}\" of stage {} of the placement is {}; a text in quotes was expected.", name, number,
                       found->type_name());
    }
    return found->get<std::string>();
}

Result<StageChoice> parse_stage(const Json& stage, std::size_t number, std::size_t total)
{
    if (!stage.is_object()) {
        return failure("Stage {} of the placement is {}; expected is {}.", number, stage.type_name(), kStageExample);
    }
    for (const auto& [key, value] : stage.items()) {
        if (key != "device" && key != "shards") {
            return failure("Stage {} of the placement has \"{}\", which means nothing; known are \"device\" and "
                           "\"shards\".",
                           number, key);
        }
    }
    CONSTELA_ASSIGN(std::string device, text_field(stage, "device", number));
    CONSTELA_ASSIGN(const std::string shards, text_field(stage, "shards", number));
    auto span = parse_shards(shards, total);
    if (!span) {
        return failure("Stage {} of the placement ({}): {}", number, device, span.error().text());
    }
    return StageChoice{std::move(device), span->first, span->count};
}

/// A text from a file as a sentence shows it.
std::string shortened(std::string_view text)
{
    constexpr std::size_t kShown = 80;
    return text.size() <= kShown ? std::string(text) : std::string(text.substr(0, kShown)) + "...";
}

std::string listed(std::span<const std::string> devices)
{
    constexpr std::size_t kNamed = 16;
    const bool more = devices.size() > kNamed;
    return fmt::format("{}{}", fmt::join(devices.first(std::min(devices.size(), kNamed)), ", "),
                       more ? ", ..." : (devices.empty() ? "none" : ""));
}

Result<> check_device(const StageChoice& stage, std::size_t number, std::span<const std::string> devices,
                      std::set<std::string>& used)
{
    if (std::find(devices.begin(), devices.end(), stage.device) == devices.end()) {
        return failure("Stage {} of the placement names the device {}, which is not there. There are: {}.", number,
                       shortened(stage.device), listed(devices));
    }
    if (!used.insert(stage.device).second) {
        return failure("Stage {} of the placement names {} a second time; a device holds one run of neighbouring "
                       "shards. Put its shards into one stage.",
                       number, stage.device);
    }
    return {};
}

} // namespace

Result<> check_placement(const Placement& placement, std::size_t total, std::span<const std::string> devices)
{
    if (placement.stages.empty()) {
        return failure("The placement has no stages; each of the model's {} shards needs a device.", total);
    }
    std::set<std::string> used;
    std::size_t next = 0;
    for (std::size_t i = 0; i < placement.stages.size(); ++i) {
        const StageChoice& stage = placement.stages[i];
        CONSTELA_TRY(check_device(stage, i + 1, devices, used));
        if (stage.shard_count == 0) {
            return failure("Stage {} of the placement ({}) has no shards. Leave the stage out.", i + 1, stage.device);
        }
        if (stage.first_shard > next) {
            return failure("No stage of the placement has {}; stage {} ({}) begins with {}. Every shard has its place, "
                           "in the order embed, block.0, block.1 ..., head.",
                           shards_text(next, std::min(stage.first_shard, total) - next, total), i + 1, stage.device,
                           shard_name(stage.first_shard, total));
        }
        if (stage.first_shard < next) {
            return failure("Stage {} of the placement ({}) begins with {}, but {} comes next. Every shard has one "
                           "place, in the order embed, block.0, block.1 ..., head.",
                           i + 1, stage.device, shard_name(stage.first_shard, total),
                           next < total ? shard_name(next, total) : "nothing");
        }
        if (stage.shard_count > total - next) {
            return failure("Stage {} of the placement ({}) goes beyond the model's {} shards.", i + 1, stage.device,
                           total);
        }
        next += stage.shard_count;
    }
    if (next != total) {
        return failure("No stage of the placement has {}. Every shard needs a device.",
                       shards_text(next, total - next, total));
    }
    return {};
}

Result<Placement> parse_placement(std::string_view text, std::size_t total, std::span<const std::string> devices)
{
    if (text.size() > kLargestPlacementFile) {
        return failure("The placement has {} bytes, more than the {} that any placement needs. Is it another file?",
                       text.size(), kLargestPlacementFile);
    }
    CONSTELA_ASSIGN(const Json json, parse_json(text));
    const auto stages = json.is_object() ? json.find("stages") : json.end();
    if (!json.is_object() || stages == json.end() || !stages->is_array() || json.size() != 1) {
        return failure("A placement is {} and has nothing beside \"stages\".", kExample);
    }
    Placement placement;
    for (const Json& stage : *stages) {
        CONSTELA_ASSIGN(StageChoice choice, parse_stage(stage, placement.stages.size() + 1, total));
        placement.stages.push_back(std::move(choice));
    }
    CONSTELA_TRY(check_placement(placement, total, devices));
    return placement;
}

nlohmann::ordered_json placement_json(const Placement& placement, std::size_t total)
{
    Json stages = Json::array();
    for (const StageChoice& stage : placement.stages) {
        stages.push_back(
            Json{{"device", stage.device}, {"shards", shards_text(stage.first_shard, stage.shard_count, total)}});
    }
    return Json{{"stages", std::move(stages)}};
}

std::string placement_text(const Placement& placement, std::size_t total)
{
    std::string lines;
    const Json json = placement_json(placement, total);
    for (const Json& stage : json["stages"]) {
        lines += lines.empty() ? "    " : ",\n    ";
        lines += stage.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return "{\"stages\": [\n" + lines + "\n]}\n";
}

} // namespace constela::placement
