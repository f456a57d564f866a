// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes from a peer. Whatever they are, decoding ends with a sentence, or with a message that can be sent on and comes
// back with the same fields, and whose errors can be shown.
#include "engine/cluster/wire/codec.h"
#include "tests/engine/cluster/wire/sample_messages.h"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace constela::cluster; // NOLINT(google-build-using-namespace): this file is about its types

void demand(bool right)
{
    if (!right) {
        std::abort();
    }
}

void show_errors(const Message& message)
{
    if (const auto* refusal = std::get_if<Refusal>(&message)) {
        (void)refusal->reason.text();
    } else if (const auto* failed = std::get_if<StageFailed>(&message)) {
        (void)failed->reason.text();
    } else if (const auto* reply = std::get_if<CommandReply>(&message)) {
        (void)reply->error.text();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto message = decode({reinterpret_cast<const std::byte*>(data), size});
    if (!message) {
        demand(!message.error().text().empty());
        return 0;
    }
    show_errors(*message);
    const auto again = decode(encode(*message));
    demand(again.has_value());
    demand(constela::test::fields_of(*again) == constela::test::fields_of(*message));
    return 0;
}
