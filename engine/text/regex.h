// SPDX-License-Identifier: GPL-3.0-or-later
//
// A regular expression over well-formed UTF-8, run by PCRE2 (compiled to machine code where the system allows it).
// Threads: immutable after compile(), may be used from any thread.
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string_view>
#include <vector>

namespace constela::text {

class Regex {
public:
    /// \s means the property White_Space (as in the regular expressions of Hugging Face's tokenizers and tiktoken),
    /// not PCRE2's own set, which has U+180E besides.
    [[nodiscard]] static Result<Regex> compile(std::string_view pattern);

    /// Appends, for each text on its own, the matches and what lies between them from left to right: together they are
    /// the texts. Where PCRE2 gives up (out of memory), the rest of a text is one piece, so that no byte is lost.
    void split(const std::vector<std::string_view>& texts, std::vector<std::string_view>& pieces) const;

    Regex(Regex&&) noexcept;
    Regex& operator=(Regex&&) noexcept;
    Regex(const Regex&) = delete;
    Regex& operator=(const Regex&) = delete;
    ~Regex();

private:
    struct Impl;
    class Search;
    explicit Regex(std::unique_ptr<const Impl> impl);
    std::unique_ptr<const Impl> impl_;
};

} // namespace constela::text
