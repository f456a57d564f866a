// SPDX-License-Identifier: GPL-3.0-or-later
//
// The thread on which all of a node's control plane lives: its sockets, the state machine (cluster/control), the store
// of trusted peers, discovery, pairing. Others post to it.
//
// Threads: post() and the functions marked so from any; all others on the control thread.
#pragma once

#include "engine/cluster/control/control_plane.h"
#include "engine/cluster/discovery/announcer.h"
#include "engine/cluster/discovery/directory.h"
#include "engine/cluster/identity/state_folder.h"
#include "engine/cluster/identity/trust_store.h"
#include "engine/cluster/transport/control_transport.h"
#include "engine/cluster/transport/local_server.h"
#include "engine/node/cluster/contacts.h"
#include "engine/node/cluster/options.h"
#include "engine/node/cluster/pairing_desk.h"
#include "engine/telemetry/readings.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace constela::node {

using telemetry::DeviceSnapshot;

/// Who asked for something: a terminal on this machine, a paired node, or the program itself in which the node runs.
struct Asker {
    std::optional<cluster::NodeId> peer;
    cluster::ClientId client = 0; ///< Of a terminal; 0: the program itself.
    std::uint64_t id = 0;         ///< Of the command.
    auto operator<=>(const Asker&) const = default;
};

class ControlThread {
public:
    /// Called on the control thread.
    struct Handlers {
        std::function<void(const cluster::action::StartStage&)> on_start_stage;
        std::function<void(cluster::Epoch)> on_release_stage;
        std::function<void(cluster::Epoch)> on_model_ready;
        std::function<void(const cluster::action::ModelFailed&)> on_model_failed;
        std::function<void(const Asker&, const cluster::Command&)> on_command;
        std::function<void(const Asker&)>
            on_cancel; ///< Of a terminal that has gone: with the id 0, for all of its own.
        std::function<void(const cluster::NodeId&, const cluster::CommandReply&)> on_reply;
        std::function<void(const cluster::CommandReply&)> on_own_reply; ///< To a command of the program itself.
        std::function<std::vector<DeviceSnapshot>()> read_devices;
    };

    [[nodiscard]] static Result<std::unique_ptr<ControlThread>> open(zmq::context_t& context,
                                                                     cluster::StateFolder& state,
                                                                     const ClusterNodeOptions& options,
                                                                     const std::string& name, cluster::Ports ports);
    ~ControlThread();
    ControlThread(const ControlThread&) = delete;
    ControlThread& operator=(const ControlThread&) = delete;

    void start(Handlers handlers);
    void stop(); ///< From any thread.
    /// From any thread.
    void post(std::function<void()> task);

    /// Any thread: the newest readings of this node's devices.
    [[nodiscard]] std::vector<DeviceSnapshot> devices() const;
    void set_devices(std::vector<DeviceSnapshot> devices);
    /// Before start().
    void set_bulk_port(std::uint16_t port);
    /// Any thread.
    [[nodiscard]] Contacts& contacts() { return contacts_; }
    [[nodiscard]] const cluster::Gatekeeper& gatekeeper() const { return gatekeeper_; }
    [[nodiscard]] std::uint16_t port() const { return transport_->address().port; }

    // On the control thread.
    [[nodiscard]] cluster::ControlPlane& control() { return *control_; }
    [[nodiscard]] cluster::TrustStore& trust() { return trust_; }
    [[nodiscard]] cluster::discovery::Directory& directory() { return directory_; }
    [[nodiscard]] std::vector<cluster::discovery::SeenNode> seen() const;
    [[nodiscard]] PairingDesk& pairing() { return pairing_; }
    /// Where the session with a peer leads; empty: there is none.
    [[nodiscard]] std::string host_of(const cluster::NodeId& peer) const;
    void reply(const Asker& asker, cluster::CommandReply reply);
    [[nodiscard]] const std::vector<cluster::Address>& own_addresses() const { return own_addresses_; }
    /// Whom persons have paired.
    [[nodiscard]] Result<> add_peer(const cluster::Peer& peer);
    [[nodiscard]] Result<> unpair(const cluster::NodeId& node);
    void send(const cluster::NodeId& node, const cluster::Message& message) { transport_->send(node, message); }

private:
    ControlThread(zmq::context_t& context, cluster::StateFolder& state, const ClusterNodeOptions& options,
                  std::string name, cluster::TrustStore trust);
    [[nodiscard]] Result<> open_sockets();
    void make_control();
    void run();
    void wait();
    void work();
    void see(const cluster::TransportEvent& event);
    void carry_out(cluster::Action& action);
    void add_trust(const cluster::action::AddTrust& added);
    void on_paired(const cluster::Peer& peer);
    void trust_changed();
    void refresh_contacts();

    zmq::context_t& context_;
    cluster::StateFolder& state_;
    const ClusterNodeOptions options_;
    const std::string name_;
    cluster::SteadyClock clock_;
    cluster::SodiumChance chance_;
    cluster::Gatekeeper gatekeeper_;
    Contacts contacts_;
    cluster::TrustStore trust_;
    std::unique_ptr<cluster::ControlTransport> transport_;
    std::unique_ptr<cluster::LocalServer> local_;
    std::optional<cluster::discovery::Announcer> announcer_; ///< None where there is no network.
    cluster::discovery::Directory directory_;
    PairingDesk pairing_;
    std::unique_ptr<cluster::ControlPlane> control_;
    Handlers handlers_;
    cluster::Time next_second_{0};
    cluster::Ports ports_;
    std::vector<cluster::Address> own_addresses_;

    mutable std::mutex mutex_; ///< Of the next three, and of wake_out_.
    std::vector<DeviceSnapshot> devices_;
    std::deque<std::function<void()>> tasks_;
    bool stopping_ = false;
    zmq::socket_t wake_out_;
    zmq::socket_t wake_in_;
    std::thread thread_;
};

} // namespace constela::node
