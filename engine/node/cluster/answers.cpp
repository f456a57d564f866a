// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/answers.h"

namespace constela::node {

namespace {

using nlohmann::json;

tl::unexpected<Error> malformed()
{
    return failure("The question that another program sent is damaged or of another version.");
}

const char* state_name(Reading::State state)
{
    switch (state) {
    case Reading::State::ok: return "ok";
    case Reading::State::unsupported: return "unsupported";
    case Reading::State::denied: return "denied";
    case Reading::State::failed: return "failed";
    }
    return "";
}

} // namespace

nlohmann::ordered_json to_json(const AskRequest& request)
{
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    for (const Message& message : request.messages) {
        messages.push_back({{"role", message.role}, {"content", message.content}});
    }
    const runtime::SamplingOptions& sampling = request.options.sampling;
    nlohmann::ordered_json json{{"messages", std::move(messages)},
                                {"raw", request.raw},
                                {"raw_prompt", request.raw_prompt},
                                {"max_tokens", request.options.max_tokens},
                                {"stop", request.options.stop},
                                {"log_probabilities", request.options.log_probabilities},
                                {"temperature", sampling.temperature},
                                {"top_k", sampling.top_k},
                                {"top_p", sampling.top_p},
                                {"min_p", sampling.min_p},
                                {"repeat_penalty", sampling.repeat_penalty}};
    if (sampling.seed) {
        json["seed"] = *sampling.seed;
    }
    return json;
}

Result<AskRequest> ask_request(const json& json)
{
    AskRequest request;
    try {
        for (const auto& message : json.at("messages")) {
            request.messages.push_back(
                {message.at("role").get<std::string>(), message.at("content").get<std::string>()});
        }
        request.raw = json.at("raw").get<bool>();
        request.raw_prompt = json.at("raw_prompt").get<std::string>();
        request.options.max_tokens = json.at("max_tokens").get<int>();
        request.options.stop = json.at("stop").get<std::vector<std::string>>();
        request.options.log_probabilities = json.at("log_probabilities").get<bool>();
        runtime::SamplingOptions& sampling = request.options.sampling;
        sampling.temperature = json.at("temperature").get<float>();
        sampling.top_k = json.at("top_k").get<int>();
        sampling.top_p = json.at("top_p").get<float>();
        sampling.min_p = json.at("min_p").get<float>();
        sampling.repeat_penalty = json.at("repeat_penalty").get<float>();
        if (json.contains("seed")) {
            sampling.seed = json.at("seed").get<std::uint64_t>();
        }
    } catch (const nlohmann::json::exception&) {
        return malformed();
    }
    return request;
}

nlohmann::ordered_json answer_json(const AnswerEnd& end, const std::string& text)
{
    nlohmann::ordered_json json{{"text", text},
                                {"tokens", end.tokens},
                                {"prompt_tokens", end.stats.prompt_tokens},
                                {"prefill_ms", end.stats.prefill_ms},
                                {"decode_ms", end.stats.decode_ms},
                                {"tokens_per_second", end.stats.tokens_per_second()},
                                {"stop_reason", runtime::stop_reason_name(end.reason)}};
    if (!end.log_probabilities.empty()) {
        json["log_probabilities"] = end.log_probabilities;
    }
    return json;
}

nlohmann::ordered_json to_json(const Reading& reading)
{
    nlohmann::ordered_json json;
    json["value"] =
        reading.state == Reading::State::ok ? nlohmann::ordered_json(reading.value) : nlohmann::ordered_json();
    json["state"] = state_name(reading.state);
    json["reason"] = reading.reason;
    return json;
}

nlohmann::ordered_json to_json(const DeviceSnapshot& device)
{
    return {{"id", device.id},
            {"name", device.name},
            {"kind", device.kind},
            {"backend", device.backend},
            {"threads", device.threads},
            {"memory_total", device.memory_total},
            {"readings",
             {{"memory_free", to_json(device.memory_free)},
              {"load", to_json(device.load)},
              {"temperature", to_json(device.temperature)}}}};
}

} // namespace constela::node
