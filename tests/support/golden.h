// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where tests find their data.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace constela::test {

/// ../shared/golden (CONSTELA_GOLDEN_DIR in the environment overrides it); none when it is not there.
[[nodiscard]] std::optional<std::filesystem::path> golden_dir();

/// A real model's file in the cache that ./test fills (CONSTELA_MODEL_CACHE, else ~/.cache/constela/test-models).
[[nodiscard]] std::optional<std::filesystem::path> real_model(const std::string& file_name);

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
[[nodiscard]] std::vector<float> read_floats(const std::filesystem::path& path);
[[nodiscard]] nlohmann::ordered_json read_json(const std::filesystem::path& path);

/// mean((x - truth)^2) / mean(truth^2)
[[nodiscard]] double nmse(const float* x, const float* truth, std::size_t count);

/// An own, empty directory that goes when the object goes.
class TempDir {
public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace constela::test

// NOLINTBEGIN(bugprone-macro-parentheses): `variable` is a name to declare
/// Skips a test, saying why, when the golden answers or a real model are not there.
#define CONSTELA_NEED_GOLDEN(variable)                                                                                 \
    const auto variable##_found = ::constela::test::golden_dir();                                                      \
    if (!variable##_found) {                                                                                           \
        GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";                          \
    }                                                                                                                  \
    const auto& variable = *variable##_found
#define CONSTELA_NEED_MODEL(variable, file)                                                                            \
    const auto variable##_found = ::constela::test::real_model(file);                                                  \
    if (!variable##_found) {                                                                                           \
        GTEST_SKIP() << "the real model " << (file) << " is not in the cache; ./test fetches it when it can";          \
    }                                                                                                                  \
    const auto& variable = *variable##_found
// NOLINTEND(bugprone-macro-parentheses)
