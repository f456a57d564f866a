// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/machine_id.h"
#include "engine/cluster/identity/safe_file.h"

#include <algorithm>
#include <cctype>

namespace constela::cluster {
namespace {

bool is_id(const std::string& text)
{
    return text.size() == 32 &&
           std::all_of(text.begin(), text.end(), [](unsigned char digit) { return std::isxdigit(digit) != 0; }) &&
           text.find_first_not_of('0') != std::string::npos;
}

} // namespace

std::optional<std::string> machine_id()
{
    for (const char* file : {"/etc/machine-id", "/var/lib/dbus/machine-id"}) {
        auto content = read_whole(file, 256, Secrecy::any);
        if (!content || !*content) {
            continue;
        }
        std::string id = **content;
        id.erase(id.find_last_not_of(" \r\n\t") + 1);
        if (is_id(id)) { // not so in an image that has yet to be started ("uninitialized", or nothing)
            return id;
        }
    }
    return std::nullopt;
}

} // namespace constela::cluster
