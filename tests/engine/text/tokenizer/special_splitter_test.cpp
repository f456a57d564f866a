// SPDX-License-Identifier: GPL-3.0-or-later
//
// Against the plain way: for each token, longest first, cut all fragments wherever it stands.
#include "engine/text/special_splitter.h"
#include "tests/engine/text/tokenizer/vocabularies.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace constela::text {
namespace {

struct Piece {
    std::string text;
    std::optional<TokenId> token;
    bool operator==(const Piece&) const = default;
};

void PrintTo(const Piece& piece, std::ostream* out)
{
    *out << (piece.token ? "#" + std::to_string(*piece.token) : '"' + piece.text + '"');
}

std::vector<Piece> the_plain_way(const Vocabulary& vocabulary, const std::string& text)
{
    std::vector<TokenId> order;
    for (TokenId id = 0; vocabulary.contains(id); ++id) {
        if (vocabulary.is_special(id) || vocabulary.type(id) == TokenType::user_defined) {
            order.push_back(id);
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](TokenId a, TokenId b) { return vocabulary.token(a).size() > vocabulary.token(b).size(); });
    std::vector<Piece> pieces;
    if (!text.empty()) {
        pieces.push_back({text, {}});
    }
    for (const TokenId id : order) {
        std::vector<Piece> finer;
        for (const Piece& piece : pieces) {
            std::string rest = piece.text;
            for (std::size_t found = 0;
                 !piece.token && (found = rest.find(vocabulary.token(id))) != std::string::npos;) {
                if (found > 0) {
                    finer.push_back({rest.substr(0, found), {}});
                }
                finer.push_back({"", id});
                rest.erase(0, found + vocabulary.token(id).size());
            }
            if (piece.token || !rest.empty()) {
                finer.push_back({rest, piece.token});
            }
        }
        pieces = finer;
    }
    return pieces;
}

std::vector<Piece> split(const SpecialSplitter& splitter, const std::string& text)
{
    std::vector<Piece> pieces;
    for (const Fragment& fragment : splitter.split(text, [](std::size_t) { return true; })) {
        pieces.push_back({std::string(fragment.text), fragment.token});
    }
    return pieces;
}

TEST(SpecialSplitter, AgreesWithThePlainWay)
{
    std::mt19937 random(3);
    const auto word = [&](std::size_t longest) {
        std::string text;
        for (std::size_t length = 1 + random() % longest; length > 0; --length) {
            text += static_cast<char>('a' + random() % 2);
        }
        return text;
    };
    for (int round = 0; round < 400; ++round) {
        std::vector<test::SmallToken> tokens;
        for (int i = 0; i < 6; ++i) {
            const std::string text = word(5);
            if (text.size() > 1 && std::none_of(tokens.begin(), tokens.end(),
                                                [&](const test::SmallToken& token) { return token.text == text; })) {
                tokens.push_back({text, i % 2 == 0 ? 3 : 4});
            }
        }
        const auto vocabulary = Vocabulary::read(test::small_bpe(tokens, {}).metadata(), {});
        ASSERT_TRUE(vocabulary);
        const SpecialSplitter splitter(*vocabulary, false);
        for (int i = 0; i < 10; ++i) {
            const std::string text = word(40);
            ASSERT_EQ(split(splitter, text), the_plain_way(*vocabulary, text)) << text;
        }
    }
}

} // namespace
} // namespace constela::text
