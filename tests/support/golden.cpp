// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

namespace constela::test {

namespace fs = std::filesystem;

std::optional<fs::path> golden_dir()
{
    const char* chosen = std::getenv("CONSTELA_GOLDEN_DIR"); // NOLINT(concurrency-mt-unsafe)
    const fs::path path = chosen != nullptr ? fs::path(chosen) : fs::path(CONSTELA_GOLDEN_DIR);
    if (!fs::exists(path)) {
        return std::nullopt;
    }
    return path;
}

std::optional<fs::path> real_model(const std::string& file_name)
{
    const char* chosen = std::getenv("CONSTELA_MODEL_CACHE"); // NOLINT(concurrency-mt-unsafe)
    const char* cache = std::getenv("XDG_CACHE_HOME");        // NOLINT(concurrency-mt-unsafe)
    const char* home = std::getenv("HOME");                   // NOLINT(concurrency-mt-unsafe)
    const fs::path caches =
        cache != nullptr && *cache != '\0' ? fs::path(cache) : fs::path(home != nullptr ? home : ".") / ".cache";
    const fs::path folder = chosen != nullptr ? fs::path(chosen) : caches / "constela" / "test-models";
    fs::path path = folder / file_name;
    if (!fs::exists(path)) {
        return std::nullopt;
    }
    return path;
}

std::string read_file(const fs::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw std::runtime_error(fmt::format("cannot read {}", path.string()));
    }
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<float> read_floats(const fs::path& path)
{
    const std::string bytes = read_file(path);
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
    return floats;
}

nlohmann::ordered_json read_json(const fs::path& path)
{
    return nlohmann::ordered_json::parse(read_file(path));
}

double nmse(const float* x, const float* truth, std::size_t count)
{
    double error = 0;
    double norm = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double difference = static_cast<double>(x[i]) - static_cast<double>(truth[i]);
        error += difference * difference;
        norm += static_cast<double>(truth[i]) * static_cast<double>(truth[i]);
    }
    return error / norm;
}

TempDir::TempDir()
{
    std::random_device random;
    path_ = fs::temp_directory_path() / fmt::format("constela-test-{:08x}{:08x}", random(), random());
    fs::create_directories(path_);
}

TempDir::~TempDir()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

} // namespace constela::test
