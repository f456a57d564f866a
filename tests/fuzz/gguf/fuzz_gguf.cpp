// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds any bytes to the GGUF reader. Refusals must be whole sentences; what is accepted must lie inside of the bytes.
#include "engine/gguf/gguf.h"

#include <cstdint>
#include <cstdlib>

using namespace constela; // NOLINT(google-build-using-namespace): a program of one function.

namespace {

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

/// Reads every byte, so that AddressSanitizer sees one that is not there.
std::size_t sum(std::span<const std::byte> bytes)
{
    std::size_t total = 0;
    for (const std::byte byte : bytes) {
        total += std::to_integer<std::size_t>(byte);
    }
    return total;
}

template <class... T>
void get_all(const gguf::Metadata& metadata, std::string_view key)
{
    const auto get = [&](const auto& found) { require(found.has_value() || !found.error().text().empty()); };
    (get(metadata.get<T>(key)), ...);
}

void use(const gguf::ParsedPart& part, std::span<const std::byte> bytes)
{
    for (const gguf::TensorInfo& tensor : part.tensors) {
        require(tensor.elements() > 0 && tensor.offset >= part.data_offset);
        require(tensor.offset <= bytes.size() && tensor.bytes <= bytes.size() - tensor.offset);
        require(sum(bytes.subspan(tensor.offset, tensor.bytes)) <= 255 * tensor.bytes);
    }
    for (const auto& [key, value] : part.metadata.all()) {
        require(!gguf::describe(value).empty());
        get_all<std::uint32_t, std::uint64_t, std::int32_t, float, bool, std::string, std::vector<std::int32_t>,
                std::vector<std::uint32_t>, std::vector<float>, std::vector<bool>, std::vector<std::string>>(
            part.metadata, key);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto part = gguf::parse(bytes, "fuzz.gguf");
    if (part) {
        use(*part, bytes);
    } else {
        require(part.error().text().starts_with("fuzz.gguf: "));
    }
    return 0;
}
