// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ctrl+K: a field and what fits its words; Enter goes there.
#pragma once

#include "ui/common/overlay.h"
#include "ui/frame/find_list.h"

class QLabel;
class QLineEdit;
class QListView;

namespace constela::ui {

class Finder : public Overlay {
    Q_OBJECT
public:
    Finder(const Theme& theme, QWidget* window);

    /// Opens with everything that can be found now, nothing typed.
    void find(QList<FindEntry> entries);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void move(int steps);
    void go();

    FindList list_{this};
    QLineEdit* words_;
    QListView* view_;
    QLabel* nothing_;
};

} // namespace constela::ui
