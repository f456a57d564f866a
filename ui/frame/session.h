// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything behind the window, without the window: settings, theme, language, the node as the window sees it, the
// conversations and the model.
#pragma once

#include "ui/chat/chat_controller.h"
#include "ui/chat/store/chat_store.h"
#include "ui/common/language.h"
#include "ui/common/node_bridge.h"
#include "ui/common/theme.h"
#include "ui/models/model_control.h"
#include "ui/settings/settings.h"

#include <memory>
#include <optional>

namespace constela::ui {

struct SessionOptions {
    QString dataFolder;                ///< Exists and is the person's own.
    std::optional<QString> language{}; ///< For this run only, over the setting.
    std::optional<ThemeChoice> theme{};
};

class Session : public QObject {
    Q_OBJECT
public:
    Session(std::shared_ptr<node::Node> node, const SessionOptions& options);

    /// Loads `model`, or when it is empty the one used last, or the demo model.
    void loadFirst(const QString& model);
    /// Ends what is under way and waits until the conversations are on disk.
    void shutDown();

    Settings settings;
    Language language;
    Theme theme;
    NodeBridge bridge;
    ModelControl models;
    ChatStore store;
    ChatController chat;
};

} // namespace constela::ui
