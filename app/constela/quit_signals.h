// SPDX-License-Identifier: GPL-3.0-or-later
//
// SIGTERM, SIGINT and SIGHUP as what they mean to a person's program: close in order, lose nothing. On systems without
// them this does nothing.
#pragma once

#include <QObject>
#include <array>
#include <memory>

class QSocketNotifier;

namespace constela {

/// One at a time.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    QuitSignals();
    ~QuitSignals() override;
    QuitSignals(const QuitSignals&) = delete;
    QuitSignals& operator=(const QuitSignals&) = delete;

Q_SIGNALS:
    void asked();

private:
    std::array<int, 2> pipe_{-1, -1};
    std::unique_ptr<QSocketNotifier> notifier_;
};

} // namespace constela
