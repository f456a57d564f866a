// SPDX-License-Identifier: GPL-3.0-or-later
//
// Remembers the content hash of files, so that gigabytes are read once: <state>/models.json maps a model's files, each
// with size, time of change and inode, to the hash; <state>/manifests/<hash> holds the list of chunks. When anything
// about a file is another, its entry counts no more.
//
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/content_hash.h"
#include "engine/cluster/weights/model_folders.h"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace constela::cluster {

class HashCache {
public:
    /// What cannot be read is forgotten: it costs time alone.
    explicit HashCache(std::filesystem::path state_folder);

    [[nodiscard]] std::optional<ContentHash> find(const ModelFiles& files) const;
    /// All files that are remembered under this hash, as they were then.
    [[nodiscard]] std::vector<ModelFiles> with(const ContentHash& hash) const;
    /// Null when it is lost or damaged; the files are then to be hashed again.
    [[nodiscard]] std::shared_ptr<const Manifest> manifest(const ContentHash& hash) const;

    [[nodiscard]] Result<ContentHash> remember(const ModelFiles& files, const Manifest& manifest);

private:
    struct Entry {
        ModelFiles files;
        ContentHash hash;
    };
    void load();
    [[nodiscard]] Result<> save() const;
    void drop_unused_manifests() const;

    std::filesystem::path folder_;
    mutable std::mutex mutex_;             ///< Guards what follows.
    std::map<std::string, Entry> entries_; ///< By the path of the first file.
};

} // namespace constela::cluster
