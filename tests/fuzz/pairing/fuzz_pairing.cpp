// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an unpaired machine may send to a node that pairs: the input is cut into pieces, each a byte of its length, a
// byte of where it comes from, and the bytes. Both persons say yes to whatever digits they see. Whoever does not hold a
// secret key never gets in, and what is understood has one form.
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/pairing/pairing_responder.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using namespace constela::cluster; // NOLINT(google-build-using-namespace): the whole file is about it

class StandingClock final : public Clock {
public:
    [[nodiscard]] Time now() const override { return Time::zero(); }
};

class CountingChance final : public Chance {
public:
    void fill(std::span<std::byte> bytes) override
    {
        for (std::byte& byte : bytes) {
            byte = static_cast<std::byte>(++next_);
        }
    }

private:
    unsigned next_ = 0;
};

void must(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

void check_one_form(std::span<const std::byte> bytes)
{
    const auto parsed = parse_pairing(bytes);
    if (const auto* message = std::get_if<PairingMessage>(&parsed)) {
        const PairingBytes again = encode(*message);
        must(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const StandingClock clock;
    CountingChance chance;
    PairingTries tries(clock);
    const PairingSurroundings surroundings{clock, chance, tries};
    static const KeyPair keys = make_key_pair(chance);
    const PairingSelf self{keys, "node", 1};
    PairingResponder responder(self, surroundings);
    responder.start();
    PairingExchange initiator(PairingExchange::Role::initiator, self, surroundings);
    must(initiator.begin().has_value());

    std::span<const std::byte> input = std::as_bytes(std::span(data, size));
    check_one_form(input);
    while (input.size() >= 2) {
        const auto length = std::min(std::to_integer<std::size_t>(input[0]), input.size() - 2);
        const unsigned from = std::to_integer<unsigned>(input[1]) % 3;
        const auto piece = input.subspan(2, length);
        input = input.subspan(2 + length);
        check_one_form(piece);
        if (from == 2) {
            (void)initiator.on_message(piece);
            (void)initiator.confirm(true);
        } else {
            (void)responder.on_message(std::string(1, static_cast<char>('a' + from)), piece);
            (void)responder.confirm(true);
        }
        must(!initiator.paired());
        must(responder.exchange() == nullptr || !responder.exchange()->paired());
        must(initiator.state() != PairingExchange::State::failed || !initiator.error().text().empty());
    }
    return 0;
}
