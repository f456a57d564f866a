// SPDX-License-Identifier: GPL-3.0-or-later
//
// Feeds any datagram to what reads beacons. One that is accepted means the same when it is written again; its name is
// such as may be shown; a directory of any beacons stays within its bounds.
#include "engine/cluster/discovery/beacon.h"
#include "engine/cluster/discovery/directory.h"

#include <cstdint>
#include <cstdlib>

using namespace constela::cluster;            // NOLINT(google-build-using-namespace): a program of one function.
using namespace constela::cluster::discovery; // NOLINT(google-build-using-namespace)

namespace {

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

/// The bytes as beacons in a row, each from an address that its last byte chooses.
void fill_a_directory(std::span<const std::byte> bytes)
{
    Directory directory;
    Time now{0};
    for (; bytes.size() >= kBeaconBytes; bytes = bytes.subspan(kBeaconBytes)) {
        const auto beacon = parse(bytes.first(kBeaconBytes));
        if (!beacon) {
            continue;
        }
        const std::string host = "10.0.0." + std::to_string(static_cast<unsigned>(beacon->incarnation & 0xFFU));
        now += std::chrono::milliseconds(beacon->incarnation >> 54U);
        directory.set_known(beacon->node, beacon->answer);
        directory.saw({*beacon, {host, beacon->control_port}, "lan0", InterfaceKind::wired, true}, now);
        directory.add(beacon->node, {host, beacon->protocol}, Origin::told, now);
        directory.expire(now);
        require(directory.strangers() <= Directory::kMostStrangers);
        require(directory.candidates(beacon->node, {}).size() <=
                Directory::kMostBeaconCandidates + Directory::kMostOtherCandidates);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    if (const auto beacon = parse(bytes)) {
        require(size == kBeaconBytes && beacon->control_port != 0);
        require(beacon_name(beacon->name) == beacon->name);
        require(parse(encode(*beacon)) == beacon);
    }
    fill_a_directory(bytes);
    return 0;
}
