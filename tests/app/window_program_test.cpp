// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's program as the system starts and ends it.
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

namespace constela::test {
namespace {

const std::vector<std::string> kWithoutDisplay{"QT_QPA_PLATFORM=offscreen"};

/// Looks again and again; a program gives no other sign that it is up.
bool appears(const std::filesystem::path& file)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!std::filesystem::exists(file)) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

class WindowProgram : public testing::TestWithParam<int> {};

// A session that ends, kill, Ctrl+C: each is a close, not a crash.
TEST_P(WindowProgram, ClosesInOrderWhenAsked)
{
    const TempDir data;
    Child window({CONSTELA_PROGRAM, "--data-dir", data.path().string(), "--language", "en"}, {}, kWithoutDisplay);
    ASSERT_TRUE(appears(data.path() / "chats.sqlite"));
    window.send(GetParam());
    const Outcome outcome = window.finish();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(data.path() / "constela.lock"));
    EXPECT_FALSE(std::filesystem::exists(data.path() / "chats.sqlite-wal")) << "the store was not closed";
}

INSTANTIATE_TEST_SUITE_P(Signals, WindowProgram, testing::Values(SIGTERM, SIGINT, SIGHUP));

TEST(WindowProgramWords, HelpNeedsNoDisplay)
{
    const Outcome outcome = Child({CONSTELA_PROGRAM, "--help"}, {}, kWithoutDisplay).finish();
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("--data-dir"), std::string::npos);
}

TEST(WindowProgramWords, AnUnknownThemeIsRefusedInWords)
{
    const Outcome outcome = Child({CONSTELA_PROGRAM, "--theme", "pink"}, {}, kWithoutDisplay).finish();
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("--theme"), std::string::npos);
    EXPECT_NE(outcome.err.find("pink"), std::string::npos);
}

} // namespace
} // namespace constela::test
