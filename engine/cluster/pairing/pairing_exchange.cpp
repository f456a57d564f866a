// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pairing/pairing_exchange.h"
#include "engine/cluster/identity/keys.h"

#include <algorithm>

namespace constela::cluster {
namespace {

Hash commitment_to(std::span<const std::byte> open)
{
    return Hasher("constela pairing commitment 1").add(open).finish();
}

PairingBytes copied(std::span<const std::byte> bytes)
{
    PairingBytes copy{};
    std::copy_n(bytes.begin(), std::min(bytes.size(), copy.size()), copy.begin());
    return copy;
}

tl::unexpected<Error> versions_differ(std::uint16_t theirs)
{
    return failure("The two nodes do not understand each other: this one pairs in version {}, the other one in version "
                   "{}. Install the same Constela on both.",
                   kPairingVersion, theirs);
}

tl::unexpected<Error> mismatch()
{
    return failure("What the other node sent does not fit what it sent before. A fault, or somebody in between: nobody "
                   "was let in. Try again, and if it happens again, over another network.");
}

tl::unexpected<Error> refused(PairingReason reason)
{
    switch (reason) {
    case PairingReason::busy:
        return failure("The other node is pairing with somebody else right now. Try again when that is over.");
    case PairingReason::locked:
        return failure("The other node has locked pairing, since {} tries failed. Wait a minute, then try again.",
                       PairingTries::kMost);
    case PairingReason::digits_differ:
        return failure("At the other node somebody said that the digits differ. Nobody was let in. If they did differ, "
                       "somebody is in between: pair over another network.");
    case PairingReason::cancelled: return failure("At the other node somebody ended the pairing. Nobody was let in.");
    case PairingReason::too_late:
        return failure("The other node has waited for too long. Nobody was let in. Try again.");
    case PairingReason::none:
    case PairingReason::other_version: // in a version that is the same: nonsense
    case PairingReason::mismatch: break;
    }
    return failure("The other node says that what came from here does not fit together. A fault, or somebody in "
                   "between: nobody was let in. Try again, and if it happens again, over another network.");
}

} // namespace

PairingExchange::PairingExchange(Role role, PairingSelf self, PairingSurroundings surroundings,
                                 const PairingTimes& times)
    : role_(role), self_(std::move(self)), surroundings_(surroundings), times_(times), began_(surroundings.clock.now()),
      step_began_(began_), expected_(role == Role::initiator ? PairingKind::reply : PairingKind::commit)
{
}

Result<PairingBytes> PairingExchange::begin()
{
    if (auto locked = surroundings_.tries.check(); !locked) {
        state_ = State::failed;
        error_ = locked.error();
        return tl::unexpected(error_);
    }
    began_ = step_began_ = surroundings_.clock.now();
    open_ = introduction(PairingKind::open);
    PairingMessage message;
    message.kind = PairingKind::commit;
    message.value = commitment_to(open_);
    commit_ = encode(message);
    return commit_;
}

PairingExchange::Answer PairingExchange::on_message(std::span<const std::byte> bytes)
{
    if (auto late = tick(); late || ended()) {
        return late;
    }
    const auto parsed = parse_pairing(bytes);
    if (const auto* other = std::get_if<OtherPairingVersion>(&parsed)) {
        Answer answer = fail(versions_differ(other->version), PairingReason::other_version);
        return other->refusal ? std::nullopt : answer;
    }
    const auto* message = std::get_if<PairingMessage>(&parsed);
    if (message == nullptr) {
        return fail(failure("What answers there is no Constela that pairs. Look at the address and the port."),
                    PairingReason::mismatch);
    }
    if (message->kind == PairingKind::refusal) {
        (void)fail(refused(message->reason), PairingReason::none);
        return std::nullopt;
    }
    if (message->kind != expected_) {
        return fail(mismatch(), PairingReason::mismatch);
    }
    return on_fitting_message(*message, bytes);
}

PairingExchange::Answer PairingExchange::on_fitting_message(const PairingMessage& message,
                                                            std::span<const std::byte> bytes)
{
    step_began_ = surroundings_.clock.now();
    switch (message.kind) {
    case PairingKind::commit: return on_commit(bytes);
    case PairingKind::reply: return on_reply(message, bytes);
    case PairingKind::open: return on_open(message, bytes);
    case PairingKind::confirm: return on_confirm(message);
    case PairingKind::refusal: break;
    }
    return std::nullopt;
}

PairingExchange::Answer PairingExchange::on_commit(std::span<const std::byte> bytes)
{
    commit_ = copied(bytes);
    reply_ = introduction(PairingKind::reply);
    in_earnest_ = true; // from here on the other side may know the digits before we do
    expected_ = PairingKind::open;
    return reply_;
}

PairingExchange::Answer PairingExchange::on_reply(const PairingMessage& message, std::span<const std::byte> bytes)
{
    in_earnest_ = true;
    reply_ = copied(bytes);
    if (!learn(message)) {
        return fail(mismatch(), PairingReason::mismatch);
    }
    show_digits();
    return open_;
}

PairingExchange::Answer PairingExchange::on_open(const PairingMessage& message, std::span<const std::byte> bytes)
{
    open_ = copied(bytes);
    PairingMessage committed;
    committed.kind = PairingKind::commit;
    committed.value = commitment_to(open_);
    if (encode(committed) != commit_ || !learn(message)) {
        return fail(mismatch(), PairingReason::mismatch);
    }
    show_digits();
    return std::nullopt;
}

PairingExchange::Answer PairingExchange::on_confirm(const PairingMessage& message)
{
    const Role other = role_ == Role::initiator ? Role::responder : Role::initiator;
    if (!equal_in_constant_time(message.value, confirmation(other))) {
        return fail(mismatch(), PairingReason::mismatch);
    }
    other_confirmed_ = true;
    expected_.reset(); // nothing more is to come
    finish_if_both_confirmed();
    return std::nullopt;
}

PairingExchange::Answer PairingExchange::confirm(bool digits_are_equal)
{
    if (auto late = tick(); late || state_ != State::comparing) {
        return late;
    }
    if (!digits_are_equal) {
        return fail(failure("You said that the digits differ, so nobody was let in. If both of you looked at the same "
                            "try, somebody is in between: pair over another network."),
                    PairingReason::digits_differ);
    }
    state_ = State::confirmed;
    PairingMessage message;
    message.kind = PairingKind::confirm;
    message.value = confirmation(role_);
    finish_if_both_confirmed();
    return encode(message);
}

PairingExchange::Answer PairingExchange::cancel()
{
    return ended() ? std::nullopt
                   : fail(failure("Pairing was ended here. Nobody was let in."), PairingReason::cancelled);
}

PairingExchange::Answer PairingExchange::tick()
{
    if (ended()) {
        return std::nullopt;
    }
    const Time now = surroundings_.clock.now();
    if (state_ == State::waiting && now - step_began_ >= times_.step) {
        return fail(failure("The other node does not answer. Nobody was let in. Look whether pairing is still open "
                            "there, then try again."),
                    PairingReason::too_late);
    }
    if (now - began_ >= times_.whole) {
        return fail(failure("Pairing took longer than {} s and was ended. Nobody was let in. Try again.",
                            std::int64_t{std::chrono::duration_cast<std::chrono::seconds>(times_.whole).count()}),
                    PairingReason::too_late);
    }
    return std::nullopt;
}

void PairingExchange::on_closed()
{
    if (!ended()) {
        (void)fail(failure("The connection to the other node broke before both had confirmed. Nobody was let in here. "
                           "Try again."),
                   PairingReason::none);
    }
}

std::optional<PairedNode> PairingExchange::paired() const
{
    return state_ == State::paired ? std::optional(other_) : std::nullopt;
}

PairingExchange::Answer PairingExchange::fail(tl::unexpected<Error> error, PairingReason tell)
{
    state_ = State::failed;
    error_ = std::move(error.value());
    wipe(shared_);
    if (in_earnest_) {
        surroundings_.tries.wrong();
    }
    return tell == PairingReason::none ? Answer() : Answer(refusal(tell));
}

void PairingExchange::finish_if_both_confirmed()
{
    if (state_ == State::confirmed && other_confirmed_) {
        state_ = State::paired;
        surroundings_.tries.right();
    }
}

PairingBytes PairingExchange::introduction(PairingKind kind)
{
    PairingMessage message;
    message.kind = kind;
    message.value = self_.keys.public_key.bytes;
    surroundings_.chance.fill(message.nonce);
    message.control_port = self_.control_port;
    message.name = self_.name;
    return encode(message);
}

bool PairingExchange::learn(const PairingMessage& message)
{
    other_ = {PublicKey{message.value}, message.name, message.control_port};
    const auto secret = shared_secret(self_.keys.secret_key, other_.key);
    if (!secret || other_.key == self_.keys.public_key) {
        return false;
    }
    shared_ = *secret;
    return true;
}

void PairingExchange::show_digits()
{
    transcript_ = Hasher("constela pairing transcript 1").add(commit_).add(reply_).add(open_).finish();
    const Hash hash = Hasher("constela pairing digits 1").add(transcript_).finish();
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        number = number << 8U | std::to_integer<std::uint64_t>(hash[i]);
    }
    const std::string digits = std::to_string(number % 1'000'000);
    digits_ = std::string(6 - digits.size(), '0') + digits;
    state_ = State::comparing;
    expected_ = PairingKind::confirm;
}

Hash PairingExchange::confirmation(Role role) const
{
    const std::array who{static_cast<std::byte>(role)};
    return Hasher("constela pairing confirmation 1", shared_).add(transcript_).add(who).finish();
}

} // namespace constela::cluster
