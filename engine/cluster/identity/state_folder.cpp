// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/state_folder.h"
#include "engine/cluster/identity/crypto.h"
#include "engine/cluster/identity/identity_file.h"
#include "engine/cluster/identity/safe_file.h"
#include "engine/gguf/printable.h"

#include <charconv>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxMarkBytes = 256;

/// One line without its end; nothing when there is no such file.
Result<std::optional<std::string>> read_line(const fs::path& file)
{
    CONSTELA_ASSIGN(std::optional<std::string> line, read_whole(file, kMaxMarkBytes, Secrecy::any));
    if (line && line->ends_with('\n')) {
        line->pop_back();
    }
    return line;
}

std::optional<std::size_t> number(std::string_view text)
{
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value > 0 ? std::optional(value) : std::nullopt;
}

Result<> write_version(const fs::path& folder, std::size_t version)
{
    return write_safely(folder / "version", std::to_string(version) + "\n");
}

/// Step by step; after each one the folder says which version it has.
Result<> bring_to_newest(const fs::path& folder, const std::vector<StateFolderOptions::Migration>& migrations)
{
    const std::size_t newest = migrations.size() + 1;
    CONSTELA_ASSIGN(const std::optional<std::string> text, read_line(folder / "version"));
    if (!text) {
        std::error_code ignored;
        if (fs::exists(folder / "identity", ignored)) {
            return failure("The state folder {} does not say which version it has: its file \"version\" is missing. "
                           "Put it back (Constela's first version is 1), or choose another folder.",
                           gguf::display_path(folder));
        }
        return write_version(folder, newest);
    }
    const std::optional<std::size_t> found = number(*text);
    if (!found) {
        return failure("The file {} is damaged: it holds \"{}\" instead of a version. Put back a copy of the folder, "
                       "or choose another one.",
                       gguf::display_path(folder / "version"), gguf::printable(*text));
    }
    if (*found > newest) {
        return failure("The state folder {} was written by a newer Constela (its version is {}, this program knows up "
                       "to {}). Install the newer Constela, or choose another folder.",
                       gguf::display_path(folder), *found, newest);
    }
    for (std::size_t version = *found; version < newest; ++version) {
        CONSTELA_TRY(migrations[version - 1](folder));
        CONSTELA_TRY(write_version(folder, version + 1));
    }
    return {};
}

/// Two machines with one identity would be taken for each other by every peer.
Result<> check_machine(const fs::path& folder, const std::optional<std::string>& id)
{
    if (!id) {
        return {}; // nothing to tell machines apart by
    }
    const std::string mark = machine_mark(*id);
    CONSTELA_ASSIGN(const std::optional<std::string> found, read_line(folder / "machine"));
    if (!found) {
        return write_safely(folder / "machine", mark + "\n");
    }
    if (*found != mark) {
        return failure("The state folder {0} was copied from another machine, and two machines with one identity would "
                       "be taken for each other. For an identity of its own, delete its files \"machine\", "
                       "\"identity\" and \"peers.json\", and pair again. If this is the same machine with a system "
                       "installed anew, delete only \"machine\".",
                       gguf::display_path(folder));
    }
    return {};
}

} // namespace

std::string machine_mark(const std::string& id)
{
    return to_hex(Hasher("constela machine 1").add(id).finish());
}

Result<StateFolder> StateFolder::open(const fs::path& folder, const StateFolderOptions& options)
{
    std::error_code error;
    fs::path path = fs::absolute(folder, error);
    if (error || path.empty()) {
        return failure("{} is not a folder for a node's state. Choose another one.", gguf::display_path(folder));
    }
    if (!path.has_filename()) {
        path = path.parent_path(); // "state/" is "state"
    }
    CONSTELA_TRY(make_private_folder(path));
    CONSTELA_ASSIGN(std::optional<FolderLock> lock, FolderLock::take(path));
    if (!lock) {
        return failure("The state folder {} is in use by another Constela on this machine. End that one, or give this "
                       "one a folder of its own.",
                       gguf::display_path(path));
    }
    CONSTELA_TRY(bring_to_newest(path, options.migrations));
    CONSTELA_TRY(check_machine(path, options.machine_id()));

    const fs::path file = path / "identity";
    CONSTELA_ASSIGN(std::optional<Identity> identity, read_identity(file));
    const bool make = !identity;
    if (make) {
        const KeyPair keys = options.make_keys();
        identity = Identity{keys, node_id(keys.public_key)};
        CONSTELA_TRY(write_identity(file, *identity));
    }
    return StateFolder(std::move(path), std::move(*lock), *identity, make);
}

} // namespace constela::cluster
