// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/spm_tokenizer.h"
#include "engine/gguf/printable.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace constela::text {

namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81"; // U+2581
constexpr std::string_view kScores = "tokenizer.ggml.scores";
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Places in a text are 32-bit numbers; a longer text is cut.
constexpr std::size_t kLongestText = std::size_t{1} << 30U;

/// The byte of "<0x0A>".
std::optional<unsigned char> parse_byte(std::string_view token)
{
    if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>') {
        return std::nullopt;
    }
    unsigned byte = 0;
    for (const char digit : token.substr(3, 2)) {
        constexpr std::string_view digits = "0123456789ABCDEF";
        const std::size_t value = digits.find(digit);
        if (value == std::string_view::npos) {
            return std::nullopt;
        }
        byte = byte * 16 + static_cast<unsigned>(value);
    }
    return static_cast<unsigned char>(byte);
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to)
{
    std::string replaced;
    replaced.reserve(text.size());
    while (!text.empty()) {
        const std::size_t found = std::min(text.find(from), text.size());
        replaced += text.substr(0, found);
        text.remove_prefix(found);
        if (!text.empty()) {
            replaced += to;
            text.remove_prefix(from.size());
        }
    }
    return replaced;
}

/// Phi-3's files do not carry that its special tokens swallow the white space behind them.
Result<bool> is_phi3(const gguf::Metadata& metadata)
{
    CONSTELA_ASSIGN(const auto architecture, metadata.get_or<std::string>("general.architecture", {}));
    CONSTELA_ASSIGN(auto name, metadata.get_or<std::string>("general.name", {}));
    for (char& c : name) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return architecture == "phi3" || name.find("phi-3") != std::string::npos || name.find("phi3") != std::string::npos;
}

} // namespace

/// Merges the characters of one text.
class SpmTokenizer::Merger {
public:
    Merger(const SpmTokenizer& tokenizer, std::string_view text) : tokenizer_(tokenizer), text_(text) {}

    void encode(std::vector<TokenId>& ids)
    {
        cut_into_characters();
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
            append(parts_[place], ids);
        }
    }

private:
    struct Part {
        std::uint32_t begin = 0;
        std::uint32_t length = 0; ///< 0 once it went into the part before.
        std::uint32_t previous = kNone;
        std::uint32_t next = kNone;
    };
    struct Candidate {
        float score = 0;
        std::uint32_t place = 0; ///< Of the left part.
        std::uint32_t length = 0;
    };

    static bool goes_later(const Candidate& a, const Candidate& b)
    {
        return a.score != b.score ? a.score < b.score : a.place > b.place;
    }

    void cut_into_characters()
    {
        std::uint32_t begin = 0;
        while (begin < text_.size()) {
            const auto length = static_cast<std::uint32_t>(next_utf8(text_.substr(begin)).length);
            const auto place = static_cast<std::uint32_t>(parts_.size());
            parts_.push_back({begin, length, place - 1, place + 1});
            begin += length;
        }
        parts_.front().previous = kNone;
        parts_.back().next = kNone;
    }

    [[nodiscard]] std::optional<Candidate> pair_at(std::uint32_t place) const
    {
        const Part& left = parts_[place];
        const std::uint32_t length = left.length + parts_[left.next].length;
        const Vocabulary& vocabulary = tokenizer_.vocabulary();
        if (length > vocabulary.longest_plain()) {
            return std::nullopt;
        }
        const auto id = vocabulary.find_plain(text_.substr(left.begin, length));
        if (!id) {
            return std::nullopt;
        }
        return Candidate{tokenizer_.scores_[static_cast<std::size_t>(*id)], place, length};
    }

    /// Parts only grow, so the same length at the same place means the same two parts.
    [[nodiscard]] bool is_current(const Candidate& candidate) const
    {
        const Part& left = parts_[candidate.place];
        return left.length != 0 && left.next != kNone && left.length + parts_[left.next].length == candidate.length;
    }

    void merge(const Candidate& candidate)
    {
        Part& left = parts_[candidate.place];
        Part& right = parts_[left.next];
        left.length = candidate.length;
        left.next = right.next;
        right.length = 0;
        if (left.previous != kNone) {
            push(pair_at(left.previous));
        }
        if (left.next != kNone) {
            parts_[left.next].previous = candidate.place;
            push(pair_at(candidate.place));
        }
    }

    void push(const std::optional<Candidate>& candidate)
    {
        if (candidate) {
            candidates_.push_back(*candidate);
            std::push_heap(candidates_.begin(), candidates_.end(), goes_later);
        }
    }

    void append(const Part& part, std::vector<TokenId>& ids) const
    {
        const std::string_view text = text_.substr(part.begin, part.length);
        if (const auto id = tokenizer_.vocabulary().find_plain(text)) {
            ids.push_back(*id);
            return;
        }
        for (const char byte : text) {
            if (const auto id = tokenizer_.byte_tokens_[static_cast<unsigned char>(byte)]) {
                ids.push_back(*id);
            }
        }
    }

    const SpmTokenizer& tokenizer_;
    std::string_view text_;
    std::vector<Part> parts_;
    std::vector<Candidate> candidates_;
};

SpmTokenizer::SpmTokenizer(Vocabulary vocabulary, Names names, std::vector<float> scores, const Settings& settings)
    : VocabularyTokenizer(std::move(vocabulary), std::move(names), settings.strips_right), scores_(std::move(scores)),
      adds_space_(settings.adds_space)
{
    for (unsigned byte = 0; byte < 256; ++byte) {
        auto& token = byte_tokens_.at(byte);
        token = this->vocabulary().find(fmt::format("<0x{:02X}>", byte));
        if (!token) {
            token = this->vocabulary().find_plain(std::string(1, static_cast<char>(byte)));
        }
        if (!token) {
            token = this->vocabulary().unknown();
        }
    }
}

Result<std::unique_ptr<const Tokenizer>> SpmTokenizer::create(const gguf::Metadata& metadata)
{
    // SentencePiece's own numbers, for files that leave them out.
    CONSTELA_ASSIGN(auto vocabulary, Vocabulary::read(metadata, {1, 2, 0, true}));
    CONSTELA_ASSIGN(auto scores, metadata.get<std::vector<float>>(kScores));
    if (scores.size() != vocabulary.size()) {
        return failure("{}: {} has {} entries, but the vocabulary has {} tokens; one for each was expected.",
                       metadata.file_name(), kScores, scores.size(), vocabulary.size());
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const auto id = static_cast<TokenId>(i);
        if (std::isnan(scores[i])) {
            return failure("{}: {}[{}] is not a number; a score was expected.", metadata.file_name(), kScores, i);
        }
        if (vocabulary.type(id) == TokenType::byte && !parse_byte(vocabulary.token(id))) {
            return failure(
                "{}: tokenizer.ggml.tokens[{}] is \"{}\", a byte by its type; a text like <0x0A> was expected.",
                metadata.file_name(), i, gguf::printable(vocabulary.token(id)));
        }
    }
    Settings settings;
    CONSTELA_ASSIGN(settings.adds_space, metadata.get_or<bool>("tokenizer.ggml.add_space_prefix", true));
    CONSTELA_ASSIGN(settings.strips_right, is_phi3(metadata));
    CONSTELA_ASSIGN(auto pre, metadata.get_or<std::string>("tokenizer.ggml.pre", {}));
    return std::unique_ptr<const Tokenizer>(
        new SpmTokenizer(std::move(vocabulary), {"llama", std::move(pre)}, std::move(scores), settings));
}

void SpmTokenizer::encode_plain(std::string_view text, bool at_start, std::vector<TokenId>& ids) const
{
    std::string written(adds_space_ && at_start ? kSpace : std::string_view());
    written += replace_all(text, " ", kSpace);
    std::string_view rest = written;
    for (; rest.size() > kLongestText; rest.remove_prefix(kLongestText)) {
        Merger(*this, rest.substr(0, kLongestText)).encode(ids);
    }
    Merger(*this, rest).encode(ids);
}

std::string SpmTokenizer::bytes(TokenId id, bool with_special) const
{
    const std::string_view text = token(id);
    if (is_special(id)) {
        return with_special ? std::string(text) : std::string();
    }
    switch (vocabulary().type(id)) {
    case TokenType::byte: {
        const auto byte = parse_byte(text);
        return byte ? std::string(1, static_cast<char>(*byte)) : std::string();
    }
    case TokenType::user_defined: return std::string(text);
    default: return replace_all(text, kSpace, " ");
    }
}

std::string SpmTokenizer::decode(const std::vector<TokenId>& ids, bool with_special) const
{
    std::string text;
    bool at_start = true;
    for (const TokenId id : ids) {
        std::string piece = bytes(id, with_special);
        const bool alone = stands_alone(id);
        if (adds_space_ && at_start && !alone && !piece.empty() && piece[0] == ' ') {
            piece.erase(0, 1);
        }
        text += piece;
        at_start = alone;
    }
    return text;
}

} // namespace constela::text
