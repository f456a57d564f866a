// SPDX-License-Identifier: GPL-3.0-or-later
//
// The templates that model files carry, rendered byte for byte as Jinja2 does.
#include "engine/text/chat_template.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

std::vector<std::string> all_templates()
{
    std::vector<std::string> names;
    if (const auto golden = golden_dir()) {
        const nlohmann::ordered_json json = read_json(*golden / "templates" / "cases.json");
        for (const auto& [name, cases] : json["templates"].items()) {
            names.push_back(name);
        }
    }
    return names;
}

class GoldenTemplate : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenTemplate);

TEST_P(GoldenTemplate, RendersAsJinjaDoes)
{
    CONSTELA_NEED_GOLDEN(golden);
    const nlohmann::ordered_json json = read_json(golden / "templates" / "cases.json");
    const auto parsed = text::ChatTemplate::parse(read_file(golden / "templates" / (GetParam() + ".jinja")));
    ASSERT_TRUE(parsed) << parsed.error().text();
    const nlohmann::ordered_json& cases = json["templates"][GetParam()];
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::ordered_json& one : cases) {
        text::TemplateInput input;
        input.messages = json["messages"][one["messages"].get<std::string>()];
        input.add_generation_prompt = one["add_generation_prompt"];
        input.bos_token = json["bos_token"];
        input.eos_token = json["eos_token"];
        input.today = json["today"];
        const auto rendered = parsed->render(input);
        if (one.contains("error")) {
            ASSERT_FALSE(rendered) << one["messages"];
            EXPECT_EQ(rendered.error().args.back(), one["error"].get<std::string>());
        } else {
            ASSERT_TRUE(rendered) << one["messages"] << ": " << rendered.error().text();
            EXPECT_EQ(rendered->text, one["expected"].get<std::string>()) << one["messages"];
            EXPECT_EQ(rendered->text.size(), rendered->from_person.size());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Each, GoldenTemplate, testing::ValuesIn(all_templates()), [](const auto& one) {
    std::string name = one.param;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
});

} // namespace
} // namespace constela::test
