// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cluster/weights/sample_model.h"

#include "engine/gguf/split_name.h"
#include "tests/support/gguf_writer.h"

#include <cstring>
#include <fstream>
#include <random>

namespace constela::test {

namespace fs = std::filesystem;

std::string random_bytes(std::size_t size, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
        const std::uint64_t word = random();
        std::memcpy(bytes.data() + at, &word, std::min(sizeof word, size - at));
    }
    return bytes;
}

std::vector<std::byte> SampleModel::chunk(std::size_t index) const
{
    const cluster::ChunkPlace place = manifest.place(index);
    std::vector<std::byte> bytes(static_cast<std::size_t>(place.bytes));
    std::ifstream file(paths.at(place.part), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(place.offset));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

SampleModel sample_of(std::vector<fs::path> paths)
{
    SampleModel model;
    model.manifest = cluster::hash_files(paths, {}).value();
    model.hash = model.manifest.root();
    model.paths = std::move(paths);
    return model;
}

SampleModel write_model(const fs::path& folder, const std::string& name, const SampleShape& shape)
{
    std::vector<GgufWriter> parts(shape.parts);
    std::size_t tensors = 0;
    std::uint64_t seed = shape.seed * 1000;
    const auto add = [&](std::size_t part, const std::string& tensor) {
        parts[part].tensor(tensor, kernels::TensorType::F32, {shape.tensor_bytes / 4},
                           random_bytes(shape.tensor_bytes, ++seed));
        ++tensors;
    };
    add(0, "token_embd.weight");
    for (std::size_t block = 0; block < shape.blocks; ++block) {
        add(block % shape.parts, "blk." + std::to_string(block) + ".attn_q.weight");
        add(block % shape.parts, "blk." + std::to_string(block) + ".ffn_up.weight");
    }
    if (!shape.tied) {
        add(shape.parts - 1, "output.weight");
    }
    std::vector<std::string> tokens;
    for (std::size_t token = 0; token < shape.vocabulary; ++token) {
        tokens.push_back("token " + std::to_string(token));
    }
    parts[0].set("general.architecture", "llama").set("tokenizer.ggml.tokens", tokens);
    std::vector<fs::path> paths;
    for (std::size_t part = 0; part < shape.parts; ++part) {
        if (shape.parts > 1) {
            parts[part]
                .set("split.no", static_cast<std::uint16_t>(part))
                .set("split.count", static_cast<std::uint16_t>(shape.parts))
                .set("split.tensors.count", static_cast<std::int32_t>(tensors));
        }
        paths.push_back(folder /
                        (name + (shape.parts == 1 ? std::string(".gguf")
                                                  : gguf::split_suffix(static_cast<std::uint32_t>(part + 1),
                                                                       static_cast<std::uint32_t>(shape.parts)))));
        parts[part].write(paths.back());
    }
    return sample_of(std::move(paths));
}

} // namespace constela::test
