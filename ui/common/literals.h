// SPDX-License-Identifier: GPL-3.0-or-later
//
// u"text"_s is a QString made at compile time; for all text that no person reads. The rest goes through tr().
#pragma once

#include <QString>

namespace constela::ui {

using Qt::Literals::StringLiterals::operator""_s;

} // namespace constela::ui
