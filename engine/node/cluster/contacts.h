// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whom the data plane may talk to at present. The control thread keeps it true; the devices' threads look at it.
#pragma once

#include "engine/cluster/pipeline/data_socket.h"

#include <map>
#include <mutex>
#include <set>

namespace constela::node {

/// Threads: any.
class Contacts final : public cluster::DataPeers {
public:
    using Map = std::map<cluster::NodeId, cluster::PeerContact>;

    void replace(Map reached, std::set<cluster::PublicKey> trusted)
    {
        const std::lock_guard lock(mutex_);
        reached_ = std::move(reached);
        trusted_ = std::move(trusted);
    }
    [[nodiscard]] std::optional<cluster::PeerContact> contact(const cluster::NodeId& node) const override
    {
        const std::lock_guard lock(mutex_);
        const auto found = reached_.find(node);
        return found == reached_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] bool trusts(const cluster::PublicKey& key) const override
    {
        const std::lock_guard lock(mutex_);
        return trusted_.count(key) > 0;
    }

private:
    mutable std::mutex mutex_;
    Map reached_;
    std::set<cluster::PublicKey> trusted_;
};

} // namespace constela::node
