// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/window_fixture.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QTextEdit>
#include <QUrl>
#include <algorithm>
#include <utility>

namespace constela::test {

namespace {

/// Of all widgets with a name, those that are in view, top to bottom.
QList<QWidget*> inView(const QWidget& root, const QString& name)
{
    QList<QWidget*> found;
    for (QWidget* widget : root.findChildren<QWidget*>(name)) {
        if (widget->isVisible()) {
            found += widget;
        }
    }
    std::sort(found.begin(), found.end(), [&root](const QWidget* a, const QWidget* b) {
        return a->mapTo(&root, QPoint()).y() < b->mapTo(&root, QPoint()).y();
    });
    return found;
}

} // namespace

WindowFixture::WindowFixture(QString language) : language_(std::move(language)) {}

void WindowFixture::openUnseen()
{
    session = std::make_unique<ui::Session>(node, ui::SessionOptions{folder(), language_, ui::ThemeChoice::dark});
    window = std::make_unique<ui::MainWindow>(*session);
    window->show();
}

bool WindowFixture::open()
{
    openUnseen();
    return QTest::qWaitForWindowActive(window.get());
}

void WindowFixture::quit()
{
    window->close();
    window.reset();
    session.reset();
}

QStringList WindowFixture::answers() const
{
    QStringList texts;
    for (QWidget* widget : inView(*window, u"answerText"_s)) {
        texts += qobject_cast<ui::TextView*>(widget)->toPlainText();
    }
    return texts;
}

QStringList WindowFixture::notes() const
{
    QStringList texts;
    for (QWidget* widget : inView(*window, u"answerNote"_s)) {
        texts += qobject_cast<QLabel*>(widget)->text();
    }
    return texts;
}

void WindowFixture::loadModel()
{
    session->models.load(u"/models/some.gguf"_s);
    node->finish_load();
    QTRY_COMPARE(label(u"headerModel"_s), u"model: SmolLM2 135M Instruct"_s);
}

void WindowFixture::type(const QString& text) const
{
    QTest::keyClicks(find<QTextEdit>(u"composerText"_s), text);
}

void WindowFixture::press(Qt::Key key, Qt::KeyboardModifiers modifiers) const
{
    QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : window.get(), key,
                    modifiers);
}

void WindowFixture::click(const QString& button) const
{
    auto* found = find<QAbstractButton>(button);
    QVERIFY2(found != nullptr && found->isVisible() && found->isEnabled(), qPrintable(button));
    QTest::mouseClick(found, Qt::LeftButton);
}

node::AnswerId WindowFixture::ask(const QString& text) const
{
    type(text);
    QTest::keyClick(find<QTextEdit>(u"composerText"_s), Qt::Key_Return);
    return node->asked().size();
}

bool WindowFixture::drop(const QString& file) const
{
    QMimeData dragged;
    dragged.setUrls({QUrl::fromLocalFile(file)});
    const QPoint place = window->rect().center();
    QDragEnterEvent enter(place, Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    if (!enter.isAccepted()) {
        return false;
    }
    QDropEvent dropped(place, Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &dropped);
    return dropped.isAccepted();
}

} // namespace constela::test
