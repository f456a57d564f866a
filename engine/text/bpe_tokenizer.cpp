// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bpe_tokenizer.h"
#include "engine/text/byte_level.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace constela::text {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Places in a word are 32-bit numbers; beyond this a word, which no person writes, is cut.
constexpr std::size_t kLongestWord = std::size_t{1} << 30U;

} // namespace

/// Merges the bytes of one word after the other, in memory that it keeps.
class BpeTokenizer::Merger {
public:
    explicit Merger(const BpeMerges& merges) : merges_(merges) {}

    void encode(std::string_view word, std::vector<TokenId>& ids)
    {
        parts_.clear();
        candidates_.clear();
        for (const char byte : word) {
            const auto place = static_cast<std::uint32_t>(parts_.size());
            parts_.push_back({merges_.of_byte(static_cast<unsigned char>(byte)), place - 1, place + 1});
        }
        parts_.front().previous = kNone;
        parts_.back().next = kNone;
        for (std::uint32_t left = 0; left + 1 < parts_.size(); ++left) {
            if (const auto candidate = pair_at(left)) {
                candidates_.push_back(*candidate);
            }
        }
        std::make_heap(candidates_.begin(), candidates_.end(), goes_later);
        while (!candidates_.empty()) {
            std::pop_heap(candidates_.begin(), candidates_.end(), goes_later);
            const Candidate candidate = candidates_.back();
            candidates_.pop_back();
            if (is_current(candidate)) {
                merge(candidate);
            }
        }
        for (std::uint32_t place = 0; place != kNone; place = parts_[place].next) {
            merges_.append(parts_[place].symbol, ids);
        }
    }

private:
    struct Part {
        Symbol symbol = 0; ///< kNone once it went into the part before.
        std::uint32_t previous = kNone;
        std::uint32_t next = kNone;
    };
    struct Candidate {
        std::uint32_t rank = 0;
        std::uint32_t place = 0; ///< Of the left part.
        Symbol left = 0;
        Symbol right = 0;
        Symbol result = 0;
    };

    static bool goes_later(const Candidate& a, const Candidate& b)
    {
        return a.rank != b.rank ? a.rank > b.rank : a.place > b.place;
    }

    [[nodiscard]] std::optional<Candidate> pair_at(std::uint32_t place) const
    {
        const Symbol left = parts_[place].symbol;
        const Symbol right = parts_[parts_[place].next].symbol;
        const BpeMerges::Merge* merge = merges_.find(left, right);
        return merge == nullptr ? std::nullopt
                                : std::optional(Candidate{merge->rank, place, left, right, merge->result});
    }

    /// A part only changes by growing, so the same symbols at the same place are the same parts.
    [[nodiscard]] bool is_current(const Candidate& candidate) const
    {
        const Part& left = parts_[candidate.place];
        return left.symbol == candidate.left && left.next != kNone && parts_[left.next].symbol == candidate.right;
    }

    void merge(const Candidate& candidate)
    {
        Part& left = parts_[candidate.place];
        Part& right = parts_[left.next];
        left.symbol = candidate.result;
        left.next = right.next;
        right.symbol = kNone;
        if (left.next != kNone) {
            parts_[left.next].previous = candidate.place;
            push(pair_at(candidate.place));
        }
        if (left.previous != kNone) {
            push(pair_at(left.previous));
        }
    }

    void push(const std::optional<Candidate>& candidate)
    {
        if (candidate) {
            candidates_.push_back(*candidate);
            std::push_heap(candidates_.begin(), candidates_.end(), goes_later);
        }
    }

    const BpeMerges& merges_;
    std::vector<Part> parts_;
    std::vector<Candidate> candidates_;
};

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary, Names names, PreTokenizer pre, BpeMerges merges)
    : VocabularyTokenizer(std::move(vocabulary), std::move(names), false), pre_(std::move(pre)),
      merges_(std::move(merges))
{
}

Result<std::unique_ptr<const Tokenizer>> BpeTokenizer::create(const gguf::Metadata& metadata)
{
    CONSTELA_ASSIGN(auto pre_name, metadata.get_or<std::string>("tokenizer.ggml.pre", {}));
    CONSTELA_ASSIGN(auto pre, PreTokenizer::create(pre_name, metadata.file_name()));
    VocabularyDefaults defaults;
    defaults.adds_bos = pre.adds_bos();
    CONSTELA_ASSIGN(auto vocabulary, Vocabulary::read(metadata, defaults));
    CONSTELA_ASSIGN(auto merges, BpeMerges::read(metadata, vocabulary));
    return std::unique_ptr<const Tokenizer>(
        new BpeTokenizer(std::move(vocabulary), {"gpt2", std::move(pre_name)}, std::move(pre), std::move(merges)));
}

void BpeTokenizer::encode_plain(std::string_view text, bool /*at_start*/, std::vector<TokenId>& ids) const
{
    Merger merger(merges_);
    for (std::string_view word : pre_.split(text)) {
        // A byte is one or two bytes in the alphabet, so a longer word cannot be a token.
        if (pre_.ignores_merges() && word.size() <= vocabulary().longest_plain()) {
            if (const auto id = vocabulary().find_plain(to_byte_level(word))) {
                ids.push_back(*id);
                continue;
            }
        }
        for (; word.size() > kLongestWord; word.remove_prefix(kLongestWord)) {
            merger.encode(word.substr(0, kLongestWord), ids);
        }
        merger.encode(word, ids);
    }
}

std::string BpeTokenizer::bytes(TokenId id, bool with_special) const
{
    const std::string_view text = token(id);
    if (is_special(id)) {
        return with_special ? std::string(text) : std::string();
    }
    return vocabulary().type(id) == TokenType::user_defined ? std::string(text) : from_byte_level(text);
}

std::string BpeTokenizer::decode(const std::vector<TokenId>& ids, bool with_special) const
{
    std::string text;
    for (const TokenId id : ids) {
        text += bytes(id, with_special);
    }
    return text;
}

} // namespace constela::text
