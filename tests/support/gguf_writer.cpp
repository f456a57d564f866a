// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gguf_writer.h"

#include <fstream>
#include <stdexcept>

namespace constela::test {

namespace {

void pad(std::string& bytes, std::uint64_t alignment)
{
    while (bytes.size() % alignment != 0) {
        bytes += '\0';
    }
}

} // namespace

std::string gguf_string(std::string_view text)
{
    return little_endian(std::uint64_t{text.size()}) + std::string(text);
}

GgufWriter& GgufWriter::raw(std::string_view key, std::uint32_t type, std::string value)
{
    keys.push_back({std::string(key), type, std::move(value)});
    return *this;
}

GgufWriter& GgufWriter::tensor(std::string_view name, kernels::TensorType type, std::vector<std::uint64_t> shape,
                               std::optional<std::string> data)
{
    if (!data) {
        std::size_t rows = 1;
        for (std::size_t d = 1; d < shape.size(); ++d) {
            rows *= shape[d];
        }
        data = std::string(rows * kernels::type_info(type).row_bytes(shape.at(0)), '\0');
    }
    tensors.push_back({std::string(name), static_cast<std::uint32_t>(type), std::move(shape), *std::move(data)});
    return *this;
}

GgufWriter& GgufWriter::tensor(std::string_view name, std::vector<std::uint64_t> shape,
                               const std::vector<float>& values)
{
    std::string data;
    for (const float value : values) {
        data += little_endian(value);
    }
    return tensor(name, kernels::TensorType::F32, std::move(shape), std::move(data));
}

std::string GgufWriter::bytes() const
{
    std::string file = magic + little_endian(version) + little_endian(tensor_count.value_or(tensors.size())) +
                       little_endian(key_count.value_or(keys.size()));
    for (const Key& key : keys) {
        file += gguf_string(key.name) + little_endian(key.type) + key.value;
    }
    std::string data;
    for (const Tensor& tensor : tensors) {
        pad(data, alignment);
        file += gguf_string(tensor.name) + little_endian(static_cast<std::uint32_t>(tensor.shape.size()));
        for (const std::uint64_t size : tensor.shape) {
            file += little_endian(size);
        }
        file += little_endian(tensor.type) + little_endian(tensor.offset.value_or(data.size()));
        data += tensor.data;
    }
    if (!tensors.empty()) {
        pad(file, alignment);
        file += data;
    }
    if (pad_end) {
        pad(file, alignment);
    }
    return file;
}

void GgufWriter::write(const std::filesystem::path& path) const
{
    write_file(path, bytes());
}

void write_file(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

} // namespace constela::test
