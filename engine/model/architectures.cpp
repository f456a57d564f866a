// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/architectures.h"

#include <algorithm>
#include <array>

namespace constela::model {

namespace {

constexpr std::array kArchitectures{
    Architecture{"llama", make_llama},       Architecture{"qwen2", make_qwen2},   Architecture{"qwen3", make_qwen3},
    Architecture{"qwen3moe", make_qwen3moe}, Architecture{"gemma2", make_gemma2}, Architecture{"gemma3", make_gemma3},
    Architecture{"phi3", make_phi3},
};

} // namespace

const Architecture* find_architecture(std::string_view name)
{
    const auto* found = std::find_if(kArchitectures.begin(), kArchitectures.end(),
                                     [&](const Architecture& architecture) { return architecture.name == name; });
    return found == kArchitectures.end() ? nullptr : found;
}

std::string architecture_names()
{
    std::string names;
    for (const Architecture& architecture : kArchitectures) {
        names += names.empty() ? "" : ", ";
        names += architecture.name;
    }
    return names;
}

} // namespace constela::model
