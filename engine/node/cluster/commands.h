// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a terminal or a paired node may ask of this node, in the words of constelactl.
// Threads: the control thread's.
#pragma once

#include "engine/node/cluster/cluster_loader.h"
#include "engine/node/cluster/control_thread.h"
#include "engine/node/node.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace constela::node {

class Commands {
public:
    /// What it is given must outlive it.
    Commands(ControlThread& control, ClusterLoader& loader, Node& node, const ClusterNodeOptions& options,
             std::string name, const cluster::Identity& identity);
    ~Commands();
    Commands(const Commands&) = delete;
    Commands& operator=(const Commands&) = delete;

    void on_command(const Asker& asker, const cluster::Command& command);
    void on_cancel(const Asker& asker);
    /// Of another node, to a command that was passed on to it.
    void on_reply(const cluster::NodeId& from, const cluster::CommandReply& reply);

private:
    using Json = nlohmann::json;
    using OrderedJson = nlohmann::ordered_json;
    struct Answering {
        Asker asker;
        std::string text;
        std::chrono::steady_clock::time_point asked;
    };

    [[nodiscard]] Result<> run(const Asker& asker, const std::string& name, const Json& arguments);
    [[nodiscard]] Result<> pass_on(const Asker& asker, const std::string& name, Json arguments);
    [[nodiscard]] OrderedJson nodes() const;
    [[nodiscard]] Result<OrderedJson> shards() const;
    [[nodiscard]] Result<> pair(const Asker& asker, const Json& arguments);
    [[nodiscard]] Result<> unpair(const Json& arguments);
    [[nodiscard]] Result<> load(const Asker& asker, const Json& arguments);
    [[nodiscard]] Result<> ask(const Asker& asker, const Json& arguments);
    void on_snapshot(const Snapshot& snapshot);
    void on_piece(const AnswerPiece& piece);
    void on_end(const AnswerEnd& end);

    void event(const Asker& asker, const OrderedJson& body);
    void result(const Asker& asker, const OrderedJson& body);
    void fail(const Asker& asker, const Error& error);

    ControlThread& control_;
    ClusterLoader& loader_;
    Node& node_;
    const ClusterNodeOptions options_;
    const std::string name_;
    const cluster::Identity identity_;
    ListenerId listener_ = 0;
    std::map<AnswerId, Answering> answering_;
    std::optional<Asker> loading_; ///< Who waits for a load.
    bool seen_loading_ = false;
    std::optional<Asker> unloading_;
    std::optional<Asker> pairing_;
    struct PassedOn {
        Asker asker;
        cluster::NodeId to;
    };
    std::map<std::uint64_t, PassedOn> passed_on_;
    std::uint64_t next_passed_on_ = 1;
};

} // namespace constela::node
