// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/open_models.h"

#include <algorithm>

namespace constela::cluster {

OpenModels::Opened* OpenModels::find(const ContentHash& hash, Time now)
{
    auto found = opened_.find(hash);
    if (found == opened_.end()) {
        auto reader = source_->open(hash);
        if (reader == nullptr) {
            return nullptr;
        }
        if (opened_.size() >= kMost) {
            opened_.erase(
                std::ranges::min_element(opened_, {}, [](const auto& entry) { return entry.second.last_used; }));
        }
        found = opened_.emplace(hash, Opened{std::move(reader), {}, now}).first;
    }
    found->second.last_used = now;
    return &found->second;
}

const std::string& OpenModels::manifest(Opened& model)
{
    if (model.manifest.empty()) {
        model.manifest = model.reader->manifest().encode();
    }
    return model.manifest;
}

void OpenModels::let_go(Time now)
{
    std::erase_if(opened_, [&](const auto& entry) { return now - entry.second.last_used >= kKept; });
}

} // namespace constela::cluster
