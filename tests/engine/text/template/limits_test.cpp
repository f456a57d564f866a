// SPDX-License-Identifier: GPL-3.0-or-later
//
// No template can hang the program, fill its memory or break its stack.
#include "tests/engine/text/template/render.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

std::string repeated(const std::string& text, int times)
{
    std::string result;
    for (int i = 0; i < times; ++i) {
        result += text;
    }
    return result;
}

bool fails(const std::string& source)
{
    return rendered(source).rfind("error: ", 0) == 0;
}

TEST(TemplateLimits, StopWhatWouldTakeTooLong)
{
    const std::string loops = "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}";
    EXPECT_EQ(rendered(loops), "error: The chat template takes too long; it was stopped after 20000000 steps.");
    EXPECT_TRUE(fails("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"));
    EXPECT_TRUE(fails("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}"));
}

TEST(TemplateLimits, StopWhatWouldTakeTooMuchMemory)
{
    EXPECT_TRUE(fails("{{ 'a' * 1000000000000 }}"));
    EXPECT_TRUE(fails("{{ [1] * 1000000000 }}"));
    EXPECT_TRUE(fails("{{ range(1000000000000) | length }}"));
    EXPECT_TRUE(fails("{{ range(-9223372036854775807, 9223372036854775807) | length }}"));
    EXPECT_TRUE(fails("{% set ns = namespace(s='aaaaaaaaaaaaaaaa') %}{% for i in range(60) %}"
                      "{% set ns.s = ns.s ~ ns.s %}{% endfor %}"));
    EXPECT_TRUE(fails("{{ 'x'.center(1000000000000) }}"));
    EXPECT_TRUE(fails("{{ '%1000000d' % 1 * 1000000 }}"));
    EXPECT_TRUE(fails("{{ 'x' | indent(1000000000) }}"));
    EXPECT_TRUE(fails("{% for i in range(100000) %}" + std::string(1000, 'x') + "{% endfor %}"));
}

TEST(TemplateLimits, StopWhatIsNestedTooDeeply)
{
    EXPECT_TRUE(fails("{{ " + std::string(100000, '(') + "1" + std::string(100000, ')') + " }}"));
    EXPECT_TRUE(fails("{{ " + std::string(100000, '[') + std::string(100000, ']') + " }}"));
    EXPECT_TRUE(fails("{{ 1" + repeated(" + 1", 100000) + " }}"));
    EXPECT_TRUE(fails("{{ x" + repeated("|trim", 100000) + " }}"));
    EXPECT_TRUE(fails("{{ x" + repeated(".a", 100000) + " }}"));
    EXPECT_TRUE(fails("{{ " + repeated("not ", 100000) + "1 }}"));
    EXPECT_TRUE(fails("{{ " + repeated("-", 100000) + "1 }}"));
    EXPECT_TRUE(fails(repeated("{% if 1 %}", 100000) + repeated("{% endif %}", 100000)));
    EXPECT_TRUE(fails("{% set ns = namespace(x=[]) %}{% for i in range(100000) %}{% set ns.x = [ns.x] %}{% endfor %}"
                      "{{ ns.x }}"));
    EXPECT_EQ(rendered("{{ 1" + repeated(" ~ 1", 3000) + " }}"), std::string(3001, '1'));
}

TEST(TemplateLimits, LeaveNamespacesThatPointAtEachOther)
{
    EXPECT_EQ(rendered("{% set a = namespace() %}{% set b = namespace(a=a) %}{% set a.b = b %}{% set a.self = a %}ok"),
              "ok");
    EXPECT_EQ(rendered("{% set ns = namespace(x=none) %}{% for i in range(50000) %}"
                       "{% set ns.x = namespace(previous=ns.x) %}{% endfor %}ok"),
              "ok");
}

TEST(TemplateLimits, AreTheCallers)
{
    const auto parsed = text::ChatTemplate::parse("{% for i in range(10) %}0123456789{% endfor %}");
    text::TemplateInput input;
    input.messages = nlohmann::ordered_json::array();
    text::TemplateLimits limits;
    limits.max_output_bytes = 99;
    EXPECT_EQ(parsed->render(input, limits).error().text(),
              "The chat template writes more than 99 bytes; it was stopped.");
    limits.max_output_bytes = 100;
    EXPECT_TRUE(parsed->render(input, limits));
}

} // namespace
} // namespace constela::test
