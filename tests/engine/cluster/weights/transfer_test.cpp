// SPDX-License-Identifier: GPL-3.0-or-later
//
// Weights over real CURVE sockets on this machine: from one peer and several, honest, lying, dying and silent ones.
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/transport/curve.h"
#include "engine/cluster/transport/endpoint.h"
#include "engine/cluster/weights/fetcher.h"
#include "engine/cluster/weights/file_reader.h"
#include "engine/cluster/weights/transfer_protocol.h"
#include "engine/cluster/weights/weight_server.h"
#include "tests/engine/cluster/weights/sample_model.h"
#include "tests/engine/cluster/weights/transfer_rig.h"
#include "tests/support/golden.h"

#include <algorithm>
#include <array>
#include <future>
#include <gtest/gtest.h>
#include <random>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// One node that serves.
struct Node {
    KeyPair keys = make_key_pair();
    std::shared_ptr<test::FakeSource> source;
    std::unique_ptr<WeightServer> server;
    std::string name;
    std::atomic<bool> answers{true};
    std::atomic<std::uint64_t> sent{0};

    [[nodiscard]] WeightPeer peer() const { return {keys.public_key, server->address(), name}; }
};

class TransferTest : public testing::Test {
protected:
    static std::shared_ptr<const ModelReader> reader(const test::SampleModel& model)
    {
        std::vector<FileIdentity> identities;
        for (const fs::path& path : model.paths) {
            identities.push_back(identify(path).value());
        }
        return FileReader::open(model.paths, identities, model.manifest).value();
    }
    [[nodiscard]] std::unique_ptr<Node> serve(std::string name, const test::SampleModel& model,
                                              test::FakeSource::OnRead on_read = {})
    {
        auto node = std::make_unique<Node>();
        node->name = std::move(name);
        node->source = std::make_shared<test::FakeSource>(reader(model), std::move(on_read));
        WeightServer::Options options;
        options.own = node->keys;
        options.address = {"127.0.0.1", 0};
        options.models = node->source;
        options.admitted = [raw = node.get()](std::string_view user) { return user == "friend" && raw->answers; };
        options.on_sent = [raw = node.get()](std::string_view, std::uint64_t bytes) {
            raw->sent += bytes;
            raw->sent.notify_all();
        };
        auto server = WeightServer::start(context_, options);
        EXPECT_TRUE(server) << server.error().text();
        node->server = *std::move(server);
        return node;
    }
    [[nodiscard]] FetchRequest request(const test::SampleModel& model, std::vector<WeightPeer> peers)
    {
        FetchRequest request;
        request.model = model.hash;
        request.name = "sample";
        request.peers = std::move(peers);
        request.on_problem = [this](const Error& error) { problems_ += error.text() + "\n"; };
        return request;
    }
    [[nodiscard]] Result<FetchedModel> fetch(const FetchRequest& request)
    {
        return Fetcher(context_, own_, cache_).fetch(request);
    }
    void reopen_cache()
    {
        cache_.reset();
        cache_ = FetchCache::open({folder_.path() / "cache", limits_}).value();
    }
    [[nodiscard]] test::SampleModel write(const test::SampleShape& shape = {}) const
    {
        return test::write_model(folder_.path(), "sample", shape);
    }

    test::TempDir folder_;
    CacheLimits limits_;
    std::shared_ptr<FetchCache> cache_ = FetchCache::open({folder_.path() / "cache", {}}).value();
    zmq::context_t context_;
    test::Gate gate_{context_};
    KeyPair own_ = make_key_pair();
    std::string problems_;
};

TEST_F(TransferTest, BringsAWholeModel)
{
    const auto model = write({.parts = 2});
    const auto attic = serve("attic", model);
    FetchRequest asked = request(model, {attic->peer()});
    std::uint64_t last = 0;
    std::uint64_t total = 0;
    asked.on_progress = [&](std::uint64_t done, std::uint64_t all) {
        EXPECT_GT(done, last);
        last = done;
        total = all;
    };
    const auto fetched = fetch(asked);
    ASSERT_TRUE(fetched) << fetched.error().text();
    EXPECT_EQ(test::sample_of(fetched->paths).hash, model.hash);
    EXPECT_TRUE(fetched->model->whole());
    EXPECT_EQ(last, model.manifest.total_bytes());
    EXPECT_EQ(total, last);
    EXPECT_EQ(problems_, "");
    EXPECT_TRUE(fetch(request(model, {}))) << "what is here needs nobody";
}

TEST_F(TransferTest, BringsJustTheShards)
{
    // The list of tokens alone is longer than a chunk, so the header comes in steps.
    const auto model = write({.blocks = 6, .vocabulary = 400'000});
    const auto attic = serve("attic", model);
    FetchRequest asked = request(model, {attic->peer()});
    asked.shards = ShardRun{2, 2};
    const auto fetched = fetch(asked);
    ASSERT_TRUE(fetched) << fetched.error().text();
    const auto whole = gguf::File::open(model.paths.front()).value();
    const auto sparse = gguf::File::open(fetched->paths.front());
    ASSERT_TRUE(sparse) << sparse.error().text();
    ASSERT_GT(whole->tensors().front().offset, kChunkBytes);
    for (const char* name :
         {"blk.1.attn_q.weight", "blk.1.ffn_up.weight", "blk.2.attn_q.weight", "blk.2.ffn_up.weight"}) {
        EXPECT_TRUE(std::ranges::equal(whole->data(*whole->find(name)), (*sparse)->data(*(*sparse)->find(name))))
            << name;
    }
    EXPECT_LT(fetched->model->held_bytes(), model.manifest.total_bytes() / 2) << "more than was needed";
    EXPECT_LT(attic->sent, model.manifest.total_bytes() / 2);

    asked.shards = ShardRun{2, 3}; // one block more
    const std::uint64_t before = attic->sent;
    ASSERT_TRUE(fetch(asked));
    EXPECT_LE(attic->sent - before, 4 * kChunkBytes) << "the rest was here";
    EXPECT_FALSE((*sparse)->changed()) << "whoever has the model open is not disturbed";
}

TEST_F(TransferTest, SharesTheWorkAndOutlivesADeath)
{
    const auto model = write({.blocks = 6});
    auto attic = serve("attic", model);
    const auto cellar = serve("cellar", model, [&](std::size_t, std::span<std::byte>) {
        attic->sent.wait(0); // however late it was connected
    });
    FetchRequest asked = request(model, {attic->peer(), cellar->peer()});
    asked.on_progress = [&](std::uint64_t done, std::uint64_t total) {
        if (done > total / 3) {
            attic->server.reset(); // in the middle of it
        }
    };
    const auto fetched = fetch(asked);
    ASSERT_TRUE(fetched) << fetched.error().text();
    EXPECT_EQ(test::sample_of(fetched->paths).hash, model.hash);
    EXPECT_GT(cellar->sent, model.manifest.total_bytes() / 3);
}

TEST_F(TransferTest, NamesALiarAndDoesWithout)
{
    const auto model = write({.blocks = 4});
    const auto liar = serve("liar", model, [](std::size_t, std::span<std::byte> bytes) { bytes[0] ^= std::byte{1}; });
    std::promise<void> named;
    const auto cellar = serve("cellar", model, [seen = named.get_future().share()](std::size_t, std::span<std::byte>) {
        seen.wait(); // so that the liar has its turn
    });
    FetchRequest asked = request(model, {liar->peer(), cellar->peer()});
    asked.on_problem = [&](const Error& error) {
        problems_ += error.text() + "\n";
        named.set_value();
    };
    const auto fetched = fetch(asked);
    ASSERT_TRUE(fetched) << fetched.error().text();
    EXPECT_EQ(test::sample_of(fetched->paths).hash, model.hash);
    EXPECT_EQ(problems_, "liar sent bytes that are not those of the model sample; they were thrown away, and nothing "
                         "more is taken from it. See that its disk and its copy of the model are sound.\n");
}

TEST_F(TransferTest, FailsWhenAllLie)
{
    const auto model = write();
    const auto liar = serve("liar", model, [](std::size_t, std::span<std::byte> bytes) { bytes[0] ^= std::byte{1}; });
    const auto fetched = fetch(request(model, {liar->peer()}));
    ASSERT_FALSE(fetched);
    EXPECT_NE(fetched.error().text().find("liar sent bytes that are not those"), std::string::npos)
        << fetched.error().text();
    EXPECT_EQ(cache_->find(model.hash)->held_bytes(), 0U);
}

TEST_F(TransferTest, BelievesNoForgedList)
{
    const auto model = write();
    const auto other = test::write_model(folder_.path(), "other", {.blocks = 1, .seed = 7});
    const auto liar = serve("liar", model);
    liar->source->forged = std::make_shared<Manifest>(other.manifest);
    const auto alone = fetch(request(model, {liar->peer()}));
    ASSERT_FALSE(alone);
    EXPECT_NE(alone.error().text().find("liar sent a list of chunks that is not that of"), std::string::npos)
        << alone.error().text();
    const auto cellar = serve("cellar", model);
    EXPECT_TRUE(fetch(request(model, {liar->peer(), cellar->peer()})));
}

TEST_F(TransferTest, DoesNotWaitForTheSilent)
{
    const auto model = write();
    const auto silent = serve("silent", model);
    const auto cellar = serve("cellar", model);
    FetchRequest asked = request(model, {silent->peer(), cellar->peer()});
    asked.on_progress = [&](std::uint64_t, std::uint64_t) { silent->answers = false; };
    const auto fetched = fetch(asked);
    ASSERT_TRUE(fetched) << fetched.error().text();
    EXPECT_EQ(test::sample_of(fetched->paths).hash, model.hash);
}

TEST_F(TransferTest, SaysWhoDoesNotAnswer)
{
    const auto model = write();
    const auto silent = serve("silent", model);
    silent->answers = false;
    FetchRequest asked = request(model, {silent->peer()});
    asked.patience = 300ms;
    const auto fetched = fetch(asked);
    ASSERT_FALSE(fetched);
    EXPECT_NE(fetched.error().text().find("silent did not answer"), std::string::npos) << fetched.error().text();
    EXPECT_FALSE(fetch(request(model, {})));
}

TEST_F(TransferTest, SaysThatNobodyHasIt)
{
    const auto model = write();
    const auto other = test::write_model(folder_.path(), "other", {.blocks = 1, .seed = 7});
    const auto attic = serve("attic", other);
    const auto fetched = fetch(request(model, {attic->peer()}));
    ASSERT_FALSE(fetched);
    EXPECT_EQ(fetched.error().text(), "None of the nodes that were asked has the weights of the model sample.");
}

TEST_F(TransferTest, PutsAModelTogetherFromHalves)
{
    const auto model = write({.blocks = 4});
    const auto attic = serve("attic", model);
    const auto cellar = serve("cellar", model);
    for (std::size_t chunk = 0; chunk < model.manifest.chunks.size(); ++chunk) {
        (chunk % 3 == 0 ? attic : cellar)->source->chunks.insert(chunk);
    }
    {
        const auto fetched = fetch(request(model, {attic->peer(), cellar->peer()}));
        ASSERT_TRUE(fetched) << fetched.error().text();
        EXPECT_EQ(test::sample_of(fetched->paths).hash, model.hash);
    }
    ASSERT_TRUE(cache_->remove(model.hash));
    FetchRequest half = request(model, {attic->peer()});
    half.patience = 300ms;
    const auto stuck = fetch(half);
    ASSERT_FALSE(stuck);
    EXPECT_NE(stuck.error().text().find("stopped coming"), std::string::npos) << stuck.error().text();
    EXPECT_GT(cache_->find(model.hash)->held_bytes(), 0U);
}

TEST_F(TransferTest, GoesOnAfterABreak)
{
    const auto model = write({.blocks = 6});
    const auto attic = serve("attic", model);
    FetchRequest asked = request(model, {attic->peer()});
    bool enough = false;
    asked.on_progress = [&](std::uint64_t done, std::uint64_t total) { enough = done > total / 2; };
    asked.cancelled = [&] { return enough; };
    const auto cancelled = fetch(asked);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().text(),
              "Fetching the weights of the model sample was cancelled. What is here is kept.");
    reopen_cache();
    const std::uint64_t held = cache_->list().front().held;
    EXPECT_GT(held, model.manifest.total_bytes() / 2);
    const std::uint64_t before = attic->sent;
    const auto fetched = fetch(request(model, {attic->peer()}));
    ASSERT_TRUE(fetched) << fetched.error().text();
    EXPECT_EQ(test::sample_of(fetched->paths).hash, model.hash);
    // Up to 32 pieces were still on their way when it was cancelled.
    EXPECT_LE(attic->sent - before, model.manifest.total_bytes() - held + 33 * kPieceBytes) << "some came twice";
}

TEST_F(TransferTest, EndsSoonWhenCancelledWhileNothingComes)
{
    const auto model = write();
    const auto silent = serve("silent", model);
    silent->answers = false;
    std::atomic<bool> enough{false};
    FetchRequest asked = request(model, {silent->peer()});
    asked.patience = 1h;
    std::promise<void> begun;
    asked.cancelled = [&, first = true]() mutable {
        if (std::exchange(first, false)) {
            begun.set_value();
        }
        return enough.load();
    };
    auto outcome = std::async(std::launch::async, [&] { return fetch(asked); });
    begun.get_future().wait();
    enough = true;
    EXPECT_EQ(outcome.wait_for(5s), std::future_status::ready);
    EXPECT_FALSE(outcome.get());
}

TEST_F(TransferTest, LetsNobodyInWhoIsNotPaired)
{
    const auto model = write();
    const auto attic = serve("attic", model);
    gate_.shut_out(own_.public_key);
    FetchRequest asked = request(model, {attic->peer()});
    asked.patience = 500ms;
    const auto fetched = fetch(asked);
    ASSERT_FALSE(fetched);
    EXPECT_EQ(fetched.error().text(), "attic does not let this node in; pair the two again.");
    EXPECT_EQ(attic->source->bytes_read, 0U);

    FetchRequest patient = request(model, {attic->peer()});
    patient.cancelled = [this, turns = 0]() mutable {
        if (++turns == 10) {
            gate_.let_in(own_.public_key); // the word of it came a little later
        }
        return false;
    };
    EXPECT_TRUE(fetch(patient));
}

TEST_F(TransferTest, AsksForNothingThatDoesNotFit)
{
    const auto model = write();
    const auto attic = serve("attic", model);
    cache_->set_limits({kChunkBytes, 0});
    const auto fetched = fetch(request(model, {attic->peer()}));
    ASSERT_FALSE(fetched);
    EXPECT_NE(fetched.error().text().find("The model sample needs"), std::string::npos) << fetched.error().text();
    EXPECT_EQ(attic->source->bytes_read, 0U);
}

TEST_F(TransferTest, ServesOnWhateverItIsSent)
{
    const auto model = write();
    const auto attic = serve("attic", model);
    zmq::socket_t raw(context_, zmq::socket_type::dealer);
    set_plane_options(raw, Plane::bulk);
    raw.set(zmq::sockopt::linger, 0);
    make_curve_client(raw, own_, attic->keys.public_key);
    ASSERT_TRUE(connect_tcp(raw, attic->server->address()));
    std::mt19937 random(1);
    const auto send = [&](std::string frame, zmq::send_flags flags = zmq::send_flags::none) {
        ASSERT_TRUE(raw.send(zmq::buffer(frame), flags));
    };
    std::array<std::byte, kWeightRequestBytes> good{};
    WeightRequest known;
    known.model = model.hash;
    known.length = kPieceBytes;
    write_request(known, good);
    for (int i = 0; i < 300; ++i) {
        std::string frame(reinterpret_cast<const char*>(good.data()), good.size());
        frame[random() % frame.size()] = static_cast<char>(random());
        frame.resize(random() % 3 == 0 ? random() % 100 : frame.size());
        send(frame);
    }
    send("one", zmq::send_flags::sndmore);
    send("two", zmq::send_flags::sndmore);
    send("three");
    known.offset = kChunkBytes - 1; // reaches beyond the chunk
    known.number = 12345;
    write_request(known, good);
    send(std::string(reinterpret_cast<const char*>(good.data()), good.size()));
    const auto fetched = fetch(request(model, {attic->peer()}));
    EXPECT_TRUE(fetched) << fetched.error().text();
}

TEST_F(TransferTest, SharesItsPort)
{
    const auto model = write();
    WeightServer::Options options;
    options.own = make_key_pair();
    options.address = {"127.0.0.1", 0};
    options.models = std::make_shared<test::FakeSource>(reader(model));
    options.admitted = [](std::string_view user) { return user == "friend"; };
    const std::string answer = "pong";
    options.other = [&](std::span<const std::byte> frame) {
        return frame.size() == 4 ? std::as_bytes(std::span(answer)) : std::span<const std::byte>();
    };
    const auto server = WeightServer::start(context_, options);
    ASSERT_TRUE(server);
    zmq::socket_t asker(context_, zmq::socket_type::dealer);
    set_plane_options(asker, Plane::bulk);
    make_curve_client(asker, own_, options.own.public_key);
    ASSERT_TRUE(connect_tcp(asker, (*server)->address()));
    asker.set(zmq::sockopt::rcvtimeo, 10'000);
    ASSERT_TRUE(asker.send(zmq::str_buffer("what?"), zmq::send_flags::none));
    ASSERT_TRUE(asker.send(zmq::str_buffer("ping"), zmq::send_flags::none));
    zmq::message_t reply;
    ASSERT_TRUE(asker.recv(reply));
    EXPECT_EQ(reply.to_string(), "pong");
}

} // namespace
} // namespace constela::cluster
