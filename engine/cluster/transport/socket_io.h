// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sending and receiving without waiting and without exceptions for what is to be expected (nothing there, no room, no
// such peer). Threads: the socket's. A context that ends counts as nothing there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>
#include <zmq.hpp>

namespace constela::cluster {

/// One frame; false: there is none.
bool receive(zmq::socket_t& socket, zmq::message_t& frame);

enum class Sent {
    yes,
    full, ///< The peer does not take what was sent to it, or there is no peer: it is dropped.
    gone, ///< A ROUTER that was told to say so knows no such peer.
};

/// One frame; `more` follow. With full and gone, `frame` is as it was.
Sent send(zmq::socket_t& socket, zmq::message_t&& frame, bool more);

/// Takes what is left of a message of several frames, and throws it away.
void drop_rest(zmq::socket_t& socket, zmq::message_t& frame);

/// A message with these bytes: long ones are not copied but kept.
[[nodiscard]] zmq::message_t to_message(std::vector<std::byte> bytes);

/// Lets the socket look at what its connections have reported, such as new or closed ones; otherwise it does so only
/// once in a while.
void refresh(zmq::socket_t& socket);

/// An item for zmq::poll().
[[nodiscard]] zmq::pollitem_t readable(zmq::socket_t& socket);

} // namespace constela::cluster
