// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/page.h"

#include "ui/common/literals.h"

namespace constela::ui {

QString PageWords::title(Page page)
{
    switch (page) {
    case Page::chat: return tr("Chat");
    case Page::cluster: return tr("Cluster");
    case Page::placement: return tr("Placement");
    case Page::monitor: return tr("Monitor");
    case Page::models: return tr("Models");
    case Page::advisor: return tr("Advisor");
    case Page::settings: return tr("Settings");
    }
    return {};
}

QString PageWords::promise(Page page)
{
    switch (page) {
    case Page::cluster:
        return tr("Not built yet: your machines, their devices and the measured links between them will be here.");
    case Page::placement:
        return tr("Not built yet: which device holds which part of the model will be here, to be moved by dragging.");
    case Page::monitor:
        return tr("Not built yet: load, memory, temperature and power of each device over time will be here.");
    case Page::models:
        return tr("Not built yet: your model files will be listed here, with whether they fit and how fast they "
                  "would be. Until then, choose a model on the Chat page.");
    case Page::advisor: return tr("Not built yet: advice on which hardware would help most for a model will be here.");
    case Page::chat:
    case Page::settings: break;
    }
    return {};
}

QString PageWords::help(Page page)
{
    switch (page) {
    case Page::chat:
        return tr(
            "Talk with the model that is loaded. The foot of the page shows the model and changes it; a GGUF file "
            "can also be dropped anywhere on the window. Conversations stand at the left and are kept on this "
            "machine. Several can be answered at the same time: switch to another while one is at work.");
    case Page::settings:
        return tr("Each setting has a sentence that says what it does and when it takes effect. The field on top "
                  "shows only the settings that have the words typed.");
    case Page::cluster:
    case Page::placement:
    case Page::monitor:
    case Page::models:
    case Page::advisor: break;
    }
    return promise(page);
}

QString PageWords::iconName(Page page)
{
    switch (page) {
    case Page::chat: return u"chat"_s;
    case Page::cluster: return u"cluster"_s;
    case Page::placement: return u"placement"_s;
    case Page::monitor: return u"monitor"_s;
    case Page::models: return u"models"_s;
    case Page::advisor: return u"advisor"_s;
    case Page::settings: return u"settings"_s;
    }
    return {};
}

} // namespace constela::ui
