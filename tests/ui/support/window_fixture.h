// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real main window on a data folder of its own, driven as a person would, with the scripted node behind it.
#pragma once

#include "tests/support/golden.h"
#include "tests/ui/support/fake_node.h"
#include "ui/chat/text_view.h"
#include "ui/common/literals.h"
#include "ui/common/paths.h"
#include "ui/frame/main_window.h"
#include "ui/frame/session.h"

#include <QLabel>
#include <QTest>
#include <memory>

namespace constela::test {

using ui::operator""_s;

class WindowFixture {
public:
    explicit WindowFixture(QString language = u"en"_s);

    /// Opens the window; false when it does not come up.
    [[nodiscard]] bool open();
    /// Makes session and window, and gives them no time to do anything.
    void openUnseen();
    /// As the person does: the window closes, the program ends. The data folder and the node stay.
    void quit();

    template <class T>
    [[nodiscard]] T* find(const QString& name) const
    {
        return window->findChild<T*>(name);
    }
    [[nodiscard]] QString label(const QString& name) const { return find<QLabel>(name)->text(); }
    /// The running text of the answers in view, top to bottom.
    [[nodiscard]] QStringList answers() const;
    /// The dim lines under the answers in view.
    [[nodiscard]] QStringList notes() const;
    [[nodiscard]] QString folder() const { return ui::fromPath(data.path()); }

    void loadModel();
    void type(const QString& text) const;
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const;
    void click(const QString& button) const;
    /// Types and sends; the answer's number.
    [[nodiscard]] node::AnswerId ask(const QString& text) const;
    /// Lets go of a file over the window; whether the window took it.
    [[nodiscard]] bool drop(const QString& file) const;

    TempDir data;
    std::shared_ptr<FakeNode> node = std::make_shared<FakeNode>();
    std::unique_ptr<ui::Session> session;
    std::unique_ptr<ui::MainWindow> window;

private:
    QString language_;
};

} // namespace constela::test
