// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages of every kind, and what is in them as text, so that two can be compared.
#pragma once

#include "engine/cluster/messages.h"

#include <string>
#include <vector>

namespace constela::test {

/// At least one of each kind, in the order of the variant, with a value of its own in every field.
[[nodiscard]] std::vector<cluster::Message> sample_messages();

/// Every field of the message.
[[nodiscard]] std::string fields_of(const cluster::Message& message);

} // namespace constela::test
