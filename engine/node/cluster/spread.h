// SPDX-License-Identifier: GPL-3.0-or-later
//
// The placement that is taken when nobody asked for one and no rates are measured yet: on one device where the model
// fits, else on as few as can hold it, by their free memory.
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/placement/placement.h"
#include "engine/runtime/context_options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace constela::node {

struct FreeDevice {
    std::string id; ///< "studio/cpu0"
    std::uint64_t free = 0;
};

/// `devices` in the order in which they are to be used. Fails with the numbers where they cannot hold the model.
[[nodiscard]] Result<placement::Placement> spread(const model::Model& model, const runtime::ContextOptions& options,
                                                  const std::vector<FreeDevice>& devices);

} // namespace constela::node
