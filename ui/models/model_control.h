// SPDX-License-Identifier: GPL-3.0-or-later
//
// Choosing and loading a model, without a window: turns a path and the settings into a request to the node, and
// remembers the model that loaded last.
#pragma once

#include "ui/common/node_bridge.h"
#include "ui/settings/settings.h"

#include <QObject>
#include <QString>
#include <optional>

namespace constela::ui {

class ModelControl : public QObject {
    Q_OBJECT
public:
    ModelControl(NodeBridge& node, Settings& settings, QString dataFolder, QObject* parent = nullptr);

    [[nodiscard]] const node::ModelSnapshot& model() const { return node_.model(); }
    /// Why there is no model: the load failed, or what was given is no model file.
    [[nodiscard]] std::optional<Error> error() const;
    /// The file that was asked for last; empty: none.
    [[nodiscard]] QString path() const { return path_; }
    /// The file's own name, or what the model calls itself once that is known.
    [[nodiscard]] QString name() const;
    /// The demo model in the data folder; empty when it is not there.
    [[nodiscard]] QString demoModel() const;
    /// What to load when the window opens: the last model, else the demo model, else nothing.
    [[nodiscard]] QString firstModel() const;
    /// The folder in which a file dialog starts.
    [[nodiscard]] QString folder() const;

    void load(const QString& path);
    void loadAgain();
    void cancel();
    void unload();

Q_SIGNALS:
    void changed();

private:
    void onSnapshot();

    NodeBridge& node_;
    Settings& settings_;
    QString dataFolder_;
    QString path_;
    std::optional<Error> refused_; ///< What was given never went to the node.
};

} // namespace constela::ui
