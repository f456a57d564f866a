// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the window makes its objects: Qt's object trees own them (the parent given, or the layout that takes them).
#pragma once

#include "ui/common/literals.h"

#include <utility>

namespace constela::ui {

/// A new T; give it a parent, or hand it at once to what will own it.
template <class T, class... Args>
[[nodiscard]] T* make(Args&&... args)
{
    return new T(std::forward<Args>(args)...); // NOLINT(cppcoreguidelines-owning-memory): Qt's parent owns it
}

} // namespace constela::ui
