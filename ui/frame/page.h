// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pages of the window, in the order of the rail and of Ctrl+1 to Ctrl+7.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace constela::ui {

enum class Page { chat, cluster, placement, monitor, models, advisor, settings };
inline constexpr int kPages = 7;

class PageWords {
    Q_DECLARE_TR_FUNCTIONS(PageWords)
public:
    [[nodiscard]] static QString title(Page page);
    /// What will be on a page that is not built yet; empty for one that is.
    [[nodiscard]] static QString promise(Page page);
    /// What a page is for and how to use it, in a few sentences (F1).
    [[nodiscard]] static QString help(Page page);
    [[nodiscard]] static QString iconName(Page page);
};

} // namespace constela::ui
