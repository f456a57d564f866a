// SPDX-License-Identifier: GPL-3.0-or-later
//
// The frame: rail, header, pages, status line. It puts the parts together and knows nothing of what they do.
#pragma once

#include "engine/base/result.h"
#include "ui/frame/find_list.h"
#include "ui/frame/page.h"

#include <QMainWindow>
#include <optional>

class QStackedWidget;

namespace constela::ui {

class ChatPage;
class DropSign;
class Finder;
class HelpCard;
class PageHeader;
class Rail;
class Session;
class SettingsPage;
class StatusLine;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `session` outlives the window.
    explicit MainWindow(Session& session, QWidget* parent = nullptr);

    void showPage(Page page);
    /// Closes without asking anything, as the system does that ends a person's session.
    void closeNow();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void addPages();
    void addShortcuts();
    void refresh();
    void place();
    void askToLose();
    void find();
    [[nodiscard]] QList<FindEntry> findable();
    [[nodiscard]] QString activity() const;
    [[nodiscard]] QStringList alerts() const;
    [[nodiscard]] QString speed() const;

    Session& session_;
    Rail* rail_;
    PageHeader* header_;
    QStackedWidget* pages_;
    StatusLine* status_;
    ChatPage* chat_;
    SettingsPage* settings_;
    Finder* finder_;
    HelpCard* help_;
    DropSign* dropSign_;
    std::optional<Error> notSaved_;
    bool sure_ = false; ///< It may close although something is not saved.
};

} // namespace constela::ui
