// SPDX-License-Identifier: GPL-3.0-or-later
//
// A model whose chunks can be read, whoever keeps it: an own file (file_reader.h) or the cache of fetched ones
// (cached_model.h). What peers are served goes through here: by number of a chunk, never by path.
//
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/content_hash.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace constela::cluster {

class ModelReader {
public:
    virtual ~ModelReader() = default;
    ModelReader(const ModelReader&) = delete;
    ModelReader& operator=(const ModelReader&) = delete;

    [[nodiscard]] virtual const Manifest& manifest() const = 0;
    /// Whether all bytes of the chunk are here; false for a number that the model has not.
    [[nodiscard]] virtual bool has(std::size_t chunk) const = 0;
    /// Bytes of a chunk, from `offset` in it. Fails when they reach beyond it or are not here.
    [[nodiscard]] virtual Result<> read(std::size_t chunk, std::uint64_t offset, std::span<std::byte> bytes) const = 0;

protected:
    ModelReader() = default;
};

/// Everything that a node can serve.
class ModelSource {
public:
    virtual ~ModelSource() = default;
    ModelSource(const ModelSource&) = delete;
    ModelSource& operator=(const ModelSource&) = delete;

    /// Null when nothing of this model is here. Takes no longer than opening files: nothing is hashed for it.
    [[nodiscard]] virtual std::shared_ptr<const ModelReader> open(const ContentHash& hash) = 0;

protected:
    ModelSource() = default;
};

} // namespace constela::cluster
