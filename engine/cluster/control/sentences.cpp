// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/control/sentences.h"

#include <algorithm>
#include <string_view>

namespace constela::cluster {
namespace {

constexpr std::size_t kLongestPattern = 1024;
constexpr std::size_t kLongestArgument = 512;
constexpr std::size_t kLongestDetails = 4096;
constexpr std::size_t kMostArguments = 16;

/// Which shards of a model, in the words of a person.
struct Shards {
    bool embedding = false;
    bool head = false;
    bool blocks = false;
    std::uint32_t first_block = 0;
    std::uint32_t last_block = 0;
};

Shards shards_of(std::span<const StagePlacement> stages, std::uint32_t shards)
{
    Shards found;
    for (const StagePlacement& stage : stages) {
        if (stage.shard_count == 0) {
            continue;
        }
        std::uint32_t first = stage.first_shard;
        std::uint32_t last = stage.first_shard + stage.shard_count - 1;
        found.embedding = found.embedding || first == 0;
        found.head = found.head || last + 1 == shards;
        first = std::max<std::uint32_t>(first, 1);
        last = std::min(last, shards - 2);
        if (shards >= 3 && first <= last) {
            found.first_block = found.blocks ? std::min(found.first_block, first - 1) : first - 1;
            found.last_block = found.blocks ? std::max(found.last_block, last - 1) : last - 1;
            found.blocks = true;
        }
    }
    return found;
}

/// "{}" and "{{" and "}}" and nothing else in braces, and as many "{}" as there are arguments or fewer.
bool places_fit(std::string_view pattern, std::size_t arguments)
{
    std::size_t places = 0;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] != '{' && pattern[at] != '}') {
            continue;
        }
        if (at + 1 >= pattern.size()) {
            return false;
        }
        if (pattern[at] == '{' && pattern[at + 1] == '}') {
            ++places;
        } else if (pattern[at + 1] != pattern[at]) {
            return false;
        }
        ++at;
    }
    return places <= arguments;
}

} // namespace

Error departure_sentence(Departure why, const std::string& node)
{
    switch (why) {
    case Departure::silent:
        return failure("{} was lost: it has been silent for 3 seconds. Look whether it is switched on and connected to "
                       "the network; it comes back by itself.",
                       node)
            .value();
    case Departure::broken:
        return failure("{} was lost: its connection broke. Look whether it is switched on and connected to the "
                       "network; it comes back by itself.",
                       node)
            .value();
    case Departure::restarted:
        return failure("{} was started anew; what it had loaded before is gone. Load the model again.", node).value();
    case Departure::closed: return failure("Constela was closed on {}. Start it there again to use it.", node).value();
    case Departure::revoked: return failure("{} is no longer trusted. Pair it again to use it.", node).value();
    case Departure::incompatible: break;
    }
    return failure("{} runs another version of Constela. Update the older one.", node).value();
}

Error loss_sentence(const std::string& node, const std::string& model, std::span<const StagePlacement> stages,
                    std::uint32_t shards)
{
    const Shards lost = shards_of(stages, shards);
    const bool one = lost.blocks && lost.first_block == lost.last_block;
    const std::uint32_t first = lost.first_block;
    const std::uint32_t last = lost.last_block;
    // Whole sentences, since each is the key of its translation.
    if (one && lost.embedding && lost.head) {
        return failure("{} has left the cluster while it held the embedding, block {} and the head of {}. Load it "
                       "again on the remaining devices, or start {} again.",
                       node, first, model, node)
            .value();
    }
    if (one && lost.embedding) {
        return failure("{} has left the cluster while it held the embedding and block {} of {}. Load it again on the "
                       "remaining devices, or start {} again.",
                       node, first, model, node)
            .value();
    }
    if (one && lost.head) {
        return failure("{} has left the cluster while it held block {} and the head of {}. Load it again on the "
                       "remaining devices, or start {} again.",
                       node, first, model, node)
            .value();
    }
    if (one) {
        return failure("{} has left the cluster while it held block {} of {}. Load it again on the remaining devices, "
                       "or start {} again.",
                       node, first, model, node)
            .value();
    }
    if (lost.blocks && lost.embedding && lost.head) {
        return failure("{} has left the cluster while it held the embedding, blocks {} to {} and the head of {}. Load "
                       "it again on the remaining devices, or start {} again.",
                       node, first, last, model, node)
            .value();
    }
    if (lost.blocks && lost.embedding) {
        return failure("{} has left the cluster while it held the embedding and blocks {} to {} of {}. Load it again "
                       "on the remaining devices, or start {} again.",
                       node, first, last, model, node)
            .value();
    }
    if (lost.blocks && lost.head) {
        return failure("{} has left the cluster while it held blocks {} to {} and the head of {}. Load it again on the "
                       "remaining devices, or start {} again.",
                       node, first, last, model, node)
            .value();
    }
    if (lost.blocks) {
        return failure("{} has left the cluster while it held blocks {} to {} of {}. Load it again on the remaining "
                       "devices, or start {} again.",
                       node, first, last, model, node)
            .value();
    }
    if (lost.embedding && !lost.head) {
        return failure("{} has left the cluster while it held the embedding of {}. Load it again on the remaining "
                       "devices, or start {} again.",
                       node, model, node)
            .value();
    }
    if (lost.head && !lost.embedding) {
        return failure("{} has left the cluster while it held the head of {}. Load it again on the remaining devices, "
                       "or start {} again.",
                       node, model, node)
            .value();
    }
    return failure("{} has left the cluster while it held a part of {}. Load it again on the remaining devices, or "
                   "start {} again.",
                   node, model, node)
        .value();
}

Error version_sentence(const std::string& own_name, const std::string& own_version, const std::string& peer_name,
                       const std::string& peer_version, std::uint32_t peer_protocol)
{
    return failure("{} runs Constela {} (protocol {}) and {} runs Constela {} (protocol {}), which cannot work "
                   "together. Update Constela on {}.",
                   own_name, own_version, kProtocol, peer_name, peer_version, peer_protocol,
                   peer_protocol < kProtocol ? peer_name : own_name)
        .value();
}

std::string short_text(const NodeId& id)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t at = 0; at < 4; ++at) {
        const auto byte = std::to_integer<unsigned>(id.bytes[at]);
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

std::string checked_text(std::string text, std::size_t length)
{
    std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (text.size() > length) {
        std::size_t end = length;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) { // not within a character
            --end;
        }
        text.resize(end);
    }
    return text;
}

Error checked(Error error)
{
    if (error.args.size() > kMostArguments) {
        error.args.resize(kMostArguments);
    }
    for (std::string& arg : error.args) {
        arg = checked_text(std::move(arg), kLongestArgument);
    }
    error.pattern = checked_text(std::move(error.pattern), kLongestPattern);
    if (error.details.size() > kLongestDetails) {
        error.details.resize(kLongestDetails);
    }
    if (!places_fit(error.pattern, error.args.size())) {
        error.args = {std::move(error.pattern)};
        error.pattern = "{}";
    }
    return error;
}

} // namespace constela::cluster
