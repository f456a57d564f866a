// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/special_splitter.h"

#include <algorithm>
#include <map>

namespace constela::text {

namespace {

std::uint64_t edge(std::uint32_t node, char byte)
{
    return (std::uint64_t{node} << 8U) | static_cast<unsigned char>(byte);
}

bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

} // namespace

struct SpecialSplitter::Match {
    std::size_t begin = 0;
    const Entry* entry = nullptr;
    std::size_t end = 0; ///< Behind the white space that the token swallows.
};

/// Which bytes of the text belong to a token already.
class SpecialSplitter::Claims {
public:
    explicit Claims(std::string_view text) : text_(text), taken_(text.size(), false) {}

    /// How many bytes from `begin` on, at most `length`, are free.
    [[nodiscard]] std::size_t free(std::size_t begin, std::size_t length) const
    {
        std::size_t count = 0;
        while (count < length && !taken_[begin + count]) {
            ++count;
        }
        return count;
    }

    [[nodiscard]] Match take(std::size_t begin, const Entry& entry)
    {
        std::size_t end = begin + entry.length;
        while (entry.strips_right && end < text_.size() && !taken_[end] && is_space(text_[end])) {
            ++end;
        }
        std::fill(taken_.begin() + static_cast<std::ptrdiff_t>(begin),
                  taken_.begin() + static_cast<std::ptrdiff_t>(end), true);
        return {begin, &entry, end};
    }

private:
    std::string_view text_;
    std::vector<bool> taken_;
};

SpecialSplitter::SpecialSplitter(const Vocabulary& vocabulary, bool strips_right) : entry_of_node_(1, kNone), first_()
{
    first_.fill(kNone);
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        const auto id = static_cast<TokenId>(i);
        const std::string_view token = vocabulary.token(id);
        if (token.empty() || !(vocabulary.type(id) == TokenType::user_defined || vocabulary.is_special(id))) {
            continue;
        }
        const bool keeps_right = token == "<unk>" || token == "<s>" || token == "<|endoftext|>";
        insert(token, {id, token.size(), vocabulary.only_by_template(id), strips_right && !keeps_right});
    }
}

void SpecialSplitter::insert(std::string_view token, const Entry& entry)
{
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::uint32_t& next = i == 0 ? first_[static_cast<unsigned char>(token[0])]
                                     : edges_.try_emplace(edge(node, token[i]), kNone).first->second;
        if (next == kNone) {
            next = static_cast<std::uint32_t>(entry_of_node_.size());
            entry_of_node_.push_back(kNone);
        }
        node = next;
    }
    entry_of_node_[node] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back(entry);
}

const SpecialSplitter::Entry* SpecialSplitter::longest(std::string_view text, std::size_t begin, std::size_t limit,
                                                       const MayBeSpecial& may_be_special) const
{
    const Entry* found = nullptr;
    bool specials = true;
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < limit; ++i) {
        if (i == 0) {
            node = first_[static_cast<unsigned char>(text[begin])];
        } else {
            const auto next = edges_.find(edge(node, text[begin + i]));
            node = next == edges_.end() ? kNone : next->second;
        }
        if (node == kNone) {
            break;
        }
        specials = specials && may_be_special(begin + i);
        if (entry_of_node_[node] != kNone) {
            const Entry& entry = entries_[entry_of_node_[node]];
            if (specials || !entry.is_special) {
                found = &entry;
            }
        }
    }
    return found;
}

std::vector<Fragment> SpecialSplitter::split(std::string_view text, const MayBeSpecial& may_be_special) const
{
    // At each place the longest token, sorted by length. One that meets a place already taken tries again with the
    // longest that still fits, which stands further back in the order.
    std::map<std::size_t, std::vector<Match>, std::greater<>> by_length;
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        if (const Entry* entry = longest(text, begin, text.size() - begin, may_be_special)) {
            by_length[entry->length].push_back({begin, entry, 0});
        }
    }
    std::vector<Match> accepted;
    if (!by_length.empty()) {
        Claims claims(text);
        while (!by_length.empty()) {
            auto matches = std::move(by_length.begin()->second);
            by_length.erase(by_length.begin());
            std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
                return a.entry->id != b.entry->id ? a.entry->id < b.entry->id : a.begin < b.begin;
            });
            for (const Match& match : matches) {
                const std::size_t free = claims.free(match.begin, match.entry->length);
                if (free == match.entry->length) {
                    accepted.push_back(claims.take(match.begin, *match.entry));
                } else if (const Entry* shorter = longest(text, match.begin, free, may_be_special)) {
                    by_length[shorter->length].push_back({match.begin, shorter, 0});
                }
            }
        }
        std::sort(accepted.begin(), accepted.end(), [](const Match& a, const Match& b) { return a.begin < b.begin; });
    }
    std::vector<Fragment> fragments;
    std::size_t done = 0;
    for (const Match& match : accepted) {
        if (match.begin > done) {
            fragments.push_back({text.substr(done, match.begin - done), {}});
        }
        fragments.push_back({{}, match.entry->id});
        done = match.end;
    }
    if (done < text.size()) {
        fragments.push_back({text.substr(done), {}});
    }
    return fragments;
}

} // namespace constela::text
