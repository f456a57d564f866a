// SPDX-License-Identifier: GPL-3.0-or-later
//
// A made-up /proc and /sys.
#pragma once

#include "tests/support/golden.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace constela::test {

class SystemTree {
public:
    [[nodiscard]] const std::filesystem::path& root() const { return dir_.path(); }

    SystemTree& put(const std::string& path, const std::string& text)
    {
        std::filesystem::create_directories((root() / path).parent_path());
        std::ofstream(root() / path, std::ios::binary) << text;
        return *this;
    }
    SystemTree& meminfo(std::uint64_t total_kb, std::uint64_t available_kb)
    {
        return put("proc/meminfo",
                   "MemTotal:       " + std::to_string(total_kb) +
                       " kB\nMemFree:          100 kB\nMemAvailable:   " + std::to_string(available_kb) + " kB\n");
    }

private:
    TempDir dir_;
};

/// What a file must not be able to upset us with.
[[nodiscard]] inline std::vector<std::string> garbage()
{
    return {"",
            "\n",
            "   ",
            "max",
            "-1\n",
            "-1 -1\n",
            "nan nan\n",
            "inf inf\n",
            "1e308 1e-308",
            "0 0\n",
            "99999999999999999999999999999999",
            "18446744073709551615 18446744073709551615 18446744073709551615 18446744073709551615",
            "0x10\n",
            ":::\n::/\n0:/\n",
            std::string("\0\0\0", 3),
            std::string(100'000, 'a'),
            "\xFF\xFE\x80 \x01"};
}

} // namespace constela::test
