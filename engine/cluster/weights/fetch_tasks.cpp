// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/weights/fetch_tasks.h"

#include <algorithm>
#include <cstring>

namespace constela::cluster {

namespace {

using namespace std::chrono_literals;

/// A peer that has not all is asked again what it has, since it may be fetching the model too.
constexpr Time kAskHeldAgain = 1s;
/// A peer for which there was nothing to do is looked at again after this.
constexpr Time kIdle = 20ms;
/// Chunks in memory, on their way or waiting for the disk: 64 MiB, and one more for each peer.
constexpr std::size_t kChunksInMemory = 16;

} // namespace

// ---- the manifest ---------------------------------------------------------------------------------------------------

Result<bool> ManifestTask::finished(Time /*now*/)
{
    if (manifest_) {
        return true;
    }
    const bool all = std::ranges::find(has_not_, false) == has_not_.end();
    if (all && !has_not_.empty()) {
        return failure("None of the nodes that were asked has the weights of the model {}.", name_);
    }
    return false;
}

void ManifestTask::begin_anew()
{
    from_.reset();
    total_.reset();
    asked_ = 0;
    here_ = 0;
    bytes_.clear();
}

std::optional<WeightRequest> ManifestTask::next(std::size_t peer, Time /*now*/)
{
    if (manifest_ || has_not_[peer] || (from_ && *from_ != peer)) {
        return std::nullopt;
    }
    from_ = peer;
    if (asked_ > 0 && (!total_ || asked_ >= *total_)) {
        return std::nullopt; // its first piece tells how long it is
    }
    WeightRequest request;
    request.kind = WeightKind::manifest;
    request.model = model_;
    request.offset = asked_;
    request.length = kPieceBytes;
    asked_ += kPieceBytes;
    return request;
}

void ManifestTask::on_arrival(std::size_t peer, const PeerConnection::Arrival& arrival, Time /*now*/)
{
    if (from_ != peer || arrival.request.kind != WeightKind::manifest) {
        return;
    }
    if (!arrival.reply.here) {
        has_not_[peer] = true;
        begin_anew();
        return;
    }
    if (!total_) {
        total_ = arrival.reply.total; // at most kMostManifestBytes: the parser has seen to it
        bytes_.resize(static_cast<std::size_t>(*total_));
    }
    const std::uint64_t offset = arrival.request.offset;
    const std::uint64_t expected = offset < *total_ ? std::min<std::uint64_t>(kPieceBytes, *total_ - offset) : 0;
    if (arrival.reply.total != *total_ || arrival.bytes.size() != expected) {
        complete(peer); // it is not what it says, and will not be the right one
        return;
    }
    std::memcpy(bytes_.data() + offset, arrival.bytes.data(), arrival.bytes.size());
    here_ += arrival.bytes.size();
    arrived_ += arrival.bytes.size();
    if (here_ >= *total_) {
        complete(peer);
    }
}

void ManifestTask::complete(std::size_t peer)
{
    auto parsed = Manifest::parse(std::as_bytes(std::span(std::as_const(bytes_))), session_.peer(peer).peer().name);
    if (parsed && parsed->root() == model_) {
        manifest_ = *std::move(parsed);
        return;
    }
    session_.refuse(peer, *this,
                    failure("{} sent a list of chunks that is not that of the model {}; nothing more is taken from it.",
                            session_.peer(peer).peer().name, name_)
                        .value());
    has_not_[peer] = true;
}

void ManifestTask::on_lost(std::size_t peer)
{
    if (from_ == peer) {
        begin_anew();
    }
}

Error ManifestTask::stuck(const std::string& peers, std::int64_t waited) const
{
    return failure("The weights of the model {} cannot be fetched: {} did not answer for {} s. See that they run and "
                   "can be reached, then load the model again.",
                   name_, peers.empty() ? "nobody was asked, and this node" : peers, waited)
        .value();
}

// ---- chunks ---------------------------------------------------------------------------------------------------------

ChunkTask::ChunkTask(FetchSession& session, std::shared_ptr<CachedModel> model, std::span<const std::uint32_t> chunks,
                     std::string name, OnProgress on_progress)
    : session_(session), model_(std::move(model)), name_(std::move(name)), on_progress_(std::move(on_progress)),
      schedule_(chunks, session.peer_count()), peers_(session.peer_count()), writer_(model_)
{
    for (const std::uint32_t chunk : chunks) {
        total_bytes_ += model_->manifest().place(chunk).bytes;
    }
}

std::size_t ChunkTask::in_memory() const
{
    std::size_t chunks = writer_.under_way();
    for (const Peer& peer : peers_) {
        chunks += peer.flights.size();
    }
    return chunks;
}

Result<> ChunkTask::collect()
{
    for (ChunkWriter::Done& done : writer_.done()) {
        if (!done.outcome) {
            return tl::unexpected<Error>(std::move(done.outcome).error());
        }
        if (*done.outcome == ChunkOutcome::wrong_bytes) {
            schedule_.spoiled(done.chunk);
            session_.refuse(done.peer, *this,
                            failure("{} sent bytes that are not those of the model {}; they were thrown away, and "
                                    "nothing more is taken from it. See that its disk and its copy of the model are "
                                    "sound.",
                                    session_.peer(done.peer).peer().name, name_)
                                .value());
            continue;
        }
        schedule_.stored(done.chunk);
        done_bytes_ += model_->manifest().place(done.chunk).bytes;
        if (on_progress_) {
            on_progress_(done_bytes_, total_bytes_);
        }
    }
    return {};
}

Result<bool> ChunkTask::finished(Time /*now*/)
{
    CONSTELA_TRY(collect());
    return schedule_.finished();
}

bool ChunkTask::wants_held(std::size_t index, Time now)
{
    Peer& peer = peers_[index];
    if (peer.held_asked && (now - *peer.held_asked < kAskHeldAgain || schedule_.has_all(index))) {
        return false;
    }
    peer.held_asked = now;
    return true;
}

std::optional<WeightRequest> ChunkTask::piece_of(std::uint32_t chunk, Flight& flight) const
{
    if (flight.asked >= flight.bytes.size()) {
        return std::nullopt;
    }
    WeightRequest request;
    request.kind = WeightKind::chunk;
    request.model = model_->hash();
    request.chunk = chunk;
    request.offset = flight.asked;
    request.length =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(kPieceBytes, flight.bytes.size() - flight.asked));
    flight.asked += request.length;
    return request;
}

std::optional<WeightRequest> ChunkTask::next(std::size_t index, Time now)
{
    Peer& peer = peers_[index];
    if (now < peer.idle_until) {
        return std::nullopt;
    }
    if (wants_held(index, now)) {
        WeightRequest request;
        request.kind = WeightKind::held;
        request.model = model_->hash();
        request.length = kPieceBytes;
        return request;
    }
    for (auto flight = peer.flights.begin(); flight != peer.flights.end();) {
        if (!schedule_.needs(flight->first)) { // another was faster
            flight = peer.flights.erase(flight);
            continue;
        }
        if (const auto request = piece_of(flight->first, flight->second)) {
            return request;
        }
        ++flight;
    }
    const auto chunk = in_memory() < kChunksInMemory + peers_.size() ? schedule_.take(index, now) : std::nullopt;
    if (!chunk) {
        peer.idle_until = now + kIdle;
        return std::nullopt;
    }
    Flight flight;
    flight.bytes = writer_.buffer(static_cast<std::size_t>(model_->manifest().place(*chunk).bytes));
    return piece_of(*chunk, peer.flights.emplace(*chunk, std::move(flight)).first->second);
}

void ChunkTask::take_held(std::size_t peer, const PeerConnection::Arrival& arrival)
{
    const std::size_t chunks = model_->manifest().chunks.size();
    std::vector<bool> held(chunks, false);
    if (arrival.reply.here && arrival.reply.total == chunks && arrival.bytes.size() == (chunks + 7) / 8) {
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            held[chunk] = (arrival.bytes[chunk / 8] >> (chunk % 8) & std::byte{1}) != std::byte{0};
        }
    }
    schedule_.set_held(peer, std::move(held));
    peers_[peer].idle_until = Time{0};
}

void ChunkTask::take_piece(std::size_t index, const PeerConnection::Arrival& arrival, Time now)
{
    Peer& peer = peers_[index];
    const std::uint32_t chunk = arrival.request.chunk;
    const auto found = peer.flights.find(chunk);
    if (found == peer.flights.end()) {
        return; // given up meanwhile
    }
    if (!arrival.reply.here) {
        peer.flights.erase(found);
        schedule_.lacks(index, chunk);
        return;
    }
    Flight& flight = found->second;
    std::memcpy(flight.bytes.data() + arrival.request.offset, arrival.bytes.data(), arrival.bytes.size());
    flight.here += arrival.bytes.size();
    ++pieces_;
    if (flight.here < flight.bytes.size()) {
        return;
    }
    std::vector<std::byte> bytes = std::move(flight.bytes);
    peer.flights.erase(found);
    if (schedule_.arrived(index, chunk, now)) {
        writer_.write(index, chunk, std::move(bytes));
    }
}

void ChunkTask::on_arrival(std::size_t peer, const PeerConnection::Arrival& arrival, Time now)
{
    switch (arrival.request.kind) {
    case WeightKind::held: take_held(peer, arrival); break;
    case WeightKind::chunk: take_piece(peer, arrival, now); break;
    case WeightKind::manifest: break; // of an earlier task
    }
}

void ChunkTask::on_lost(std::size_t peer)
{
    peers_[peer].flights.clear();
    peers_[peer].held_asked.reset();
    schedule_.lost(peer);
}

Error ChunkTask::stuck(const std::string& peers, std::int64_t waited) const
{
    return failure("The weights of the model {} stopped coming: {} of {} are missing, and nothing came from {} for {} "
                   "s. What is here is kept. See that they run and have the model, then load it again.",
                   name_, size_text(total_bytes_ - done_bytes_), size_text(total_bytes_), peers, waited)
        .value();
}

} // namespace constela::cluster
