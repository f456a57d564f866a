// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/hash_cache.h"

#include "engine/cluster/identity/safe_file.h"
#include "engine/cluster/weights/manifest_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

namespace constela::cluster {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMostFileBytes = std::size_t{64} << 20U;

/// Paths are bytes and JSON is UTF-8: what is none is written as \xNN, and then simply not found again.
std::string key_of(const fs::path& path)
{
    return path.string();
}

json to_json(const ModelFiles& files, const ContentHash& hash)
{
    json parts = json::array();
    for (std::size_t part = 0; part < files.paths.size(); ++part) {
        const FileIdentity& identity = files.identities[part];
        parts.push_back({{"path", files.paths[part].string()},
                         {"bytes", identity.bytes},
                         {"modified", identity.modified},
                         {"inode", identity.inode},
                         {"device", identity.device}});
    }
    return {{"name", files.name}, {"hash", to_text(hash)}, {"files", std::move(parts)}};
}

/// Throws json::exception for what has another form.
ModelFiles files_from(const json& model)
{
    ModelFiles files;
    files.name = model.at("name").get<std::string>();
    for (const json& part : model.at("files")) {
        files.paths.emplace_back(part.at("path").get<std::string>());
        files.identities.push_back({part.at("bytes").get<std::uint64_t>(), part.at("modified").get<std::int64_t>(),
                                    part.at("inode").get<std::uint64_t>(), part.at("device").get<std::uint64_t>()});
        files.bytes += files.identities.back().bytes;
    }
    return files;
}

} // namespace

HashCache::HashCache(fs::path state_folder) : folder_(std::move(state_folder))
{
    load();
}

void HashCache::load()
{
    const auto text = read_whole(folder_ / "models.json", kMostFileBytes, Secrecy::any);
    if (!text || !*text) {
        return;
    }
    const json content = json::parse(**text, nullptr, false);
    try {
        if (content.is_discarded() || content.at("version") != kVersion) {
            return;
        }
        for (const json& model : content.at("models")) {
            Entry entry{files_from(model), {}};
            const auto hash = content_hash_from_text(model.at("hash").get<std::string>());
            if (hash && !entry.files.paths.empty()) {
                entry.hash = *hash;
                const std::string key = key_of(entry.files.paths.front());
                entries_.insert_or_assign(key, std::move(entry));
            }
        }
    } catch (const json::exception&) {
        entries_.clear(); // written by something else
    }
}

Result<> HashCache::save() const
{
    json models = json::array();
    for (const auto& [path, entry] : entries_) {
        models.push_back(to_json(entry.files, entry.hash));
    }
    const json content{{"version", kVersion}, {"models", std::move(models)}};
    return write_safely(folder_ / "models.json", content.dump(1, ' ', false, json::error_handler_t::replace));
}

std::optional<ContentHash> HashCache::find(const ModelFiles& files) const
{
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key_of(files.paths.front()));
    if (found == entries_.end() || found->second.files.paths != files.paths ||
        found->second.files.identities != files.identities) {
        return std::nullopt;
    }
    return found->second.hash;
}

std::vector<ModelFiles> HashCache::with(const ContentHash& hash) const
{
    const std::lock_guard lock(mutex_);
    std::vector<ModelFiles> all;
    for (const auto& [path, entry] : entries_) {
        if (entry.hash == hash) {
            all.push_back(entry.files);
        }
    }
    return all;
}

std::shared_ptr<const Manifest> HashCache::manifest(const ContentHash& hash) const
{
    auto manifest = read_manifest(folder_ / "manifests" / to_text(hash), hash);
    return manifest ? std::make_shared<const Manifest>(*std::move(manifest)) : nullptr;
}

Result<ContentHash> HashCache::remember(const ModelFiles& files, const Manifest& manifest)
{
    const ContentHash hash = manifest.root();
    const std::lock_guard lock(mutex_);
    std::error_code ignored; // a failure shows in the next line
    fs::create_directories(folder_ / "manifests", ignored);
    CONSTELA_TRY(write_manifest(folder_ / "manifests" / to_text(hash), manifest));
    std::erase_if(entries_, [](const auto& entry) {
        std::error_code unknown;
        return !fs::exists(entry.second.files.paths.front(), unknown) && !unknown;
    });
    entries_.insert_or_assign(key_of(files.paths.front()), Entry{files, hash});
    CONSTELA_TRY(save());
    drop_unused_manifests();
    return hash;
}

void HashCache::drop_unused_manifests() const
{
    std::set<std::string> used;
    for (const auto& [path, entry] : entries_) {
        used.insert(to_text(entry.hash));
    }
    std::error_code error;
    std::vector<fs::path> unused;
    for (fs::directory_iterator it(folder_ / "manifests", error), end; !error && it != end; it.increment(error)) {
        if (!used.contains(it->path().filename().string())) {
            unused.push_back(it->path());
        }
    }
    for (const fs::path& path : unused) {
        fs::remove(path, error);
    }
}

} // namespace constela::cluster
