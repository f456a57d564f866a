// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <string>

namespace constela::text {

namespace {

// White_Space is U+0009 to U+000D, U+0085 and the category Z.
constexpr std::string_view kSpaces = R"(\t-\r\x{85}\p{Z})";

/// Writes \s and \S out.
std::string expand_spaces(std::string_view pattern)
{
    std::string expanded;
    bool in_class = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '\\' && i + 1 < pattern.size()) {
            const char escaped = pattern[++i];
            if (escaped == 's' && in_class) {
                expanded += kSpaces;
            } else if (escaped == 's' || escaped == 'S') {
                expanded += escaped == 's' ? "[" : "[^";
                expanded += kSpaces;
                expanded += ']';
            } else {
                expanded += c;
                expanded += escaped;
            }
            continue;
        }
        in_class = in_class ? c != ']' : c == '[';
        expanded += c;
    }
    return expanded;
}

struct Free {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

std::string message(int code)
{
    std::array<PCRE2_UCHAR, 256> buffer{};
    pcre2_get_error_message(code, buffer.data(), buffer.size());
    std::string text;
    for (const PCRE2_UCHAR c : buffer) {
        if (c == 0) {
            break;
        }
        text += static_cast<char>(c);
    }
    return text;
}

} // namespace

struct Regex::Impl {
    std::unique_ptr<pcre2_code, Free> code;
    std::unique_ptr<pcre2_match_context, Free> context;
};

Regex::Regex(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::compile(std::string_view pattern)
{
    const std::string expanded = expand_spaces(pattern);
    int error = 0;
    PCRE2_SIZE at = 0;
    auto impl = std::make_unique<Impl>();
    impl->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expanded.data()), expanded.size(),
                                   PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, &error, &at, nullptr));
    if (!impl->code) {
        return failure("PCRE2 cannot compile the expression {} ({}, at {}). A PCRE2 with Unicode support is needed.",
                       expanded, message(error), at);
    }
    // Not everywhere allowed; matching then interprets the expression, with the same results.
    static_cast<void>(pcre2_jit_compile(impl->code.get(), PCRE2_JIT_COMPLETE));
    impl->context.reset(pcre2_match_context_create(nullptr));
    if (!impl->context) {
        throw std::bad_alloc();
    }
    // The expressions need steps in proportion to the text, and a text may be long: limits that are meant against
    // expressions that explode would only cut it in a way that depends on how PCRE2 counts.
    pcre2_set_match_limit(impl->context.get(), std::numeric_limits<std::uint32_t>::max());
    pcre2_set_depth_limit(impl->context.get(), std::numeric_limits<std::uint32_t>::max());
    return Regex(std::move(impl));
}

/// Finds one match after the other.
class Regex::Search {
public:
    explicit Search(const Impl& impl) : impl_(impl), data_(pcre2_match_data_create(1, nullptr))
    {
        if (!data_) {
            throw std::bad_alloc();
        }
    }

    /// The first match at or behind `from`; an empty view where there is none.
    [[nodiscard]] std::string_view next(std::string_view text, std::size_t from) const
    {
        int found = match(text, from, 0);
        if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
            found = match(text, from, PCRE2_NO_JIT);
        }
        if (found < 0) {
            return {};
        }
        const PCRE2_SIZE* const place = pcre2_get_ovector_pointer(data_.get());
        return text.substr(place[0], place[1] - place[0]);
    }

private:
    [[nodiscard]] int match(std::string_view text, std::size_t from, std::uint32_t options) const
    {
        return pcre2_match(impl_.code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                           PCRE2_NO_UTF_CHECK | options, data_.get(), impl_.context.get());
    }

    const Impl& impl_;
    std::unique_ptr<pcre2_match_data, Free> data_;
};

void Regex::split(const std::vector<std::string_view>& texts, std::vector<std::string_view>& pieces) const
{
    const Search search(*impl_);
    for (const std::string_view text : texts) {
        std::size_t done = 0;
        while (done < text.size()) {
            const std::string_view match = search.next(text, done);
            if (match.empty()) {
                break;
            }
            const auto begin = static_cast<std::size_t>(match.data() - text.data());
            if (begin > done) {
                pieces.push_back(text.substr(done, begin - done));
            }
            pieces.push_back(match);
            done = begin + match.size();
        }
        if (done < text.size()) {
            pieces.push_back(text.substr(done));
        }
    }
}

} // namespace constela::text
