// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tokenizers that tests use: those of files, opened once, and small ones made in memory.
#pragma once

#include "engine/gguf/gguf.h"
#include "engine/text/tokenizer.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace constela::text::test {

/// The tokenizer of a file; a test that asks for it fails when it cannot be made.
[[nodiscard]] const Tokenizer& tokenizer_of(const std::filesystem::path& file);

/// The keys of a small tokenizer, to be changed and made into metadata.
struct Keys {
    std::map<std::string, gguf::Value, std::less<>> values;

    template <class T>
    Keys& set(std::string_view key, T value)
    {
        values.insert_or_assign(std::string(key), gguf::Value(std::move(value)));
        return *this;
    }
    Keys& without(std::string_view key);
    [[nodiscard]] gguf::Metadata metadata() const { return {"small.gguf", values}; }
};

struct SmallToken {
    std::string text;
    std::int64_t type = 1;
    double score = 0;
};

/// Model "llama": <unk>, <s>, </s>, the 256 bytes (ids 3 to 258), then `more`.
[[nodiscard]] Keys small_spm(const std::vector<SmallToken>& more);
/// Model "gpt2" with pre-tokenizer "gpt-2": the 256 bytes in order, then `more`.
[[nodiscard]] Keys small_bpe(const std::vector<SmallToken>& more, const std::vector<std::string>& merges);

[[nodiscard]] std::unique_ptr<const Tokenizer> make(const Keys& keys);

} // namespace constela::text::test
