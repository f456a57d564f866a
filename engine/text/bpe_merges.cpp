// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bpe_merges.h"
#include "engine/gguf/printable.h"
#include "engine/text/byte_level.h"

#include <limits>

namespace constela::text {

namespace {

constexpr std::string_view kMerges = "tokenizer.ggml.merges";

} // namespace

Result<BpeMerges> BpeMerges::read(const gguf::Metadata& metadata, const Vocabulary& vocabulary)
{
    BpeMerges made;
    made.tokens_ = static_cast<Symbol>(vocabulary.size());
    for (unsigned byte = 0; byte < 256; ++byte) {
        made.bytes_.at(byte) = made.intern(byte_characters().at(byte), vocabulary);
    }
    CONSTELA_ASSIGN(const auto lines, metadata.get<std::vector<std::string>>(kMerges));
    // Each line adds three symbols at most, which have to fit beside the ids.
    if (lines.size() > std::numeric_limits<Symbol>::max() / 8) {
        return failure("{}: {} has {} merges; {} at most were expected.", metadata.file_name(), kMerges, lines.size(),
                       std::numeric_limits<Symbol>::max() / 8);
    }
    made.merges_.reserve(lines.size());
    made.ranks_ = FlatIndex(lines.size());
    std::string joined;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = lines[i];
        const std::size_t space = line.find(' ', 1);
        if (space == std::string_view::npos || space + 1 == line.size()) {
            return failure("{}: {}[{}] is \"{}\"; two symbols with a space between them were expected.",
                           metadata.file_name(), kMerges, i, gguf::printable(line));
        }
        const std::string_view left = line.substr(0, space);
        const std::string_view right = line.substr(space + 1);
        joined.assign(left).append(right);
        const Merge merge{made.intern(left, vocabulary), made.intern(right, vocabulary),
                          made.intern(joined, vocabulary)};
        made.merges_.push_back(merge);
        // Where a pair stands twice the first one counts.
        made.ranks_.insert(hash(merge.left, merge.right), static_cast<std::uint32_t>(i), [&](std::uint32_t other) {
            return made.merges_[other].left == merge.left && made.merges_[other].right == merge.right;
        });
    }
    return made;
}

Symbol BpeMerges::intern(std::string_view text, const Vocabulary& vocabulary)
{
    if (const auto id = vocabulary.find_plain(text)) {
        return static_cast<Symbol>(*id);
    }
    const auto [place, is_new] = others_.try_emplace(std::string(text), tokens_ + static_cast<Symbol>(others_.size()));
    if (is_new) {
        other_bytes_.push_back(from_byte_level(text));
    }
    return place->second;
}

void BpeMerges::append(Symbol symbol, std::vector<TokenId>& ids) const
{
    if (symbol < tokens_) {
        ids.push_back(static_cast<TokenId>(symbol));
        return;
    }
    for (const char byte : other_bytes_[symbol - tokens_]) {
        const Symbol single = of_byte(static_cast<unsigned char>(byte));
        if (single < tokens_) {
            ids.push_back(static_cast<TokenId>(single));
        }
    }
}

} // namespace constela::text
