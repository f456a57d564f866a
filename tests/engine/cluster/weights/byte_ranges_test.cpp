// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a run of shards needs of a model's files: a sparse copy with nothing else in it serves as well as the whole.
#include "engine/cluster/weights/byte_ranges.h"
#include "engine/model/model.h"
#include "tests/engine/cluster/weights/sample_model.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

/// Copies of the parts with holes where `ranges` do not reach.
void copy_ranges(const gguf::File& file, const fs::path& folder, std::span<const ByteRange> ranges)
{
    fs::create_directories(folder);
    std::vector<fs::path> copies;
    for (const fs::path& path : file.paths()) {
        copies.push_back(folder / path.filename());
        std::ofstream(copies.back(), std::ios::binary).close();
        fs::resize_file(copies.back(), fs::file_size(path));
    }
    for (const ByteRange& range : ranges) {
        std::ifstream from(file.paths()[range.part], std::ios::binary);
        std::string bytes(static_cast<std::size_t>(range.bytes), '\0');
        from.seekg(static_cast<std::streamoff>(range.offset));
        from.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        std::fstream to(copies[range.part], std::ios::binary | std::ios::in | std::ios::out);
        to.seekp(static_cast<std::streamoff>(range.offset));
        to.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
}

void expect_enough(const gguf::File& whole, const gguf::File& sparse, ShardRun run)
{
    const std::uint64_t shards = shard_count(whole);
    const bool tied = whole.find("output.weight") == nullptr;
    ASSERT_EQ(sparse.tensors().size(), whole.tensors().size());
    std::uint64_t left_out = 0;
    for (const gguf::TensorInfo& tensor : whole.tensors()) {
        const bool same = std::ranges::equal(whole.data(tensor), sparse.data(*sparse.find(tensor.name)));
        if (needs_tensor(tensor.name, run, shards, tied)) {
            EXPECT_TRUE(same) << tensor.name << " for shards from " << run.first;
        } else {
            left_out += same ? 0 : tensor.bytes;
        }
    }
    EXPECT_GT(left_out, 0U) << "everything was asked for";
}

std::vector<ShardRun> runs_of(std::uint64_t shards)
{
    const auto all = static_cast<std::uint32_t>(shards);
    return {{0, 1}, {0, all / 2}, {1, 1}, {all / 2, all - all / 2}, {all - 1, 1}};
}

TEST(ByteRanges, AreEnoughForEveryArchitecture)
{
    CONSTELA_NEED_GOLDEN(golden);
    int models = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(golden / "logits")) {
        if (entry.path().extension() != ".gguf") {
            continue;
        }
        ++models;
        const auto whole = gguf::File::open(entry.path()).value();
        const auto understood = model::Model::open(whole, 64);
        ASSERT_TRUE(understood) << understood.error().text();
        ASSERT_EQ(shard_count(*whole), (*understood)->shards().size()) << entry.path();
        for (const ShardRun run : runs_of(shard_count(*whole))) {
            const test::TempDir folder;
            copy_ranges(*whole, folder.path(), ranges_of_shards(*whole, run).value());
            const auto sparse = gguf::File::open(folder.path() / entry.path().filename());
            ASSERT_TRUE(sparse) << sparse.error().text();
            expect_enough(*whole, **sparse, run);
            const auto model = model::Model::open(*sparse, 64);
            ASSERT_TRUE(model) << model.error().text();
        }
    }
    EXPECT_GT(models, 10);
}

TEST(ByteRanges, ReachIntoEveryPart)
{
    const test::TempDir folder;
    const auto sample = test::write_model(folder.path(), "split", {.blocks = 4, .tensor_bytes = 1 << 16, .parts = 3});
    const auto whole = gguf::File::open(sample.paths.front()).value();
    for (const ShardRun run : runs_of(shard_count(*whole))) {
        const test::TempDir copy;
        copy_ranges(*whole, copy.path(), ranges_of_shards(*whole, run).value());
        const auto sparse = gguf::File::open(copy.path() / sample.paths.front().filename());
        ASSERT_TRUE(sparse) << sparse.error().text();
        expect_enough(*whole, **sparse, run);
    }
}

TEST(ByteRanges, KnowWhoReadsATensor)
{
    const auto needs = [](std::string_view name, std::uint32_t first, std::uint32_t count, bool tied = false) {
        return needs_tensor(name, {first, count}, 6, tied); // blocks 0 to 3 are shards 1 to 4
    };
    EXPECT_TRUE(needs("token_embd.weight", 0, 1));
    EXPECT_FALSE(needs("token_embd.weight", 1, 5));
    EXPECT_TRUE(needs("token_embd.weight", 1, 5, true));
    EXPECT_FALSE(needs("token_embd.weight", 1, 4, true));
    EXPECT_TRUE(needs("blk.0.attn_q.weight", 1, 1));
    EXPECT_FALSE(needs("blk.0.attn_q.weight", 2, 4));
    EXPECT_FALSE(needs("blk.10.attn_q.weight", 2, 4));
    EXPECT_FALSE(needs("blk.4294967295.attn_q.weight", 0, 1));
    EXPECT_TRUE(needs("output.weight", 5, 1));
    EXPECT_TRUE(needs("output_norm.weight", 4, 2));
    EXPECT_FALSE(needs("output_norm.weight", 0, 5));
    EXPECT_TRUE(needs("rope_freqs.weight", 2, 1));
    EXPECT_TRUE(needs("blk.", 2, 1));
    EXPECT_TRUE(needs("blk.x.weight", 2, 1));
}

TEST(ByteRanges, OfShardsThatAreNotThereAreRefused)
{
    const test::TempDir folder;
    const auto sample = test::write_model(folder.path(), "tiny", {.blocks = 2, .tensor_bytes = 64});
    const auto file = gguf::File::open(sample.paths.front()).value();
    for (const ShardRun run :
         {ShardRun{0, 0}, ShardRun{0, 5}, ShardRun{4, 1}, ShardRun{3, 0xFFFFFFFF}, ShardRun{0xFFFFFFFF, 1}}) {
        const auto ranges = ranges_of_shards(*file, run);
        ASSERT_FALSE(ranges);
        EXPECT_NE(ranges.error().text().find("the model has 4 of them"), std::string::npos);
    }
    EXPECT_TRUE(ranges_of_shards(*file, {0, 4}));
}

TEST(ByteRanges, BecomeChunks)
{
    Manifest manifest;
    manifest.part_sizes = {3 * kChunkBytes, kChunkBytes / 2, 2 * kChunkBytes};
    manifest.chunks.resize(6);
    using Chunks = std::vector<std::uint32_t>;
    const auto chunks = [&](std::vector<ByteRange> ranges) { return chunks_of(manifest, ranges); };
    EXPECT_EQ(chunks({{0, 0, 1}}), Chunks{0});
    EXPECT_EQ(chunks({{0, kChunkBytes - 1, 2}}), (Chunks{0, 1}));
    EXPECT_EQ(chunks({{0, kChunkBytes, kChunkBytes}}), Chunks{1});
    EXPECT_EQ(chunks({{2, 0, 1}, {1, 5, 1}, {1, 7, 1}}), (Chunks{3, 4}));
    EXPECT_EQ(chunks({{2, kChunkBytes, ~std::uint64_t{0}}}), Chunks{5});
    EXPECT_EQ(chunks({{1, 0, 0}, {3, 0, 1}, {0, 3 * kChunkBytes, 1}}), Chunks{});
    EXPECT_EQ(chunks(whole_ranges(manifest)), (Chunks{0, 1, 2, 3, 4, 5}));
}

} // namespace
} // namespace constela::cluster
