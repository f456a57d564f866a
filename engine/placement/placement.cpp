// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/placement.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace constela::placement {

namespace {

constexpr std::string_view kEmbedding = "embed";
constexpr std::string_view kHead = "head";
constexpr std::string_view kBlock = "block.";
/// Enough to recognise an id in a sentence.
constexpr std::size_t kShown = 40;

/// Blocks of a run of shards.
struct Parts {
    bool embedding = false;
    bool head = false;
    std::size_t first_block = 0;
    std::size_t blocks = 0;
};

Parts parts_of(std::size_t first, std::size_t count, std::size_t total)
{
    Parts parts;
    parts.embedding = count > 0 && first == 0;
    parts.head = count > 0 && first + count == total;
    parts.blocks = count - (parts.embedding ? 1U : 0U) - (parts.head ? 1U : 0U);
    parts.first_block = parts.embedding ? 0 : first - 1;
    return parts;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kSpace = " \t";
    const std::size_t begin = text.find_first_not_of(kSpace);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string shown(std::string_view id)
{
    return id.size() <= kShown ? std::string(id) : std::string(id.substr(0, kShown)) + "...";
}

std::optional<std::size_t> number(std::string_view digits)
{
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    return whole ? std::optional(value) : std::nullopt;
}

Result<ShardSpan> parse_id(std::string_view id, std::size_t total)
{
    if (id == kEmbedding) {
        return ShardSpan{0, 1};
    }
    if (id == kHead) {
        return ShardSpan{total - 1, 1};
    }
    if (id.starts_with(kBlock)) {
        const std::string_view range = id.substr(kBlock.size());
        const std::size_t dash = range.find('-');
        const auto first = number(range.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
        if (first && last) {
            const std::size_t blocks = total - 2;
            if (*first >= blocks || *last >= blocks) {
                return failure("{}: the model has {} blocks, the first is block.0.", shown(id), blocks);
            }
            if (*last < *first) {
                return failure("{}: the first block of a range comes before its last.", shown(id));
            }
            return ShardSpan{*first + 1, *last - *first + 1};
        }
    }
    return failure("\"{}\" is no shard. Shards are embed, block.N, block.A-B and head.", shown(id));
}

} // namespace

std::string shard_name(std::size_t shard, std::size_t total)
{
    if (shard == 0) {
        return std::string(kEmbedding);
    }
    return shard + 1 == total ? std::string(kHead) : fmt::format("{}{}", kBlock, shard - 1);
}

std::string shards_text(std::size_t first, std::size_t count, std::size_t total)
{
    const Parts parts = parts_of(first, count, total);
    std::string text;
    const auto add = [&text](std::string_view id) {
        text += text.empty() ? "" : ",";
        text += id;
    };
    if (parts.embedding) {
        add(kEmbedding);
    }
    if (parts.blocks == 1) {
        add(fmt::format("{}{}", kBlock, parts.first_block));
    } else if (parts.blocks > 1) {
        add(fmt::format("{}{}-{}", kBlock, parts.first_block, parts.first_block + parts.blocks - 1));
    }
    if (parts.head) {
        add(kHead);
    }
    return text;
}

Result<ShardSpan> parse_shards(std::string_view text, std::size_t total)
{
    ShardSpan all;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view id = trimmed(text.substr(begin, end - begin));
        CONSTELA_ASSIGN(const ShardSpan span, parse_id(id, total));
        if (all.count != 0 && span.first != all.first + all.count) {
            return failure("{} cannot follow {}: the shards of a stage are neighbours in the order embed, block.0, "
                           "block.1 ..., head, each once.",
                           shown(id), shard_name(all.first + all.count - 1, total));
        }
        all = {all.count == 0 ? span.first : all.first, all.count + span.count};
        begin = end + 1;
    }
    return all;
}

std::string describe(std::size_t first, std::size_t count, std::size_t total)
{
    const Parts parts = parts_of(first, count, total);
    std::vector<std::string> words;
    if (parts.embedding) {
        words.emplace_back("embedding");
    }
    if (parts.blocks == 1) {
        words.push_back(fmt::format("block {}", parts.first_block));
    } else if (parts.blocks > 1) {
        words.push_back(fmt::format("blocks {} to {}", parts.first_block, parts.first_block + parts.blocks - 1));
    }
    if (parts.head) {
        words.emplace_back("head");
    }
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool last = i + 1 == words.size();
        text += i == 0 ? "" : (last ? " and " : ", ");
        text += words[i];
    }
    return text.empty() ? "nothing" : text;
}

} // namespace constela::placement
