// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node without a window.
#include "engine/cluster/identity/node_name.h"
#include "engine/node/cluster/cluster_node.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <pthread.h>

namespace constela {
namespace {

using node::ClusterNodeOptions;
using node::DeviceChoice;

/// "500M", "2.5G", "1000000": decimal units, in bytes.
Result<std::uint64_t> parse_size(const std::string& text)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    double unit = 1;
    if (parsed.ptr != end) {
        switch (*parsed.ptr) {
        case 'k':
        case 'K': unit = 1e3; break;
        case 'M': unit = 1e6; break;
        case 'G': unit = 1e9; break;
        case 'T': unit = 1e12; break;
        default: unit = 0; break;
        }
    }
    const bool whole = parsed.ptr == end || parsed.ptr + 1 == end || std::string_view(parsed.ptr + 1, end) == "B";
    if (parsed.ec != std::errc() || !whole || unit == 0 || value <= 0 || value * unit > 1e15) {
        return failure("{} is no size: a number with k, M, G or T was expected, such as 4G.", text);
    }
    return static_cast<std::uint64_t>(value * unit);
}

/// "cpu:memory=4G,threads=2"
Result<DeviceChoice> parse_device(const std::string& text)
{
    DeviceChoice choice;
    if (text != "cpu" && text.compare(0, 4, "cpu:") != 0) {
        return failure("{} is no device; cpu:memory=SIZE[,threads=N] was expected.", text);
    }
    std::size_t at = std::min<std::size_t>(text.size(), 4);
    while (at < text.size()) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string part = text.substr(at, comma - at);
        if (part.compare(0, 7, "memory=") == 0) {
            CONSTELA_ASSIGN(choice.memory, parse_size(part.substr(7)));
        } else if (part.compare(0, 8, "threads=") == 0) {
            const char* end = part.data() + part.size();
            const auto parsed = std::from_chars(part.data() + 8, end, choice.threads);
            if (parsed.ec != std::errc() || parsed.ptr != end || choice.threads == 0 || choice.threads > 1024) {
                return failure("{} is no number of threads; 1 to 1024 was expected.", part.substr(8));
            }
        } else {
            return failure("{} is no setting of a device; memory=SIZE or threads=N was expected.", part);
        }
        at = comma + 1;
    }
    return choice;
}

/// Blocked before any thread is made, so that all have them blocked and one waits for them.
sigset_t block_quit_signals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signals;
}

Result<> run(const ClusterNodeOptions& options, const sigset_t& signals)
{
    CONSTELA_ASSIGN(const auto running, node::ClusterNode::start(options));
    std::printf("ready %s %s\n", running->name().c_str(), running->endpoint().c_str());
    std::fflush(stdout);
    int signal = 0;
    sigwait(&signals, &signal);
    return {};
}

int tell(const Error& error)
{
    std::fprintf(stderr, "constelad: %s\n", error.text().c_str());
    return 1;
}

int run_program(int argc, char** argv)
{
    const sigset_t signals = block_quit_signals();
    ClusterNodeOptions options;
    std::vector<std::string> devices;
    std::string level;
    CLI::App app("A node of a Constela cluster, without a window.", "constelad");
    app.set_version_flag("--version", "constelad " CONSTELA_VERSION, "Print the version");
    app.add_option("--name", options.name, "What the node is called; by default the machine's name");
    app.add_option("--state", options.state, "Where it keeps its identity and its peers");
    app.add_option("--address", options.address, "The address at which it listens; by default all of IPv4");
    app.add_option("--port", options.port,
                   "Its port; the next ones are for pairing, weights and its devices. 0: free ones");
    app.add_option("--discovery-port", options.discovery_port, "The UDP port of beacons");
    app.add_option("--models", options.model_folders, "A folder with models; may be given several times");
    app.add_option("--device", devices, "cpu:memory=SIZE[,threads=N]; may be given several times");
    app.add_option("--log-level", level, "How much it says on stderr: error, info or debug")
        ->check(CLI::IsMember({"error", "info", "debug"}));
    app.footer("It prints one line when it is ready: ready NAME ENDPOINT. SIGTERM ends it.\n"
               "Example: constelad --name nas --models ~/models --device cpu:memory=8G,threads=4");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    for (const std::string& device : devices) {
        auto choice = parse_device(device);
        if (!choice) {
            std::fprintf(stderr, "constelad: %s\n", choice.error().text().c_str());
            return 2;
        }
        options.devices.push_back(*choice);
    }
    const auto done = run(options, signals);
    return done ? 0 : tell(done.error());
}

} // namespace
} // namespace constela

int main(int argc, char** argv)
{
    try {
        return constela::run_program(argc, argv);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "constelad: %s\n", problem.what());
        return 1;
    }
}
