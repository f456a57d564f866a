// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes the seed corpus: a message of every kind.
#include "engine/cluster/wire/codec.h"
#include "tests/engine/cluster/wire/sample_messages.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

int main(int count, char** arguments)
{
    if (count != 2) {
        std::fputs("usage: fuzz_wire_seeds FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    std::size_t number = 0;
    for (const auto& message : constela::test::sample_messages()) {
        const auto bytes = constela::cluster::encode(message);
        const std::string name =
            (number < 10 ? "0" : "") + std::to_string(number) + "-" + std::string(constela::cluster::name_of(message));
        std::ofstream file(folder / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        ++number;
    }
    return 0;
}
