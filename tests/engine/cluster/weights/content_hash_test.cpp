// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hash of a model's content: fixed for ever, the same with any number of threads; manifests from peers.
#include "engine/cluster/weights/content_hash.h"
#include "tests/engine/cluster/weights/sample_model.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/golden.h"

#include <cstring>
#include <gtest/gtest.h>
#include <mutex>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

std::string pattern(std::size_t size)
{
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<char>((i * 7 + i / 256) % 256);
    }
    return bytes;
}

class ContentHashTest : public testing::Test {
protected:
    fs::path file(const std::string& name, std::string_view bytes) const
    {
        test::write_file(folder_.path() / name, bytes);
        return folder_.path() / name;
    }
    static std::string root(const std::vector<fs::path>& parts, const Hashing& hashing = {})
    {
        const auto manifest = hash_files(parts, hashing);
        return manifest ? to_text(manifest->root()) : manifest.error().text();
    }

    test::TempDir folder_;
};

/// Computed with Python's hashlib.blake2b(digest_size=32, person=...).
TEST_F(ContentHashTest, StaysWhatItIs)
{
    const std::string bytes = pattern(std::size_t{5} << 20U);
    EXPECT_EQ(root({file("a", bytes)}), "8a80c463d2ef45e0f75bd3e17ff419302bc67c0cd48947983502277c4b31efb4");
    EXPECT_EQ(root({file("b", bytes.substr(0, 1000)), file("c", bytes.substr(1000))}),
              "00dd4a6211cedf8106245d4ea4fa96870ef0d5c2f3e1cd2c044a3621fb5ca43f");
    EXPECT_EQ(root({file("d", "constela")}), "11c3aba469d31fc68a6ec8de97b6ca1264abc4258ff7e686aeaacd64d9432161");
    EXPECT_EQ(to_text(ContentHash{hash_chunk(std::as_bytes(std::span(std::string_view("constela"))))}),
              "a2b37a78ee553fd4c2a13acbab3ac82463305de0caa29f4354a930ce90775210");
}

TEST_F(ContentHashTest, DoesNotDependOnThreads)
{
    const std::vector<fs::path> parts{file("a", test::random_bytes((std::size_t{9} << 20U) + 5, 1)),
                                      file("b", test::random_bytes(std::size_t{4} << 20U, 2))};
    const std::string one = root(parts);
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    Hashing hashing;
    hashing.threads = 3;
    hashing.on_progress = [&](std::uint64_t so_far, std::uint64_t all) {
        EXPECT_GT(so_far, done);
        done = so_far;
        total = all;
    };
    EXPECT_EQ(root(parts, hashing), one);
    EXPECT_EQ(done, (std::uint64_t{13} << 20U) + 5);
    EXPECT_EQ(total, done);
}

TEST_F(ContentHashTest, EndsWhenCancelled)
{
    Hashing hashing;
    hashing.threads = 2;
    std::mutex mutex;
    int asked = 0;
    hashing.cancelled = [&] {
        const std::lock_guard lock(mutex);
        return ++asked == 3;
    };
    const auto manifest = hash_files(std::vector{file("a", pattern(std::size_t{40} << 20U))}, hashing);
    ASSERT_FALSE(manifest);
    EXPECT_LE(asked, 4);
}

TEST_F(ContentHashTest, RefusesWhatIsNotThereOrEmpty)
{
    EXPECT_NE(root({folder_.path() / "none"}).find("there is no such file"), std::string::npos);
    EXPECT_NE(root({file("empty", "")}).find("the file is empty"), std::string::npos);
    EXPECT_NE(root({folder_.path()}).find("no regular file"), std::string::npos);
    EXPECT_NE(root({}).find("too large"), std::string::npos);
}

TEST_F(ContentHashTest, TellsWhereEachChunkLies)
{
    Manifest manifest;
    manifest.part_sizes = {kChunkBytes + 1, 7, kChunkBytes};
    manifest.chunks.resize(count_chunks(manifest.part_sizes).value());
    ASSERT_EQ(manifest.chunks.size(), 4U);
    const auto expect = [&](std::size_t chunk, std::size_t part, std::uint64_t offset, std::uint64_t bytes) {
        const ChunkPlace place = manifest.place(chunk);
        EXPECT_EQ(place.part, part);
        EXPECT_EQ(place.offset, offset);
        EXPECT_EQ(place.bytes, bytes);
    };
    expect(0, 0, 0, kChunkBytes);
    expect(1, 0, kChunkBytes, 1);
    expect(2, 1, 0, 7);
    expect(3, 2, 0, kChunkBytes);
    expect(4, 0, 0, 0);
    EXPECT_EQ(manifest.first_chunk(2), 3U);
    EXPECT_EQ(manifest.first_chunk(3), 4U);
    EXPECT_EQ(manifest.total_bytes(), 2 * kChunkBytes + 8);
}

TEST_F(ContentHashTest, ReadsItsOwnTextAlone)
{
    ContentHash hash;
    hash.bytes[0] = std::byte{0xAB};
    const std::string text = to_text(hash);
    EXPECT_EQ(content_hash_from_text(text), hash);
    EXPECT_FALSE(content_hash_from_text(text.substr(1)));
    EXPECT_FALSE(content_hash_from_text(text + "0"));
    EXPECT_FALSE(content_hash_from_text("AB" + text.substr(2)));
    EXPECT_FALSE(content_hash_from_text("../" + text.substr(3)));
    EXPECT_FALSE(content_hash_from_text(""));
}

class ManifestTest : public testing::Test {
protected:
    ManifestTest()
    {
        manifest_.part_sizes = {kChunkBytes + 1, 7};
        manifest_.chunks.resize(3);
        manifest_.chunks[1].fill(std::byte{7});
        encoded_ = manifest_.encode();
    }
    static Result<Manifest> parse(std::string_view bytes)
    {
        return Manifest::parse(std::as_bytes(std::span(bytes)), "studio");
    }
    void put(std::size_t at, std::uint64_t value) { std::memcpy(encoded_.data() + at, &value, sizeof value); }
    void expect_refused() const
    {
        const auto parsed = parse(encoded_);
        ASSERT_FALSE(parsed);
        EXPECT_TRUE(parsed.error().text().starts_with("studio: ")) << parsed.error().text();
    }

    Manifest manifest_;
    std::string encoded_;
};

TEST_F(ManifestTest, ComesBackAsItWas)
{
    const auto parsed = parse(encoded_);
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ(parsed->part_sizes, manifest_.part_sizes);
    EXPECT_EQ(parsed->chunks, manifest_.chunks);
    EXPECT_EQ(parsed->root(), manifest_.root());
    EXPECT_LE(encoded_.size(), kMostManifestBytes);
}

TEST_F(ManifestTest, ChangesItsRootWithAnyByte)
{
    for (std::size_t at = 16; at < encoded_.size(); at += 3) {
        std::string other = encoded_;
        other[at] = static_cast<char>(other[at] ^ 1);
        const auto parsed = parse(other);
        EXPECT_TRUE(!parsed || parsed->root() != manifest_.root()) << "byte " << at;
    }
}

TEST_F(ManifestTest, OfAnyOtherLengthIsRefused)
{
    for (std::size_t size = 0; size < encoded_.size(); ++size) {
        EXPECT_FALSE(parse(encoded_.substr(0, size))) << size;
    }
    encoded_ += std::string(32, '\0');
    expect_refused();
}

TEST_F(ManifestTest, WithForgedNumbersIsRefused)
{
    const std::string good = encoded_;
    for (const std::uint64_t parts :
         {std::uint64_t{0}, std::uint64_t{kMostParts + 1}, std::uint64_t{1} << 61U, ~std::uint64_t{0}}) {
        encoded_ = good;
        put(8, parts);
        expect_refused();
    }
    for (const std::uint64_t size :
         {std::uint64_t{0}, kChunkBytes * kMostChunks + 1, ~std::uint64_t{0}, ~std::uint64_t{0} - kChunkBytes}) {
        encoded_ = good;
        put(16, size);
        expect_refused();
    }
    encoded_ = good;
    encoded_[0] = 'X';
    expect_refused();
}

} // namespace
} // namespace constela::cluster
