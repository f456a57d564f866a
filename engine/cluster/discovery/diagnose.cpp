// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/diagnose.h"

#include <algorithm>

namespace constela::cluster::discovery {

namespace {

/// "10.0.0.7/24, 192.168.1.4/24": where this machine is in networks that lead somewhere.
std::string own_subnets(std::span<const Interface> interfaces)
{
    constexpr std::size_t kMost = 4;
    std::string text;
    std::size_t count = 0;
    for (const Interface& interface : interfaces) {
        for (const InterfaceAddress& own : interface.addresses) {
            if (interface.kind == InterfaceKind::loopback || own.address.is_link_local() || count == kMost) {
                continue;
            }
            text += (count++ == 0 ? "" : ", ") + to_text(own.address) + "/" + std::to_string(own.prefix);
        }
    }
    return text;
}

/// What keeps the way there from working: neither the firewall nor the program, but the addresses.
bool is_in_another_subnet(const IpAddress& address, std::span<const Interface> interfaces)
{
    return !address.is_loopback() && address.zone.empty() &&
           std::none_of(interfaces.begin(), interfaces.end(),
                        [&](const Interface& interface) { return on_link(interface, address); });
}

Error error(tl::unexpected<Error> failed)
{
    return std::move(failed.value());
}

Error no_answer(const ConnectFacts& facts, const std::string& who, const std::string& where,
                std::span<const Interface> interfaces)
{
    const auto ip = ip_address(facts.address.host);
    const bool elsewhere = ip && is_in_another_subnet(*ip, interfaces);
    if (facts.beacon_heard && elsewhere) {
        return error(failure("{} is visible but cannot be connected to: its address {} is in none of this machine's "
                             "subnets ({}). Give both machines addresses of one subnet, or set up a route between "
                             "them.",
                             who, facts.address.host, own_subnets(interfaces)));
    }
    if (facts.beacon_heard) {
        return error(failure("{} is visible but does not answer at {}: most likely its firewall blocks the port. Allow "
                             "incoming connections to TCP port {} for Constela on that machine.",
                             who, where, facts.address.port));
    }
    if (elsewhere) {
        return error(failure("{} does not answer at {}, which is in none of this machine's subnets ({}). Check that "
                             "the address is right and that a route leads there, and that its firewall allows TCP port "
                             "{}.",
                             who, where, own_subnets(interfaces), facts.address.port));
    }
    return error(failure("{} does not answer at {}: that machine is off, its address has changed, or its firewall "
                         "blocks the port. Start it, and allow incoming connections to TCP port {} and UDP port {} for "
                         "Constela there.",
                         who, where, facts.address.port, facts.discovery_port));
}

} // namespace

Error diagnose(const ConnectFacts& facts, std::span<const Interface> interfaces)
{
    const std::string where = facts.address.host.find(':') == std::string::npos
                                  ? facts.address.host + ":" + std::to_string(facts.address.port)
                                  : "[" + facts.address.host + "]:" + std::to_string(facts.address.port);
    const std::string who = facts.name.empty() ? facts.address.host : facts.name;

    if (facts.protocol && *facts.protocol != kProtocol) {
        if (*facts.protocol > kProtocol) {
            return error(failure("{} is visible but speaks version {} of the protocol, and this machine version {}. "
                                 "Update Constela on this machine.",
                                 who, *facts.protocol, kProtocol));
        }
        return error(failure("{} is visible but speaks version {} of the protocol, and this machine version {}. Update "
                             "Constela on {}.",
                             who, *facts.protocol, kProtocol, who));
    }
    switch (facts.outcome) {
    case ConnectOutcome::refused:
        if (facts.beacon_heard) {
            return error(failure("{} is visible but refuses connections at {}: its firewall rejects them, or it is "
                                 "just starting or ending. Allow incoming connections to TCP port {} for Constela on "
                                 "that machine.",
                                 who, where, facts.address.port));
        }
        return error(
            failure("The machine at {} is there, but no Constela listens on TCP port {}. Start Constela on {}, "
                    "or correct the port.",
                    facts.address.host, facts.address.port, who));
    case ConnectOutcome::timed_out: return no_answer(facts, who, where, interfaces);
    case ConnectOutcome::no_route:
        if (own_subnets(interfaces).empty()) {
            return error(failure("{} cannot be reached: this machine has no network at the moment. Check its cable or "
                                 "its Wi-Fi.",
                                 who));
        }
        return error(failure("No way leads from this machine ({}) to {} at {}. Check that both machines are on, and "
                             "that they are in one subnet or have a route between them.",
                             own_subnets(interfaces), who, where));
    case ConnectOutcome::forbidden:
        return error(failure("This machine's own firewall forbids connecting to {} at {}. Allow Constela outgoing "
                             "connections to TCP port {}.",
                             who, where, facts.address.port));
    case ConnectOutcome::cut_off:
        return error(failure("{} accepts connections at {} but closes them at once: another program listens there, or "
                             "something between the machines cuts them off. Check the port, and look at {}'s log.",
                             who, where, who));
    case ConnectOutcome::silent:
        return error(failure("{} accepts connections at {} but says nothing: it is overloaded or stopped, or another "
                             "program listens there. Check Constela on {}, and the port.",
                             who, where, who));
    case ConnectOutcome::not_trusted:
        return error(failure("{} no longer trusts this machine: it was unpaired there, or Constela was set up anew on "
                             "either side. Pair the two again.",
                             who));
    case ConnectOutcome::other_key: break;
    }
    return error(failure("At {} there is another node than {}. If Constela was set up anew there, pair with it again; "
                         "otherwise correct the address.",
                         where, who));
}

} // namespace constela::cluster::discovery
