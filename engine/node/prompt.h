// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a conversation to the tokens of a prompt.
#pragma once

#include "engine/base/result.h"
#include "engine/node/node.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace constela::node {

/// How long a prompt may be, so that what can never fit is refused before time is spent on it.
struct PromptLimit {
    std::size_t context = 0;       ///< Tokens.
    std::size_t longest_token = 1; ///< Bytes.
};

/// Threads: any; it only reads.
[[nodiscard]] Result<std::vector<std::int32_t>> prompt_tokens(const AskRequest& request,
                                                              const text::Tokenizer& tokenizer,
                                                              const text::ChatTemplate& chat_template,
                                                              const PromptLimit& limit);

} // namespace constela::node
