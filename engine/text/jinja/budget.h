// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a render may use. Everything that takes time or memory pays here first, so that no template can hang the program
// or fill its memory.
#pragma once

#include "engine/base/result.h"
#include "engine/text/template_limits.h"

#include <cstddef>
#include <exception>
#include <string>

namespace constela::text::jinja {

/// How an error leaves the depths of the parser and the evaluator; it becomes a Result where the template's face is.
class TemplateError : public std::exception {
public:
    explicit TemplateError(Error error) : error_(std::move(error)), text_(error_.text()) {}
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

private:
    Error error_;
    std::string text_;
};

/// Throws what failure() makes: a sentence that a person reads.
template <class... Args>
[[noreturn]] void fail(std::string_view pattern, const Args&... args)
{
    throw TemplateError(std::move(failure(pattern, args...)).value());
}

/// An error of the template's own making; `what` is technical and stays English.
[[noreturn]] inline void fail_render(const std::string& what)
{
    fail("The chat template cannot render this conversation: {}", what);
}

class Budget {
public:
    explicit Budget(const TemplateLimits& limits) : limits_(limits) {}

    /// `steps` evaluated nodes or copied characters.
    void charge(std::size_t steps)
    {
        if (steps > limits_.max_steps - used_) {
            fail("The chat template takes too long; it was stopped after {} steps.", limits_.max_steps);
        }
        used_ += steps;
    }
    void check_output(std::size_t bytes) const
    {
        if (bytes > limits_.max_output_bytes) {
            fail("The chat template writes more than {} bytes; it was stopped.", limits_.max_output_bytes);
        }
    }

    /// Counts how deep calls are nested, while it lives.
    class Level {
    public:
        explicit Level(Budget& budget) : budget_(budget)
        {
            if (++budget_.depth_ > budget_.limits_.max_depth) {
                --budget_.depth_;
                fail("The chat template is nested deeper than {} levels; it was stopped.", budget_.limits_.max_depth);
            }
        }
        ~Level() { --budget_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        Budget& budget_;
    };

private:
    TemplateLimits limits_;
    std::size_t used_ = 0;
    std::size_t depth_ = 0;
};

} // namespace constela::text::jinja
