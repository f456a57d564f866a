// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models fetched from peers, chunk by chunk, on this node's disk. A model has a folder named by its content hash:
//
//   <cache>/<64 hex digits>/manifest       its list of chunks (content_hash.h)
//                           verified       the chunks that are on the disk, a journal (chunk_journal.h)
//                           info.json      its name, and when it was last used
//                           model.gguf, or model-0000I-of-0000N.gguf for a split set: files of full size in which
//                                          only verified chunks have been written; the rest are holes
//
// A chunk is entered in the journal only after its bytes are on the disk, so a crash at any moment costs at most the
// chunks of the last few seconds, and nothing counts that is not there. The files keep one time of change whatever is
// added to them, since the bytes that somebody may already have read never change.
//
// When a new model needs more room than the person's limit or the disk leaves, models that nobody uses go, the one that
// was not used for longest first; if even that would not do, none goes and the sentence says what is needed and free.
//
// Threads: any. Errors in words.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/identity/folder_lock.h"
#include "engine/cluster/weights/cached_model.h"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace constela::cluster {

struct CacheLimits {
    std::uint64_t most_bytes = 0; ///< Of all models together; 0: no limit but the disk's.
    std::uint64_t free_floor = 0; ///< Bytes that stay free on the disk for everybody else.
};

class FetchCache final : public CacheSpace, public std::enable_shared_from_this<FetchCache> {
public:
    struct Options {
        std::filesystem::path folder;
        CacheLimits limits;
        /// Free bytes of the disk, and seconds since 1970; by default the system's answers.
        std::function<Result<std::uint64_t>(const std::filesystem::path&)> free_bytes{};
        std::function<std::int64_t()> now{};
    };
    struct Summary {
        ContentHash hash;
        std::string name;        ///< As the one who asked for it called it; for people only.
        std::uint64_t bytes = 0; ///< Of the whole model.
        std::uint64_t held = 0;  ///< Of those, verified and on this disk.
        std::vector<std::filesystem::path> paths;
        bool in_use = false;
    };

    /// Takes the folder for itself and clears away what cannot be used (removals that were cut short, folders whose
    /// list of chunks is damaged).
    [[nodiscard]] static Result<std::shared_ptr<FetchCache>> open(Options options);
    ~FetchCache() override = default;

    /// The model with what is already held of it. A manifest that is not that of `hash` is refused. The model is in
    /// use, and stays, while anybody holds what this returns; two callers get the same one.
    [[nodiscard]] Result<std::shared_ptr<CachedModel>> open_model(const ContentHash& hash, const Manifest& manifest,
                                                                  std::string_view name);
    /// One that was begun earlier; null when nothing of it is here, or what is here cannot be opened.
    [[nodiscard]] std::shared_ptr<CachedModel> find(const ContentHash& hash);

    [[nodiscard]] std::vector<Summary> list() const;
    /// Fails when it is in use; one that is not there is no error.
    [[nodiscard]] Result<> remove(const ContentHash& hash);
    /// A smaller size lets unused models go at once.
    void set_limits(CacheLimits limits);

    [[nodiscard]] Result<> promise(const ContentHash& model, std::uint64_t promised, std::uint64_t bytes) override;
    [[nodiscard]] Result<> check_disk(const ContentHash& model, std::uint64_t bytes,
                                      std::uint64_t needed) const override;
    void on_stored(const ContentHash& model, std::uint64_t bytes, std::uint64_t of_promise) override;
    void on_closed(const ContentHash& model, std::uint64_t promised, std::uint64_t held) override;

private:
    struct Entry {
        std::string name;
        std::vector<std::filesystem::path> paths;
        std::uint64_t total = 0;
        std::uint64_t held = 0;
        std::int64_t last_used = 0;
        std::weak_ptr<CachedModel> model;
        bool in_use = false; ///< Until on_closed(); a little longer than `model` can be locked.
    };
    using Entries = std::map<ContentHash, Entry>;

    FetchCache(Options options, FolderLock lock);
    void look_around();
    [[nodiscard]] std::filesystem::path folder_of(const ContentHash& hash) const;
    [[nodiscard]] Result<std::shared_ptr<CachedModel>> open_entry(std::unique_lock<std::mutex>& lock,
                                                                  const ContentHash& hash, Manifest manifest);
    void touch(const ContentHash& hash, Entry& entry) const;
    /// Lets unused models go until there is room for `bytes` more of `model`; all or nothing.
    [[nodiscard]] Result<> make_room(const ContentHash& model, std::uint64_t bytes);
    [[nodiscard]] Result<> evict(Entries::iterator entry);
    /// Those that nobody uses, the one that was not used for longest first.
    [[nodiscard]] std::vector<Entries::iterator> unused();
    void keep_to_limit();
    [[nodiscard]] std::string name_of(const ContentHash& model) const;
    [[nodiscard]] tl::unexpected<Error> disk_too_full(const ContentHash& model, std::uint64_t needed,
                                                      std::uint64_t free) const;

    Options options_;
    FolderLock lock_;
    mutable std::mutex mutex_; ///< Guards what follows, and the limits.
    std::condition_variable closed_;
    Entries entries_;
    std::uint64_t promised_ = 0; ///< Bytes of all promises that are not written yet.
};

} // namespace constela::cluster
