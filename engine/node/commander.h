// SPDX-License-Identifier: GPL-3.0-or-later
//
// Commands to a node and what they answer: the one interface through which a window, a terminal and a paired node look
// at a cluster and steer it. Names, arguments and answers are those of constelactl, as JSON (docs/protocol.md,
// commands).
//
// Threads: any. What is heard comes on a thread of the node, in order; it must not block.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace constela::node {

using CommandId = std::uint64_t;

/// Any number of events, then one result or one failure.
struct CommandEvent {
    enum class Kind { event, result, failure };
    Kind kind = Kind::event;
    std::string body;           ///< A JSON object; empty with a failure.
    std::optional<Error> error; ///< Of a failure.
};

using OnCommandEvent = std::function<void(const CommandEvent&)>;

class Commander {
public:
    Commander() = default;
    Commander(const Commander&) = delete;
    Commander& operator=(const Commander&) = delete;
    virtual ~Commander() = default;

    /// `arguments` is a JSON object. What is heard may come before this returns.
    virtual CommandId command(std::string name, std::string arguments, OnCommandEvent on_event) = 0;
    /// Ends what the command has begun; nothing more is heard of it once this returns.
    virtual void cancel(CommandId id) = 0;
};

} // namespace constela::node
