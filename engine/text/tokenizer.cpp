// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/tokenizer.h"
#include "engine/gguf/printable.h"
#include "engine/text/bpe_tokenizer.h"
#include "engine/text/spm_tokenizer.h"

#include <algorithm>

namespace constela::text {

Result<std::unique_ptr<const Tokenizer>> Tokenizer::create(const gguf::Metadata& metadata)
{
    CONSTELA_ASSIGN(const auto model, metadata.get<std::string>("tokenizer.ggml.model"));
    if (model == "gpt2") {
        return BpeTokenizer::create(metadata);
    }
    if (model == "llama") {
        return SpmTokenizer::create(metadata);
    }
    return failure("{}: tokenizer.ggml.model is \"{}\", a tokenizer that is not known. Known are: gpt2, llama.",
                   metadata.file_name(), gguf::printable(model));
}

std::vector<TokenId> Tokenizer::encode_prompt(const MarkedText& text) const
{
    std::vector<TokenId> ids = encode(text);
    const auto first = bos();
    if (!adds_bos() || !first) {
        return ids;
    }
    const auto other = std::find_if(ids.begin(), ids.end(), [first](TokenId id) { return id != *first; });
    ids.erase(ids.begin(), other);
    ids.insert(ids.begin(), *first);
    return ids;
}

bool Tokenizer::is_end(TokenId id) const
{
    const auto& ends = end_tokens();
    return std::find(ends.begin(), ends.end(), id) != ends.end();
}

} // namespace constela::text
