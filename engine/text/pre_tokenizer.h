// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cuts a text into the words inside which byte-pair merges happen: tokenizer.ggml.pre of a model's file.
// Threads: immutable after create(), may be used from any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/text/regex.h"

#include <string>
#include <string_view>
#include <vector>

namespace constela::text {

class PreTokenizer {
public:
    /// `name` as in tokenizer.ggml.pre; "" is "default". An unknown name is an error that lists the known ones.
    [[nodiscard]] static Result<PreTokenizer> create(std::string_view name, std::string_view file_name);

    /// The words, which together are the text, byte for byte. Bytes that are not UTF-8 stand apart from characters.
    [[nodiscard]] std::vector<std::string_view> split(std::string_view text) const;

    /// Whether a word that is a token as a whole is taken as it is, even where merges would not lead to it.
    [[nodiscard]] bool ignores_merges() const { return ignores_merges_; }
    /// Whether a prompt begins with BOS where the file does not say.
    [[nodiscard]] bool adds_bos() const { return adds_bos_; }

private:
    PreTokenizer() = default;

    void split_valid(std::string_view text, std::vector<std::string_view>& words) const;

    std::vector<Regex> steps_; ///< Each cuts further what the one before left.
    bool ignores_merges_ = false;
    bool adds_bos_ = false;
};

} // namespace constela::text
