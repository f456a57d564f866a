// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chat database's shape, as numbered steps: step n turns version n-1 into n (PRAGMA user_version). A step that was
// ever released is never changed; what is new becomes a new step.
#pragma once

#include "engine/base/result.h"

#include <QSqlDatabase>

namespace constela::ui {

/// The version that this program writes.
[[nodiscard]] int schemaVersion();

/// Brings the database to `target` (at most schemaVersion(); tests stop earlier), each step whole or not at all.
/// A database of a newer program is refused and left as it is.
[[nodiscard]] Result<> migrate(QSqlDatabase& database, int target);

} // namespace constela::ui
