// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening by path: names of every kind, and what is no file.
#include "tests/engine/gguf/sample.h"
#include "tests/support/golden.h"

#include <sys/stat.h>
#include <unistd.h>

namespace constela::gguf {
namespace {

namespace fs = std::filesystem;

class OpenTest : public testing::Test {
protected:
    [[nodiscard]] std::string refusal(const fs::path& path) const
    {
        const auto file = File::open(path);
        return file ? "(was opened)" : file.error().text();
    }

    test::TempDir folder_;
};

TEST_F(OpenTest, PathsWithSpacesAndOtherScripts)
{
    const fs::path deep = folder_.path() / fs::path(u8"мои модели") / fs::path(u8"大 模型 ü");
    fs::create_directories(deep);
    for (const fs::path& path :
         {deep / fs::path(u8"modèle à moi 🙂.gguf"), deep / "no extension", deep / "-00001-of-00002.gguf.bak",
          deep / fs::path(std::string("not-utf8-\xFF.gguf"))}) {
        sample().write(path);
        const auto file = File::open(path);
        ASSERT_TRUE(file) << file.error().text();
        EXPECT_EQ((*file)->paths(), std::vector<fs::path>{path});
        EXPECT_EQ((*file)->version(), 3U);
        EXPECT_EQ((*file)->bytes(), fs::file_size(path));
        EXPECT_FALSE((*file)->changed());
    }
    EXPECT_EQ((*File::open(deep / fs::path(u8"modèle à moi 🙂.gguf")))->metadata().file_name(),
              "modèle à moi 🙂.gguf");
    EXPECT_EQ((*File::open(deep / fs::path(std::string("not-utf8-\xFF.gguf"))))->metadata().file_name(),
              "not-utf8-\\xff.gguf");
}

TEST_F(OpenTest, FollowsLinks)
{
    sample().write(folder_.path() / "real.gguf");
    fs::create_symlink("real.gguf", folder_.path() / "link.gguf");
    EXPECT_TRUE(File::open(folder_.path() / "link.gguf"));
    fs::create_symlink("nothing.gguf", folder_.path() / "broken.gguf");
    EXPECT_NE(refusal(folder_.path() / "broken.gguf").find("broken.gguf: there is no such file"), std::string::npos);
}

TEST_F(OpenTest, WhatIsNoFile)
{
    const fs::path missing = folder_.path() / "missing.gguf";
    EXPECT_EQ(refusal(missing), missing.string() + ": there is no such file.");
    EXPECT_EQ(refusal(folder_.path()), folder_.path().string() + ": this is a folder; a GGUF file was expected.");
    const fs::path empty = folder_.path() / "empty.gguf";
    test::write_file(empty, "");
    EXPECT_EQ(refusal(empty), empty.string() + ": the file is empty; a GGUF file was expected.");
    const fs::path pipe = folder_.path() / "pipe.gguf";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(refusal(pipe), pipe.string() + ": this is a device or pipe; a GGUF file was expected.");
    EXPECT_NE(refusal("").find("there is no such file"), std::string::npos);
    const fs::path below = empty / "below.gguf";
    EXPECT_EQ(refusal(below), below.string() + ": there is no such file.");
}

TEST_F(OpenTest, WithoutPermission)
{
    const fs::path path = folder_.path() / "secret.gguf";
    sample().write(path);
    fs::permissions(path, fs::perms::none);
    // Root may read every file, so for a moment be nobody.
    const uid_t user = ::geteuid();
    constexpr uid_t nobody = 65534;
    if (user == 0 && ::seteuid(nobody) != 0) {
        GTEST_SKIP() << "root may read every file, and here it cannot become another user";
    }
    const std::string text = refusal(path);
    ASSERT_EQ(::seteuid(user), 0);
    EXPECT_EQ(text, path.string() + ": there is no permission to read this file.");
}

TEST_F(OpenTest, NamesTheFileWithoutItsFolderWhenItsContentIsWrong)
{
    test::write_file(folder_.path() / "page.gguf", "<!DOCTYPE html>");
    EXPECT_EQ(refusal(folder_.path() / "page.gguf"), "page.gguf: this is not a GGUF file: it begins with \"<!DO\", "
                                                     "where \"GGUF\" was expected.");
}

} // namespace
} // namespace constela::gguf
