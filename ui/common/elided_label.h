// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line of plain text that gives way: what does not fit ends in "…" and is whole in the tooltip.
#pragma once

#include <QLabel>

namespace constela::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] bool fits() const;
};

} // namespace constela::ui
