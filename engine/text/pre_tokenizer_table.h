// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pre-tokenizers by their names in model files.
#pragma once

#include <span>
#include <string_view>

namespace constela::text {

struct PreTokenizerRule {
    std::string_view name;
    std::span<const std::string_view> steps;
    bool ignores_merges = false;
    bool adds_bos = false;
};

[[nodiscard]] std::span<const PreTokenizerRule> pre_tokenizer_rules();

} // namespace constela::text
