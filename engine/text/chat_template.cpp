// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_template.h"

#include "engine/text/jinja/builtins.h"
#include "engine/text/jinja/from_json.h"
#include "engine/text/jinja/interpreter.h"
#include "engine/text/jinja/parser.h"

namespace constela::text {

namespace {

constexpr std::string_view kPlain = "{{ bos_token }}"
                                    "{% for message in messages %}"
                                    "{% if message.role == 'user' %}User: "
                                    "{% elif message.role == 'assistant' %}Assistant: "
                                    "{% elif message.role == 'system' %}"
                                    "{% else %}{{ message.role }}: "
                                    "{% endif %}"
                                    "{{ message.content | string | trim }}\n\n"
                                    "{% endfor %}"
                                    "{% if add_generation_prompt %}Assistant:{% endif %}";

} // namespace

struct ChatTemplate::Impl {
    jinja::Body body;
    bool plain = false;
};

ChatTemplate::ChatTemplate(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

Result<ChatTemplate> ChatTemplate::parse(std::string_view source)
{
    try {
        return ChatTemplate(std::make_shared<const Impl>(Impl{jinja::parse(source), false}));
    } catch (const jinja::TemplateError& problem) {
        return tl::unexpected<Error>(problem.error());
    }
}

ChatTemplate ChatTemplate::plain()
{
    return ChatTemplate(std::make_shared<const Impl>(Impl{jinja::parse(kPlain), true}));
}

bool ChatTemplate::is_plain() const
{
    return impl_->plain;
}

Result<MarkedText> ChatTemplate::render(const TemplateInput& input, const TemplateLimits& limits) const
{
    try {
        jinja::Interpreter interpreter(limits);
        jinja::add_globals(interpreter, input.today);
        interpreter.assign("bos_token", jinja::Value::text(input.bos_token));
        interpreter.assign("eos_token", jinja::Value::text(input.eos_token));
        for (const auto& [name, value] : input.extra.items()) {
            interpreter.assign(name, jinja::from_json(interpreter.budget(), value));
        }
        interpreter.assign("messages", jinja::from_json(interpreter.budget(), input.messages));
        interpreter.assign("add_generation_prompt", jinja::Value(input.add_generation_prompt));
        const jinja::Interpreter::Inside inside(interpreter); // the template's own names do not hide those above
        impl_->body.execute(interpreter);
        return interpreter.take_output();
    } catch (const jinja::TemplateError& problem) {
        return tl::unexpected<Error>(problem.error());
    }
}

} // namespace constela::text
