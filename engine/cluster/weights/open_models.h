// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models that a server has open for peers: the few that were asked for last, let go after some silence so that they
// may be evicted or changed.
//
// Threads: one.
#pragma once

#include "engine/cluster/time.h"
#include "engine/cluster/weights/model_reader.h"

#include <map>
#include <memory>
#include <string>

namespace constela::cluster {

class OpenModels {
public:
    explicit OpenModels(std::shared_ptr<ModelSource> source) : source_(std::move(source)) {}

    struct Opened {
        std::shared_ptr<const ModelReader> reader;
        std::string manifest; ///< Encoded; made when it is first asked for.
        Time last_used{0};
    };
    /// Null when the model is not here.
    [[nodiscard]] Opened* find(const ContentHash& hash, Time now);
    /// The encoded manifest.
    [[nodiscard]] static const std::string& manifest(Opened& model);
    /// Lets go of what was not asked for lately.
    void let_go(Time now);
    void drop(const ContentHash& hash) { opened_.erase(hash); }
    [[nodiscard]] bool empty() const { return opened_.empty(); }

    static constexpr Time kKept = std::chrono::seconds(10);

private:
    static constexpr std::size_t kMost = 4;

    std::shared_ptr<ModelSource> source_;
    std::map<ContentHash, Opened> opened_;
};

} // namespace constela::cluster
