// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/manifest_file.h"

#include "engine/cluster/identity/safe_file.h"
#include "engine/cluster/weights/disk.h"
#include "engine/gguf/printable.h"

#include <algorithm>

namespace constela::cluster {

Result<Manifest> read_manifest(const std::filesystem::path& path, const ContentHash& hash)
{
    CONSTELA_ASSIGN(const FileIdentity identity, identify(path));
    const auto limit = static_cast<std::size_t>(std::min(identity.bytes, kMostManifestBytes));
    CONSTELA_ASSIGN(const auto found, read_whole(path, limit, Secrecy::any));
    const std::string content = found.value_or(std::string());
    CONSTELA_ASSIGN(Manifest manifest, Manifest::parse(std::as_bytes(std::span(content)), gguf::display_path(path)));
    if (manifest.root() != hash) {
        return failure("{}: this is the list of chunks of another model, or damaged.", gguf::display_path(path));
    }
    return manifest;
}

Result<> write_manifest(const std::filesystem::path& path, const Manifest& manifest)
{
    return write_safely(path, manifest.encode());
}

} // namespace constela::cluster
