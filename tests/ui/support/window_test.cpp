// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/window_test.h"

namespace constela::test {

void WindowTest::init()
{
    fixture_ = std::make_unique<WindowFixture>();
    QVERIFY(fixture_->open());
}

void WindowTest::cleanup()
{
    if (fixture_->window != nullptr) {
        fixture_->quit();
    }
    fixture_.reset();
}

} // namespace constela::test
