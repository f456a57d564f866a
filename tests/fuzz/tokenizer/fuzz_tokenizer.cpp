// SPDX-License-Identifier: GPL-3.0-or-later
//
// Any bytes go in and come out of every tokenizer; a person's text never becomes a special token; what stands in a
// file never crashes. Input: a byte that chooses the tokenizer, one that chooses the marks, then the text.
#include "engine/text/utf8_stream.h"
#include "tests/fuzz/tokenizer/vocabularies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace constela::text; // NOLINT(google-build-using-namespace): a program of one file

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

/// What decode() gives back: SentencePiece cannot tell U+2581 from a space.
std::string as_decoded(const Tokenizer& tokenizer, std::string_view text)
{
    std::string expected(text);
    if (tokenizer.model() == "llama") {
        for (std::size_t at = 0; (at = expected.find("\xE2\x96\x81", at)) != std::string::npos;) {
            expected.replace(at, 3, " ");
        }
    }
    return expected;
}

void check_good(const Tokenizer& tokenizer, unsigned marks, std::string_view text)
{
    const auto is_special = [&](TokenId id) { return tokenizer.is_special(id); };
    MarkedText marked = MarkedText::by_template(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        marked.from_person[i] = static_cast<char>((marks >> (i % 8)) & 1U);
    }
    const auto plain = tokenizer.encode(text, SpecialTokens::as_plain_text);
    const auto special = tokenizer.encode(text, SpecialTokens::as_tokens);
    const auto mixed = tokenizer.encode(marked);
    const std::string expected = as_decoded(tokenizer, text);
    for (const auto* ids : {&plain, &special, &mixed}) {
        require(tokenizer.decode(*ids) == expected);
    }
    require(std::none_of(plain.begin(), plain.end(), is_special));
    require(tokenizer.encode(MarkedText::by_person(text)) == plain);
    require(tokenizer.encode(MarkedText::by_template(text)) == special);

    const auto prompt = tokenizer.encode_prompt(marked);
    require(!tokenizer.adds_bos() || prompt.at(0) == *tokenizer.bos());
    require(!tokenizer.adds_bos() || prompt.size() < 2 || prompt[1] != *tokenizer.bos());
}

void check_stream(unsigned seed, std::string_view text)
{
    Utf8Stream once;
    std::string whole = once.feed(text);
    whole += once.finish();
    Utf8Stream parts;
    std::string joined;
    for (std::size_t length = 1 + seed % 5; !text.empty(); length = 1 + (length + seed) % 5) {
        const std::size_t taken = std::min(length, text.size());
        joined += parts.feed(text.substr(0, taken));
        text.remove_prefix(taken);
    }
    require(joined + parts.finish() == whole);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2) {
        return 0;
    }
    const unsigned choice = data[0];
    const unsigned marks = data[1];
    const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const auto& good = fuzz::good_tokenizers();
    if (choice < 64) {
        check_good(*good[choice % good.size()], marks, text);
        check_stream(marks, text);
        return 0;
    }
    const auto metadata = fuzz::wild_metadata(text);
    if (const auto made = Tokenizer::create(metadata)) {
        const auto ids =
            (*made)->encode(text, (marks & 1U) != 0 ? SpecialTokens::as_tokens : SpecialTokens::as_plain_text);
        static_cast<void>((*made)->decode(ids));
        require(std::all_of(ids.begin(), ids.end(),
                            [&](TokenId id) { return id >= 0 && static_cast<std::size_t>(id) < (*made)->size(); }));
    } else {
        require(made.error().text().rfind("wild.gguf: ", 0) == 0);
    }
    return 0;
}
