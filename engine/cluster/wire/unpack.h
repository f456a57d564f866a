// SPDX-License-Identifier: GPL-3.0-or-later
//
// A verified FlatBuffers envelope into plain values, with every limit held against it; used by codec.cpp alone.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/messages.h"

namespace constela::cluster {

namespace schema {
struct Envelope;
}

[[nodiscard]] Result<Message> unpack(const schema::Envelope& envelope);

} // namespace constela::cluster
