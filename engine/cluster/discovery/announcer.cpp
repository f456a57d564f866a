// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/discovery/announcer.h"

#include <algorithm>

namespace constela::cluster::discovery {

namespace {

constexpr Time kLookInterval = std::chrono::seconds(1);
constexpr std::size_t kMostInterfaces = 16; // Linux lets a socket join 20 groups (net.ipv4.igmp_max_memberships)
constexpr std::size_t kMostAddresses = 8;   // of one interface
constexpr std::size_t kMostProbes = 64;

/// Those on which it makes sense to announce.
std::vector<Interface> usable(std::span<const Interface> all, bool loopback)
{
    std::vector<Interface> result;
    for (const Interface& interface : all) {
        if (interface.running && (loopback || interface.kind != InterfaceKind::loopback) &&
            result.size() < kMostInterfaces) {
            result.push_back(interface);
        }
    }
    return result;
}

} // namespace

Announcer::Announcer(Beacon self, std::uint64_t key, AnnouncerOptions options, std::vector<Family> families)
    : self_(std::move(self)), options_(std::move(options)), families_(std::move(families)), source_limit_(key),
      answer_limit_(~key)
{
}

Result<Announcer::Family> Announcer::open_family(std::string_view group, std::uint16_t port)
{
    const IpAddress address = ip_address(group).value();
    CONSTELA_ASSIGN(UdpSocket shared, UdpSocket::open(address.v6, port));
    CONSTELA_ASSIGN(UdpSocket own, UdpSocket::open(address.v6, 0));
    return Family{std::move(shared), std::move(own), address};
}

Result<Announcer> Announcer::open(Beacon self, std::uint64_t key, AnnouncerOptions options)
{
    std::vector<Family> families;
    CONSTELA_ASSIGN(Family family4, open_family(kGroup4, options.port));
    const std::uint16_t port = family4.shared.port();
    families.push_back(std::move(family4));
    // Many systems have no IPv6; nodes find each other without.
    if (auto family6 = open_family(kGroup6, port)) {
        families.push_back(*std::move(family6));
    }
    return Announcer(std::move(self), key, std::move(options), std::move(families));
}

void Announcer::set_self(Beacon self)
{
    if (self != self_) {
        self_ = std::move(self);
        rhythm_.begin(Time(0));
    }
}

void Announcer::set_probes(std::span<const std::string> hosts)
{
    std::vector<IpAddress> probes;
    for (const std::string& host : hosts) {
        const auto address = ip_address(host);
        if (address && !address->is_multicast() && !address->is_unspecified() && probes.size() < kMostProbes) {
            probes.push_back(*address);
        }
    }
    if (probes != probes_) {
        probes_ = std::move(probes);
        send_errors_.clear();
        rhythm_.begin(Time(0));
    }
}

std::vector<SocketHandle> Announcer::handles() const
{
    std::vector<SocketHandle> handles;
    for (const Family& family : families_) {
        handles.push_back(family.shared.handle());
        handles.push_back(family.own.handle());
    }
    return handles;
}

Time Announcer::next_time() const
{
    return std::min(next_look_, rhythm_.next());
}

std::vector<Sighting> Announcer::process(Time now)
{
    if (now >= next_look_) {
        look_at_interfaces(now);
        next_look_ = now + kLookInterval;
    }
    if (rhythm_.due(now)) {
        announce();
    }
    std::vector<Sighting> sightings;
    std::size_t left = kMostAtOnce;
    // The sockets take turns in being the first, so that a flood on one does not drown the others.
    const std::size_t sockets = 2 * families_.size();
    for (std::size_t i = 0; i < sockets; ++i) {
        const std::size_t place = (turn_ + i) % sockets;
        Family& family = families_[place / 2];
        receive(place % 2 == 0 ? family.own : family.shared, now, left, sightings);
    }
    turn_ = (turn_ + 1) % sockets;
    return sightings;
}

void Announcer::look_at_interfaces(Time now)
{
    auto listed = options_.interfaces();
    if (!listed) {
        list_error_ = std::move(listed).error();
        return;
    }
    list_error_.reset();
    all_interfaces_ = *std::move(listed);
    std::vector<Interface> found = usable(all_interfaces_, options_.loopback);
    if (found == interfaces_) {
        return;
    }
    interfaces_ = std::move(found);
    send_errors_.clear();
    // Membership outlives a link that goes down, but not an interface that is made anew: join again each time.
    for (const Interface& interface : interfaces_) {
        for (Family& family : families_) {
            if (interface.multicast) {
                // Where it is refused, broadcast is left, and the other node answers.
                static_cast<void>(family.shared.join(family.group, interface.index));
            }
        }
    }
    rhythm_.begin(now);
}

void Announcer::announce()
{
    for (const Interface& interface : interfaces_) {
        announce_on(interface);
    }
    const BeaconBytes bytes = encode(self_);
    for (const IpAddress& probe : probes_) {
        for (Family& family : families_) {
            if (family.v6() == probe.v6) {
                note(to_text(probe), family.own.send(bytes, probe, port()));
            }
        }
    }
}

void Announcer::announce_on(const Interface& interface)
{
    const BeaconBytes bytes = encode(self_);
    std::error_code trouble;
    bool sent = false;
    const auto send = [&](Family& family, const IpAddress& to, const InterfaceAddress& own) {
        const std::error_code error = family.own.send(bytes, to, port(), interface.index, &own.address);
        sent = sent || !error;
        trouble = error ? error : trouble;
    };
    const std::size_t addresses = std::min(interface.addresses.size(), kMostAddresses);
    for (Family& family : families_) {
        bool grouped = false;
        for (const InterfaceAddress& own : std::span(interface.addresses).first(addresses)) {
            if (own.address.v6 != family.v6()) {
                continue;
            }
            if (interface.kind == InterfaceKind::loopback) {
                if (!family.v6()) {
                    // Loopback knows neither multicast nor a broadcast address, but brings this one to all.
                    send(family, IpAddress{false, {127, 255, 255, 255}, {}}, own);
                }
                continue;
            }
            if (own.broadcast) {
                send(family, *own.broadcast, own);
            }
            // Once; by IPv6 from the link-local address, which fits even where the subnets do not.
            if (interface.multicast && !grouped && (!family.v6() || own.address.is_link_local())) {
                grouped = true;
                send(family, family.group, own);
            }
        }
    }
    note(interface.name, sent ? std::error_code() : trouble);
}

void Announcer::note(const std::string& where, std::error_code error)
{
    if (error && error != std::errc::operation_would_block) {
        send_errors_[where] = error;
    } else {
        send_errors_.erase(where);
    }
}

void Announcer::receive(UdpSocket& socket, Time now, std::size_t& left, std::vector<Sighting>& sightings)
{
    std::array<std::byte, kBeaconBytes + 1> buffer{}; // a longer datagram is seen to be longer
    for (; left > 0; --left) {
        const auto datagram = socket.receive(buffer);
        if (!datagram) {
            return;
        }
        if (datagram->bytes != kBeaconBytes || !source_limit_.admit(datagram->from, now)) {
            continue;
        }
        auto beacon = parse(std::span(buffer).first(kBeaconBytes));
        if (!beacon || beacon->node == self_.node) {
            continue;
        }
        if (!beacon->answer && datagram->from_port != 0 && answer_limit_.admit(beacon->node, datagram->from, now)) {
            Beacon answer = self_;
            answer.answer = true;
            // From the socket to which it came, so that a firewall which let the question out lets the answer in. What
            // goes wrong with it, the next beacon makes good.
            static_cast<void>(socket.send(encode(answer), datagram->from, datagram->from_port));
        }
        sightings.push_back(sighting(*std::move(beacon), *datagram));
    }
}

Sighting Announcer::sighting(Beacon beacon, const Datagram& datagram) const
{
    Sighting result;
    result.from = {to_text(datagram.from), beacon.control_port};
    result.beacon = std::move(beacon);
    // From this machine itself: the interface whose address it bears, whichever way it took inside.
    const Interface* interface = interface_with(all_interfaces_, datagram.from);
    if (interface == nullptr) {
        const auto arrived = std::find_if(all_interfaces_.begin(), all_interfaces_.end(),
                                          [&](const Interface& one) { return one.index == datagram.interface; });
        interface = arrived != all_interfaces_.end() ? &*arrived : nullptr;
    }
    if (interface != nullptr) {
        result.interface = interface->name;
        result.kind = interface->kind;
        result.on_link = on_link(*interface, datagram.from);
    }
    return result;
}

std::vector<Error> Announcer::problems() const
{
    std::vector<Error> problems;
    if (list_error_) {
        problems.push_back(*list_error_);
        return problems;
    }
    const bool network = std::any_of(interfaces_.begin(), interfaces_.end(), [](const Interface& interface) {
        return interface.kind != InterfaceKind::loopback;
    });
    if (!network) {
        problems.push_back(failure("This machine has no network at the moment: no interface is up and has an address. "
                                   "Other machines cannot be found until one is.")
                               .value());
    }
    for (const auto& [where, error] : send_errors_) {
        if (error == std::errc::operation_not_permitted || error == std::errc::permission_denied) {
            problems.push_back(failure("Nothing can be sent to UDP port {} by way of {}: this machine's firewall "
                                       "forbids it. Allow Constela to send to that port.",
                                       port(), where)
                                   .value());
        } else {
            problems.push_back(
                failure("Nothing can be sent to UDP port {} by way of {}: {}.", port(), where, error.message())
                    .value());
        }
    }
    return problems;
}

} // namespace constela::cluster::discovery
