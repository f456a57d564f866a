// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jinja's grammar and Python's semantics, piece by piece. What is expected here is what Jinja2 3.1 gives.
#include "engine/text/jinja/dates.h"
#include "tests/engine/text/template/render.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

struct Example {
    const char* source;
    const char* expected;
};

void check(std::initializer_list<Example> examples, const nlohmann::ordered_json& variables = {})
{
    for (const Example& one : examples) {
        EXPECT_EQ(rendered(one.source, variables), one.expected) << one.source;
    }
}

TEST(Template, TakesBlanksAroundTagsAway)
{
    check({
        {"a\n{% if true %}\nb\n{% endif %}\nc\n", "a\nb\nc"},
        {"  {% if true %}  x{% endif %}", "  x"},
        {"a   {%- if true -%}   b   {%- endif -%}   c", "abc"},
        {"  {%+ if true %}x{% endif +%}\ny", "  x\ny"},
        {"{# note #}\nx", "x"},
        {"a {#- note -#} b", "ab"},
        {"x {{ 1 -}} y {{- 2 }}", "x 1y2"},
        {"a\n   {{ 1 }}\nb", "a\n   1\nb"},
        {"{% raw %}{{ x }}{% endraw %}", "{{ x }}"},
        {"a {%- raw -%} {{ {% b {%- endraw -%} c", "a{{ {% bc"},
        {"one\r\ntwo\rthree", "one\ntwo\nthree"},
        {"end\n\n", "end\n"},
    });
}

TEST(Template, ComputesAsPython)
{
    check({
        {"{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 10 }} {{ 2 ** -1 }}", "3 -4 2 3.5 1024 0.5"},
        {"{{ 1 + 2 * 3 - 4 }} {{ (1 + 2) * 3 }} {{ -2 ** 2 }}", "3 9 -4"},
        {"{{ 1.0 }} {{ 1e16 }} {{ 0.1 + 0.2 }} {{ 1e-5 }} {{ 100000.0 }}",
         "1.0 1e+16 0.30000000000000004 1e-05 100000.0"},
        {"{{ 'a' ~ 1 ~ none ~ true }}", "a1NoneTrue"},
        {"{{ 'ab' * 3 }} {{ [1, 2] + [3] }} {{ (1,) }} {{ () }}", "ababab [1, 2, 3] (1,) ()"},
        {"{{ 1 < 2 < 3 }} {{ 1 < 2 > 3 }} {{ 'a' in 'cat' }} {{ 4 not in [1, 2] }}", "True False True True"},
        {"{{ not true or true and false }}", "False"},
        {"{{ [] or 'x' }} {{ 0 and 1 }} {{ '' or none }}", "x 0 None"},
        {"{{ 'y' if 1 else 'n' }}{{ 'y' if 0 }}{{ 1 if 0 else 2 if 0 else 3 }}", "y3"},
        {"{{ {'a': 1, 'b': [true, none, 'x\\'y']} }}", "{'a': 1, 'b': [True, None, \"x'y\"]}"},
        {"{{ 'caf\\u00e9\\n\\x41\\101' }}", "café\nAA"},
        {"{{ 'one' 'two' }}", "onetwo"},
        {"{{ 'Olá'[2] }} {{ 'Olá'[::-1] }} {{ [1,2,3,4][1:-1] }} {{ 'abc'[-2:] }} {{ 'abc'[5:] }}", "á álO [2, 3] bc "},
        {"{{ 5 is odd }} {{ 4 is divisibleby 2 }} {{ x is defined }} {{ none is none }} {{ 3 is eq 3 }}",
         "True True False True True"},
        {"{{ 'a' is string and 1 is number and 1.5 is float and {} is mapping and [] is sequence }}", "True"},
        {"{{ true is true }} {{ 1 is true }} {{ 'x' is not none }} {{ 1 is in [1] }}", "True False True True"},
        {"{{ '%s has %d (%.2f)' % ('x', 3, 2.5) }} {{ '%5s|%-5s|%05d' | format('a', 'b', 42) }}",
         "x has 3 (2.50)     a|b    |00042"},
        {"{{ '{} {1} {name}'.format('a', 'b', name='c') }}", "a b c"},
    });
}

TEST(Template, HasTheMethodsOfText)
{
    check({
        {"{{ '  x '.strip() }}|{{ 'xxaxx'.strip('x') }}|{{ ' a '.lstrip() }}|{{ ' a '.rstrip() }}", "x|a|a | a"},
        {"{{ 'a,b,c'.split(',') }} {{ ' a  b '.split() }} {{ 'a,b,c'.split(',', 1) }} {{ 'a,b,c'.rsplit(',', 1) }}",
         "['a', 'b', 'c'] ['a', 'b'] ['a', 'b,c'] ['a,b', 'c']"},
        {"{{ 'a\\nb\\r\\nc'.splitlines() }}", "['a', 'b', 'c']"},
        {"{{ 'abc'.startswith('ab') }} {{ 'abc'.endswith(('x', 'c')) }}", "True True"},
        {"{{ 'aXbX'.replace('X', '-') }} {{ 'aXbX'.replace('X', '-', 1) }} {{ 'ab'.replace('', '.') }}",
         "a-b- a-bX .a.b."},
        {"{{ 'Ab'.upper() }} {{ 'ÁB'.lower() }} {{ 'hello world'.title() }} {{ 'hELLO'.capitalize() }}",
         "AB áb Hello World Hello"},
        {"{{ '-'.join(['a', 'b']) }} {{ 'abcabc'.find('c') }} {{ 'x'.find('y') }} {{ 'aaa'.count('a') }}",
         "a-b 2 -1 3"},
        {"{{ 'prefix-x'.removeprefix('prefix-') }} {{ '7'.zfill(3) }} {{ '12'.isdigit() }} {{ 'a1'.isalpha() }}",
         "x 007 True False"},
        {"{{ 'a=b=c'.partition('=') }}", "('a', '=', 'b=c')"},
    });
}

TEST(Template, HasTheFilters)
{
    check({
        {"{{ [3, 1, 2] | sort }} {{ ['b', 'A'] | sort }} {{ [1, 2] | reverse | list }}", "[1, 2, 3] ['A', 'b'] [2, 1]"},
        {"{{ [1, 2, 3] | sum }} {{ [1, 2, 3] | max }} {{ [1, 2] | first }} {{ [] | first is defined }}", "6 3 1 False"},
        {"{{ ['a', 'b'] | join('+') }} {{ 'abc' | length }} {{ 'Olá' | length }} {{ 'abc' | list }}",
         "a+b 3 3 ['a', 'b', 'c']"},
        {"{{ x | default('d') }} {{ '' | default('d') }} {{ '' | default('d', true) }}", "d  d"},
        {"{{ '3' | int + 1 }} {{ '3.9' | int }} {{ 'x' | int }} {{ '2.5' | float }} {{ 2.5 | round }} {{ 3.14159 | "
         "round(2) }}",
         "4 3 0 2.5 2.0 3.14"},
        {"{{ [{'n': 2, 'a': 'x'}, {'n': 1, 'a': 'y'}] | sort(attribute='n') | map(attribute='a') | join }}", "yx"},
        {"{{ [1, 2, 3, 4] | select('even') | list }} {{ [1, 2, 3] | reject('eq', 2) | list }}", "[2, 4] [1, 3]"},
        {"{{ [{'r': 'u'}, {'r': 'a'}] | selectattr('r', 'equalto', 'u') | list | length }}", "1"},
        {"{{ {'b': 1, 'a': 2} | dictsort }} {{ {'b': 1} | items | list }}", "[('a', 2), ('b', 1)] [('b', 1)]"},
        {"{{ [1, 1, 2] | unique | list }} {{ range(5) | batch(2) | list }}", "[1, 2] [[0, 1], [2, 3], [4]]"},
        {"{{ 'a b' | upper | replace(' ', '_') | lower }}{{ '  x ' | trim }}", "a_bx"},
        {"{{ 'a\\nb' | indent(2) }}|{{ 'a\\nb' | indent(2, true) }}", "a\n  b|  a\n  b"},
        {"{{ '<a href=\"x\">' | escape }}", "&lt;a href=&#34;x&#34;&gt;"},
        {"{{ 'hello world' | truncate(8, true, '...', 0) }} {{ 'one two three' | wordcount }}", "hello... 3"},
    });
}

TEST(Template, WritesJsonAsPythonDoes)
{
    check({
        {"{{ {'a': [1, 2.0, none, true], 'é': '\"\\n<&>'} | tojson }}",
         "{\"a\": [1, 2.0, null, true], \"é\": \"\\\"\\n<&>\"}"},
        {"{{ {'b': 1, 'a': {}} | tojson(indent=2) }}", "{\n  \"b\": 1,\n  \"a\": {}\n}"},
        {"{{ [1, {'x': 2}] | tojson(separators=(',', ':')) }}", "[1,{\"x\":2}]"},
        {"{{ {'b': 1, 'a': 2} | tojson(sort_keys=true) }}", "{\"a\": 2, \"b\": 1}"},
        {"{{ 'é😀' | tojson(ensure_ascii=true) }}", "\"\\u00e9\\ud83d\\ude00\""},
    });
    EXPECT_EQ(
        rendered("{{ x | tojson }}"),
        "error: The chat template cannot render this conversation: Object of type Undefined is not JSON serializable");
}

TEST(Template, LoopsAsJinjaDoes)
{
    check({
        {"{% for x in [1, 2, 3] %}{{ loop.index }}{{ loop.first }}{{ loop.last }};{% endfor %}",
         "1TrueFalse;2FalseFalse;3FalseTrue;"},
        {"{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }} {% endfor %}", "a=1 b=2 "},
        {"{% for x in [] %}x{% else %}none{% endfor %}", "none"},
        {"{% for x in range(10) if x % 3 == 0 %}{{ x }}/{{ loop.length }} {% endfor %}", "0/4 3/4 6/4 9/4 "},
        {"{% for x in range(9) %}{% if x == 2 %}{% continue %}{% endif %}{% if x == 4 %}{% break %}{% endif %}{{ x }}"
         "{% endfor %}",
         "013"},
        {"{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{{ x }}{% endfor %}{{ x }}", "21"},
        {"{% set ns = namespace(n=0) %}{% for i in range(3) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}", "3"},
        {"{% if true %}{% set y = 5 %}{% endif %}{{ y }}", "5"},
        {"{% for x in 'ab' %}{{ loop.cycle('odd', 'even') }}{{ loop.previtem }}{{ loop.nextitem }} {% endfor %}",
         "oddb evena "},
        {"{% for x in [1, [2, [3]]] recursive %}{% if x is number %}{{ x }}{% else %}({{ loop(x) }}){% endif %}"
         "{% endfor %}",
         "1(2(3))"},
        {"{% for x in [1, 1, 2] %}{% if loop.changed(x) %}{{ x }}{% endif %}{% endfor %}", "12"},
    });
}

TEST(Template, HasMacrosAndBlocks)
{
    check({
        {"{% macro m(a, b='z') %}{{ a }}{{ b }}{% endmacro %}{{ m('x') }}{{ m('x', 'y') }}{{ m(b=1, a=2) }}", "xzxy21"},
        {"{% macro m() %}<{{ caller('i') }}>{% endmacro %}{% call(v) m() %}in {{ v }}{% endcall %}", "<in i>"},
        {"{% set t %}a {{ 1 }}{% endset %}[{{ t }}]", "[a 1]"},
        {"{% set t | upper | replace('A', 'b') %}a{% endset %}{{ t }}", "b"},
        {"{% filter upper %}abc{% endfilter %}", "ABC"},
        {"{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}{{ a is defined }}", "3False"},
        {"{% set a, b = 1, 2 %}{{ a }}{{ b }}", "12"},
        {"{% generation %}x{% endgeneration %}", "x"},
        {"{% macro f(n) %}{{ n }}{% if n %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}", "3210"},
        {"{{ strftime_now('%d %b %Y') }}", "2026-12-01"}, // fixed by the test
        {"{% set j = joiner(';') %}{% for i in range(3) %}{{ j() }}{{ i }}{% endfor %}", "0;1;2"},
        {"{% set c = cycler(1, 2) %}{{ c.next() }}{{ c.next() }}{{ c.next() }}", "121"},
    });
}

TEST(Template, FormatsDatesInEnglish)
{
    const text::jinja::Date date{2026, 12, 1, 9, 5, 7};
    EXPECT_EQ(text::jinja::format_date(date, "%d %b %Y %A %-d %B %y %j %H:%M:%S %I %p %e %% %q"),
              "01 Dec 2026 Tuesday 1 December 26 335 09:05:07 09 AM  1 % %q");
}

TEST(Template, SaysWhatIsWrong)
{
    check({
        {"a\n{% if %}", "error: The chat template has a mistake in line 2: a value was expected, but %} stands there"},
        {"{% if true %}x", "error: The chat template has a mistake in line 1: {% endif %} is missing"},
        {"{% nonsense %}", "error: The chat template has a mistake in line 1: the tag 'nonsense' is not known"},
        {"{{ 'x }}", "error: The chat template has a mistake in line 1: a string is not ended"},
        {"{{ x.y }}", "error: The chat template cannot render this conversation: 'x' is undefined"},
        {"{{ {}.y.z }}",
         "error: The chat template cannot render this conversation: 'dict object' has no attribute 'y'"},
        {"{{ 1 + 'a' }}", "error: The chat template cannot render this conversation: unsupported operand type(s) for "
                          "+: 'int' and 'str'"},
        {"{{ 'a' | nofilter }}",
         "error: The chat template cannot render this conversation: No filter named 'nofilter'."},
        {"{{ [].append(1) }}", "error: The chat template cannot render this conversation: access to attribute "
                               "'append' of 'list' object is unsafe."},
        {"{{ raise_exception('no ' ~ 1) }}", "error: The chat template refuses this conversation: no 1"},
        {"{{ 1 // 0 }}", "error: The chat template cannot render this conversation: division by zero"},
        {"{% break %}", "error: The chat template has a mistake in line 1: break stands outside of a loop"},
    });
}

TEST(Template, SeesWhatItIsGiven)
{
    const nlohmann::ordered_json tools = {
        {"tools", {{{"name", "f"}, {"parameters", {{"n", 3}, {"big", 18446744073709551615ULL}, {"x", nullptr}}}}}},
        {"enable_thinking", false}};
    check({{"{{ tools[0].name }} {{ tools[0]['parameters'] }} {{ enable_thinking }}",
            "f {'n': 3, 'big': 1.8446744073709552e+19, 'x': None} False"},
           {"{{ tools[0].get('missing', 'd') }} {{ tools[0].items is defined }} {{ tools[0].keys() | list }}",
            "d True ['name', 'parameters']"}},
          tools);
}

TEST(Template, PlainFormatTakesAnyConversation)
{
    const text::ChatTemplate plain = text::ChatTemplate::plain();
    EXPECT_TRUE(plain.is_plain());
    text::TemplateInput input;
    input.bos_token = "<s>";
    input.messages = {{{"role", "system"}, {"content", "Be brief."}},
                      {{"role", "user"}, {"content", " Hi "}},
                      {{"role", "assistant"}, {"content", "Hello"}},
                      {{"role", "critic"}, {"content", nullptr}}};
    const auto rendered = plain.render(input);
    ASSERT_TRUE(rendered);
    EXPECT_EQ(rendered->text, "<s>Be brief.\n\nUser: Hi\n\nAssistant: Hello\n\ncritic: None\n\nAssistant:");
}

} // namespace
} // namespace constela::test
