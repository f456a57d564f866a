// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a node keeps what must outlive its program. The folder is owner-only and holds
//     lock        held by the one process that uses the folder
//     version     the number of the folder's format, as text
//     machine     the mark of the machine on which it was made (machine_id.h)
//     identity    the key pair (identity_file.h)
//     peers.json  the paired nodes (trust_store.h)
//
// Threads: one at a time. Errors: sentences that name the folder or file and say what to do.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/identity/folder_lock.h"
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/identity/machine_id.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace constela::cluster {

/// What opening a folder asks of its surroundings; a test gives its own.
struct StateFolderOptions {
    /// Brings a folder of one version to the next. It may be cut off at any moment and is then run again, so it must
    /// lead to the same end from wherever it stopped (write_safely() for each file).
    using Migration = std::function<Result<>(const std::filesystem::path& folder)>;

    std::function<std::optional<std::string>()> machine_id = cluster::machine_id;
    std::function<KeyPair()> make_keys = [] { return make_key_pair(); };
    /// The first one leads from version 1 to 2, and so on; a folder's newest version is one more than there are.
    std::vector<Migration> migrations;
};

/// A state folder in use, for as long as this lives.
class StateFolder {
public:
    /// Makes the folder when there is none. Refuses one that another process uses, that was copied from another
    /// machine, that a newer program has written, or whose files are damaged or open to others.
    [[nodiscard]] static Result<StateFolder> open(const std::filesystem::path& folder,
                                                  const StateFolderOptions& options = {});

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path peers_file() const { return path_ / "peers.json"; }
    [[nodiscard]] const Identity& identity() const { return identity_; }
    /// Whether the key pair was made by this opening. Peers from before do not know it.
    [[nodiscard]] bool made_identity() const { return made_identity_; }

private:
    StateFolder(std::filesystem::path path, FolderLock lock, const Identity& identity, bool made_identity)
        : path_(std::move(path)), lock_(std::move(lock)), identity_(identity), made_identity_(made_identity)
    {
    }

    std::filesystem::path path_;
    FolderLock lock_;
    Identity identity_;
    bool made_identity_;
};

/// Where the state of this user's node lies by default: $XDG_STATE_HOME/constela, else ~/.local/state/constela; on
/// Windows %LOCALAPPDATA%\constela. `variable` looks up a variable of the environment.
[[nodiscard]] Result<std::filesystem::path>
default_state_folder(const std::function<std::optional<std::filesystem::path>(const char* name)>& variable);
/// With this process's environment.
[[nodiscard]] Result<std::filesystem::path> default_state_folder();

} // namespace constela::cluster
