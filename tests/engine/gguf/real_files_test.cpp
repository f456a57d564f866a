// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that other programs wrote open, with what is known of them.
#include "engine/gguf/gguf.h"
#include "tests/support/golden.h"

#include <gtest/gtest.h>
#include <numeric>

namespace constela::gguf {
namespace {

namespace fs = std::filesystem;

TEST(RealFiles, EveryGoldenFileOpens)
{
    CONSTELA_NEED_GOLDEN(golden);
    std::size_t opened = 0;
    for (const auto& entry : fs::recursive_directory_iterator(golden)) {
        if (entry.path().extension() != ".gguf") {
            continue;
        }
        const auto file = File::open(entry.path());
        ASSERT_TRUE(file) << file.error().text();
        ++opened;
        EXPECT_EQ((*file)->bytes(), fs::file_size(entry.path()));
        EXPECT_TRUE((*file)->metadata().get<std::string>("general.architecture"));
        EXPECT_FALSE((*file)->changed());
        for (const TensorInfo& tensor : (*file)->tensors()) {
            EXPECT_EQ((*file)->find(tensor.name), &tensor);
            EXPECT_EQ((*file)->data(tensor).size(), tensor.bytes);
        }
        const bool vocabulary_only = entry.path().parent_path().filename() == "tokenizer";
        EXPECT_EQ((*file)->tensors().empty(), vocabulary_only) << entry.path();
        const auto tokens = (*file)->metadata().get<std::vector<std::string>>("tokenizer.ggml.tokens");
        ASSERT_TRUE(tokens) << tokens.error().text();
        EXPECT_GE(tokens->size(), 512U);
    }
    EXPECT_GE(opened, 34U);
}

TEST(RealFiles, SmolLM2)
{
    CONSTELA_NEED_MODEL(path, "SmolLM2-135M-Instruct.Q4_1.gguf");
    const auto file = File::open(path);
    ASSERT_TRUE(file) << file.error().text();
    const Metadata& metadata = (*file)->metadata();
    EXPECT_EQ(metadata.get<std::string>("general.architecture"), "llama");
    EXPECT_EQ(metadata.get<std::uint32_t>("llama.block_count"), 30U);
    EXPECT_EQ(metadata.get<std::uint32_t>("llama.embedding_length"), 576U);
    EXPECT_EQ(metadata.get<std::vector<std::string>>("tokenizer.ggml.tokens")->size(), 49152U);
    const TensorInfo* embedding = (*file)->find("token_embd.weight");
    ASSERT_NE(embedding, nullptr);
    EXPECT_EQ(embedding->shape[0], 576U);
    EXPECT_EQ(embedding->shape[1], 49152U);
    EXPECT_EQ((*file)->find("no.such.tensor"), nullptr);
}

TEST(RealFiles, Gemma3)
{
    CONSTELA_NEED_MODEL(path, "gemma-3-270m-q4_k_m.gguf");
    const auto file = File::open(path);
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ((*file)->metadata().get<std::string>("general.architecture"), "gemma3");
    EXPECT_EQ((*file)->metadata().get<std::uint32_t>("gemma3.block_count"), 18U);
    EXPECT_EQ((*file)->metadata().get<std::vector<float>>("tokenizer.ggml.scores")->size(), 262144U);
}

} // namespace
} // namespace constela::gguf
