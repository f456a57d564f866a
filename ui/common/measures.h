// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lengths and text sizes of the whole window, in device-independent pixels.
#pragma once

namespace constela::ui::measure {

inline constexpr int kGrid = 8;
inline constexpr int kHalfGrid = 4;
inline constexpr int kPageMargin = 24;
inline constexpr int kCardPadding = 16;
inline constexpr int kCardGap = 16;
inline constexpr int kCardRadius = 8;
inline constexpr int kControlRadius = 6;
inline constexpr int kIcon = 20;
inline constexpr int kSmallIcon = 16;
inline constexpr int kControlHeight = 32;
inline constexpr int kTextColumn = 720; ///< What is read stays this wide at most.
inline constexpr int kListWidth = 264;  ///< The list of conversations.
inline constexpr int kNoteText = 12;
inline constexpr int kBodyText = 13;
inline constexpr int kChatText = 15;
inline constexpr int kTitleText = 20;

} // namespace constela::ui::measure
