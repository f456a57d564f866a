// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/utf8_stream.h"
#include "engine/text/utf8.h"

namespace constela::text {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

} // namespace

std::string Utf8Stream::feed(std::string_view bytes)
{
    pending_ += bytes;
    std::string complete;
    complete.reserve(pending_.size());
    std::string_view rest = pending_;
    while (!rest.empty()) {
        const Utf8Step step = next_utf8(rest);
        if (step.kind == Utf8Kind::unfinished) {
            break;
        }
        complete += step.kind == Utf8Kind::character ? rest.substr(0, step.length) : kReplacement;
        rest.remove_prefix(step.length);
    }
    pending_.erase(0, pending_.size() - rest.size());
    return complete;
}

std::string Utf8Stream::finish()
{
    const bool unfinished = !pending_.empty();
    pending_.clear();
    return unfinished ? std::string(kReplacement) : std::string();
}

} // namespace constela::text
