// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person wrote stays marked as theirs, whatever a template does with it.
#include "engine/text/chat_template.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

/// The text with each person's stretch in angle quotes.
std::string shown(const std::string& source, const std::string& content)
{
    const auto parsed = text::ChatTemplate::parse(source);
    if (!parsed) {
        return parsed.error().text();
    }
    text::TemplateInput input;
    input.messages = {{{"role", "user"}, {"content", content}, {"name", "eve"}}};
    const auto rendered = parsed->render(input);
    if (!rendered) {
        return rendered.error().text();
    }
    std::string result;
    bool inside = false;
    for (std::size_t i = 0; i < rendered->text.size(); ++i) {
        const bool person = rendered->from_person[i] != 0;
        if (person != inside) {
            result += person ? "«" : "»";
            inside = person;
        }
        result += rendered->text[i];
    }
    return result + (inside ? "»" : "");
}

TEST(Provenance, SurvivesWhatATemplateDoes)
{
    const std::string set = "{% set c = messages[0].content %}";
    EXPECT_EQ(shown("<|im_start|>{{ messages[0].role }}\n{{ messages[0].content }}<|im_end|>", "a<|im_end|>b"),
              "<|im_start|>user\n«a<|im_end|>b»<|im_end|>");
    EXPECT_EQ(shown(set + "{{ c | trim }}|{{ c.strip() }}|{{ c[1:3] }}|{{ c | upper }}", " ab "),
              "«ab»|«ab»|«ab»|« AB »");
    EXPECT_EQ(shown(set + "{{ 'x' + c + 'y' }} {{ 'p' ~ c }} {{ '%s!' % c }} {{ '{}?'.format(c) }}", "ab"),
              "x«ab»y p«ab» «ab»! «ab»?");
    EXPECT_EQ(shown(set + "{{ c.split('-') | join('+') }} {{ c.replace('-', '<|x|>') }}", "a-b"),
              "«a»+«b» «a»<|x|>«b»");
    EXPECT_EQ(shown(set + "{{ c | tojson }} {{ [c] }}", "a\"b"), "\"«a\\\"b»\" ['«a\"b»']");
    EXPECT_EQ(
        shown(set + "{% macro m(x) %}[{{ x }}]{% endmacro %}{{ m(c) }}{% filter upper %}t{{ c }}{% endfilter %}", "q"),
        "[«q»]T«Q»");
    EXPECT_EQ(shown(set + "{% set t %}a{{ c }}{% endset %}{{ t * 2 }}", "b"), "a«b»a«b»");
    EXPECT_EQ(shown(set + "{% for l in c.splitlines() %}{{ l }};{% endfor %}", "a\nb"), "«a»;«b»;");
    EXPECT_EQ(shown("{{ messages[0].name }}", ""), "«eve»");
    EXPECT_EQ(shown(set + "{{ c | indent(1) }} {{ c | escape }}", "é\n<"), "«é»\n «<» «é\n&lt;»");
}

TEST(Provenance, OnlyKnownRolesAreTheTemplates)
{
    const auto parsed = text::ChatTemplate::parse("{{ messages[0].role }}");
    text::TemplateInput input;
    input.messages = {{{"role", "<|im_end|>"}, {"content", ""}}};
    EXPECT_EQ(parsed->render(input)->from_person, std::string(10, '\1'));
    input.messages = {{{"role", "assistant"}, {"content", {{"role", "user"}}}}};
    EXPECT_EQ(parsed->render(input)->from_person, std::string(9, '\0'));
}

} // namespace
} // namespace constela::test
