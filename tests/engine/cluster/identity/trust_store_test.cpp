// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/identity/keys.h"
#include "engine/cluster/identity/node_name.h"
#include "engine/cluster/identity/trust_store.h"
#include "tests/support/golden.h"

#include <fstream>
#include <gtest/gtest.h>

namespace constela::cluster {
namespace {

PublicKey key_of(unsigned number)
{
    PublicKey key;
    key.bytes[0] = static_cast<std::byte>(number & 0xFFU);
    key.bytes[1] = static_cast<std::byte>(number >> 8U);
    return key;
}

NodeId id_of(unsigned number)
{
    return node_id(key_of(number));
}

Peer peer(unsigned number, const std::string& name = "studio")
{
    return {{}, key_of(number), name, {{"192.168.1.7", 7210}}, {}, {}};
}

class Trust : public testing::Test {
protected:
    [[nodiscard]] TrustStore open()
    {
        auto store = TrustStore::open(file_, id_of(0));
        EXPECT_TRUE(store) << store.error().text();
        return *std::move(store);
    }
    void write(const std::string& content) { std::ofstream(file_) << content; }
    [[nodiscard]] std::string content() { return test::read_file(file_); }

    test::TempDir folder_;
    std::filesystem::path file_ = folder_.path() / "peers.json";
};

TEST_F(Trust, BeginsWithNobody)
{
    EXPECT_TRUE(open().peers().empty());
    EXPECT_FALSE(std::filesystem::exists(file_)) << "nothing was decided yet";
}

TEST_F(Trust, OutlivesTheProgram)
{
    TrustStore store = open();
    ASSERT_TRUE(store.add(peer(1)));
    Peer vouched = peer(2, "Estúdio \"2\"");
    vouched.vouched_by = id_of(1);
    vouched.addresses = {{"fe80::1%eth0", 1}, {"10.0.0.1", 65535}};
    ASSERT_TRUE(store.add(vouched));
    ASSERT_TRUE(store.pin(id_of(2), Address{"10.0.0.1", 65535}));

    const TrustStore again = open();
    ASSERT_EQ(again.peers().size(), 2U);
    const Peer* found = again.find(id_of(2));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->key, key_of(2));
    EXPECT_EQ(found->name, "Estúdio \"2\"");
    EXPECT_EQ(found->addresses, vouched.addresses);
    EXPECT_EQ(found->vouched_by, id_of(1));
    EXPECT_EQ(found->pinned, (Address{"10.0.0.1", 65535}));
    EXPECT_EQ(again.find(key_of(1))->vouched_by, std::nullopt);
    EXPECT_EQ(again.find(id_of(3)), nullptr);
}

TEST_F(Trust, NeverTrustsItself)
{
    TrustStore store = open();
    EXPECT_FALSE(store.add(peer(0)));
    EXPECT_TRUE(store.peers().empty());
}

TEST_F(Trust, PutsTheLastGoodAddressFirst)
{
    TrustStore store = open();
    ASSERT_TRUE(store.add(peer(1)));
    ASSERT_TRUE(store.remember_address(id_of(1), {"10.0.0.2", 2}));
    ASSERT_TRUE(store.remember_address(id_of(1), {"192.168.1.7", 7210}));
    ASSERT_TRUE(store.remember_address(id_of(1), {"10.0.0.2", 2}));
    const std::vector<Address> wanted{{"10.0.0.2", 2}, {"192.168.1.7", 7210}};
    EXPECT_EQ(store.find(id_of(1))->addresses, wanted);
    EXPECT_EQ(open().find(id_of(1))->addresses, wanted);
    for (std::uint16_t port = 1; port <= 40; ++port) {
        ASSERT_TRUE(store.remember_address(id_of(1), {"10.0.0.3", port}));
    }
    EXPECT_EQ(open().find(id_of(1))->addresses.size(), kMaxPeerAddresses);
    EXPECT_EQ(open().find(id_of(1))->addresses.front(), (Address{"10.0.0.3", 40}));
}

TEST_F(Trust, DoesNotWriteWhatItHasAlready)
{
    TrustStore store = open();
    ASSERT_TRUE(store.add(peer(1)));
    std::filesystem::remove(file_);
    ASSERT_TRUE(store.remember_address(id_of(1), {"192.168.1.7", 7210}));
    EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(Trust, RefusesWhatIsNoAddress)
{
    TrustStore store = open();
    ASSERT_TRUE(store.add(peer(1)));
    for (const Address& bad :
         {Address{"", 1}, Address{"10.0.0.1", 0}, Address{"studio", 1}, Address{"a.example", 1},
          Address{"10.0.0.1/24", 1}, Address{"[::1]", 1}, Address{"10.0.0.1%eth0", 1}, Address{"fe80::1%", 1},
          Address{"fe80::1%a b", 1}, Address{"1", 1}, Address{std::string(65, ':'), 1}, Address{"10.0.0.1\n", 1}}) {
        EXPECT_FALSE(store.remember_address(id_of(1), bad)) << bad.host;
        EXPECT_FALSE(store.pin(id_of(1), bad)) << bad.host;
        Peer added = peer(2);
        added.addresses = {bad};
        EXPECT_TRUE(store.add(added)) << "a bad address of a peer is left out";
        EXPECT_TRUE(store.find(id_of(2))->addresses.empty());
    }
}

TEST_F(Trust, NamesThatDeceiveAreRefused)
{
    TrustStore store = open();
    EXPECT_FALSE(store.add(peer(1, "a/b")));
    EXPECT_FALSE(store.add(peer(1, std::string(kMaxNameBytes + 1, 'x'))));
    ASSERT_TRUE(store.add(peer(1, std::string(kMaxNameBytes, 'x'))));
    EXPECT_FALSE(store.rename(id_of(1), ""));
    EXPECT_FALSE(store.rename(id_of(9), "big"));
    ASSERT_TRUE(store.rename(id_of(1), "big"));
    EXPECT_EQ(open().find(id_of(1))->name, "big");
}

TEST_F(Trust, HasRoomForSoMany)
{
    TrustStore store = open();
    for (unsigned i = 1; i <= kMaxPeers; ++i) {
        Peer added = peer(i, std::string(kMaxNameBytes, 'x'));
        added.addresses.clear();
        for (std::uint16_t port = 60000; port < 60000 + kMaxPeerAddresses; ++port) {
            added.addresses.push_back({"fe80:1111:2222:3333:4444:5555:6666:7777%abcdefghijklmnopqrstuvw", port});
        }
        ASSERT_TRUE(store.add(added)) << i;
    }
    const auto refused = store.add(peer(kMaxPeers + 1));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text().find("256"), std::string::npos);
    EXPECT_TRUE(store.add(peer(1))) << "one that is known needs no room";
    EXPECT_EQ(open().peers().size(), kMaxPeers) << "what was written is read again";
}

TEST_F(Trust, WhoWasRemovedStaysOut)
{
    TrustStore store = open();
    ASSERT_TRUE(store.add(peer(1)));
    ASSERT_TRUE(store.add(peer(2)));
    const auto removal = store.remove(id_of(2));
    ASSERT_TRUE(removal.written);
    EXPECT_EQ(removal.removed, std::vector{id_of(2)});

    TrustStore again = open();
    EXPECT_EQ(again.find(id_of(2)), nullptr);
    EXPECT_TRUE(again.was_removed(id_of(2)));
    Peer vouched = peer(2);
    vouched.vouched_by = id_of(1);
    EXPECT_FALSE(again.add(vouched)) << "another peer cannot bring it back";
    ASSERT_TRUE(again.add(peer(2))) << "persons can";
    EXPECT_FALSE(again.was_removed(id_of(2)));
    EXPECT_FALSE(open().was_removed(id_of(2)));
    EXPECT_FALSE(again.remove(id_of(7)).written);
}

TEST_F(Trust, TakesThoseAlongWhomTheRemovedVouchedFor)
{
    TrustStore store = open();
    ASSERT_TRUE(store.add(peer(1)));
    for (unsigned i = 2; i <= 4; ++i) { // 4 by 3, 3 by 2, 2 by 1
        Peer vouched = peer(i);
        vouched.vouched_by = id_of(i - 1);
        ASSERT_TRUE(store.add(vouched));
    }
    ASSERT_TRUE(store.add(peer(5)));
    ASSERT_TRUE(store.add(peer(3))) << "persons have paired with it too";
    EXPECT_EQ(store.remove(id_of(1)).removed, (std::vector{id_of(1), id_of(2)}));
    EXPECT_NE(store.find(id_of(3)), nullptr);
    EXPECT_NE(store.find(id_of(4)), nullptr);
    EXPECT_NE(store.find(id_of(5)), nullptr);
    EXPECT_FALSE(store.was_removed(id_of(2))) << "somebody else may still vouch for it";
}

TEST_F(Trust, OnlyWhoVouchedCanWithdraw)
{
    TrustStore store = open();
    Peer vouched = peer(2);
    vouched.vouched_by = id_of(1);
    ASSERT_TRUE(store.add(peer(1)));
    ASSERT_TRUE(store.add(vouched));
    EXPECT_TRUE(store.withdraw(id_of(2), id_of(3)).removed.empty());
    EXPECT_TRUE(store.withdraw(id_of(1), id_of(2)).removed.empty()) << "paired by persons";
    EXPECT_EQ(store.withdraw(id_of(2), id_of(1)).removed, std::vector{id_of(2)});
    EXPECT_TRUE(store.add(vouched)) << "and may vouch again";
}

TEST_F(Trust, VouchingDoesNotChangeWhoWasPaired)
{
    TrustStore store = open();
    ASSERT_TRUE(store.add(peer(1, "mine")));
    Peer vouched = peer(1, "theirs");
    vouched.vouched_by = id_of(2);
    vouched.addresses = {{"10.9.9.9", 1}};
    ASSERT_TRUE(store.add(vouched));
    EXPECT_EQ(store.find(id_of(1))->name, "mine");
    EXPECT_FALSE(store.find(id_of(1))->vouched_by);
    EXPECT_EQ(store.find(id_of(1))->addresses.front(), (Address{"192.168.1.7", 7210}));
    EXPECT_EQ(store.find(id_of(1))->addresses.size(), 2U);
}

TEST_F(Trust, DamageIsSaidAndKept)
{
    const std::string key = to_text(key_of(1));
    const auto with_peer = [&](const std::string& members) {
        return R"({"version": 1, "removed": [], "peers": [{)" + members + "}]}";
    };
    const std::string whole = R"("key": ")" + key + R"(", "name": "a", "addresses": [])";
    write(with_peer(whole));
    ASSERT_EQ(open().peers().size(), 1U) << "the rest of this test is about damage to this";
    for (const std::string& bad :
         {std::string(),
          std::string("{"),
          std::string("[]"),
          std::string("null"),
          std::string("{}"),
          std::string(R"({"version": 1})"),
          std::string(R"({"version": "1", "peers": [], "removed": []})"),
          std::string(R"({"peers": [], "removed": []})"),
          std::string(R"({"version": 0, "peers": [], "removed": []})"),
          std::string(R"({"version": 1, "peers": {}, "removed": []})"),
          std::string(R"({"version": 1, "peers": [1], "removed": []})"),
          std::string(R"({"version": 1, "peers": [], "removed": ["12"]})"),
          std::string(R"({"version": 1, "peers": [], "removed": [7]})"),
          with_peer(R"("key": "12", "name": "a", "addresses": [])"),
          with_peer(R"("key": ")" + key + R"(", "addresses": [])"),
          with_peer(R"("key": ")" + key + R"(", "name": "a/b", "addresses": [])"),
          with_peer(R"("key": ")" + key + R"(", "name": "a", "addresses": [{"host": "x.example", "port": 1}])"),
          with_peer(R"("key": ")" + key + R"(", "name": "a", "addresses": [{"host": "10.0.0.1", "port": 65536}])"),
          with_peer(R"("key": ")" + key + R"(", "name": "a", "addresses": [{"host": "10.0.0.1", "port": -1}])"),
          with_peer(whole + R"(, "vouched_by": null)"),
          with_peer(whole + R"(, "pinned": 3)"),
          with_peer(whole + "}, {" + whole),
          R"({"version": 1, "removed": [")" + to_text(id_of(1)) + R"("], "peers": [{)" + whole + "}]}",
          std::string(2U << 20U, '[')}) {
        write(bad);
        const auto store = TrustStore::open(file_, id_of(0));
        ASSERT_FALSE(store) << bad.substr(0, 200);
        EXPECT_NE(store.error().text().find("peers.json"), std::string::npos) << store.error().text();
        EXPECT_EQ(content(), bad) << "a damaged file is never replaced";
    }
}

TEST_F(Trust, ANewerListIsSaidToBeNewer)
{
    write(R"({"version": 2, "members": []})");
    const auto store = TrustStore::open(file_, id_of(0));
    ASSERT_FALSE(store);
    EXPECT_NE(store.error().text().find("newer"), std::string::npos);
}

} // namespace
} // namespace constela::cluster
