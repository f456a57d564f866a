// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast weights travel over a link, to be held against iperf3 by hand or by a script (transfer_speed.sh). Two
// programs, as it is two machines:
//
//   transfer_speed serve FILE HOST PORT               prints the key and the model's hash, serves until its input ends
//   transfer_speed fetch HASH FOLDER KEY HOST PORT    prints bytes, seconds and Mbit/s, and removes what it fetched
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/weights/fetcher.h"
#include "engine/cluster/weights/model_index.h"
#include "engine/cluster/weights/weight_server.h"
#include "tests/engine/cluster/weights/transfer_rig.h"
#include "tests/support/golden.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <string_view>

using namespace constela; // NOLINT(google-build-using-namespace): a program of its own.

namespace {

std::uint16_t port_of(std::string_view text)
{
    std::uint16_t port = 0;
    std::from_chars(text.data(), text.data() + text.size(), port);
    return port;
}

int fail(const Error& error)
{
    fmt::print(stderr, "{}\n", error.text());
    return 1;
}

int serve(const std::filesystem::path& file, const std::string& host, std::uint16_t port)
{
    const test::TempDir state;
    auto index = std::make_shared<cluster::ModelIndex>(cluster::ModelIndex::Options{{}, state.path(), nullptr, 2});
    const auto model = index->describe(file);
    if (!model) {
        return fail(model.error());
    }
    zmq::context_t context;
    test::Gate gate(context);
    cluster::WeightServer::Options options;
    options.own = cluster::make_key_pair();
    options.address = {host, port};
    options.models = index;
    options.admitted = [](std::string_view) { return true; };
    const auto server = cluster::WeightServer::start(context, options);
    if (!server) {
        return fail(server.error());
    }
    fmt::print("{} {}\n", to_text(options.own.public_key), to_text(*model->hash));
    std::fflush(stdout);
    for (std::string line; std::getline(std::cin, line);) {
    }
    return 0;
}

int fetch(const cluster::ContentHash& hash, const std::filesystem::path& folder, const cluster::WeightPeer& peer)
{
    auto cache = cluster::FetchCache::open({folder, {}});
    if (!cache) {
        return fail(cache.error());
    }
    zmq::context_t context;
    cluster::FetchRequest request;
    request.model = hash;
    request.peers = {peer};
    request.on_problem = [](const Error& error) { fmt::print(stderr, "{}\n", error.text()); };
    const auto begin = std::chrono::steady_clock::now();
    auto fetched = cluster::Fetcher(context, cluster::make_key_pair(), *cache).fetch(request);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (!fetched) {
        return fail(fetched.error());
    }
    const std::uint64_t bytes = fetched->model->manifest().total_bytes();
    fmt::print("{} bytes in {:.3f} s: {:.1f} Mbit/s\n", bytes, took.count(),
               8e-6 * static_cast<double>(bytes) / took.count());
    fetched->model.reset();
    const auto removed = (*cache)->remove(hash);
    return removed ? 0 : fail(removed.error());
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> args(argv + 1, argv + argc);
    if (args.size() == 4 && args[0] == "serve") {
        return serve(args[1], args[2], port_of(args[3]));
    }
    if (args.size() == 6 && args[0] == "fetch") {
        const auto hash = cluster::content_hash_from_text(args[1]);
        const auto key = cluster::public_key_from_text(args[3]);
        if (hash && key) {
            return fetch(*hash, args[2], {*key, {args[4], port_of(args[5])}, "server"});
        }
    }
    fmt::print(stderr, "transfer_speed serve FILE HOST PORT | fetch HASH FOLDER KEY HOST PORT\n");
    return 2;
}
