// SPDX-License-Identifier: GPL-3.0-or-later
//
// The messages of a conversation in a column. It follows the end of the text unless the person has scrolled up.
#pragma once

#include <QList>
#include <QPointer>
#include <QScrollArea>
#include <QSet>
#include <QTimer>

class QHBoxLayout;
class QVBoxLayout;

namespace constela::ui {

class MessageListModel;
class MessageView;
class Theme;

class TranscriptView : public QScrollArea {
    Q_OBJECT
public:
    explicit TranscriptView(const Theme& theme, QWidget* parent = nullptr);

    void setModel(MessageListModel* model);
    [[nodiscard]] bool following() const { return following_; }
    void followEnd();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void insert(int first, int last);
    void redrawSoon(int first, int last);
    void redraw();
    void onScrolled(int value);
    void onRange(int maximum);

    const Theme& theme_;
    QPointer<MessageListModel> model_;
    QHBoxLayout* row_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    QList<MessageView*> views_;
    QSet<int> changed_; ///< Rows to draw again when the timer fires: text comes faster than eyes read.
    QTimer redraw_{this};
    bool following_ = true;
};

} // namespace constela::ui
