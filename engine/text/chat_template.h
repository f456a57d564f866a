// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chat templates: the Jinja that model files carry, rendered as Hugging Face's library does (trim_blocks,
// lstrip_blocks, loop controls, tojson without ASCII escaping, raise_exception, strftime_now), bounded in time and in
// output. Threads: immutable after parse(), may be rendered from any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/text/marked_text.h"
#include "engine/text/template_limits.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace constela::text {

struct TemplateInput {
    nlohmann::ordered_json messages; ///< [{"role": ..., "content": ..., ...}]
    bool add_generation_prompt = true;
    std::string bos_token;
    std::string eos_token;
    std::string today; ///< What strftime_now gives, whatever its format; empty: the clock's time, formatted.
    nlohmann::ordered_json extra = nlohmann::ordered_json::object(); ///< Further variables: tools, enable_thinking, ...
};

class ChatTemplate {
public:
    [[nodiscard]] static Result<ChatTemplate> parse(std::string_view source);
    /// The plain format used when a model has no template or one that cannot be rendered ("User: ...\n\nAssistant:").
    [[nodiscard]] static ChatTemplate plain();

    /// The prompt, with everything that came from `messages` and `extra` marked as a person's.
    /// An error is what the template itself raised (raise_exception), or why it cannot be rendered.
    [[nodiscard]] Result<MarkedText> render(const TemplateInput& input, const TemplateLimits& limits = {}) const;

    [[nodiscard]] bool is_plain() const;

    ChatTemplate(ChatTemplate&&) noexcept;
    ChatTemplate& operator=(ChatTemplate&&) noexcept;
    ~ChatTemplate();

private:
    struct Impl;
    explicit ChatTemplate(std::shared_ptr<const Impl> impl);
    std::shared_ptr<const Impl> impl_;
};

} // namespace constela::text
