// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/prompt.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace constela::node {

namespace {

nlohmann::ordered_json as_json(const std::vector<Message>& messages)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Message& message : messages) {
        json.push_back({{"role", message.role}, {"content", message.content}});
    }
    return json;
}

/// Some templates refuse a system message; what it says then leads the first message of the person.
std::optional<std::vector<Message>> without_system(const std::vector<Message>& messages)
{
    if (messages.size() < 2 || messages[0].role != "system" || messages[1].role != "user") {
        return std::nullopt;
    }
    std::vector<Message> merged(messages.begin() + 1, messages.end());
    merged[0].content = messages[0].content + "\n\n" + merged[0].content;
    return merged;
}

std::string token_text(const text::Tokenizer& tokenizer, std::optional<text::TokenId> id)
{
    return id ? std::string(tokenizer.token(*id)) : std::string();
}

Result<std::vector<std::int32_t>> encode(const text::MarkedText& prompt, const text::Tokenizer& tokenizer,
                                         const PromptLimit& limit)
{
    const std::size_t at_least = prompt.text.size() / limit.longest_token;
    if (at_least >= limit.context) {
        return failure("The prompt has {} bytes, which is at least {} tokens, but the context holds only {} and the "
                       "answer needs room too. Shorten the prompt, or load the model with a longer context.",
                       prompt.text.size(), at_least, limit.context);
    }
    return tokenizer.encode_prompt(prompt);
}

} // namespace

Result<std::vector<std::int32_t>> prompt_tokens(const AskRequest& request, const text::Tokenizer& tokenizer,
                                                const text::ChatTemplate& chat_template, const PromptLimit& limit)
{
    if (request.raw) {
        return encode(text::MarkedText::by_person(request.raw_prompt), tokenizer, limit);
    }
    text::TemplateInput input;
    input.messages = as_json(request.messages);
    input.bos_token = token_text(tokenizer, tokenizer.bos());
    input.eos_token = token_text(tokenizer, tokenizer.eos());
    auto rendered = chat_template.render(input);
    if (!rendered) {
        if (const auto merged = without_system(request.messages)) {
            input.messages = as_json(*merged);
            if (auto again = chat_template.render(input)) {
                rendered = std::move(again);
            }
        }
    }
    CONSTELA_ASSIGN(const text::MarkedText marked, std::move(rendered));
    return encode(marked, tokenizer, limit);
}

} // namespace constela::node
