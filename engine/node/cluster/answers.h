// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words of commands about answers, as constelactl and nodes exchange them (JSON; the contract is the terminal's).
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/node/node.h"

#include <nlohmann/json.hpp>
#include <string>

namespace constela::node {

[[nodiscard]] nlohmann::ordered_json to_json(const AskRequest& request);
/// From another machine: every field is checked.
[[nodiscard]] Result<AskRequest> ask_request(const nlohmann::json& json);

/// What `run --json` and `ask --json` print.
[[nodiscard]] nlohmann::ordered_json answer_json(const AnswerEnd& end, const std::string& text);

[[nodiscard]] nlohmann::ordered_json to_json(const Reading& reading);
[[nodiscard]] nlohmann::ordered_json to_json(const DeviceSnapshot& device);

} // namespace constela::node
