// SPDX-License-Identifier: GPL-3.0-or-later
//
// The expressions are those of the models' own tokenizer.json (for the tiktoken ones, of tiktoken's openai_public.py),
// the names and what goes with them those of llama.cpp (src/llama-vocab.cpp), whose converter writes them into files.
// Every expression has to take steps in proportion to the text; tests feed each a megabyte of the same character.
#include "engine/text/pre_tokenizer_table.h"

#include <array>

// What expressions have in common; macros, since only literals join at compile time.
#define CONSTELA_CONTRACTIONS "'s|'t|'re|'ve|'m|'ll|'d"
#define CONSTELA_CONTRACTIONS_ANY_CASE "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]"
#define CONSTELA_SPACES R"(|\s+(?!\S)|\s+)"
#define CONSTELA_NEWLINES_AND_SPACES R"(|\s*[\r\n]+)" CONSTELA_SPACES
#define CONSTELA_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define CONSTELA_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define CONSTELA_ASCII_PUNCTUATION R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~])"

#define CONSTELA_GPT2 CONSTELA_CONTRACTIONS R"(| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+)" CONSTELA_SPACES
#define CONSTELA_CL100K(digits)                                                                                        \
    CONSTELA_CONTRACTIONS_ANY_CASE R"(|[^\r\n\p{L}\p{N}]?\p{L}+|)" digits                                              \
                                   R"(| ?[^\s\p{L}\p{N}]+[\r\n]*)" CONSTELA_NEWLINES_AND_SPACES
#define CONSTELA_O200K(suffix, digits)                                                                                 \
    R"([^\r\n\p{L}\p{N}]?)" CONSTELA_UPPER "*" CONSTELA_LOWER "+" suffix R"(|[^\r\n\p{L}\p{N}]?)" CONSTELA_UPPER       \
    "+" CONSTELA_LOWER "*" suffix "|" digits R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*)" CONSTELA_NEWLINES_AND_SPACES

namespace constela::text {

namespace {

template <std::size_t N>
using Steps = std::array<std::string_view, N>;

constexpr Steps<1> kGpt2{CONSTELA_GPT2};
constexpr Steps<2> kSingleDigitsGpt2{R"(\p{N})", CONSTELA_GPT2};
constexpr Steps<1> kLlama3{CONSTELA_CL100K(R"(\p{N}{1,3})")};
constexpr Steps<1> kQwen2{CONSTELA_CL100K(R"(\p{N})")};
constexpr Steps<1> kQwen35{
    CONSTELA_CONTRACTIONS_ANY_CASE
    R"(|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)" CONSTELA_NEWLINES_AND_SPACES};
constexpr Steps<1> kGpt4o{CONSTELA_O200K("(?:" CONSTELA_CONTRACTIONS_ANY_CASE ")?", R"(\p{N}{1,3})")};
constexpr Steps<1> kTekken{CONSTELA_O200K("", R"(\p{N})")};
constexpr Steps<3> kFalcon{R"([\p{P}$+<=>^~|`]+)", CONSTELA_GPT2, "[0-9][0-9][0-9]"};
constexpr Steps<4> kDefault{R"([\p{P}$+<=>^~|]+)", CONSTELA_GPT2, R"(\p{N}+)", "[0-9][0-9][0-9]"};
constexpr Steps<1> kBailing{R"('(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N})"
                            R"(| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n])" CONSTELA_SPACES};
constexpr Steps<1> kSeedCoder{CONSTELA_CONTRACTIONS_ANY_CASE
                              R"(|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+)" CONSTELA_NEWLINES_AND_SPACES};
// "\s+$" there; looking back first, or a run of spaces in front of something else would be tried from each of them.
constexpr Steps<6> kDeepSeekLlm{
    R"([\r\n])",
    R"(\s?[)"
    R"(A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF})"
    R"(\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1})"
    R"(\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5})"
    R"(\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77})"
    R"(\x{1D79}-\x{1D9A}\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D})"
    R"(\x{1F50}-\x{1F57}\x{1F59}\x{1F5B}\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC})"
    R"(\x{1FBE}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC})"
    R"(\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107}\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D})"
    R"(\x{2124}\x{2126}\x{2128}\x{212A}-\x{212D}\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F})"
    R"(\x{2145}-\x{2149}\x{214E}\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4}\x{2CEB}-\x{2CEE})"
    R"(\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787})"
    R"(\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF}\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A})"
    R"(\x{FF41}-\x{FF5A}\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2})"
    R"(\x{10CC0}-\x{10CF2}\x{118A0}-\x{118DF}\x{1E900}-\x{1E943})"
    R"(]+)",
    R"(\s?[!-/:-~\x{FF01}-\x{FF0F}\x{FF1A}-\x{FF5E}\x{2018}-\x{201F}\x{3000}-\x{3002}]+)",
    R"((?<!\s)\s++\z)",
    R"([\x{4E00}-\x{9FA5}\x{800}-\x{4E00}\x{AC00}-\x{D7FF}]+)",
    R"(\p{N}+)"};
constexpr Steps<5> kDeepSeekCoder{R"([\r\n])", R"(\s?\p{L}+)", R"(\s?\p{P}+)",
                                  R"([\x{4E00}-\x{9FA5}\x{800}-\x{4E00}\x{AC00}-\x{D7FF}]+)", R"(\p{N})"};
constexpr Steps<3> kDeepSeekV3{
    R"(\p{N}{1,3})", R"([\x{4E00}-\x{9FA5}\x{3040}-\x{30FF}]+)",
    CONSTELA_ASCII_PUNCTUATION
    R"([A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*)" CONSTELA_NEWLINES_AND_SPACES};

constexpr std::array kRules = std::to_array<PreTokenizerRule>({
    {"default", kDefault},
    {"gpt-2", kGpt2},
    {"phi-2", kGpt2},
    {"gigachat", kGpt2},
    {"a.x-4.0", kGpt2},
    {"mellum", kGpt2},
    {"exaone4", kGpt2},
    {"mpt", kGpt2},
    {"olmo", kGpt2},
    {"jais", kGpt2},
    {"trillion", kGpt2},
    {"granite-docling", kGpt2},
    {"llama-bpe", kLlama3, true, true},
    {"llama3", kLlama3, true, true},
    {"llama-v3", kLlama3, true, true},
    {"falcon3", kLlama3, true, true},
    {"falcon-h1", kLlama3, true, true},
    {"pixtral", kLlama3, true, true},
    {"midm-2.0", kLlama3, true, true},
    {"lfm2", kLlama3, true, true},
    {"dbrx", kLlama3},
    {"smaug-bpe", kLlama3},
    {"glm4", kLlama3},
    {"chatglm-bpe", kLlama3},
    {"qwen2", kQwen2},
    {"deepseek-r1-qwen", kQwen2},
    {"megrez", kQwen2},
    {"stablelm2", kQwen2},
    {"hunyuan", kQwen2},
    {"solar-open", kQwen2},
    {"grok-2", kQwen2},
    {"qwen35", kQwen35},
    {"smollm", kSingleDigitsGpt2},
    {"starcoder", kSingleDigitsGpt2},
    {"refact", kSingleDigitsGpt2},
    {"command-r", kSingleDigitsGpt2},
    {"codeshell", kSingleDigitsGpt2},
    {"exaone", kSingleDigitsGpt2},
    {"minerva-7b", kSingleDigitsGpt2},
    {"tekken", kTekken, true, true},
    {"gpt-4o", kGpt4o},
    {"llama4", kGpt4o},
    {"kanana2", kGpt4o},
    {"minimax-m2", kGpt4o},
    {"deepseek-llm", kDeepSeekLlm},
    {"deepseek-coder", kDeepSeekCoder},
    {"deepseek-v3", kDeepSeekV3},
    {"hunyuan-dense", kDeepSeekV3},
    {"bailingmoe", kBailing},
    {"bailingmoe2", kBailing},
    {"seed-coder", kSeedCoder},
    {"falcon", kFalcon},
});

} // namespace

std::span<const PreTokenizerRule> pre_tokenizer_rules()
{
    return kRules;
}

} // namespace constela::text
