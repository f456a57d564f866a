// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models of a node: found in folders of any shape, named by content, remembered until they change.
#include "engine/cluster/weights/model_index.h"
#include "tests/engine/cluster/weights/sample_model.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/golden.h"

#include <fstream>
#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;
using test::SampleShape;

class ModelIndexTest : public testing::Test {
protected:
    ModelIndexTest()
    {
        fs::create_directories(models_);
        fs::create_directories(state_);
    }
    [[nodiscard]] test::SampleModel write(const std::string& name, std::uint64_t seed, std::size_t parts = 1) const
    {
        return test::write_model(models_, name, {.blocks = 2, .tensor_bytes = 4096, .parts = parts, .seed = seed});
    }
    [[nodiscard]] ModelIndex index() const { return ModelIndex({{models_}, state_, cache_, 2}); }
    /// Counts what is read for hashing.
    [[nodiscard]] Hashing counting()
    {
        Hashing hashing;
        hashing.on_progress = [this](std::uint64_t, std::uint64_t) { ++hashed_; };
        return hashing;
    }

    test::TempDir folder_;
    fs::path models_ = folder_.path() / "models";
    fs::path state_ = folder_.path() / "state";
    std::shared_ptr<FetchCache> cache_;
    int hashed_ = 0;
};

TEST_F(ModelIndexTest, FindsByContentAndRemembers)
{
    const auto alpha = write("alpha", 1);
    const auto beta = write("beta", 2, 3);
    {
        ModelIndex fresh = index();
        EXPECT_EQ(fresh.open(alpha.hash), nullptr) << "what was not hashed is not served";
        const auto found = fresh.find(alpha.hash, 0, counting());
        ASSERT_TRUE(found && *found);
        EXPECT_EQ((*found)->paths, alpha.paths);
        const auto split = fresh.find(beta.hash, beta.manifest.total_bytes(), counting());
        ASSERT_TRUE(split && *split);
        EXPECT_EQ((*split)->name, "beta");
        EXPECT_EQ((*split)->paths, beta.paths);
        EXPECT_NE(fresh.open(beta.hash), nullptr);
    }
    EXPECT_GT(hashed_, 0);
    hashed_ = 0;
    ModelIndex again = index();
    EXPECT_TRUE(again.find(beta.hash, 0, counting()).value());
    EXPECT_NE(again.open(alpha.hash), nullptr);
    EXPECT_EQ(hashed_, 0) << "it was known";
}

TEST_F(ModelIndexTest, DoesNotReadFilesOfAnotherSize)
{
    const auto alpha = write("alpha", 1);
    ModelIndex fresh = index();
    EXPECT_FALSE(fresh.find(alpha.hash, alpha.manifest.total_bytes() + 1, counting()).value());
    EXPECT_EQ(hashed_, 0);
}

TEST_F(ModelIndexTest, NoticesThatAFileChanged)
{
    const auto before = write("alpha", 1);
    ModelIndex known = index();
    ASSERT_TRUE(known.describe(before.paths.front()));
    const auto reader = known.open(before.hash);
    ASSERT_NE(reader, nullptr);
    std::vector<std::byte> byte(1);
    EXPECT_TRUE(reader->read(0, 0, byte));

    const auto time = fs::last_write_time(before.paths.front());
    const auto after = write("alpha", 2);
    fs::last_write_time(after.paths.front(), time + std::chrono::seconds(1)); // however coarse the disk's clock is
    EXPECT_FALSE(reader->read(0, 0, byte)) << "bytes of another content would be served";
    EXPECT_EQ(known.open(before.hash), nullptr);
    EXPECT_FALSE(known.find(before.hash, 0).value());
    EXPECT_EQ(known.describe(after.paths.front()).value().hash, after.hash);
}

TEST_F(ModelIndexTest, FindsByName)
{
    const auto alpha = write("alpha", 1);
    const auto beta = write("beta", 2, 2);
    ModelIndex names = index();
    EXPECT_EQ(names.find_by_name("alpha").value().paths, alpha.paths);
    EXPECT_EQ(names.find_by_name("alpha.gguf").value().paths, alpha.paths);
    EXPECT_EQ(names.find_by_name("beta").value().paths, beta.paths);
    EXPECT_EQ(names.find_by_name("beta-00001-of-00002.gguf").value().paths, beta.paths);
    EXPECT_FALSE(names.find_by_name(to_text(alpha.hash).substr(0, 8))) << "its hash is not known yet";
    ASSERT_TRUE(names.describe(alpha.paths.front()));
    EXPECT_EQ(names.find_by_name(to_text(alpha.hash).substr(0, 8)).value().paths, alpha.paths);
    EXPECT_FALSE(names.find_by_name(to_text(alpha.hash).substr(0, 5)));
    const auto missing = names.find_by_name("gamma\n");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().text(), "No model of the name gamma\\x0a is in the model folders of this node.");
}

TEST_F(ModelIndexTest, AsksWhichOfTwoIsMeant)
{
    const auto alpha = write("alpha", 1);
    fs::create_directories(models_ / "other");
    const auto other = test::write_model(models_ / "other", "alpha", {.tensor_bytes = 64, .seed = 9});
    ModelIndex names = index();
    const auto found = names.find_by_name("alpha");
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().text().find(other.paths.front().string()), std::string::npos);

    fs::copy_file(alpha.paths.front(), other.paths.front(), fs::copy_options::overwrite_existing);
    ASSERT_TRUE(names.describe(alpha.paths.front()));
    ASSERT_TRUE(names.describe(other.paths.front()));
    EXPECT_TRUE(names.find_by_name("alpha")) << "two copies of one content are one model";
}

TEST_F(ModelIndexTest, GoesRoundLinksAndWhatCannotBeRead)
{
    const auto alpha = write("alpha", 1);
    fs::create_directories(models_ / "deep" / "deeper");
    fs::create_directory_symlink(models_, models_ / "deep" / "deeper" / "up");
    fs::create_directory_symlink(models_ / "nowhere", models_ / "dangling");
    fs::create_symlink(alpha.paths.front(), models_ / "same.gguf");
    fs::create_symlink(models_ / "circle.gguf", models_ / "circle.gguf");
    fs::create_directories(models_ / "folder.gguf");
    fs::create_directories(models_ / "closed");
    fs::permissions(models_ / "closed", fs::perms::none);
    test::write_file(models_ / "torn-00002-of-00003.gguf", "x");
    test::write_file(models_ / "gone-00001-of-00002.gguf", "x");
    ModelIndex all({{models_, models_ / "deep", folder_.path() / "missing"}, state_, nullptr, 1});
    const LocalModels found = all.list();
    fs::permissions(models_ / "closed", fs::perms::owner_all);
    ASSERT_EQ(found.models.size(), 1U);
    EXPECT_EQ(found.models.front().bytes, fs::file_size(alpha.paths.front()));
    std::string problems;
    for (const Error& problem : found.problems) {
        problems += problem.text() + "\n";
    }
    EXPECT_NE(problems.find("missing: this folder cannot be looked into"), std::string::npos) << problems;
    EXPECT_NE(problems.find("part 2 of 2 is missing"), std::string::npos) << problems;
    EXPECT_NE(problems.find("the first part of this model"), std::string::npos) << problems;
}

TEST_F(ModelIndexTest, SurvivesADamagedMemory)
{
    const auto alpha = write("alpha", 1);
    ASSERT_TRUE(index().describe(alpha.paths.front()));
    const fs::path file = state_ / "models.json";
    const std::string good = test::read_file(file);
    for (const std::string& bad : {std::string("{"), std::string("[]"), std::string(R"({"version":1,"models":[7]})"),
                                   good.substr(0, good.size() / 2), std::string(R"({"version":2,"models":[]})")}) {
        test::write_file(file, bad);
        ModelIndex forgetful = index();
        EXPECT_EQ(forgetful.open(alpha.hash), nullptr);
        EXPECT_TRUE(forgetful.find(alpha.hash, 0).value());
    }
    test::write_file(file, good);
    fs::remove_all(state_ / "manifests");
    ModelIndex without = index();
    EXPECT_EQ(without.open(alpha.hash), nullptr) << "nothing can be served without the list of chunks";
    EXPECT_TRUE(without.describe(alpha.paths.front()));
    EXPECT_NE(without.open(alpha.hash), nullptr);
}

TEST_F(ModelIndexTest, KnowsWhatWasFetched)
{
    const test::TempDir elsewhere;
    const auto model = test::write_model(elsewhere.path(), "far", {.blocks = 2, .tensor_bytes = std::size_t{3} << 20U});
    ASSERT_GT(model.manifest.chunks.size(), 2U);
    FetchCache::Options options;
    options.folder = models_ / "fetched"; // even inside of a model folder
    cache_ = FetchCache::open(options).value();
    ModelIndex both = index();
    auto held = cache_->open_model(model.hash, model.manifest, "far.gguf").value();
    ASSERT_EQ(held->write_chunk(0, model.chunk(0)).value(), ChunkOutcome::stored);
    EXPECT_TRUE(both.list().models.empty()) << "a half file counts as whole";
    EXPECT_FALSE(both.find(model.hash, 0).value());
    const auto part = both.open(model.hash);
    ASSERT_NE(part, nullptr) << "what is there may be served";
    EXPECT_TRUE(part->has(0));
    EXPECT_FALSE(part->has(1));
    for (std::size_t chunk = 1; chunk < model.manifest.chunks.size(); ++chunk) {
        ASSERT_TRUE(held->write_chunk(chunk, model.chunk(chunk)));
    }
    const LocalModels all = both.list();
    ASSERT_EQ(all.models.size(), 1U);
    EXPECT_EQ(all.models.front().name, "far");
    EXPECT_TRUE(both.find(model.hash, 0).value());
    const auto found = both.find_by_name("far");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->cached, held) << "nothing keeps it from being evicted";
    EXPECT_EQ(found->paths, all.models.front().paths);
}

} // namespace
} // namespace constela::cluster
