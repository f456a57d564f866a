// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says to the network that this node is here, and hears the same from others: beacons (beacon.h) by broadcast and by
// multicast on every interface, and by unicast to addresses that a person typed. Several nodes of one machine share the
// port; they hear each other on the machine's own interfaces, and on loopback where there is no other.
//
// What it hears is a hint from anybody. Whatever arrives, it holds a fixed amount of memory and does a bounded amount
// of work a call.
//
// Threads: one. Errors: open() fails in words; later troubles do not end it, problems() tells them.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/discovery/beacon.h"
#include "engine/cluster/discovery/interfaces.h"
#include "engine/cluster/discovery/pace.h"
#include "engine/cluster/discovery/udp_socket.h"
#include "engine/cluster/time.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace constela::cluster::discovery {

/// A beacon as it was heard.
struct Sighting {
    Beacon beacon;
    Address from;          ///< Where it came from, with the control plane's port that it tells.
    std::string interface; ///< That through which it came; empty: unknown.
    InterfaceKind kind = InterfaceKind::unknown;
    bool on_link = false; ///< The sender is in a subnet of that interface.
};

struct AnnouncerOptions {
    std::uint16_t port = kPort; ///< 0: any free one; Announcer::port() tells (for tests).
    bool loopback = true;       ///< Also to nodes on this machine when it has no network.
    std::function<Result<std::vector<Interface>>()> interfaces = list_interfaces;
};

class Announcer {
public:
    /// `self` is announced; its node id is that of beacons to be ignored. `key`: random.
    [[nodiscard]] static Result<Announcer> open(Beacon self, std::uint64_t key, AnnouncerOptions options = {});

    /// Announces the new words at once (another name, pairing opened or closed).
    void set_self(Beacon self);
    [[nodiscard]] const Beacon& self() const { return self_; }

    /// Machines to which a beacon is also sent directly, each time: numeric addresses that a person typed, for networks
    /// that let no broadcast through. One node of each answers. At most 64; what is no address is left out.
    void set_probes(std::span<const std::string> hosts);

    [[nodiscard]] std::uint16_t port() const { return families_.front().shared.port(); }
    /// To be polled for reading; process() is then to be called.
    [[nodiscard]] std::vector<SocketHandle> handles() const;
    /// When process() is to be called even if nothing arrives.
    [[nodiscard]] Time next_time() const;

    /// Sends what is due, and takes at most kMostAtOnce beacons. Those of this node are not among them.
    [[nodiscard]] std::vector<Sighting> process(Time now);
    static constexpr std::size_t kMostAtOnce = 256;

    /// Those in use, the better ones first; listed anew each second.
    [[nodiscard]] std::span<const Interface> interfaces() const { return interfaces_; }
    /// What is not as it should be at the moment: no network, an interface on which sending fails.
    [[nodiscard]] std::vector<Error> problems() const;

private:
    /// What is sent to one node of several on a machine must go to a port that is its alone: beacons go out from `own`,
    /// so that answers come in there.
    struct Family {
        UdpSocket shared; ///< On the port that all know.
        UdpSocket own;
        IpAddress group;
        [[nodiscard]] bool v6() const { return group.v6; }
    };

    Announcer(Beacon self, std::uint64_t key, AnnouncerOptions options, std::vector<Family> families);
    [[nodiscard]] static Result<Family> open_family(std::string_view group, std::uint16_t port);

    void look_at_interfaces(Time now);
    void announce();
    void announce_on(const Interface& interface);
    void note(const std::string& where, std::error_code error);
    void receive(UdpSocket& socket, Time now, std::size_t& left, std::vector<Sighting>& sightings);
    [[nodiscard]] Sighting sighting(Beacon beacon, const Datagram& datagram) const;

    Beacon self_;
    AnnouncerOptions options_;
    std::vector<Family> families_; ///< IPv4, then IPv6 where the system has it.
    std::size_t turn_ = 0;         ///< Which socket is read first.
    std::vector<Interface> all_interfaces_;
    std::vector<Interface> interfaces_;
    std::vector<IpAddress> probes_;
    std::map<std::string, std::error_code> send_errors_; ///< By interface or probed host; only of the last time.
    std::optional<Error> list_error_;
    Rhythm rhythm_;
    Time next_look_{0};
    SourceLimit source_limit_;
    AnswerLimit answer_limit_;
};

} // namespace constela::cluster::discovery
