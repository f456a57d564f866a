// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers as sentences of this folder show them.
#pragma once

#include <cstdint>
#include <string>

namespace constela::placement {

/// "5.1 GB", "312 MB": decimal units, as on disks' labels.
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);
/// "12.4", "0.035": three digits that count.
[[nodiscard]] std::string number_text(double value);

} // namespace constela::placement
