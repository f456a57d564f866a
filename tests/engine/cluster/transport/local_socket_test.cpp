// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node and programs of the same user on the same machine. The client waits, so the server runs on a thread.
#include "engine/cluster/transport/local_client.h"
#include "engine/cluster/transport/local_server.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <sys/stat.h>
#include <thread>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::string& below = {})
        : root_(fs::temp_directory_path() / ("constela-local-" + std::to_string(std::random_device()()))),
          path_(below.empty() ? root_ : root_ / below)
    {
        fs::create_directories(path_);
    }
    ~TemporaryFolder() { fs::remove_all(root_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path root_;
    fs::path path_;
};

/// A node that answers each command by what it was asked for, and remembers who has gone.
class Node {
public:
    explicit Node(const fs::path& folder) : server_(LocalServer::listen(context_, folder, clock_).value())
    {
        thread_ = std::thread([this] { run(); });
    }
    ~Node() { stop(); }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    void stop()
    {
        stop_ = true;
        if (thread_.joinable()) {
            thread_.join();
        }
        server_.reset();
    }
    [[nodiscard]] std::size_t gone() const { return gone_; }
    [[nodiscard]] std::uint64_t last_client() const { return last_client_; }

private:
    void run()
    {
        while (!stop_) {
            std::vector<zmq::pollitem_t> items;
            server_->add_poll_items(items);
            zmq::poll(items, 20ms);
            for (const LocalEvent& event : server_->process()) {
                if (const auto* from = std::get_if<event::FromClient>(&event)) {
                    last_client_ = from->client;
                    answer(*from);
                } else {
                    ++gone_;
                }
            }
        }
    }
    void answer(const event::FromClient& from)
    {
        if (const auto* command = std::get_if<Command>(&from.message)) {
            for (int i = 0; i < 3; ++i) {
                server_->send(from.client, CommandReply{command->id, CommandReply::Kind::event, std::to_string(i), {}});
            }
            server_->send(from.client, CommandReply{command->id, CommandReply::Kind::result, command->arguments, {}});
        }
    }

    SteadyClock clock_;
    zmq::context_t context_;
    std::unique_ptr<LocalServer> server_;
    std::atomic<bool> stop_ = false;
    std::atomic<std::size_t> gone_ = 0;
    std::atomic<std::uint64_t> last_client_ = 0;
    std::thread thread_;
};

CommandReply next(LocalClient& client)
{
    auto message = client.receive(20s);
    EXPECT_TRUE(message) << (message ? "" : message.error().text());
    if (!message || !*message) {
        ADD_FAILURE() << "no answer came";
        return {};
    }
    return std::get<CommandReply>(**message);
}

bool wait_for(const std::function<bool()>& done)
{
    const auto until = std::chrono::steady_clock::now() + 20s;
    while (!done()) {
        if (std::chrono::steady_clock::now() > until) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

TEST(LocalSocket, AnswersCommands)
{
    const TemporaryFolder folder;
    Node node(folder.path());
    const auto client = LocalClient::connect(folder.path(), 20s);
    ASSERT_TRUE(client) << client.error().text();
    for (const std::size_t size : {std::size_t{2}, std::size_t{900'000}}) {
        const std::string arguments(size, 'x');
        ASSERT_TRUE((*client)->send(Command{size, "ask", arguments}));
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(next(**client).body, std::to_string(i));
        }
        const CommandReply result = next(**client);
        EXPECT_EQ(result.id, size);
        EXPECT_EQ(result.kind, CommandReply::Kind::result);
        EXPECT_EQ(result.body, arguments);
    }
}

TEST(LocalSocket, TellsClientsApart)
{
    const TemporaryFolder folder;
    Node node(folder.path());
    const auto one = LocalClient::connect(folder.path(), 20s);
    const auto two = LocalClient::connect(folder.path(), 20s);
    ASSERT_TRUE(one && two);
    ASSERT_TRUE((*one)->send(Command{1, "ask", "one"}));
    ASSERT_TRUE((*two)->send(Command{2, "ask", "two"}));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(next(**one).id, 1U);
        EXPECT_EQ(next(**two).id, 2U);
    }
    EXPECT_EQ(next(**one).body, "one");
    EXPECT_EQ(next(**two).body, "two");
}

TEST(LocalSocket, WaitsNoLongerThanAsked)
{
    const TemporaryFolder folder;
    Node node(folder.path());
    const auto client = LocalClient::connect(folder.path(), 20s);
    ASSERT_TRUE(client);
    const auto nothing = (*client)->receive(1ms);
    ASSERT_TRUE(nothing);
    EXPECT_FALSE(*nothing);
}

TEST(LocalSocket, NodeNoticesThatAClientHasGone)
{
    const TemporaryFolder folder;
    Node node(folder.path());
    {
        const auto client = LocalClient::connect(folder.path(), 20s);
        ASSERT_TRUE(client);
        ASSERT_TRUE((*client)->send(Command{1, "ask", ""}));
        (void)next(**client);
    }
    EXPECT_TRUE(wait_for([&] { return node.gone() == 1; }));
}

TEST(LocalSocket, ClientNoticesThatTheNodeHasEnded)
{
    const TemporaryFolder folder;
    auto node = std::make_unique<Node>(folder.path());
    const auto client = LocalClient::connect(folder.path(), 20s);
    ASSERT_TRUE(client);
    ASSERT_TRUE((*client)->send(Command{1, "ask", "last words"}));
    EXPECT_EQ(next(**client).body, "0");
    node->stop();
    // What was said before is still heard.
    for (int i = 1; i < 3; ++i) {
        EXPECT_EQ(next(**client).body, std::to_string(i));
    }
    EXPECT_EQ(next(**client).body, "last words");
    const auto end = (*client)->receive(20s);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().text(), "The node with the state folder " + folder.path().string() + " has ended.");
    EXPECT_FALSE((*client)->send(Command{2, "ask", ""}));
}

TEST(LocalSocket, SaysThatNoNodeRuns)
{
    const TemporaryFolder folder;
    const std::string sentence = "No node runs with the state folder " + folder.path().string();
    const auto never = LocalClient::connect(folder.path(), 20s);
    ASSERT_FALSE(never);
    EXPECT_EQ(never.error().text(), sentence + ". Start one, or name another folder.");
    const auto nowhere = LocalClient::connect(folder.path() / "none", 20s);
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().text().find("there is no such folder"), std::string::npos);
    { // Of a node that crashed, the file is left.
        std::ofstream(folder.path() / "node.sock") << "";
    }
    const auto crashed = LocalClient::connect(folder.path(), 20s);
    ASSERT_FALSE(crashed);
    EXPECT_EQ(crashed.error().text(), never.error().text());
    Node node(folder.path()); // and does not keep the next one from starting
    EXPECT_TRUE(LocalClient::connect(folder.path(), 20s));
}

TEST(LocalSocket, LivesInFoldersWithLongPaths)
{
    const TemporaryFolder folder(std::string(120, 'd') + "/" + std::string(120, 'e'));
    Node node(folder.path());
    const auto client = LocalClient::connect(folder.path(), 20s);
    ASSERT_TRUE(client) << client.error().text();
    ASSERT_TRUE((*client)->send(Command{1, "ask", "far"}));
    EXPECT_EQ(next(**client).id, 1U);
}

TEST(LocalSocket, IsForTheOwnerAlone)
{
    const TemporaryFolder folder;
    Node node(folder.path());
    struct stat status {};
    ASSERT_EQ(stat((folder.path() / "node.sock").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

} // namespace
} // namespace constela::cluster
