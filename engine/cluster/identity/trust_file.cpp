// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/trust_file.h"
#include "engine/cluster/identity/node_name.h"
#include "engine/cluster/identity/safe_file.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace constela::cluster {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kVersion = 1;
/// 256 peers with 16 addresses each, and 1024 removed ones, are well below.
constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20U;

/// A member that is there and is a text; nothing else.
std::optional<std::string> text_of(const Json& object, const char* name)
{
    const auto place = object.find(name);
    return place != object.end() && place->is_string() ? std::optional(place->get<std::string>()) : std::nullopt;
}

/// A list of at most `most`; nothing else.
const Json* list_of(const Json& object, const char* name, std::size_t most)
{
    const auto place = object.find(name);
    return place != object.end() && place->is_array() && place->size() <= most ? &*place : nullptr;
}

std::optional<Address> address_from(const Json& value)
{
    if (!value.is_object()) {
        return std::nullopt;
    }
    const auto host = text_of(value, "host");
    const auto port = value.find("port");
    if (!host || port == value.end() || !port->is_number_unsigned() || port->get<std::uint64_t>() > 65535) {
        return std::nullopt;
    }
    Address address{*host, port->get<std::uint16_t>()};
    return is_numeric_address(address) ? std::optional(std::move(address)) : std::nullopt;
}

std::optional<Peer> peer_from(const Json& value)
{
    if (!value.is_object()) {
        return std::nullopt;
    }
    const auto key = public_key_from_text(text_of(value, "key").value_or(""));
    const Json* addresses = list_of(value, "addresses", kMaxPeerAddresses);
    if (!key || addresses == nullptr) {
        return std::nullopt;
    }
    Peer peer{node_id(*key), *key, text_of(value, "name").value_or(""), {}, {}, {}};
    if (!is_node_name(peer.name)) {
        return std::nullopt;
    }
    for (const Json& item : *addresses) {
        auto address = address_from(item);
        if (!address) {
            return std::nullopt;
        }
        peer.addresses.push_back(*std::move(address));
    }
    if (value.contains("vouched_by")) {
        peer.vouched_by = node_id_from_text(text_of(value, "vouched_by").value_or(""));
        if (!peer.vouched_by) {
            return std::nullopt; // never make a stranger's word into a person's
        }
    }
    if (value.contains("pinned")) {
        peer.pinned = address_from(value["pinned"]);
        if (!peer.pinned) {
            return std::nullopt;
        }
    }
    return peer;
}

bool is_peer(const TrustList& list, const NodeId& id)
{
    return std::any_of(list.peers.begin(), list.peers.end(), [&](const Peer& peer) { return peer.id == id; });
}

/// What is wrong, for the details of a failure; empty when nothing is.
std::string read_into(TrustList& list, const Json& root)
{
    const Json* peers = root.is_object() ? list_of(root, "peers", kMaxPeers) : nullptr;
    const Json* removed = root.is_object() ? list_of(root, "removed", kMaxRemoved) : nullptr;
    if (peers == nullptr || removed == nullptr) {
        return "its lists of peers are missing or too long";
    }
    for (const Json& item : *peers) {
        auto peer = peer_from(item);
        if (!peer || is_peer(list, peer->id)) {
            return "its peer number " + std::to_string(list.peers.size() + 1) + " is not well-formed";
        }
        list.peers.push_back(*std::move(peer));
    }
    for (const Json& item : *removed) {
        const auto id = node_id_from_text(item.is_string() ? item.get<std::string>() : "");
        if (!id || is_peer(list, *id)) {
            return "its removed node number " + std::to_string(list.removed.size() + 1) + " is not well-formed";
        }
        list.removed.push_back(*id);
    }
    return {};
}

Json to_json(const Address& address)
{
    return {{"host", address.host}, {"port", address.port}};
}

Json to_json(const Peer& peer)
{
    Json addresses = Json::array();
    for (const Address& address : peer.addresses) {
        addresses.push_back(to_json(address));
    }
    Json value = {{"key", to_text(peer.key)}, {"name", peer.name}, {"addresses", std::move(addresses)}};
    if (peer.vouched_by) {
        value["vouched_by"] = to_text(*peer.vouched_by);
    }
    if (peer.pinned) {
        value["pinned"] = to_json(*peer.pinned);
    }
    return value;
}

} // namespace

Result<TrustList> read_trust_file(const std::filesystem::path& file)
{
    // Who may read it learns who is paired, no secret; yet nobody else should.
    CONSTELA_ASSIGN(const std::optional<std::string> text, read_whole(file, kMaxFileBytes, Secrecy::any));
    TrustList list;
    if (!text) {
        return list;
    }
    const Json root = Json::parse(*text, nullptr, false);
    if (root.is_object() && root.contains("version") && root["version"].is_number_integer() &&
        root["version"].get<std::int64_t>() > kVersion) {
        return failure("The list of paired nodes {} was written by a newer Constela (its version is {}, this program "
                       "knows up to {}). Install the newer Constela.",
                       gguf::display_path(file), root["version"].get<std::int64_t>(), kVersion);
    }
    std::string wrong = root.is_discarded() ? "it is not JSON" : read_into(list, root);
    if (wrong.empty() && (!root.contains("version") || root["version"] != kVersion)) {
        wrong = "it does not say its version";
    }
    if (!wrong.empty()) {
        auto error = failure("The list of paired nodes {} is damaged. Put back a copy of it, or delete it and pair "
                             "again.",
                             gguf::display_path(file));
        error.value().details = std::move(wrong);
        return error;
    }
    return list;
}

Result<> write_trust_file(const std::filesystem::path& file, const TrustList& list)
{
    Json root = {{"version", kVersion}, {"peers", Json::array()}, {"removed", Json::array()}};
    for (const Peer& peer : list.peers) {
        root["peers"].push_back(to_json(peer));
    }
    for (const NodeId& id : list.removed) {
        root["removed"].push_back(to_text(id));
    }
    return write_safely(file, root.dump(2) + "\n");
}

} // namespace constela::cluster
