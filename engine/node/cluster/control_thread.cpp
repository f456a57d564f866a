// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/control_thread.h"

#include <algorithm>
#include <fmt/format.h>

namespace constela::node {

namespace action = cluster::action;
namespace discovery = cluster::discovery;
namespace event = cluster::event;
using cluster::Action;
using cluster::Command;
using cluster::CommandCancel;
using cluster::CommandReply;
using cluster::ControlConfig;
using cluster::ControlPlane;
using cluster::ControlTransport;
using cluster::Identity;
using cluster::KnownPeer;
using cluster::LocalEvent;
using cluster::LocalServer;
using cluster::NodeId;
using cluster::Peer;
using cluster::PeerView;
using cluster::Ports;
using cluster::PublicKey;
using cluster::StateFolder;
using cluster::Status;
using cluster::Time;
using cluster::TransportEvent;
using cluster::TrustStore;

namespace {

constexpr const char* kWake = "inproc://control/wake";
constexpr Time kSecond = std::chrono::seconds(1);

KnownPeer known(const Peer& peer)
{
    return {peer.id, peer.key, peer.name, peer.addresses, peer.pinned, peer.vouched_by};
}

} // namespace

Result<std::unique_ptr<ControlThread>> ControlThread::open(zmq::context_t& context, StateFolder& state,
                                                           const ClusterNodeOptions& options, const std::string& name,
                                                           Ports ports)
{
    CONSTELA_ASSIGN(TrustStore trust, TrustStore::open(state.peers_file(), state.identity().id));
    std::unique_ptr<ControlThread> thread(new ControlThread(context, state, options, name, std::move(trust)));
    thread->ports_ = ports;
    CONSTELA_TRY(thread->open_sockets());
    return thread;
}

ControlThread::ControlThread(zmq::context_t& context, StateFolder& state, const ClusterNodeOptions& options,
                             std::string name, TrustStore trust)
    : context_(context), state_(state), options_(options), name_(std::move(name)), gatekeeper_(context),
      trust_(std::move(trust)), pairing_(context, clock_, chance_), wake_out_(context, zmq::socket_type::push),
      wake_in_(context, zmq::socket_type::pull)
{
    wake_in_.bind(kWake);
    wake_out_.set(zmq::sockopt::linger, 0);
    wake_out_.connect(kWake);
}

Result<> ControlThread::open_sockets()
{
    const Identity& own = state_.identity();
    CONSTELA_ASSIGN(transport_, ControlTransport::listen(context_, gatekeeper_, own.keys,
                                                         {options_.address, options_.port}, clock_));
    CONSTELA_ASSIGN(local_, LocalServer::listen(context_, state_.path(), clock_));
    ports_.control = transport_->address().port;
    discovery::Beacon beacon;
    beacon.node = own.id;
    beacon.control_port = ports_.control;
    beacon.name = name_;
    discovery::AnnouncerOptions announcing;
    announcing.port = options_.discovery_port;
    // Without a network a node still serves its own machine.
    if (auto announcer = discovery::Announcer::open(beacon, chance_.number(), std::move(announcing))) {
        announcer_.emplace(*std::move(announcer));
    }
    return {};
}

void ControlThread::make_control()
{
    const Identity& own = state_.identity();
    ControlConfig config;
    config.self = own.id;
    config.key = own.keys.public_key;
    config.name = name_;
    config.version = CONSTELA_VERSION;
    config.ports = ports_;
    control_ = std::make_unique<ControlPlane>(std::move(config), clock_, chance_);
    for (const Peer& peer : trust_.peers()) {
        control_->trust(known(peer));
        directory_.set_known(peer.id, true);
    }
    trust_changed();
    if (announcer_) {
        discovery::Beacon beacon = announcer_->self();
        beacon.incarnation = control_->view().incarnation;
        announcer_->set_self(beacon);
    }
}

ControlThread::~ControlThread()
{
    stop();
}

void ControlThread::start(Handlers handlers)
{
    handlers_ = std::move(handlers);
    make_control();
    thread_ = std::thread([this] { run(); });
}

void ControlThread::stop()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        wake_out_.send(zmq::message_t(), zmq::send_flags::dontwait);
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

void ControlThread::post(std::function<void()> task)
{
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    wake_out_.send(zmq::message_t(), zmq::send_flags::dontwait);
}

void ControlThread::run()
{
    for (;;) {
        std::deque<std::function<void()>> tasks;
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) {
                break;
            }
            tasks.swap(tasks_);
        }
        for (const auto& task : tasks) {
            task();
        }
        work();
        wait();
    }
    control_->say_goodbye();
    pairing_.close();
    for (Action& action : control_->take_actions()) {
        if (std::holds_alternative<action::Send>(action) || std::holds_alternative<action::Disconnect>(action)) {
            carry_out(action);
        }
    }
}

void ControlThread::wait()
{
    std::vector<zmq::pollitem_t> items{{wake_in_.handle(), 0, ZMQ_POLLIN, 0}};
    transport_->add_poll_items(items);
    local_->add_poll_items(items);
    pairing_.add_poll_items(items);
    Time until = std::min(next_second_, control_->next_tick());
    if (announcer_) {
        for (const auto handle : announcer_->handles()) {
            items.push_back({nullptr, handle, ZMQ_POLLIN, 0});
        }
        until = std::min(until, announcer_->next_time());
    }
    if (pairing_.open()) {
        until = std::min(until, clock_.now() + std::chrono::milliseconds(100));
    }
    {
        const std::lock_guard lock(mutex_);
        if (!tasks_.empty()) {
            return;
        }
    }
    const Time left = std::max(until - clock_.now(), Time::zero());
    zmq::poll(items.data(), items.size(), std::chrono::ceil<std::chrono::milliseconds>(std::min(left, kSecond)));
    zmq::message_t nothing;
    while (wake_in_.recv(nothing, zmq::recv_flags::dontwait)) {
    }
}

void ControlThread::work()
{
    const Time now = clock_.now();
    for (const TransportEvent& event : transport_->process()) {
        see(event);
    }
    for (const LocalEvent& event : local_->process()) {
        if (const auto* gone = std::get_if<event::ClientGone>(&event)) {
            handlers_.on_cancel({std::nullopt, gone->client, 0});
            continue;
        }
        const auto& from = std::get<event::FromClient>(event);
        if (const auto* command = std::get_if<Command>(&from.message)) {
            handlers_.on_command({std::nullopt, from.client, command->id}, *command);
        } else if (const auto* cancel = std::get_if<CommandCancel>(&from.message)) {
            handlers_.on_cancel({std::nullopt, from.client, cancel->id});
        }
    }
    pairing_.process();
    if (announcer_) {
        discovery::Beacon beacon = announcer_->self();
        if (beacon.pairing_port != pairing_.port()) {
            beacon.pairing_port = pairing_.port();
            announcer_->set_self(beacon);
        }
        for (const discovery::Sighting& sighting : announcer_->process(now)) {
            directory_.saw(sighting, now);
            control_->on_hint(sighting.beacon.node, sighting.from);
        }
    }
    if (now >= next_second_) {
        next_second_ = now + kSecond;
        directory_.expire(now);
        Status status;
        status.devices = handlers_.read_devices();
        set_devices(status.devices);
        control_->set_status(std::move(status));
        own_addresses_.clear();
        for (const auto& interface : announcer_ ? announcer_->interfaces() : std::span<const discovery::Interface>()) {
            for (const auto& address : interface.addresses) {
                own_addresses_.push_back({discovery::to_text(address.address), transport_->address().port});
            }
        }
        control_->set_addresses(own_addresses_);
    }
    if (now >= control_->next_tick()) {
        control_->on_tick();
    }
    for (Action& action : control_->take_actions()) {
        carry_out(action);
    }
    refresh_contacts();
}

void ControlThread::see(const TransportEvent& event)
{
    if (const auto* up = std::get_if<event::Up>(&event)) {
        control_->on_up(up->peer, up->over);
    } else if (const auto* down = std::get_if<event::Down>(&event)) {
        control_->on_down(down->peer);
    } else if (const auto* received = std::get_if<event::Received>(&event)) {
        control_->on_message(received->from, received->message);
    }
}

std::string ControlThread::host_of(const NodeId& peer) const
{
    const auto address = transport_->address_of(peer);
    return address ? address->host : std::string();
}

void ControlThread::carry_out(Action& action)
{
    if (auto* send = std::get_if<action::Send>(&action)) {
        transport_->send(send->to, send->message);
    } else if (auto* connect = std::get_if<action::Connect>(&action)) {
        transport_->connect(connect->peer, connect->key, connect->address);
    } else if (auto* disconnect = std::get_if<action::Disconnect>(&action)) {
        transport_->disconnect(disconnect->peer);
    } else if (auto* start = std::get_if<action::StartStage>(&action)) {
        handlers_.on_start_stage(*start);
    } else if (auto* release = std::get_if<action::ReleaseStage>(&action)) {
        handlers_.on_release_stage(release->epoch);
    } else if (auto* added = std::get_if<action::AddTrust>(&action)) {
        add_trust(*added);
    } else if (auto* dropped = std::get_if<action::DropTrust>(&action)) {
        static_cast<void>(trust_.remove(dropped->peer));
        trust_changed();
    } else if (auto* remember = std::get_if<action::RememberAddress>(&action)) {
        static_cast<void>(trust_.remember_address(remember->peer, remember->address));
    } else if (auto* ready = std::get_if<action::ModelReady>(&action)) {
        refresh_contacts();
        handlers_.on_model_ready(ready->epoch);
    } else if (auto* failed = std::get_if<action::ModelFailed>(&action)) {
        handlers_.on_model_failed(*failed);
    } else if (auto* deliver = std::get_if<action::Deliver>(&action)) {
        if (const auto* command = std::get_if<Command>(&deliver->message)) {
            handlers_.on_command({deliver->from, {}, command->id}, *command);
        } else if (const auto* cancel = std::get_if<CommandCancel>(&deliver->message)) {
            handlers_.on_cancel({deliver->from, {}, cancel->id});
        } else if (const auto* reply = std::get_if<CommandReply>(&deliver->message)) {
            handlers_.on_reply(deliver->from, *reply);
        }
    }
}

void ControlThread::add_trust(const action::AddTrust& added)
{
    Peer peer;
    peer.key = added.introduction.key;
    peer.name = added.introduction.name;
    peer.addresses = added.introduction.addresses;
    peer.vouched_by = added.by;
    if (trust_.add(peer)) {
        on_paired(peer);
    }
}

void ControlThread::on_paired(const Peer& peer)
{
    const Peer* found = trust_.find(peer.key);
    if (found != nullptr) {
        directory_.set_known(found->id, true);
        trust_changed();
        control_->trust(known(*found));
    }
}

Result<> ControlThread::add_peer(const Peer& peer)
{
    CONSTELA_TRY(trust_.add(peer));
    on_paired(peer);
    return {};
}

std::vector<DeviceSnapshot> ControlThread::devices() const
{
    const std::lock_guard lock(mutex_);
    return devices_;
}

void ControlThread::set_devices(std::vector<DeviceSnapshot> devices)
{
    const std::lock_guard lock(mutex_);
    devices_ = std::move(devices);
}

void ControlThread::set_bulk_port(std::uint16_t port)
{
    ports_.bulk = port;
}

Result<> ControlThread::unpair(const NodeId& node)
{
    TrustStore::Removal removal = trust_.remove(node);
    for (const NodeId& removed : removal.removed) {
        directory_.set_known(removed, false);
        control_->revoke(removed);
    }
    trust_changed();
    return std::move(removal.written);
}

void ControlThread::trust_changed()
{
    std::set<PublicKey> keys;
    for (const Peer& peer : trust_.peers()) {
        keys.insert(peer.key);
    }
    transport_->set_allowed(std::move(keys));
    refresh_contacts();
}

void ControlThread::refresh_contacts()
{
    Contacts::Map reached;
    std::set<PublicKey> trusted;
    for (const PeerView& peer : control_ == nullptr ? std::vector<PeerView>() : control_->view().peers) {
        trusted.insert(peer.key);
        if (const std::string host = host_of(peer.id); !host.empty()) {
            reached[peer.id] = {peer.key, host};
        }
    }
    contacts_.replace(std::move(reached), std::move(trusted));
}

std::vector<discovery::SeenNode> ControlThread::seen() const
{
    return directory_.all(announcer_ ? announcer_->interfaces() : std::span<const discovery::Interface>());
}

void ControlThread::reply(const Asker& asker, CommandReply reply)
{
    reply.id = asker.id;
    if (asker.peer) {
        transport_->send(*asker.peer, reply);
    } else if (asker.client == 0) {
        handlers_.on_own_reply(reply);
    } else if (!local_->send(asker.client, reply) && reply.kind == CommandReply::Kind::event) {
        post([this, asker] { handlers_.on_cancel(asker); }); // it has gone, or its answer has a hole
    }
}

} // namespace constela::node
