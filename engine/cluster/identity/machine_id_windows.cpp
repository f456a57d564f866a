// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/machine_id.h"

#include <array>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

namespace constela::cluster {

std::optional<std::string> machine_id()
{
    std::array<char, 128> guid{};
    DWORD size = guid.size() - 1;
    const LSTATUS status = ::RegGetValueA(HKEY_LOCAL_MACHINE, "SOFTWARE\\Microsoft\\Cryptography", "MachineGuid",
                                          RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY, nullptr, guid.data(), &size);
    if (status != ERROR_SUCCESS || guid[0] == '\0') {
        return std::nullopt;
    }
    return std::string(guid.data());
}

} // namespace constela::cluster
