// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the models in a person's folders: *.gguf at any depth, the parts of a split set as one. Links that lead in
// circles, folders that may not be read and files that vanish meanwhile do no harm.
//
// Threads: any.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/disk.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace constela::cluster {

/// One file, or a whole set of parts in order.
struct ModelFiles {
    std::string name; ///< "llama-Q4_K_M": the file's name without .gguf and without the number of a part; printable.
    std::vector<std::filesystem::path> paths;
    std::vector<FileIdentity> identities;
    std::uint64_t bytes = 0;
};

struct FoundModels {
    std::vector<ModelFiles> models; ///< Sorted by name, then by path.
    std::vector<Error> problems;    ///< What could not be looked at; sets of which parts are missing.
};

/// Looks into all folders and those in them. A file that is reached in two ways counts once.
[[nodiscard]] FoundModels find_models(std::span<const std::filesystem::path> folders);

/// The model to which a file belongs, whatever folder it is in.
[[nodiscard]] Result<ModelFiles> model_at(const std::filesystem::path& path);

} // namespace constela::cluster
