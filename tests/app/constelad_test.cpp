// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nodes as people run them: real programs that pair, place one model over both, answer, and lose each other.
#include "tests/app/support/child.h"
#include "tests/support/golden.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>
#include <unistd.h>

namespace constela::test {
namespace {

using nlohmann::json;

/// Binds a port of the loopback address for a moment; 0 takes a free one. Gives 0 when it is taken.
std::uint16_t try_port(std::uint16_t port)
{
    const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    const bool bound = bind(probe, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                       getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    close(probe);
    return bound ? ntohs(address.sin_port) : std::uint16_t{0};
}

/// The first of five neighbouring ports that are free.
std::uint16_t free_ports()
{
    for (;;) {
        const std::uint16_t first = try_port(0);
        bool all = first != 0 && first < 65000;
        for (std::uint16_t i = 1; all && i < 5; ++i) {
            all = try_port(static_cast<std::uint16_t>(first + i)) != 0;
        }
        if (all) {
            return first;
        }
    }
}

/// A node in a state folder of its own.
class RunningNode {
public:
    RunningNode(std::string name, const std::vector<std::string>& more) : name_(std::move(name)), port_(free_ports())
    {
        std::vector<std::string> command{CONSTELAD_PROGRAM,     "--name",           name_,       "--state",
                                         state().string(),      "--address",        "127.0.0.1", "--port",
                                         std::to_string(port_), "--discovery-port", "0"};
        command.insert(command.end(), more.begin(), more.end());
        child_.emplace(command);
        ready_ = child_->wait_for_output();
    }

    [[nodiscard]] bool ready() const { return ready_ && child_->output().rfind("ready " + name_ + " tcp://", 0) == 0; }
    [[nodiscard]] std::filesystem::path state() const { return folder_.path() / "state"; }
    [[nodiscard]] std::string pairing_address() const { return "127.0.0.1:" + std::to_string(port_ + 1); }
    [[nodiscard]] Child& child() { return *child_; }
    [[nodiscard]] std::vector<std::string> words(std::vector<std::string> words) const
    {
        words.insert(words.end(), {"--state", state().string()});
        return words;
    }
    [[nodiscard]] Outcome run(std::vector<std::string> more) const { return constelactl(words(std::move(more))); }
    [[nodiscard]] json run_json(std::vector<std::string> more) const
    {
        more.emplace_back("--json");
        const Outcome outcome = run(std::move(more));
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return json::parse(outcome.out, nullptr, false);
    }

private:
    TempDir folder_;
    std::string name_;
    std::uint16_t port_;
    std::optional<Child> child_;
    bool ready_ = false;
};

void pair(RunningNode& asking, RunningNode& asked)
{
    Child waiting(constelactl_command(asked.words({"pair", "--accept", "--yes", "--timeout", "60"})));
    const Outcome outcome = asking.run({"pair", asked.pairing_address(), "--yes", "--timeout", "60"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Outcome other = waiting.finish();
    EXPECT_EQ(other.exit_code, 0) << other.err;
    ASSERT_EQ(outcome.out.rfind("digits ", 0), 0U);
    EXPECT_EQ(outcome.out.substr(0, 13), other.out.substr(0, 13)) << "the two show other digits";
}

/// Looks again and again: that two nodes have found each other shows in no other way.
bool becomes(const RunningNode& node, const std::string& peer, const std::string& state)
{
    for (int look = 0; look < 1000; ++look) {
        const json answer = node.run_json({"nodes"});
        for (const json& one : answer["nodes"]) {
            if (one["name"] == peer && one["state"] == state && (state != "paired" || !one["devices"].empty())) {
                return true;
            }
        }
    }
    return false;
}

class Constelad : public testing::Test {
protected:
    void SetUp() override
    {
        const auto golden = golden_dir();
        if (!golden) {
            GTEST_SKIP() << "the golden answers (../shared/golden) are not beside this checkout";
        }
        models_ = (*golden / "logits").string();
        model_ = models_ + "/llama-Q4_K_M.gguf";
    }

    /// Where the model is to lie, as a file.
    [[nodiscard]] std::string placement(const std::string& name,
                                        const std::vector<std::pair<std::string, std::string>>& stages) const
    {
        json list = json::array();
        for (const auto& [device, shards] : stages) {
            list.push_back({{"device", device}, {"shards", shards}});
        }
        const auto file = folder_.path() / name;
        std::ofstream(file) << json{{"stages", list}}.dump();
        return file.string();
    }
    static json ask(const RunningNode& node)
    {
        return node.run_json(
            {"ask", "-p", "Once upon a time", "--raw", "-n", "24", "--temp", "0", "--log-probabilities"});
    }

    TempDir folder_;
    std::string models_;
    std::string model_;
};

TEST_F(Constelad, TwoNodesAnswerAsOne)
{
    RunningNode one(
        "one", {"--models", models_, "--device", "cpu:memory=1G,threads=1", "--device", "cpu:memory=1G,threads=1"});
    RunningNode two("two",
                    {"--device", "cpu:memory=1G,threads=1"}); // without the file: it gets its part from the other
    ASSERT_TRUE(one.ready());
    ASSERT_TRUE(two.ready());
    pair(one, two);
    ASSERT_TRUE(becomes(one, "two", "paired"));

    EXPECT_EQ(one.run({"load", model_, "--ctx", "256"}).exit_code, 0);
    const json whole = ask(one);
    ASSERT_EQ(whole["tokens"].size(), 24U);
    ASSERT_EQ(whole["log_probabilities"].size(), 24U);
    const json shards = one.run_json({"shards"})["shards"];
    const auto last_block = std::to_string(shards.size() - 3);

    const std::vector<std::vector<std::pair<std::string, std::string>>> cuts{
        {{"one/cpu0", "embed"}, {"two/cpu0", "block.0-" + last_block + ",head"}},
        {{"two/cpu0", "embed,block.0"}, {"one/cpu0", "block.1-" + last_block + ",head"}},
        {{"one/cpu1", "embed,block.0"}, {"two/cpu0", "block.1-" + last_block}, {"one/cpu0", "head"}}};
    for (const auto& cut : cuts) {
        const json loaded = one.run_json({"load", model_, "--ctx", "256", "--placement", placement("cut.json", cut)});
        EXPECT_EQ(loaded["placement"]["stages"].size(), cut.size());
        const json split = ask(one);
        EXPECT_EQ(split["tokens"], whole["tokens"]);
        EXPECT_EQ(split["log_probabilities"], whole["log_probabilities"]); // to the bit
        EXPECT_EQ(one.run({"unload"}).exit_code, 0);
    }
    one.child().send(SIGTERM);
    EXPECT_EQ(one.child().finish().exit_code, 0);
}

TEST_F(Constelad, ALostNodeIsNamedAndTheRestGoesOn)
{
    RunningNode one("one", {"--models", models_, "--device", "cpu:memory=1G,threads=1"});
    RunningNode two("two", {"--models", models_, "--device", "cpu:memory=1G,threads=1"});
    ASSERT_TRUE(one.ready());
    ASSERT_TRUE(two.ready());
    pair(one, two);
    ASSERT_TRUE(becomes(one, "two", "paired"));
    const std::string halves = placement("halves.json", {{"one/cpu0", "embed,block.0"}, {"two/cpu0", "block.1,head"}});
    const Outcome loaded = one.run({"load", model_, "--ctx", "4096", "--placement", halves});
    ASSERT_EQ(loaded.exit_code, 0) << loaded.err;
    Child asking(
        constelactl_command(one.words({"ask", "-p", "Once", "--raw", "-n", "4000", "--temp", "0", "--stream"})));
    ASSERT_TRUE(asking.wait_for_output());
    two.child().send(SIGKILL);
    const Outcome answer = asking.finish();
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_NE(answer.err.find("two"), std::string::npos) << answer.err;
    const Outcome again = one.run({"load", model_, "--ctx", "256"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(ask(one)["tokens"].size(), 24U);
}

TEST_F(Constelad, AnUnpairedNodeIsOut)
{
    RunningNode one("one", {});
    RunningNode two("two", {});
    ASSERT_TRUE(one.ready());
    ASSERT_TRUE(two.ready());
    pair(one, two);
    ASSERT_TRUE(becomes(one, "two", "paired"));
    ASSERT_TRUE(becomes(two, "one", "paired"));
    EXPECT_EQ(one.run({"unpair", "two"}).exit_code, 0);
    EXPECT_TRUE(becomes(two, "one", "lost"));
    const json left = one.run_json({"nodes"});
    for (const json& node : left["nodes"]) {
        EXPECT_NE(node["state"], "paired");
    }
}

TEST(ConsteladWords, WrongArgumentsAndAStateInUseAreRefusedInWords)
{
    const Outcome device = Child({CONSTELAD_PROGRAM, "--device", "gpu"}).finish();
    EXPECT_EQ(device.exit_code, 2);
    EXPECT_NE(device.err.find("cpu:memory=SIZE"), std::string::npos) << device.err;
    RunningNode one("one", {});
    ASSERT_TRUE(one.ready());
    const Outcome second = Child({CONSTELAD_PROGRAM, "--state", one.state().string(), "--port", "0"}).finish();
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_NE(second.err.find(one.state().string()), std::string::npos) << second.err;
    const TempDir empty;
    const Outcome nobody = constelactl({"nodes", "--state", empty.path().string()});
    EXPECT_EQ(nobody.exit_code, 1);
    EXPECT_NE(nobody.err.find(empty.path().string()), std::string::npos) << nobody.err;
}

} // namespace
} // namespace constela::test
