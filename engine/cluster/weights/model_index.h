// SPDX-License-Identifier: GPL-3.0-or-later
//
// The models that a node has on its own disk, by content and by name: those in the person's folders, and the cache of
// models fetched from peers. Also what the node serves to peers.
//
// Threads: any. find(), find_by_name() and describe() may have to read whole models; call them where waiting does no
// harm. Errors in words.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/content_hash.h"
#include "engine/cluster/weights/fetch_cache.h"
#include "engine/cluster/weights/hash_cache.h"
#include "engine/cluster/weights/model_folders.h"
#include "engine/cluster/weights/model_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace constela::cluster {

/// A model that can be opened.
struct LocalModel {
    std::string name;
    std::vector<std::filesystem::path> paths;
    std::uint64_t bytes = 0;
    std::optional<ContentHash> hash; ///< As far as it is known; always in what find() and describe() return.
    /// Of a model fetched from peers: keeps it from being evicted while the caller holds it. Not set in what list()
    /// says.
    std::shared_ptr<CachedModel> cached;
};

struct LocalModels {
    std::vector<LocalModel> models;
    std::vector<Error> problems;
};

class ModelIndex final : public ModelSource {
public:
    struct Options {
        std::vector<std::filesystem::path> folders;
        std::filesystem::path state_folder; ///< Keeps what was hashed.
        std::shared_ptr<FetchCache> cache;  ///< May be null.
        unsigned threads = 1;               ///< For hashing.
    };

    explicit ModelIndex(Options options);

    void set_folders(std::vector<std::filesystem::path> folders);

    /// All whole models, with hashes as far as they are known; reads no weights.
    [[nodiscard]] LocalModels list();

    /// The model with this content; none when this node has not got it whole. Files whose hash is not known yet are
    /// read if they have `bytes` bytes altogether (0: any that is asked for, whatever their size).
    [[nodiscard]] Result<std::optional<LocalModel>> find(const ContentHash& hash, std::uint64_t bytes,
                                                         const Hashing& hashing = {});

    /// By file name, with or without .gguf, or the beginning (6 digits or more) of a known hash. Fails in words when
    /// nothing or more than one model is meant. The hash may still be unknown.
    [[nodiscard]] Result<LocalModel> find_by_name(std::string_view text);

    /// The model at a path, inside or outside of the folders, with its hash.
    [[nodiscard]] Result<LocalModel> describe(const std::filesystem::path& path, const Hashing& hashing = {});

    /// What can be served: own files whose hash is known, and what the cache holds, be it whole or not.
    [[nodiscard]] std::shared_ptr<const ModelReader> open(const ContentHash& hash) override;

private:
    [[nodiscard]] Result<ContentHash> hash_of(const ModelFiles& files, const Hashing& hashing);
    [[nodiscard]] FoundModels look();
    [[nodiscard]] std::optional<LocalModel> known(const ContentHash& hash);
    [[nodiscard]] std::optional<LocalModel> in_cache(const ContentHash& hash);

    Options options_;
    std::mutex mutex_; ///< Guards options_.folders.
    HashCache hashes_;
};

} // namespace constela::cluster
