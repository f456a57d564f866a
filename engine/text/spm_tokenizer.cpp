// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/spm_tokenizer.h"
#include "engine/gguf/printable.h"
#include "engine/text/merge_queue.h"
#include "engine/text/utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace constela::text {

namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81"; // U+2581
constexpr std::string_view kScores = "tokenizer.ggml.scores";

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

/// For each score how many different ones are better.
std::vector<std::uint32_t> rank(const std::vector<float>& scores)
{
    std::vector<float> sorted = scores;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    std::vector<std::uint32_t> ranks;
    ranks.reserve(scores.size());
    for (const float score : scores) {
        const auto found = std::lower_bound(sorted.begin(), sorted.end(), score, std::greater<>());
        ranks.push_back(static_cast<std::uint32_t>(found - sorted.begin()));
    }
    return ranks;
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

SpmTokenizer::SpmTokenizer(Vocabulary vocabulary, Names names, const std::vector<float>& scores,
                           const Settings& settings)
    : VocabularyTokenizer(std::move(vocabulary), std::move(names), settings.strips_right), ranks_(rank(scores)),
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
    CONSTELA_ASSIGN(const auto scores, metadata.get<std::vector<float>>(kScores));
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
        new SpmTokenizer(std::move(vocabulary), {"llama", std::move(pre)}, scores, settings));
}

void SpmTokenizer::encode_plain(std::string_view text, bool at_start, std::vector<TokenId>& ids) const
{
    std::string written(adds_space_ && at_start ? kSpace : std::string_view());
    written += replace_all(text, " ", kSpace);
    std::string_view rest = written;
    for (; rest.size() > MergeQueue::kMaxBytes; rest.remove_prefix(MergeQueue::kMaxBytes)) {
        encode_written(rest.substr(0, MergeQueue::kMaxBytes), ids);
    }
    encode_written(rest, ids);
}

void SpmTokenizer::encode_written(std::string_view text, std::vector<TokenId>& ids) const
{
    MergeQueue queue;
    const auto symbol = [this](std::string_view piece) {
        const auto id = vocabulary().find_plain(piece);
        return id ? static_cast<Symbol>(*id) : MergeQueue::kNone;
    };
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = next_utf8(rest).length;
        queue.add(symbol(rest.substr(0, length)), length);
        rest.remove_prefix(length);
    }
    queue.merge([&](const MergeQueue::Part& left, const MergeQueue::Part& right) {
        const std::uint32_t length = left.length + right.length;
        if (length > vocabulary().longest_plain()) {
            return MergeQueue::Pair();
        }
        const Symbol result = symbol(text.substr(left.begin, length));
        return result == MergeQueue::kNone ? MergeQueue::Pair() : MergeQueue::Pair{ranks_[result], result};
    });
    queue.for_each([&](const MergeQueue::Part& part) {
        if (part.symbol != MergeQueue::kNone) {
            ids.push_back(static_cast<TokenId>(part.symbol));
            return;
        }
        for (const char byte : text.substr(part.begin, part.length)) {
            if (const auto id = byte_tokens_[static_cast<unsigned char>(byte)]) {
                ids.push_back(*id);
            }
        }
    });
}

std::string SpmTokenizer::bytes(TokenId id, bool with_special) const
{
    const std::string_view text = token(id);
    if (is_special(id)) {
        return with_special ? std::string(text) : std::string();
    }
    if (vocabulary().type(id) == TokenType::byte) {
        const auto byte = parse_byte(text);
        return byte ? std::string(1, static_cast<char>(*byte)) : std::string();
    }
    return replace_all(text, kSpace, " ");
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
