// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws a conversation in the list: its title, and under it when it was used last or that it is answering.
#pragma once

#include <QStyledItemDelegate>

namespace constela::ui {

class Theme;

class ConversationDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit ConversationDelegate(const Theme& theme, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

private:
    const Theme& theme_;
};

} // namespace constela::ui
