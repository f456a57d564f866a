// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the program gives: bytes to standard output or to a file, with every write checked.
#pragma once

#include "engine/base/result.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace constela::ctl {

/// Written and flushed.
[[nodiscard]] Result<> write_stdout(std::string_view bytes);
/// One line. Text that is not UTF-8 has U+FFFD where it is not.
[[nodiscard]] Result<> print_json(const nlohmann::ordered_json& json);

/// A file that is there whole or not at all: written aside in the same folder, then renamed. What is no regular file (a
/// pipe, /dev/null) is written directly.
class OutputFile {
public:
    [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    [[nodiscard]] Result<> write(std::string_view bytes);
    /// Gives the file its name. Without it nothing is left.
    [[nodiscard]] Result<> finish();

private:
    struct Close {
        void operator()(std::FILE* file) const;
    };
    OutputFile(std::filesystem::path path, std::filesystem::path aside, std::FILE* file);

    std::filesystem::path path_;
    std::filesystem::path aside_; ///< Empty: written directly.
    std::unique_ptr<std::FILE, Close> file_;
};

/// A whole file, byte for byte; "-" is standard input.
[[nodiscard]] Result<std::string> read_input(const std::string& path);

} // namespace constela::ctl
