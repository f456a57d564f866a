// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/stop_strings.h"

#include <algorithm>
#include <utility>

namespace constela::runtime {

StopStrings::StopStrings(std::vector<std::string> stops) : stops_(std::move(stops))
{
    std::erase_if(stops_, [](const std::string& stop) { return stop.empty(); });
}

std::string StopStrings::feed(std::string_view text)
{
    if (matched_) {
        return {};
    }
    held_ += text;
    std::size_t begin = std::string::npos;
    std::size_t open = held_.size(); // where the earliest unfinished stop string may begin
    for (const std::string& stop : stops_) {
        begin = std::min(begin, held_.find(stop));
        std::size_t length = std::min(stop.size() - 1, held_.size());
        while (length > 0 && held_.compare(held_.size() - length, length, stop, 0, length) != 0) {
            --length;
        }
        open = std::min(open, held_.size() - length);
    }
    // A stop string that is whole waits while one that began before it may still become whole.
    if (begin != std::string::npos && begin <= open) {
        matched_ = true;
        return std::exchange(held_, {}).substr(0, begin);
    }
    std::string shown = held_.substr(0, open);
    held_.erase(0, open);
    return shown;
}

std::string StopStrings::finish()
{
    std::string rest = std::exchange(held_, {});
    for (const std::string& stop : stops_) {
        if (const std::size_t begin = rest.find(stop); begin != std::string::npos) {
            matched_ = true;
            rest.resize(begin);
        }
    }
    return rest;
}

} // namespace constela::runtime
