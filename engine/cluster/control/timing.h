// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long the control plane waits for what. All of it is measured with the node's own clock; no time of day travels.
#pragma once

#include "engine/cluster/time.h"

#include <chrono>
#include <limits>

namespace constela::cluster {

/// Later than everything: nothing is due.
inline constexpr Time kNever{std::numeric_limits<Time::rep>::max()};

// ---- membership: a loss is to be known within 3 s of the last sign of life
inline constexpr Time kHeartbeatEvery = std::chrono::milliseconds(500);
inline constexpr Time kSuspectAfter = std::chrono::milliseconds(1500);
/// A node whose messages and ticks come up to a second late is heard every 2.5 s at worst.
inline constexpr Time kLostAfter = std::chrono::milliseconds(2750);
/// A closed socket is a loss, unless the same run of the node is back within this.
inline constexpr Time kCloseGrace = std::chrono::milliseconds(300);
/// A session on which nobody says Hello is worth nothing.
inline constexpr Time kHelloPatience = std::chrono::seconds(3);
/// A Hello is answered with one, unless ours was said this short a time ago.
inline constexpr Time kHelloAgain = std::chrono::seconds(1);
/// A node that came this late to its own tick was frozen or starved, and may not judge others by what it did not hear.
inline constexpr Time kOwnDelay = std::chrono::seconds(1);
inline constexpr Time kStatusEvery = std::chrono::seconds(1);
inline constexpr Time kStatusPause = std::chrono::milliseconds(100);

// ---- reaching others
/// From one try to the next, at first; it doubles with each round over all addresses.
inline constexpr Time kDialEvery = std::chrono::milliseconds(300);
inline constexpr Time kDialAtMost = std::chrono::seconds(2);
/// The one of two nodes that is not to dial first lets the other try for so long.
inline constexpr Time kSecondDialer = std::chrono::milliseconds(400);
inline constexpr Time kShortSession = std::chrono::seconds(1);
/// Nodes of two versions look again from time to time whether one was updated.
inline constexpr Time kIncompatiblePause = std::chrono::seconds(10);

// ---- introductions
inline constexpr Time kIntroduceEvery = std::chrono::seconds(10);
/// What a live voucher has not said again for this long no longer holds.
inline constexpr Time kVouchLasts = std::chrono::seconds(35);

// ---- loading
inline constexpr Time kProgressEvery = std::chrono::milliseconds(200);
/// A participant says so often what it holds, whatever else it said.
inline constexpr Time kReportEvery = std::chrono::seconds(2);
/// A coordinator asks for a stage that it has not heard of for so long.
inline constexpr Time kAskAfter = std::chrono::seconds(5);
inline constexpr Time kAskAgain = std::chrono::seconds(1);
inline constexpr Time kReleaseAgain = std::chrono::seconds(1);
/// A device is to be free this long after what it held was released.
inline constexpr Time kReleasePatience = std::chrono::seconds(10);

} // namespace constela::cluster
