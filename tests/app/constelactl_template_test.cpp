// SPDX-License-Identifier: GPL-3.0-or-later
//
// template, with a few of the golden conversations; the library is tested with all of them elsewhere.
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::test {
namespace {

TEST(Template, RendersExactly)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto cases = read_json(golden / "templates" / "cases.json");
    const TempDir folder;
    int rendered = 0;
    for (const char* name : {"Qwen-Qwen3-0.6B", "google-gemma-2-2b-it", "meta-llama-Llama-3.1-8B-Instruct"}) {
        for (const auto& one : cases["templates"][name]) {
            if (!one.contains("expected")) {
                continue;
            }
            const auto messages = folder.path() / "messages.json";
            std::ofstream(messages) << cases["messages"][one["messages"].get<std::string>()].dump();
            std::vector<std::string> command{
                "template",         "--template",      (golden / "templates" / (std::string(name) + ".jinja")).string(),
                "--messages",       messages.string(), "--bos",
                cases["bos_token"], "--eos",           cases["eos_token"],
                "--today",          cases["today"]};
            if (one["add_generation_prompt"].get<bool>()) {
                command.emplace_back("--add-generation-prompt");
            }
            const Outcome outcome = constelactl(command);
            EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
            EXPECT_EQ(outcome.out, one["expected"].get<std::string>()) << name;
            ++rendered;
        }
    }
    EXPECT_GT(rendered, 5);
}

TEST(Template, SaysInOneLineWhatIsWrong)
{
    const TempDir folder;
    const auto good = folder.path() / "good.jinja";
    const auto bad = folder.path() / "bad.jinja";
    const auto raises = folder.path() / "raises.jinja";
    std::ofstream(good) << "{{ messages[0].content }}";
    std::ofstream(bad) << "{% if %}";
    std::ofstream(raises) << "{{ raise_exception('no\\nsystem') }}";
    const std::string messages = R"([{"role": "user", "content": "Hi"}])";
    EXPECT_EQ(constelactl({"template", "--template", good.string(), "--messages", "-"}, messages).out, "Hi");
    EXPECT_EQ(constelactl({"template", "--template", good.string(), "--messages", "-"},
                          R"({"messages": )" + messages + R"(, "tools": []})")
                  .out,
              "Hi");
    struct Case {
        std::filesystem::path file;
        std::string messages;
    };
    for (const Case& one : {Case{bad, messages}, Case{raises, messages}, Case{good, "not json"}, Case{good, "{}"},
                            Case{good, "[1]"}, Case{folder.path() / "missing", messages}}) {
        const Outcome outcome =
            constelactl({"template", "--template", one.file.string(), "--messages", "-"}, one.messages);
        EXPECT_EQ(outcome.exit_code, 1) << one.file << one.messages;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    }
}

TEST(Template, NeedsOneTemplateAndARealDay)
{
    EXPECT_EQ(constelactl({"template", "--messages", "m"}).exit_code, 2);
    EXPECT_EQ(constelactl({"template", "--messages", "m", "--model", "a", "--template", "b"}).exit_code, 2);
    EXPECT_EQ(constelactl({"template", "--messages", "m", "--template", "b", "--today", "2026-02-30"}).exit_code, 2);
    EXPECT_EQ(constelactl({"template", "--template", "b"}).exit_code, 2);
}

} // namespace
} // namespace constela::test
