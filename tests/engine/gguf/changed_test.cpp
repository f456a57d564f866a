// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file that is cut, written to, replaced or removed while it is open: no crash, and changed() says so.
#include "engine/gguf/lost_page_guard.h"
#include "tests/engine/gguf/sample.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace constela::gguf {
namespace {

namespace fs = std::filesystem;

/// Four megabytes of ones, so that most of the data lies in pages of its own.
constexpr std::uint64_t kElements = std::uint64_t{1} << 20U;

class ChangedTest : public testing::Test {
protected:
    ChangedTest() : path_(folder_.path() / "model.gguf")
    {
        test::GgufWriter writer;
        writer.set("general.architecture", "llama");
        writer.tensor("w", {kElements}, std::vector<float>(kElements, 1.0F));
        writer.write(path_);
        file_ = File::open(path_).value();
    }

    [[nodiscard]] std::span<const float> values() const
    {
        const auto bytes = file_->data(*file_->find("w"));
        return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
    }
    [[nodiscard]] std::string changed() const
    {
        const auto error = file_->changed();
        return error ? error->text() : "(unchanged)";
    }

    test::TempDir folder_;
    fs::path path_;
    std::shared_ptr<const File> file_;
};

TEST_F(ChangedTest, AnUntouchedFileIsUnchanged)
{
    EXPECT_EQ(changed(), "(unchanged)");
    EXPECT_EQ(std::ranges::count(values(), 1.0F), static_cast<std::ptrdiff_t>(kElements));
    EXPECT_EQ(changed(), "(unchanged)");
}

TEST_F(ChangedTest, ATruncatedFileReadsAsZeros)
{
    const auto size = fs::file_size(path_);
    fs::resize_file(path_, 8192);
    EXPECT_EQ(values().back(), 0.0F);
    EXPECT_EQ(values().front(), 1.0F);
    EXPECT_EQ(std::ranges::count_if(values(), [](float value) { return value != 0.0F && value != 1.0F; }), 0);
    EXPECT_EQ(changed(), path_.string() + ": the file had " + std::to_string(size) +
                             " bytes when it was opened and has 8192 now; load the model again.");
}

TEST_F(ChangedTest, ATruncatedFileReadsAsZerosFromManyThreads)
{
    std::vector<std::thread> threads;
    std::atomic<int> ready = 0;
    std::atomic<std::ptrdiff_t> strange = 0;
    constexpr int count = 4;
    threads.reserve(count);
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([&] {
            ready.fetch_add(1);
            // Goes on until the cut is seen; ends, since it comes.
            while (values().back() != 0.0F) {
            }
            strange.fetch_add(
                std::ranges::count_if(values(), [](float value) { return value != 0.0F && value != 1.0F; }));
        });
    }
    while (ready.load() < count) {
        std::this_thread::yield();
    }
    fs::resize_file(path_, 0);
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(strange.load(), 0);
    EXPECT_NE(changed().find("has 0 now"), std::string::npos) << changed();
}

TEST_F(ChangedTest, APageThatWasLostIsRememberedWhenTheFileIsWholeAgain)
{
    const auto size = fs::file_size(path_);
    const auto time = fs::last_write_time(path_);
    fs::resize_file(path_, 8192);
    EXPECT_EQ(values().back(), 0.0F);
    fs::resize_file(path_, size);
    fs::last_write_time(path_, time);
    EXPECT_EQ(changed(), path_.string() +
                             ": a part of the file can no longer be read from its disk; zeros were read in "
                             "its place. Load the model again.");
}

TEST_F(ChangedTest, OtherFilesAreNotConcerned)
{
    const fs::path other_path = folder_.path() / "other.gguf";
    fs::copy_file(path_, other_path);
    const auto other = File::open(other_path).value();
    fs::resize_file(path_, 8192);
    EXPECT_EQ(values().back(), 0.0F);
    EXPECT_FALSE(other->changed());
    file_.reset();
    // A mapping that takes the place of an old one starts afresh.
    const auto again = File::open(other_path).value();
    EXPECT_FALSE(again->changed());
    EXPECT_FALSE(other->changed());
}

TEST_F(ChangedTest, WrittenTo)
{
    {
        std::fstream stream(path_, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(100000);
        stream << "other bytes";
    }
    // The clock of a file system may be too coarse to tell the moments apart.
    fs::last_write_time(path_, fs::last_write_time(path_) + std::chrono::seconds(5));
    EXPECT_EQ(changed(), path_.string() + ": the file was written to after it was opened; load the model again.");
}

TEST_F(ChangedTest, Removed)
{
    fs::remove(path_);
    EXPECT_EQ(changed(), "(unchanged)");
    EXPECT_EQ(values().back(), 1.0F);
}

TEST_F(ChangedTest, Replaced)
{
    sample().write(folder_.path() / "new.gguf");
    fs::rename(folder_.path() / "new.gguf", path_);
    EXPECT_EQ(values().back(), 1.0F);
    EXPECT_EQ(changed(), path_.string() + ": another file took this name after it was opened; load the model again.");
}

// The handler of the signal -----------------------------------------------------------------------------------------

/// Reads a page that nobody guards and that is no longer there.
void read_lost_page(const fs::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* begin = ::mmap(nullptr, 65536, PROT_READ, MAP_PRIVATE, descriptor, 0);
    ::close(descriptor);
    fs::resize_file(path, 0);
    const char byte = *static_cast<const volatile char*>(begin);
    static_cast<void>(byte);
}

void leave_with_42(int /*number*/)
{
    ::_exit(42);
}

void leave_with_43(int /*number*/, siginfo_t* info, void* /*context*/)
{
    ::_exit(info->si_addr != nullptr ? 43 : 44);
}

class LostPageGuardDeathTest : public testing::Test {
protected:
    LostPageGuardDeathTest() : unguarded_(folder_.path() / "data"), model_(folder_.path() / "model.gguf")
    {
        // Each death in a fresh process: the guard's handler is installed once, and these tests look at that moment.
        GTEST_FLAG_SET(death_test_style, "threadsafe");
        test::write_file(unguarded_, std::string(65536, 'x'));
        sample().write(model_);
    }

    /// Opens a model over `action`, the handling of SIGBUS that another library asked for before.
    void open_over(const struct sigaction& action) const
    {
        ::sigaction(SIGBUS, &action, nullptr);
        static_cast<void>(File::open(model_).value());
    }

    test::TempDir folder_;
    fs::path unguarded_;
    fs::path model_;
};

TEST_F(LostPageGuardDeathTest, AFaultElsewhereEndsTheProcessAsEver)
{
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    EXPECT_EXIT((open_over(action), read_lost_page(unguarded_)), testing::KilledBySignal(SIGBUS), "");
    EXPECT_EXIT((open_over(action), ::raise(SIGBUS)), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(LostPageGuardDeathTest, AFaultElsewhereGoesToTheHandlerThatWasThereBefore)
{
    struct sigaction action = {};
    action.sa_handler = leave_with_42;
    EXPECT_EXIT((open_over(action), read_lost_page(unguarded_)), testing::ExitedWithCode(42), "");
    EXPECT_EXIT((open_over(action), ::raise(SIGBUS)), testing::ExitedWithCode(42), "");
    action.sa_sigaction = leave_with_43;
    action.sa_flags = SA_SIGINFO;
    EXPECT_EXIT((open_over(action), read_lost_page(unguarded_)), testing::ExitedWithCode(43), "");
}

TEST_F(LostPageGuardDeathTest, ASignalThatWasIgnoredStaysIgnored)
{
    struct sigaction action = {};
    action.sa_handler = SIG_IGN;
    EXPECT_EXIT((open_over(action), ::raise(SIGBUS), ::_exit(7)), testing::ExitedWithCode(7), "");
    // A fault cannot be ignored.
    EXPECT_EXIT((open_over(action), read_lost_page(unguarded_)), testing::KilledBySignal(SIGBUS), "");
}

TEST(LostPageGuard, GivesItsPlacesBack)
{
    test::TempDir folder;
    sample().write(folder.path() / "model.gguf");
    for (int i = 0; i < 10000; ++i) {
        ASSERT_TRUE(File::open(folder.path() / "model.gguf"));
    }
}

TEST(LostPageGuard, RefusesMoreThanItsTableHolds)
{
    const char byte = 0; // Never faults, so the guard is never asked for it.
    std::vector<std::unique_ptr<LostPageGuard>> guards;
    while (auto guard = LostPageGuard::guard(&byte, 1)) {
        guards.push_back(std::move(guard));
        ASSERT_LE(guards.size(), 4096U);
    }
    EXPECT_GE(guards.size(), 4000U);
    test::TempDir folder;
    sample().write(folder.path() / "model.gguf");
    const auto file = File::open(folder.path() / "model.gguf");
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().text().find("too many model files are open"), std::string::npos);
}

} // namespace
} // namespace constela::gguf
