// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/safe_file.h"
#include "engine/cluster/identity/state_folder.h"
#include "tests/support/golden.h"

#include <array>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace constela::cluster {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const fs::path& path)
{
    struct stat found = {};
    EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
    return found.st_mode & 07777U;
}

class States : public testing::Test {
protected:
    States()
    {
        options_.machine_id = [this] { return machine_; };
    }
    [[nodiscard]] Result<StateFolder> open() { return StateFolder::open(folder_, options_); }
    /// Opens, closes, and says who it was.
    [[nodiscard]] NodeId visit()
    {
        const auto state = open();
        EXPECT_TRUE(state) << state.error().text();
        return state ? state->identity().id : NodeId{};
    }
    /// The sentence of an opening that must fail.
    [[nodiscard]] std::string refusal()
    {
        const auto state = open();
        EXPECT_FALSE(state);
        return state ? std::string() : state.error().text();
    }
    void write(const char* name, const std::string& content) { std::ofstream(folder_ / name) << content; }
    [[nodiscard]] std::string content(const char* name) { return test::read_file(folder_ / name); }

    test::TempDir temp_;
    fs::path folder_ = temp_.path() / "deep" / "state";
    std::optional<std::string> machine_ = "0123456789abcdef0123456789abcdef";
    StateFolderOptions options_;
};

TEST_F(States, AreMadeOnceAndForTheirOwnerAlone)
{
    {
        const auto state = open();
        ASSERT_TRUE(state) << state.error().text();
        EXPECT_TRUE(state->made_identity());
        EXPECT_EQ(state->path(), folder_);
        EXPECT_EQ(state->identity().id, node_id(state->identity().keys.public_key));
    }
    EXPECT_EQ(mode_of(folder_), 0700U);
    for (const char* file : {"identity", "version", "machine", "lock"}) {
        EXPECT_EQ(mode_of(folder_ / file), 0600U) << file;
    }
    const std::string before = content("identity");
    const auto again = open();
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_FALSE(again->made_identity());
    EXPECT_EQ(content("identity"), before);
    EXPECT_EQ(content("machine").find(*machine_), std::string::npos) << "the machine's id is confidential";
}

TEST_F(States, MayBeNamedWithASlash)
{
    const NodeId id = visit();
    folder_ /= "";
    EXPECT_EQ(visit(), id);
}

TEST_F(States, AreUsedByOneProcess)
{
    std::array<int, 2> to_child{};
    std::array<int, 2> to_parent{};
    ASSERT_EQ(pipe(to_child.data()), 0);
    ASSERT_EQ(pipe(to_parent.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(to_child[1]); // so that the read ends should the test die
        const auto state = open();
        const char opened = state ? 'y' : 'n';
        char word = 0;
        const bool told = ::write(to_parent[1], &opened, 1) == 1;
        _exit(told && ::read(to_child[0], &word, 1) == 1 ? 0 : 1); // holds it until told
    }
    char word = 0;
    ASSERT_EQ(::read(to_parent[0], &word, 1), 1);
    ASSERT_EQ(word, 'y');
    const std::string sentence = refusal();
    EXPECT_NE(sentence.find("in use"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(folder_.string()), std::string::npos) << sentence;
    kill(child, SIGKILL); // a program that dies leaves no lock behind
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_NE(visit(), NodeId{});
    for (const int end : {to_child[0], to_child[1], to_parent[0], to_parent[1]}) {
        close(end);
    }
}

TEST_F(States, AreUsedOnceInAProcess)
{
    const auto first = open();
    ASSERT_TRUE(first);
    EXPECT_NE(refusal().find("in use"), std::string::npos);
}

TEST_F(States, CopiedToAnotherMachineAreRefused)
{
    const NodeId id = visit();
    machine_ = "ffffffffffffffffffffffffffffffff";
    const std::string sentence = refusal();
    EXPECT_NE(sentence.find("copied from another machine"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(folder_.string()), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("\"identity\""), std::string::npos) << "says how to make a fresh one: " << sentence;

    machine_ = "0123456789abcdef0123456789abcdef";
    EXPECT_EQ(visit(), id) << "at home nothing has changed";

    machine_ = "ffffffffffffffffffffffffffffffff"; // what the sentence says
    fs::remove(folder_ / "machine");
    fs::remove(folder_ / "identity");
    EXPECT_NE(visit(), id);
}

TEST_F(States, OfAMachineWithoutAnIdAreAccepted)
{
    machine_.reset();
    const NodeId id = visit();
    EXPECT_FALSE(fs::exists(folder_ / "machine"));
    EXPECT_EQ(visit(), id);
    machine_ = "0123456789abcdef0123456789abcdef"; // has got one since
    EXPECT_EQ(visit(), id);
    machine_.reset();
    EXPECT_EQ(visit(), id);
    machine_ = "ffffffffffffffffffffffffffffffff";
    EXPECT_NE(refusal().find("copied"), std::string::npos);
}

TEST_F(States, OfANewerProgramAreRefused)
{
    const NodeId id = visit();
    write("version", "2\n");
    const std::string sentence = refusal();
    EXPECT_NE(sentence.find("newer"), std::string::npos) << sentence;
    EXPECT_EQ(content("version"), "2\n");
    write("version", "1\n");
    EXPECT_EQ(visit(), id);
}

TEST_F(States, WithoutASensibleVersionAreRefused)
{
    (void)visit();
    for (const char* bad : {"", "x", "0", "-1", "1 2", "99999999999999999999999", "1.0"}) {
        write("version", bad);
        EXPECT_FALSE(refusal().empty()) << bad;
        EXPECT_EQ(content("version"), bad);
    }
    fs::remove(folder_ / "version");
    EXPECT_NE(refusal().find("version"), std::string::npos);
}

TEST_F(States, AreBroughtForwardStepByStep)
{
    (void)visit();
    std::vector<std::string> steps;
    bool broken = true;
    options_.migrations = {[&](const fs::path& folder) {
                               steps.emplace_back("1 to 2");
                               EXPECT_EQ(test::read_file(folder / "version"), "1\n");
                               return Result<>();
                           },
                           [&](const fs::path&) {
                               steps.emplace_back("2 to 3");
                               return broken ? Result<>(failure("cut off")) : Result<>();
                           }};
    EXPECT_EQ(refusal(), "cut off");
    EXPECT_EQ(content("version"), "2\n") << "what is done is done";
    broken = false;
    (void)visit();
    (void)visit();
    EXPECT_EQ(steps, (std::vector<std::string>{"1 to 2", "2 to 3", "2 to 3"}));
    EXPECT_EQ(content("version"), "3\n");
    options_.migrations.clear();
    EXPECT_NE(refusal().find("newer"), std::string::npos);
}

TEST_F(States, NewOnesNeedNoSteps)
{
    options_.migrations = {[](const fs::path&) { return Result<>(failure("nothing to bring forward")); }};
    (void)visit();
    EXPECT_EQ(content("version"), "2\n");
}

TEST_F(States, WithADamagedKeyAreRefusedAndNotRepaired)
{
    (void)visit();
    const std::string whole = content("identity");
    std::vector<std::string> damaged{whole + "x", "x" + whole.substr(1), std::string(5000, 'x')};
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        damaged.push_back(whole.substr(0, bytes));
    }
    for (const std::size_t place : {30U, 95U, 120U}) { // in the public key, before the secret one, in it
        damaged.push_back(whole);
        damaged.back()[place] = damaged.back()[place] == '1' ? '2' : '1';
    }
    for (const std::string& bad : damaged) {
        write("identity", bad);
        const std::string sentence = refusal();
        EXPECT_NE(sentence.find("identity"), std::string::npos) << sentence;
        EXPECT_EQ(content("identity"), bad);
    }
    write("identity", whole);
    EXPECT_NE(visit(), NodeId{});
}

TEST_F(States, WhoseKeyOthersMayReadAreRefused)
{
    const NodeId id = visit();
    for (const unsigned mode : {0640U, 0604U, 0644U, 0660U, 0620U}) {
        ASSERT_EQ(chmod((folder_ / "identity").c_str(), mode), 0);
        EXPECT_NE(refusal().find("chmod 600"), std::string::npos) << mode;
    }
    ASSERT_EQ(chmod((folder_ / "identity").c_str(), 0600), 0);
    EXPECT_EQ(visit(), id);
}

TEST_F(States, InWhichOthersMayWriteAreRefused)
{
    (void)visit();
    ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
    EXPECT_NE(refusal().find("chmod 700"), std::string::npos);
    ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
    EXPECT_NE(visit(), NodeId{}) << "that others may look in is no harm: the files are closed";
}

TEST_F(States, ThatAreNoFolderAreRefused)
{
    folder_ = temp_.path() / "file";
    std::ofstream(folder_) << "x";
    EXPECT_NE(refusal().find("not a folder"), std::string::npos);
    folder_ /= "below";
    EXPECT_FALSE(refusal().empty());
    folder_ = "";
    EXPECT_FALSE(refusal().empty());
}

TEST_F(States, LeftBehindByAKilledProgramGoOn)
{
    // Killed before the first key was in its place.
    (void)visit();
    fs::remove(folder_ / "identity");
    write("identity.new", "half");
    const NodeId id = visit();
    EXPECT_FALSE(fs::exists(folder_ / "identity.new"));
    // Killed while writing anew: the old one counts.
    write("identity.new", "half");
    EXPECT_EQ(visit(), id);
}

TEST_F(States, DoNotFollowALinkWhenWriting)
{
    (void)visit();
    fs::remove(folder_ / "identity");
    const fs::path victim = temp_.path() / "victim";
    std::ofstream(victim) << "precious";
    fs::create_symlink(victim, folder_ / "identity.new");
    (void)visit();
    EXPECT_EQ(test::read_file(victim), "precious");
}

TEST(DefaultStates, LieWhereTheSystemWantsThem)
{
    std::map<std::string, fs::path> variables;
    const auto found = [&] {
        return default_state_folder([&](const char* name) -> std::optional<fs::path> {
            const auto place = variables.find(name);
            return place != variables.end() ? std::optional(place->second) : std::nullopt;
        });
    };
    EXPECT_FALSE(found());
    variables["HOME"] = "/home/ana";
    EXPECT_EQ(found().value(), fs::path("/home/ana/.local/state/constela"));
    variables["XDG_STATE_HOME"] = "relative/is/invalid";
    EXPECT_EQ(found().value(), fs::path("/home/ana/.local/state/constela"));
    variables["XDG_STATE_HOME"] = "/var/ana";
    EXPECT_EQ(found().value(), fs::path("/var/ana/constela"));
}

TEST(MachineIds, AreThoseOfThisMachineOrNone)
{
    const auto id = machine_id();
    if (!id) {
        GTEST_SKIP() << "this machine has no id (/etc/machine-id)";
    }
    EXPECT_EQ(id->size(), 32U);
    EXPECT_EQ(machine_id(), id);
    EXPECT_EQ(machine_mark(*id).size(), 64U);
    EXPECT_NE(machine_mark(*id), machine_mark("f" + id->substr(1) + "0"));
}

} // namespace
} // namespace constela::cluster
