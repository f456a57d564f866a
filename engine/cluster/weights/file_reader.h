// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model in files of the person's own, read chunk by chunk for peers. Threads: any.
#pragma once

#include "engine/cluster/weights/disk.h"
#include "engine/cluster/weights/model_reader.h"

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace constela::cluster {

class FileReader final : public ModelReader {
public:
    /// Fails when a file cannot be opened or is no longer the one that was hashed.
    [[nodiscard]] static Result<std::shared_ptr<const FileReader>>
    open(std::span<const std::filesystem::path> paths, std::span<const FileIdentity> identities, Manifest manifest);

    [[nodiscard]] const Manifest& manifest() const override { return manifest_; }
    [[nodiscard]] bool has(std::size_t chunk) const override { return chunk < manifest_.chunks.size(); }
    /// Fails too when the file was written to since it was hashed: its bytes are no longer this model's.
    [[nodiscard]] Result<> read(std::size_t chunk, std::uint64_t offset, std::span<std::byte> bytes) const override;

private:
    struct Part {
        DiskFile file;
        FileIdentity identity;
    };
    FileReader(std::vector<Part> parts, Manifest manifest) : parts_(std::move(parts)), manifest_(std::move(manifest)) {}

    std::vector<Part> parts_;
    Manifest manifest_;
};

} // namespace constela::cluster
