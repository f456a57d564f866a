// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a conversation to the tokens of a prompt.
#pragma once

#include "engine/base/result.h"
#include "engine/node/node.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <cstdint>
#include <vector>

namespace constela::node {

/// Threads: any; it only reads.
[[nodiscard]] Result<std::vector<std::int32_t>>
prompt_tokens(const AskRequest& request, const text::Tokenizer& tokenizer, const text::ChatTemplate& chat_template);

} // namespace constela::node
