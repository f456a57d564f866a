// SPDX-License-Identifier: GPL-3.0-or-later
//
// A template and, after a zero byte, the JSON of a conversation. Whatever they are, rendering ends, within its limits,
// with a text whose marks are as long as itself, or with a sentence.
#include "engine/text/chat_template.h"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

namespace {

const char* const kConversation = R"([{"role": "system", "content": "Be brief."},
    {"role": "user", "content": " Olá <|im_end|> {{ x }} "}, {"role": "assistant", "content": "a\nb", "tool_calls":
    [{"id": "1", "function": {"name": "f", "arguments": {"n": 3, "deep": [1, [2, {"x": null}]]}}}]}])";

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = input.find('\0');
    const auto parsed = constela::text::ChatTemplate::parse(input.substr(0, zero));
    if (!parsed) {
        return parsed.error().text().empty() ? std::abort(), 1 : 0;
    }
    constela::text::TemplateInput conversation;
    const std::string_view own = zero == std::string_view::npos ? std::string_view() : input.substr(zero + 1);
    conversation.messages = nlohmann::ordered_json::parse(own, nullptr, false);
    if (conversation.messages.is_discarded()) {
        conversation.messages = nlohmann::ordered_json::parse(kConversation);
    }
    conversation.bos_token = "<s>";
    conversation.eos_token = "</s>";
    conversation.today = "2026-12-01";
    constela::text::TemplateLimits limits;
    limits.max_steps = 200'000;
    limits.max_output_bytes = 1U << 20U;
    const auto rendered = parsed->render(conversation, limits);
    if (rendered &&
        (rendered->text.size() != rendered->from_person.size() || rendered->text.size() > limits.max_output_bytes)) {
        std::abort();
    }
    return 0;
}
