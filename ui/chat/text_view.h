// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text to read and select, as tall as it needs to be: its page scrolls, not it.
#pragma once

#include <QTextBrowser>
#include <memory>

namespace constela::ui {

class TextView : public QTextBrowser {
    Q_OBJECT
public:
    explicit TextView(QWidget* parent = nullptr);
    ~TextView() override;

    /// Takes a document in place of the one shown; the scroll position and size follow.
    void display(std::unique_ptr<QTextDocument> document);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QVariant loadResource(int type, const QUrl& name) override;

private:
    void fit();

    std::unique_ptr<QTextDocument> shown_;
    int naturalWidth_ = 0; ///< Of the longest line, unbroken.
};

} // namespace constela::ui
