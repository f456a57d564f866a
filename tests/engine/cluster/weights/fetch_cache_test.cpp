// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cache of fetched models: nothing counts that was not verified, whatever happens; limits and full disks in words.
#include "engine/cluster/weights/fetch_cache.h"
#include "tests/engine/cluster/weights/sample_model.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <thread>
#include <unistd.h>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

class FetchCacheTest : public testing::Test {
protected:
    [[nodiscard]] FetchCache::Options options()
    {
        FetchCache::Options options;
        options.folder = cache_folder_;
        options.limits = limits_;
        options.free_bytes = [this](const fs::path&) -> Result<std::uint64_t> { return free_; };
        options.now = [this] { return ++now_; };
        return options;
    }
    [[nodiscard]] std::shared_ptr<FetchCache> open() { return FetchCache::open(options()).value(); }
    [[nodiscard]] test::SampleModel sample(const std::string& name, std::uint64_t seed, std::size_t parts = 1) const
    {
        return test::write_model(folder_.path(), name,
                                 {.blocks = 2, .tensor_bytes = std::size_t{3} << 20U, .parts = parts, .seed = seed});
    }
    static std::shared_ptr<CachedModel> open(FetchCache& cache, const test::SampleModel& model)
    {
        return cache.open_model(model.hash, model.manifest, "sample").value();
    }
    static void write(CachedModel& cached, const test::SampleModel& model, std::size_t from, std::size_t to)
    {
        for (std::size_t chunk = from; chunk < to; ++chunk) {
            const auto outcome = cached.write_chunk(chunk, model.chunk(chunk));
            ASSERT_TRUE(outcome) << outcome.error().text();
            ASSERT_EQ(*outcome, ChunkOutcome::stored);
        }
    }
    static std::size_t chunks(const test::SampleModel& model) { return model.manifest.chunks.size(); }
    [[nodiscard]] fs::path folder_of(const test::SampleModel& model) const
    {
        return cache_folder_ / to_text(model.hash);
    }
    /// What a crash at this moment would leave (the disk having written everything that it was given).
    [[nodiscard]] std::shared_ptr<CachedModel> after_crash(const test::SampleModel& model)
    {
        const fs::path copy = folder_.path() / ("crash" + std::to_string(++crashes_));
        fs::copy(folder_of(model), copy, fs::copy_options::recursive);
        return CachedModel::open(copy, model.manifest, nullptr).value();
    }
    /// Everything that counts is right.
    static void expect_sound(const CachedModel& cached, const test::SampleModel& model)
    {
        for (std::size_t chunk = 0; chunk < chunks(model); ++chunk) {
            if (cached.has(chunk)) {
                const std::vector<std::byte> expected = model.chunk(chunk);
                std::vector<std::byte> found(expected.size());
                ASSERT_TRUE(cached.read(chunk, 0, found));
                EXPECT_EQ(found, expected) << "chunk " << chunk;
            }
        }
    }

    test::TempDir folder_;
    fs::path cache_folder_ = folder_.path() / "cache";
    CacheLimits limits_;
    std::uint64_t free_ = std::uint64_t{1} << 40U;
    std::int64_t now_ = 0;
    int crashes_ = 0;
};

TEST_F(FetchCacheTest, GrowsToAWholeModel)
{
    const auto model = sample("split", 1, 2);
    const auto cache = open();
    const auto cached = open(*cache, model);
    EXPECT_FALSE(cached->whole());
    EXPECT_EQ(cached->missing(whole_ranges(model.manifest)).size(), chunks(model));
    write(*cached, model, 0, chunks(model) - 1);
    EXPECT_FALSE(cached->whole());
    EXPECT_TRUE(cached->holds(std::vector{ByteRange{0, 0, 100}}));
    write(*cached, model, chunks(model) - 1, chunks(model));
    EXPECT_TRUE(cached->whole());
    EXPECT_TRUE(cached->holds(whole_ranges(model.manifest)));
    EXPECT_EQ(cached->held_bytes(), model.manifest.total_bytes());
    EXPECT_EQ(cached->write_chunk(0, model.chunk(0)).value(), ChunkOutcome::already_there);
    EXPECT_EQ(test::sample_of(cached->paths()).hash, model.hash);
    EXPECT_TRUE(gguf::File::open(cached->paths().front())) << "a split set's names must be those of a split set";
}

TEST_F(FetchCacheTest, RefusesWrongBytes)
{
    const auto model = sample("one", 1);
    const auto cache = open();
    const auto cached = open(*cache, model);
    auto bytes = model.chunk(1);
    bytes.back() ^= std::byte{1};
    EXPECT_EQ(cached->write_chunk(1, bytes).value(), ChunkOutcome::wrong_bytes);
    EXPECT_EQ(cached->write_chunk(0, model.chunk(1)).value(), ChunkOutcome::wrong_bytes);
    EXPECT_EQ(cached->write_chunk(1, model.chunk(0)).value(), ChunkOutcome::wrong_bytes);
    EXPECT_EQ(cached->write_chunk(1, {}).value(), ChunkOutcome::wrong_bytes);
    EXPECT_EQ(cached->write_chunk(chunks(model), model.chunk(1)).value(), ChunkOutcome::wrong_bytes);
    EXPECT_FALSE(cached->has(1));
    EXPECT_EQ(cached->held_bytes(), 0U);
    EXPECT_EQ(cached->write_chunk(1, model.chunk(1)).value(), ChunkOutcome::stored);
}

TEST_F(FetchCacheTest, RefusesTheListOfAnotherModel)
{
    const auto one = sample("one", 1);
    const auto two = sample("two", 2);
    const auto cache = open();
    EXPECT_FALSE(cache->open_model(one.hash, two.manifest, "one"));
    EXPECT_EQ(cache->find(one.hash), nullptr);
    EXPECT_FALSE(fs::exists(folder_of(one)));
}

TEST_F(FetchCacheTest, GoesOnWhereItWas)
{
    const auto model = sample("one", 1);
    {
        const auto cache = open();
        write(*open(*cache, model), model, 1, 3);
    }
    const auto cache = open();
    ASSERT_EQ(cache->list().size(), 1U);
    EXPECT_EQ(cache->list().front().held, 2 * kChunkBytes);
    EXPECT_EQ(cache->list().front().name, "sample");
    const auto cached = cache->find(model.hash);
    ASSERT_NE(cached, nullptr);
    EXPECT_EQ(cached, open(*cache, model)) << "one model, one object";
    EXPECT_FALSE(cached->has(0));
    EXPECT_TRUE(cached->has(1));
    EXPECT_TRUE(cached->has(2));
    expect_sound(*cached, model);
}

TEST_F(FetchCacheTest, BelievesNothingThatACrashCutShort)
{
    const auto model = sample("one", 1);
    const auto cache = open();
    const auto cached = open(*cache, model);
    EXPECT_EQ(after_crash(model)->held_bytes(), 0U);
    write(*cached, model, 0, 2);
    EXPECT_EQ(after_crash(model)->held_bytes(), 0U) << "not known to be on the disk";
    ASSERT_TRUE(cached->sync());
    write(*cached, model, 2, 3);
    EXPECT_EQ(after_crash(model)->held_bytes(), 2 * kChunkBytes);
    ASSERT_TRUE(cached->sync());

    const std::string journal = test::read_file(folder_of(model) / "verified");
    for (std::size_t size = 0; size <= journal.size(); ++size) { // any part of it may have reached the disk
        test::write_file(folder_of(model) / "verified", journal.substr(0, size));
        const auto left = after_crash(model);
        EXPECT_EQ(left->held_bytes(), size < 16 ? 0 : (size - 16) / 8 * kChunkBytes) << size;
        expect_sound(*left, model);
    }
}

TEST_F(FetchCacheTest, BelievesNoDamagedJournal)
{
    const auto model = sample("one", 1);
    const auto cache = open();
    write(*open(*cache, model), model, 0, 2);
    const std::string journal = test::read_file(folder_of(model) / "verified");
    ASSERT_EQ(journal.size(), 16U + 16U);
    for (std::size_t at = 0; at < journal.size(); ++at) {
        std::string damaged = journal;
        damaged[at] = static_cast<char>(damaged[at] ^ 2);
        test::write_file(folder_of(model) / "verified", damaged);
        const auto left = after_crash(model);
        EXPECT_EQ(left->held_bytes(), at < 24 ? 0 : kChunkBytes) << at;
        expect_sound(*left, model);
    }
}

TEST_F(FetchCacheTest, BelievesNoJournalOfLostFiles)
{
    const auto model = sample("split", 1, 2);
    const auto cache = open();
    write(*open(*cache, model), model, 0, chunks(model));
    EXPECT_TRUE(after_crash(model)->whole());
    fs::path part = folder_of(model) / "model-00002-of-00002.gguf";
    fs::resize_file(part, fs::file_size(part) - 1);
    EXPECT_EQ(after_crash(model)->held_bytes(), 0U);
    fs::remove(part);
    EXPECT_EQ(after_crash(model)->held_bytes(), 0U);
    test::write_file(folder_of(model) / "manifest", "nonsense");
    EXPECT_EQ(cache->find(model.hash), nullptr);
}

TEST_F(FetchCacheTest, ClearsAwayWhatIsOfNoUse)
{
    const auto model = sample("one", 1);
    {
        const auto cache = open();
        write(*open(*cache, model), model, 0, 1);
    }
    fs::create_directories(cache_folder_ / (to_text(model.hash) + ".gone"));
    fs::create_directories(cache_folder_ / "photos");
    test::write_file(folder_of(model) / "manifest", "nonsense");
    const auto cache = open();
    EXPECT_TRUE(cache->list().empty());
    EXPECT_FALSE(fs::exists(folder_of(model)));
    EXPECT_FALSE(fs::exists(cache_folder_ / (to_text(model.hash) + ".gone")));
    EXPECT_TRUE(fs::exists(cache_folder_ / "photos")) << "not ours";
}

TEST_F(FetchCacheTest, BelongsToOneProgramAtATime)
{
    auto cache = open();
    const auto second = FetchCache::open(options());
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().text().find("another copy of Constela"), std::string::npos);
    cache.reset();
    EXPECT_TRUE(FetchCache::open(options()));
}

TEST_F(FetchCacheTest, KeepsTheTimeOfItsFiles)
{
    const auto model = sample("one", 1);
    const auto cache = open();
    const auto cached = open(*cache, model);
    write(*cached, model, 0, 1);
    const auto opened = gguf::File::open(cached->paths().front());
    ASSERT_TRUE(opened) << opened.error().text();
    write(*cached, model, 1, 2);
    EXPECT_FALSE((*opened)->changed()) << "more shards of a model in use are no change of it";
}

TEST_F(FetchCacheTest, KeepsToTheLimit)
{
    const auto one = sample("one", 1);
    const auto two = sample("two", 2);
    limits_.most_bytes = one.manifest.total_bytes() + kChunkBytes;
    const auto cache = open();
    auto first = open(*cache, one);
    write(*first, one, 0, chunks(one));
    const auto second = open(*cache, two);
    const std::vector<std::uint32_t> all = second->missing(whole_ranges(two.manifest));
    const auto refused = second->reserve(all);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("whose limit is " + size_text(limits_.most_bytes)), std::string::npos)
        << refused.error().text();
    EXPECT_NE(refused.error().text().find("needs " + size_text(two.manifest.total_bytes())), std::string::npos);
    EXPECT_TRUE(second->write_chunk(0, two.chunk(0))) << "one chunk fits";
    EXPECT_FALSE(second->write_chunk(1, two.chunk(1))) << "a second one does not";
    EXPECT_TRUE(first->whole());

    first.reset(); // now it may go
    EXPECT_TRUE(second->reserve(all));
    EXPECT_EQ(cache->find(one.hash), nullptr);
    EXPECT_FALSE(fs::exists(folder_of(one)));
    write(*second, two, 1, chunks(two));
    EXPECT_TRUE(second->whole());
}

TEST_F(FetchCacheTest, LetsTheLongestUnusedGoFirst)
{
    const auto one = sample("one", 1);
    const auto two = sample("two", 2);
    const auto three = sample("three", 3);
    limits_.most_bytes = 2 * one.manifest.total_bytes() + 100;
    auto cache = open();
    write(*open(*cache, one), one, 0, chunks(one));
    write(*open(*cache, two), two, 0, chunks(two));
    EXPECT_NE(cache->find(one.hash), nullptr); // used again
    cache.reset();
    cache = open(); // the order outlives the program
    const auto last = open(*cache, three);
    ASSERT_TRUE(last->reserve(last->missing(whole_ranges(three.manifest))));
    EXPECT_EQ(cache->find(two.hash), nullptr);
    EXPECT_NE(cache->find(one.hash), nullptr);
}

TEST_F(FetchCacheTest, LetsNothingGoThatWouldNotHelp)
{
    const auto one = sample("one", 1);
    const auto two = sample("two", 2);
    auto cache = open();
    write(*open(*cache, one), one, 0, chunks(one));
    const auto in_use = cache->find(one.hash);
    cache->set_limits({two.manifest.total_bytes() - 1, 0});
    const auto second = open(*cache, two);
    EXPECT_FALSE(second->reserve(second->missing(whole_ranges(two.manifest))));
    EXPECT_NE(cache->find(one.hash), nullptr);
}

TEST_F(FetchCacheTest, ShrinksToASmallerLimit)
{
    const auto one = sample("one", 1);
    const auto two = sample("two", 2);
    auto cache = open();
    write(*open(*cache, one), one, 0, chunks(one));
    write(*open(*cache, two), two, 0, chunks(two));
    cache->set_limits({two.manifest.total_bytes(), 0});
    EXPECT_FALSE(fs::exists(folder_of(one)));
    EXPECT_TRUE(fs::exists(folder_of(two)));
    cache.reset();
    limits_.most_bytes = 1;
    cache = open();
    EXPECT_TRUE(cache->list().empty());
}

TEST_F(FetchCacheTest, LeavesTheDiskItsFloor)
{
    const auto model = sample("one", 1);
    limits_.free_floor = 1'000'000'000;
    free_ = 1'000'000'000 + model.manifest.total_bytes() - 1;
    const auto cache = open();
    const auto cached = open(*cache, model);
    const std::vector<std::uint32_t> all = cached->missing(whole_ranges(model.manifest));
    const auto refused = cached->reserve(all);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("are free and 1.0 GB are to stay free"), std::string::npos)
        << refused.error().text();
    ++free_;
    ASSERT_TRUE(cached->reserve(all));
    write(*cached, model, 0, 1);
    free_ = 1'000'000'001; // somebody else fills the disk meanwhile
    EXPECT_FALSE(cached->write_chunk(1, model.chunk(1)));
    EXPECT_FALSE(cached->has(1));
    EXPECT_TRUE(cached->has(0)) << "what is there stays, for when there is room";
}

TEST_F(FetchCacheTest, CountsWhatIsPromisedToOthers)
{
    const auto one = sample("one", 1);
    const auto two = sample("two", 2);
    limits_.most_bytes = one.manifest.total_bytes() + two.manifest.total_bytes() - 1;
    const auto cache = open();
    auto first = open(*cache, one);
    const auto second = open(*cache, two);
    ASSERT_TRUE(first->reserve(first->missing(whole_ranges(one.manifest))));
    EXPECT_FALSE(second->reserve(second->missing(whole_ranges(two.manifest))));
    ASSERT_TRUE(first->reserve({})) << "given back";
    EXPECT_TRUE(second->reserve(second->missing(whole_ranges(two.manifest))));
    EXPECT_FALSE(first->reserve(first->missing(whole_ranges(one.manifest))));
}

TEST_F(FetchCacheTest, RemovesWhatIsNotInUse)
{
    const auto model = sample("one", 1);
    const auto cache = open();
    auto cached = open(*cache, model);
    const auto refused = cache->remove(model.hash);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().text(), "The fetched model sample is in use; unload it first.");
    cached.reset();
    EXPECT_TRUE(cache->remove(model.hash));
    EXPECT_FALSE(fs::exists(folder_of(model)));
    EXPECT_TRUE(cache->remove(model.hash));
}

TEST_F(FetchCacheTest, TakesChunksFromManyThreads)
{
    const auto model = sample("one", 1);
    const auto cache = open();
    {
        const auto cached = open(*cache, model);
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 3; ++thread) {
            threads.emplace_back([&] {
                for (std::size_t chunk = 0; chunk < chunks(model); ++chunk) {
                    EXPECT_TRUE(cached->write_chunk(chunk, model.chunk(chunk)));
                    EXPECT_TRUE(cached->sync());
                    EXPECT_NE(cache->find(model.hash), nullptr);
                }
            });
        }
    }
    EXPECT_EQ(cache->list().front().held, model.manifest.total_bytes());
    EXPECT_TRUE(after_crash(model)->whole());
}

/// A disk of a few megabytes.
class SmallDisk : public FetchCacheTest {
protected:
    void SetUp() override
    {
        fs::create_directories(cache_folder_);
        mounted_ = ::geteuid() == 0 && ::mount("none", cache_folder_.c_str(), "tmpfs", 0, "size=10m") == 0;
        if (!mounted_) {
            GTEST_SKIP() << "mounting a small disk needs root and the right to mount";
        }
    }
    void TearDown() override
    {
        if (mounted_) {
            ::umount2(cache_folder_.c_str(), MNT_DETACH);
        }
    }
    bool mounted_ = false;
};

TEST_F(SmallDisk, StopsWithNumbersWhenItIsFull)
{
    const auto model = sample("one", 1);
    ASSERT_GT(model.manifest.total_bytes(), std::uint64_t{10} << 20U);
    FetchCache::Options real = options();
    real.free_bytes = {};
    auto cache = FetchCache::open(real).value();
    {
        const auto cached = open(*cache, model);
        const auto refused = cached->reserve(cached->missing(whole_ranges(model.manifest)));
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().text().find("needs " + size_text(model.manifest.total_bytes())), std::string::npos)
            << refused.error().text();
    }
    cache.reset();
    cache = FetchCache::open(options()).value(); // believes that there is room, as when others write too
    const auto cached = open(*cache, model);
    Result<ChunkOutcome> last = ChunkOutcome::stored;
    std::size_t chunk = 0;
    for (; last && chunk < chunks(model); ++chunk) {
        last = cached->write_chunk(chunk, model.chunk(chunk));
    }
    ASSERT_FALSE(last) << "the disk took more than it has";
    EXPECT_NE(last.error().text().find("the disk is full"), std::string::npos) << last.error().text();
    EXPECT_FALSE(cached->has(chunk - 1));
    EXPECT_FALSE(cached->whole());
    expect_sound(*cached, model);
}

} // namespace
} // namespace constela::cluster
