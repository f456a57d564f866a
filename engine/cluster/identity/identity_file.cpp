// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/identity_file.h"
#include "engine/cluster/identity/crypto.h"
#include "engine/cluster/identity/safe_file.h"
#include "engine/gguf/printable.h"

namespace constela::cluster {
namespace {

constexpr std::string_view kPublicPrefix = "constela identity 1\npublic ";
constexpr std::string_view kSecretPrefix = "\nsecret ";
constexpr std::size_t kKeyDigits = 2 * sizeof(PublicKey::bytes);
constexpr std::size_t kFileBytes = kPublicPrefix.size() + kKeyDigits + kSecretPrefix.size() + kKeyDigits + 1;
/// More than the file has, so that one that has grown is told apart from one that is no such file at all.
constexpr std::size_t kMaxBytes = 4096;

void wipe_text(std::string& text)
{
    wipe(std::as_writable_bytes(std::span(text)));
}

std::optional<KeyPair> parse(std::string_view text)
{
    if (text.size() != kFileBytes || !text.starts_with(kPublicPrefix) || text.back() != '\n' ||
        text.substr(kPublicPrefix.size() + kKeyDigits, kSecretPrefix.size()) != kSecretPrefix) {
        return std::nullopt;
    }
    KeyPair keys;
    if (!from_hex(text.substr(kPublicPrefix.size(), kKeyDigits), keys.public_key.bytes) ||
        !from_hex(text.substr(kFileBytes - 1 - kKeyDigits, kKeyDigits), keys.secret_key.bytes) ||
        public_key_of(keys.secret_key) != keys.public_key) {
        return std::nullopt;
    }
    return keys;
}

} // namespace

Result<std::optional<Identity>> read_identity(const std::filesystem::path& file)
{
    CONSTELA_ASSIGN(std::optional<std::string> text, read_whole(file, kMaxBytes, Secrecy::owner_only));
    if (!text) {
        return std::nullopt;
    }
    const std::size_t bytes = text->size();
    const std::optional<KeyPair> keys = parse(*text);
    wipe_text(*text);
    if (!keys) {
        return failure("The key file {} is damaged: its {} bytes are not the {} of a key pair. Put back a copy of it, "
                       "or delete it, which makes a new identity, and pair again.",
                       gguf::display_path(file), bytes, kFileBytes);
    }
    return Identity{*keys, node_id(keys->public_key)};
}

Result<> write_identity(const std::filesystem::path& file, const Identity& identity)
{
    std::string text;
    text.reserve(kFileBytes); // no copies left behind by growing
    text += kPublicPrefix;
    text += to_hex(identity.keys.public_key.bytes);
    text += kSecretPrefix;
    std::string secret = to_hex(identity.keys.secret_key.bytes);
    text += secret;
    text += '\n';
    const Result<> written = write_safely(file, text);
    wipe_text(secret);
    wipe_text(text);
    return written;
}

} // namespace constela::cluster
