// SPDX-License-Identifier: GPL-3.0-or-later
//
// constela_discovery_probe NAME SECONDS [--port PORT] [--type HOST]... [--stop-after NODES]: announces itself for so
// long and prints each node that it hears for the first time at an address, as one line of JSON:
//   {"ms": 12.3, "name": "b", "host": "10.77.0.2", "port": 4001, "interface": "lan0", "kind": "wired", "on_link": true}
// `ms`: since the program began. With --stop-after it ends when it has heard so many nodes, and a second more, so
// that they hear it too. The first line is {"ready": true}; problems are {"problem": "..."}.
#include "engine/cluster/discovery/announcer.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace constela::cluster;            // NOLINT(google-build-using-namespace): a program of one file
using namespace constela::cluster::discovery; // NOLINT(google-build-using-namespace)

void print(const nlohmann::ordered_json& line)
{
    std::puts(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    std::fflush(stdout);
}

struct Wishes {
    std::string name;
    Time end{0};
    std::uint16_t port = kPort;
    std::vector<std::string> hosts;
    std::size_t stop_after = 0;
};

template <class Number>
Number number(const std::string& text)
{
    Number value{};
    const auto outcome = std::from_chars(text.data(), text.data() + text.size(), value);
    if (outcome.ec != std::errc() || outcome.ptr != text.data() + text.size()) {
        std::fprintf(stderr, "not a number: %s\n", text.c_str());
        std::exit(2); // NOLINT(concurrency-mt-unsafe): there is one thread
    }
    return value;
}

Wishes wishes(const std::vector<std::string>& arguments)
{
    if (arguments.size() < 2 || arguments.size() % 2 != 0) {
        std::fputs("usage: constela_discovery_probe NAME SECONDS [--port PORT] [--type HOST]... [--stop-after NODES]\n",
                   stderr);
        std::exit(2); // NOLINT(concurrency-mt-unsafe): there is one thread
    }
    Wishes wishes;
    wishes.name = arguments[0];
    wishes.end = std::chrono::seconds(number<int>(arguments[1]));
    for (std::size_t i = 2; i < arguments.size(); i += 2) {
        if (arguments[i] == "--port") {
            wishes.port = number<std::uint16_t>(arguments[i + 1]);
        } else if (arguments[i] == "--type") {
            wishes.hosts.push_back(arguments[i + 1]);
        } else if (arguments[i] == "--stop-after") {
            wishes.stop_after = number<std::size_t>(arguments[i + 1]);
        }
    }
    return wishes;
}

/// Prints what is new; returns how many nodes were heard so far.
std::size_t tell(const std::vector<Sighting>& sightings, Time since_start)
{
    static std::set<std::pair<NodeId, Address>> heard; // NOLINT: a program of one thread
    static std::set<NodeId> nodes;                     // NOLINT
    for (const Sighting& sighting : sightings) {
        nodes.insert(sighting.beacon.node);
        if (heard.size() < 4096 && heard.emplace(sighting.beacon.node, sighting.from).second) {
            print({{"ms", std::chrono::duration<double, std::milli>(since_start).count()},
                   {"name", sighting.beacon.name},
                   {"host", sighting.from.host},
                   {"port", sighting.from.port},
                   {"interface", sighting.interface},
                   {"kind", to_text(sighting.kind)},
                   {"on_link", sighting.on_link}});
        }
    }
    return nodes.size();
}

} // namespace

int main(int count, char** values)
{
    const Wishes asked = wishes({values + 1, values + count});
    const SteadyClock clock;
    const Time start = clock.now();

    std::random_device random;
    Beacon self;
    for (std::byte& byte : self.node.bytes) {
        byte = static_cast<std::byte>(random() & 0xFFU);
    }
    self.incarnation = random();
    self.name = asked.name;
    self.control_port = static_cast<std::uint16_t>(1024 + random() % 60000);

    AnnouncerOptions options;
    options.port = asked.port;
    auto announcer = Announcer::open(self, random(), options);
    if (!announcer) {
        print({{"problem", announcer.error().text()}});
        return 1;
    }
    announcer->set_probes(asked.hosts);
    print({{"ready", true}});

    Time end = start + asked.end;
    std::size_t problems = 0;
    for (Time now = clock.now(); now < end; now = clock.now()) {
        const std::size_t nodes = tell(announcer->process(now), now - start);
        if (asked.stop_after > 0 && nodes >= asked.stop_after) {
            end = std::min(end, now + std::chrono::seconds(1));
        }
        const auto troubles = announcer->problems();
        for (; problems < troubles.size(); ++problems) {
            print({{"problem", troubles[problems].text()}});
        }
        problems = troubles.size();

        std::vector<pollfd> waits;
        for (const SocketHandle handle : announcer->handles()) {
            waits.push_back({handle, POLLIN, 0});
        }
        const Time until = std::min(end, announcer->next_time());
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(Time(0), until - clock.now()));
        poll(waits.data(), waits.size(), static_cast<int>(wait.count()));
    }
    return 0;
}
