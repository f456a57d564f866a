// SPDX-License-Identifier: GPL-3.0-or-later
//
// The engine's errors in the person's language, and the technical text beside them.
#pragma once

#include "engine/base/result.h"

#include <QString>

namespace constela::ui {

/// The sentence: the error's pattern looked up in the translation context "engine", its arguments filled in.
/// A translation whose places do not fit falls back to English.
[[nodiscard]] QString translated(const Error& error);

/// What a person copies for help: the English sentence and the details.
[[nodiscard]] QString technical(const Error& error);

} // namespace constela::ui
