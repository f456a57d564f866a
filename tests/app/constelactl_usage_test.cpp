// SPDX-License-Identifier: GPL-3.0-or-later
//
// Wrong usage ends with 2 and a line on stderr that helps; nothing goes to stdout.
#include "tests/app/support/child.h"

#include <gtest/gtest.h>

namespace constela::test {
namespace {

struct Wrong {
    std::vector<std::string> arguments;
    std::string said; ///< Part of what stderr says.
};

void PrintTo(const Wrong& wrong, std::ostream* out)
{
    for (const std::string& argument : wrong.arguments) {
        *out << argument << ' ';
    }
}

class WrongUsage : public testing::TestWithParam<Wrong> {};

TEST_P(WrongUsage, EndsWithTwoAndALineThatHelps)
{
    const Outcome outcome = constelactl(GetParam().arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(GetParam().said), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("--help"), std::string::npos) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(
    Constelactl, WrongUsage,
    testing::Values(Wrong{{}, "A command is required"}, Wrong{{"nonsense"}, "nonsense"}, Wrong{{"inspect"}, "FILE"},
                    Wrong{{"inspect", "a.gguf", "--nonsense"}, "--nonsense"}, Wrong{{"bench"}, "--model"},
                    Wrong{{"bench", "--model"}, "--model"},
                    Wrong{{"bench", "--model", "m", "--threads", "0"}, "from 1 to"},
                    Wrong{{"bench", "--model", "m", "--threads", "two"}, "\"two\""},
                    Wrong{{"bench", "--model", "m", "--threads", "1.5"}, "\"1.5\""},
                    Wrong{{"bench", "--model", "m", "--threads", "99999999999999999999"}, "from 1 to"},
                    Wrong{{"bench", "--model", "m", "--batch", "0"}, "--batch"},
                    Wrong{{"bench", "--model", "m", "--ctx", "-1"}, "--ctx"},
                    Wrong{{"bench", "--model", "m", "--kv", "f64"}, "q8_0"},
                    Wrong{{"bench", "--model", "m", "--kernels", "sse"}, "reference"},
                    Wrong{{"bench", "--model", "m", "-r", "0"}, "-r"}, Wrong{{"logits", "--model", "m"}, "--tokens"},
                    Wrong{{"logits", "--model", "m", "--tokens", ""}, "--tokens"},
                    Wrong{{"logits", "--model", "m", "--tokens", "1,x"}, "\"x\""},
                    Wrong{{"logits", "--model", "m", "--tokens", "1,-2"}, "\"-2\""},
                    Wrong{{"logits", "--model", "m", "--tokens", "1,2", "--last", "3"}, "--last"},
                    Wrong{{"logits", "--model", "m", "--tokens", "1,2", "--last", "1", "--all"}, "--all"},
                    Wrong{{"perplexity", "--model", "m"}, "--file"},
                    Wrong{{"perplexity", "--model", "m", "--file", "t", "--ctx", "2"}, "--ctx"},
                    Wrong{{"detokenize", "--model", "m", "-5"}, "\"-5\""}, Wrong{{"detokenize", "--model", "m"}, "ID"},
                    Wrong{{"completion", "tcsh"}, "tcsh"}, Wrong{{"run", "--model", "m", "-f", ""}, "empty"},
                    Wrong{{"run", "--model", "", "-p", "x"}, "empty"}, Wrong{{"inspect", ""}, "empty"},
                    Wrong{{"logits", "--model", "m", "--tokens", "1", "--out", ""}, "empty"},
                    Wrong{{"run", "--model", "m", "-p", "x", "--top-p", "0"}, "above 0"}));

// A command is there when it works, not before.
TEST(Usage, KnowsNoCommandThatDoesNothingYet)
{
    for (const char* name : {"links", "plan", "move", "watch"}) {
        EXPECT_EQ(constelactl({name, "x"}).exit_code, 2) << name;
    }
}

TEST(Usage, HelpsAtEachLevel)
{
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--help"}, {"bench", "--help"}, {"logits", "-h"}, {"inspect", "--help"}}) {
        const Outcome outcome = constelactl(arguments);
        EXPECT_EQ(outcome.exit_code, 0);
        EXPECT_NE(outcome.out.find("Example"), std::string::npos) << outcome.out;
        EXPECT_EQ(outcome.err, "");
    }
}

TEST(Usage, TellsItsVersion)
{
    const Outcome outcome = constelactl({"--version"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.out.rfind("constelactl ", 0), 0U) << outcome.out;
}

TEST(Usage, CompletesCommandsInEachShell)
{
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Outcome outcome = constelactl({"completion", shell});
        EXPECT_EQ(outcome.exit_code, 0);
        EXPECT_NE(outcome.out.find("perplexity"), std::string::npos) << shell;
        EXPECT_NE(outcome.out.find("kernels"), std::string::npos) << shell;
    }
}

} // namespace
} // namespace constela::test
