// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writing when there is no room: a child of the test may write files of a few bytes only (RLIMIT_FSIZE), which to a
// program looks as a full disk does.
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/identity/safe_file.h"
#include "engine/cluster/identity/trust_store.h"
#include "tests/support/golden.h"

#include <csignal>
#include <functional>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace constela::cluster {
namespace {

/// Whether `check` holds in a child whose files may not grow beyond `bytes`.
bool holds_without_room(rlim_t bytes, const std::function<bool()>& check)
{
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN); // then writing fails with a reason
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(check() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(FullDisk, LeavesTheOldFileWhole)
{
    const test::TempDir folder;
    const auto file = folder.path() / "note";
    ASSERT_TRUE(write_safely(file, "before"));
    EXPECT_TRUE(holds_without_room(10, [&] {
        const auto written = write_safely(file, std::string(100, 'x'));
        return !written && written.error().text().find("disk is full") != std::string::npos;
    }));
    EXPECT_EQ(test::read_file(file), "before");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "note.new"));
}

TEST(FullDisk, AChangeThatCouldNotBeWrittenHasNotHappened)
{
    const test::TempDir folder;
    const auto file = folder.path() / "peers.json";
    auto store = TrustStore::open(file, NodeId{});
    ASSERT_TRUE(store);
    const Peer peer{{}, make_key_pair().public_key, "studio", {}, {}, {}};
    ASSERT_TRUE(store->add(peer));
    const NodeId id = node_id(peer.key);
    const std::string before = test::read_file(file);
    EXPECT_TRUE(holds_without_room(10, [&] {
        const bool refused = !store->add({{}, make_key_pair().public_key, "second", {}, {}, {}}) &&
                             !store->rename(id, "other") && !store->remember_address(id, {"10.0.0.1", 1});
        return refused && store->peers().size() == 1 && store->find(id)->name == "studio" &&
               store->find(id)->addresses.empty();
    }));
    EXPECT_EQ(test::read_file(file), before);
}

TEST(FullDisk, RemovingHoldsAllTheSameAndSaysThatItIsNotWritten)
{
    const test::TempDir folder;
    auto store = TrustStore::open(folder.path() / "peers.json", NodeId{});
    ASSERT_TRUE(store);
    const Peer peer{{}, make_key_pair().public_key, "studio", {}, {}, {}};
    ASSERT_TRUE(store->add(peer));
    EXPECT_TRUE(holds_without_room(10, [&] {
        const auto removal = store->remove(node_id(peer.key));
        return !removal.written && removal.removed.size() == 1 && store->peers().empty();
    }));
}

} // namespace
} // namespace constela::cluster
