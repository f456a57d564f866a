// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_control.h"

#include "ui/common/literals.h"
#include "ui/common/paths.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <utility>

namespace constela::ui {

ModelControl::ModelControl(NodeBridge& node, Settings& settings, QString dataFolder, QObject* parent)
    : QObject(parent), node_(node), settings_(settings), dataFolder_(std::move(dataFolder))
{
    connect(&node_, &NodeBridge::snapshotChanged, this, &ModelControl::onSnapshot);
}

std::optional<Error> ModelControl::error() const
{
    if (refused_) {
        return refused_;
    }
    return model().state == node::ModelSnapshot::State::failed ? model().error : std::nullopt;
}

QString ModelControl::name() const
{
    if (!model().name.empty()) {
        return QString::fromStdString(model().name);
    }
    return QFileInfo(model().path.empty() ? path_ : fromPath(model().path)).fileName();
}

QString ModelControl::demoModel() const
{
    const QString path = dataFolder_ % u"/models/SmolLM2-135M-Instruct.Q4_1.gguf"_s;
    return QFileInfo(path).isFile() ? path : QString();
}

QString ModelControl::firstModel() const
{
    const QString last = settings_.lastModel();
    return QFileInfo(last).isFile() ? last : demoModel();
}

QString ModelControl::folder() const
{
    for (const QString& path : {path_, settings_.lastModel()}) {
        if (const QFileInfo folder(QFileInfo(path).absolutePath()); !path.isEmpty() && folder.isDir()) {
            return folder.absoluteFilePath();
        }
    }
    if (QString models = dataFolder_ % u"/models"_s; QDir(models).exists()) {
        return models;
    }
    return QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

void ModelControl::load(const QString& path)
{
    if (!path.endsWith(u".gguf"_s, Qt::CaseInsensitive)) {
        refused_ = failure("{} is not a model file: Constela opens files in the GGUF format, whose names end in "
                           ".gguf. Choose or drop such a file.",
                           QFileInfo(path).fileName().toStdString())
                       .value();
        Q_EMIT changed();
        return;
    }
    refused_.reset();
    path_ = QFileInfo(path).absoluteFilePath();
    node::LoadRequest request;
    request.path = toPath(path_);
    request.context_length = settings_.contextLength();
    request.kv_type = settings_.kvType();
    request.threads = settings_.threads();
    node_.load(std::move(request));
    Q_EMIT changed();
}

void ModelControl::loadAgain()
{
    if (const QString path = path_.isEmpty() ? settings_.lastModel() : path_; !path.isEmpty()) {
        load(path);
    }
}

void ModelControl::cancel()
{
    node_.cancelLoad();
}

void ModelControl::unload()
{
    refused_.reset();
    node_.unload();
    Q_EMIT changed();
}

void ModelControl::onSnapshot()
{
    if (model().state == node::ModelSnapshot::State::ready && !model().path.empty()) {
        settings_.setLastModel(fromPath(model().path));
    }
    Q_EMIT changed();
}

} // namespace constela::ui
