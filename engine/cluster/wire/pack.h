// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plain values into a FlatBuffers builder; used by codec.cpp alone.
#pragma once

#include "engine/cluster/messages.h"

#include <flatbuffers/flatbuffers.h>

namespace constela::cluster {

/// Finishes `builder` with the envelope of `message`.
void pack(flatbuffers::FlatBufferBuilder& builder, const Message& message);

} // namespace constela::cluster
