// SPDX-License-Identifier: GPL-3.0-or-later
//
// A test whose every case has a window of its own.
#pragma once

#include "tests/ui/support/window_fixture.h"

#include <QObject>
#include <memory>

namespace constela::test {

class WindowTest : public QObject {
    Q_OBJECT
protected:
    std::unique_ptr<WindowFixture> fixture_;

private Q_SLOTS:
    void init();
    void cleanup();
};

} // namespace constela::test
