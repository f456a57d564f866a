// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/stop_strings.h"

#include <algorithm>

namespace constela::runtime {

StopStrings::StopStrings(const std::vector<std::string>& stops) : nodes_(1)
{
    for (const std::string& stop : stops) {
        add(stop);
    }
    link();
}

void StopStrings::add(std::string_view stop)
{
    std::uint32_t node = 0;
    for (const char byte : stop) {
        const auto [found, is_new] = nodes_[node].next.try_emplace(byte, static_cast<std::uint32_t>(nodes_.size()));
        const std::size_t length = nodes_[node].length + 1;
        node = found->second;
        if (is_new) {
            nodes_.emplace_back().length = length;
        }
    }
    nodes_[node].whole = stop.size();
}

/// Shorter texts first, so that what a node points to is known.
void StopStrings::link()
{
    std::vector<std::uint32_t> order{0};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t parent = order[i];
        for (const auto& [byte, child] : nodes_[parent].next) {
            order.push_back(child);
            Node& node = nodes_[child];
            node.shorter = parent == 0 ? 0 : after(nodes_[parent].shorter, byte);
            node.whole = std::max(node.whole, nodes_[node.shorter].whole);
        }
    }
}

std::uint32_t StopStrings::after(std::uint32_t node, char byte) const
{
    while (true) {
        const auto found = nodes_[node].next.find(byte);
        if (found != nodes_[node].next.end()) {
            return found->second;
        }
        if (node == 0) {
            return 0;
        }
        node = nodes_[node].shorter;
    }
}

std::string StopStrings::show(std::size_t end)
{
    std::string text = held_.substr(shown_, end - shown_);
    shown_ = end;
    // Moving what is left costs its length, so it waits until as much has been shown.
    if (shown_ > held_.size() / 2) {
        held_.erase(0, shown_);
        begin_ -= begin_ == std::string::npos ? 0 : shown_;
        shown_ = 0;
    }
    return text;
}

std::string StopStrings::feed(std::string_view text)
{
    if (matched_) {
        return {};
    }
    for (const char byte : text) {
        held_ += byte;
        node_ = after(node_, byte);
        const Node& node = nodes_[node_];
        if (node.whole > 0) {
            begin_ = std::min(begin_, held_.size() - node.whole);
        }
        // None that began before it can become whole any more.
        if (begin_ != std::string::npos && begin_ <= held_.size() - node.length) {
            return finish();
        }
    }
    return show(held_.size() - nodes_[node_].length);
}

std::string StopStrings::finish()
{
    matched_ = matched_ || begin_ != std::string::npos;
    std::string text = show(std::min(begin_, held_.size()));
    held_.clear();
    shown_ = 0;
    begin_ = std::string::npos;
    node_ = 0;
    return text;
}

} // namespace constela::runtime
