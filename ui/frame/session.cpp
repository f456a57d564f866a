// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/session.h"

#include "ui/common/literals.h"

#include <utility>

namespace constela::ui {

Session::Session(std::shared_ptr<node::Node> node, const SessionOptions& options)
    : settings(options.dataFolder), theme(options.theme.value_or(settings.theme())), bridge(std::move(node)),
      models(bridge, settings, options.dataFolder), store(options.dataFolder % u"/chats.sqlite"_s), chat(bridge, store)
{
    language.choose(options.language.value_or(settings.language()));
    connect(&settings, &Settings::languageChanged, this, [this] { language.choose(settings.language()); });
    connect(&settings, &Settings::themeChanged, this, [this] { theme.choose(settings.theme()); });
}

void Session::loadFirst(const QString& model)
{
    const QString path = model.isEmpty() ? models.firstModel() : model;
    if (!path.isEmpty()) {
        models.load(path);
    }
}

void Session::shutDown()
{
    chat.shutDown();
}

} // namespace constela::ui
