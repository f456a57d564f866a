// SPDX-License-Identifier: GPL-3.0-or-later
//
// The frame: rail, header, pages, status line. It puts the parts together and knows nothing of what they do.
#pragma once

#include "engine/base/result.h"
#include "ui/frame/page.h"

#include <QMainWindow>
#include <optional>

class QStackedWidget;

namespace constela::ui {

class ChatPage;
class PageHeader;
class Rail;
class Session;
class StatusLine;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `session` outlives the window.
    explicit MainWindow(Session& session, QWidget* parent = nullptr);

    void showPage(Page page);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void addPages();
    void addShortcuts();
    void refresh();
    void place();
    [[nodiscard]] QString activity() const;
    [[nodiscard]] QStringList alerts() const;
    [[nodiscard]] QString speed() const;

    Session& session_;
    Rail* rail_;
    PageHeader* header_;
    QStackedWidget* pages_;
    StatusLine* status_;
    ChatPage* chat_;
    std::optional<Error> notSaved_;
};

} // namespace constela::ui
