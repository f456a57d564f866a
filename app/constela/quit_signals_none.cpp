// SPDX-License-Identifier: GPL-3.0-or-later
//
// Windows tells a windowed program to close through its window.
#include "app/constela/quit_signals.h"

#include <QSocketNotifier>

namespace constela {

QuitSignals::QuitSignals() = default;
QuitSignals::~QuitSignals() = default;

} // namespace constela
