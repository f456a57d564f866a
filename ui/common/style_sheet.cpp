// SPDX-License-Identifier: GPL-3.0-or-later
//
// Widgets say what they are with the dynamic property "kind" (card, primary, quiet, note, title ...); how that looks is
// said here, once.
#include "ui/common/literals.h"
#include "ui/common/measures.h"
#include "ui/common/theme.h"

#include <utility>

namespace constela::ui {

namespace {

constexpr auto kSheet = uR"(
QMainWindow, QDialog, QWidget[kind="page"] { background: @window; }
QWidget[kind="side"] { background: @card; }
QFrame[kind="card"], QFrame[kind="error"], QFrame[kind="notice"] {
    background: @card; border: 1px solid @line; border-radius: 8px; }
QFrame[kind="error"] { border-color: @bad; }
QFrame[kind="bubble"] { background: @raised; border: none; border-radius: 8px; }
QFrame[kind="line"] { background: @line; border: none; }

QLabel, QCheckBox { background: transparent; color: @text; }
QLabel[kind="note"] { color: @dim; font-size: 12px; }
QLabel[kind="dim"] { color: @dim; }
QLabel[kind="title"] { font-size: 20px; font-weight: 600; }
QLabel[kind="heading"] { font-size: 15px; font-weight: 600; }
QLabel[kind="lead"] { color: @dim; font-size: 15px; }
QLabel[kind="badText"] { color: @bad; }

QPushButton { background: @raised; color: @text; border: 1px solid @line; border-radius: 6px;
    padding: 0px 14px; min-height: 30px; }
QPushButton:hover { border-color: @dim; }
QPushButton:pressed { background: @line; }
QPushButton:focus { border: 2px solid @accent; padding: 0px 13px; min-height: 28px; }
QPushButton:disabled { color: @dim; background: transparent; }
QPushButton[kind="primary"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: 600; }
QPushButton[kind="primary"]:hover { border-color: @text; }
QPushButton[kind="primary"]:focus { border: 2px solid @text; }
QPushButton[kind="primary"]:disabled { background: @raised; color: @dim; border-color: @line; }
QPushButton[kind="find"] { background: @card; color: @dim; padding: 0px 12px 0px 8px; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: @accent; padding: 0px 8px; }
QPushButton[kind="link"]:hover { background: @raised; }
QPushButton[kind="link"]:focus { border: 2px solid @accent; padding: 0px 7px; }

QToolButton { background: transparent; color: @text; border: 2px solid transparent; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: @raised; }
QToolButton:pressed { background: @line; }
QToolButton:focus { border-color: @accent; }
QToolButton[kind="fold"] { color: @dim; font-size: 12px; padding: 2px 6px 2px 0px; margin-left: -6px; }
QToolButton[kind="small"] { color: @dim; font-size: 12px; padding: 1px 5px; }
QToolButton[kind="rail"] { color: @dim; font-size: 12px; padding: 6px 4px; border-radius: 8px; }
QToolButton[kind="rail"]:hover { color: @text; }
QToolButton[kind="rail"]:checked { color: @text; background: @raised; }

QLineEdit { background: @card; border: 1px solid @line; border-radius: 6px; padding: 0px 8px;
    min-height: 30px; selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:focus { border: 2px solid @accent; padding: 0px 7px; min-height: 28px; }
QListView QLineEdit { min-height: 0px; }
QComboBox, QAbstractSpinBox { background: @raised; color: @text; border: 1px solid @line; border-radius: 6px;
    padding: 0px 10px; min-height: 30px; selection-background-color: @accent; selection-color: @onAccent; }
QComboBox:hover, QAbstractSpinBox:hover { border-color: @dim; }
QComboBox:focus, QAbstractSpinBox:focus { border: 2px solid @accent; padding: 0px 9px; min-height: 28px; }
QComboBox::drop-down { border: none; width: 28px; }
QComboBox::down-arrow { image: url(:/icons/control-down.svg); width: 20px; height: 20px; }
QComboBox QAbstractItemView { background: @card; color: @text; border: 1px solid @line; outline: none;
    selection-background-color: @raised; selection-color: @text; padding: 4px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; background: transparent; width: 24px; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url(:/icons/control-up.svg); width: 16px; height: 16px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/control-down.svg); width: 16px; height: 16px; }

QFrame[kind="composer"] { background: @card; border: 1px solid @line; border-radius: 8px; }
QFrame[kind="composer"][focused="true"] { border: 1px solid @accent; }
QFrame[kind="composer"] QTextEdit { background: transparent; border: none; font-size: 15px;
    selection-background-color: @accent; selection-color: @onAccent; }

QTextBrowser[kind="message"] { background: transparent; border: none; color: @text;
    selection-background-color: @accent; selection-color: @onAccent; }
QFrame[kind="code"] { background: @card; border: 1px solid @line; border-radius: 6px; }
QFrame[kind="code"] QPlainTextEdit, QFrame[kind="error"] QPlainTextEdit, QFrame[kind="notice"] QPlainTextEdit {
    background: transparent; border: none; color: @text;
    selection-background-color: @accent; selection-color: @onAccent; }

QListView { background: transparent; border: none; outline: none; }
QScrollArea, QScrollArea > QWidget > QWidget[kind="page"] { background: transparent; border: none; }

QProgressBar { background: @raised; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0px; }
QScrollBar::handle { background: @line; border-radius: 4px; margin: 1px; }
QScrollBar::handle:hover { background: @dim; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QMenu { background: @card; color: @text; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: @raised; }
QMenu::item:disabled { color: @dim; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: 4px; }
)";

} // namespace

QString styleSheet(const Theme& theme)
{
    QString sheet = QString::fromUtf16(kSheet);
    const std::pair<QString, Role> names[] = {
        {u"@window"_s, Role::window},   {u"@card"_s, Role::card},         {u"@raised"_s, Role::raised},
        {u"@line"_s, Role::line},       {u"@text"_s, Role::text},         {u"@dim"_s, Role::dim},
        {u"@accent"_s, Role::accent},   {u"@onAccent"_s, Role::onAccent}, {u"@good"_s, Role::good},
        {u"@warning"_s, Role::warning}, {u"@bad"_s, Role::bad},
    };
    for (const auto& [name, role] : names) {
        sheet.replace(name, theme.color(role).name());
    }
    return sheet;
}

} // namespace constela::ui
