// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small tokenizers for fuzzing: good ones of every kind, and whatever an input describes.
#pragma once

#include "engine/text/tokenizer.h"

#include <memory>
#include <string_view>
#include <vector>

namespace constela::text::fuzz {

/// One for each set of pre-tokenizer expressions, with all bytes, some merges, control and user-defined tokens; then
/// SentencePiece ones with and without a space prefix.
[[nodiscard]] const std::vector<std::unique_ptr<const Tokenizer>>& good_tokenizers();

/// Metadata whose arrays are cut from `bytes`; nearly always wrong somewhere.
[[nodiscard]] gguf::Metadata wild_metadata(std::string_view bytes);

} // namespace constela::text::fuzz
