// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cluster/commands.h"

#include "engine/node/cluster/answers.h"
#include "engine/placement/placement_file.h"

#include <charconv>

namespace constela::node {

namespace discovery = cluster::discovery;
using cluster::Address;
using cluster::Command;
using cluster::CommandCancel;
using cluster::CommandReply;
using cluster::ControlView;
using cluster::Identity;
using cluster::is_numeric_address;
using cluster::NodeId;
using cluster::PairingSelf;
using cluster::Peer;
using cluster::PeerState;
using cluster::PeerView;
using cluster::StageView;
using cluster::Time;
using cluster::to_text;

namespace {

using Clock = std::chrono::steady_clock;

/// HOST[:PORT], [V6][:PORT].
Result<Address> parse_address(const std::string& text, std::uint16_t usual_port)
{
    Address address{text, usual_port};
    const bool bracketed = !text.empty() && text.front() == '[';
    const std::size_t colon = bracketed ? text.find(':', text.find(']')) : text.find(':');
    const bool bare_v6 = !bracketed && colon != std::string::npos && text.find(':', colon + 1) != std::string::npos;
    if (colon != std::string::npos && !bare_v6) {
        address.host = text.substr(0, colon);
        const char* end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data() + colon + 1, end, address.port);
        if (parsed.ec != std::errc() || parsed.ptr != end || address.port == 0) {
            return failure("{} is no address: after the colon a port from 1 to 65535 was expected.", text);
        }
    }
    if (bracketed) {
        address.host = address.host.substr(1, address.host.size() - 2);
    }
    if (!is_numeric_address(address)) {
        return failure("{} is no numeric address. Give one like 192.168.1.7, as the other machine shows it.", text);
    }
    return address;
}

const char* state_text(const PeerView& peer)
{
    switch (peer.state) {
    case PeerState::suspect: return "suspect";
    case PeerState::lost: return "lost";
    case PeerState::paired:
    case PeerState::alive:
    case PeerState::incompatible: break;
    }
    return peer.state == PeerState::alive ? "paired" : "lost";
}

std::string text_of(const Address& address)
{
    return address.host.find(':') == std::string::npos ? address.host + ":" + std::to_string(address.port)
                                                       : "[" + address.host + "]:" + std::to_string(address.port);
}

nlohmann::ordered_json texts_of(const std::vector<Address>& addresses)
{
    nlohmann::ordered_json texts = nlohmann::ordered_json::array();
    for (const Address& address : addresses) {
        texts.push_back(text_of(address));
    }
    return texts;
}

nlohmann::ordered_json devices_of(const std::vector<DeviceSnapshot>& devices)
{
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const DeviceSnapshot& device : devices) {
        all.push_back(to_json(device));
    }
    return all;
}

} // namespace

Commands::Commands(ControlThread& control, ClusterLoader& loader, Node& node, const ClusterNodeOptions& options,
                   std::string name, const Identity& identity)
    : control_(control), loader_(loader), node_(node), options_(options), name_(std::move(name)), identity_(identity)
{
    Listener listener;
    listener.on_snapshot = [this](const std::shared_ptr<const Snapshot>& snapshot) {
        control_.post([this, snapshot] { on_snapshot(*snapshot); });
    };
    listener.on_piece = [this](const AnswerPiece& piece) { control_.post([this, piece] { on_piece(piece); }); };
    listener.on_end = [this](const AnswerEnd& end) { control_.post([this, end] { on_end(end); }); };
    listener_ = node_.add_listener(std::move(listener));
}

Commands::~Commands()
{
    node_.remove_listener(listener_);
}

void Commands::event(const Asker& asker, const OrderedJson& body)
{
    control_.reply(asker,
                   {0, CommandReply::Kind::event, body.dump(-1, ' ', false, Json::error_handler_t::replace), {}});
}

void Commands::result(const Asker& asker, const OrderedJson& body)
{
    control_.reply(asker,
                   {0, CommandReply::Kind::result, body.dump(-1, ' ', false, Json::error_handler_t::replace), {}});
}

void Commands::fail(const Asker& asker, const Error& error)
{
    control_.reply(asker, {0, CommandReply::Kind::failure, {}, error});
}

void Commands::on_command(const Asker& asker, const Command& command)
{
    const Json arguments = Json::parse(command.arguments, nullptr, false);
    if (!arguments.is_object()) {
        return fail(asker, failure("The command {} is damaged.", command.name).value());
    }
    try {
        if (auto done = run(asker, command.name, arguments); !done) {
            fail(asker, done.error());
        }
    } catch (const Json::exception& problem) {
        Error error = failure("The command {} is damaged or of another version.", command.name).value();
        error.details = problem.what();
        fail(asker, error);
    }
}

Result<> Commands::run(const Asker& asker, const std::string& name, const Json& arguments)
{
    if (!asker.peer && arguments.contains("node_name")) {
        return pass_on(asker, name, arguments);
    }
    if (name == "nodes") {
        result(asker, nodes());
    } else if (name == "shards") {
        CONSTELA_ASSIGN(const OrderedJson all, shards());
        result(asker, all);
    } else if (name == "load") {
        return load(asker, arguments);
    } else if (name == "unload") {
        unloading_ = asker;
        node_.unload();
    } else if (name == "ask") {
        return ask(asker, arguments);
    } else if (asker.peer) {
        return failure("{} can only be done at the machine itself.", name); // whom it trusts is its owner's affair
    } else if (name == "pair") {
        return pair(asker, arguments);
    } else if (name == "confirm") {
        control_.pairing().confirm(arguments.at("equal").get<bool>());
        result(asker, OrderedJson::object());
    } else if (name == "unpair") {
        CONSTELA_TRY(unpair(arguments));
        result(asker, OrderedJson::object());
    } else {
        return failure("This node does not know the command {}; it may be of an older version.", name);
    }
    return {};
}

Result<> Commands::pass_on(const Asker& asker, const std::string& name, Json arguments)
{
    const auto wanted = arguments.at("node_name").get<std::string>();
    arguments.erase("node_name");
    if (wanted == name_ || wanted == to_text(identity_.id)) {
        return run(asker, name, arguments);
    }
    for (const PeerView& peer : control_.control().view().peers) {
        if (peer.name != wanted && to_text(peer.id) != wanted) {
            continue;
        }
        if (peer.state != PeerState::alive) {
            return failure("The node {} does not answer at present.", peer.name);
        }
        const std::uint64_t id = next_passed_on_++;
        passed_on_.emplace(id, PassedOn{asker, peer.id});
        control_.send(peer.id, Command{id, name, arguments.dump()});
        return {};
    }
    return failure("No node {} is paired with this one.", wanted);
}

void Commands::on_reply(const NodeId& from, const CommandReply& reply)
{
    const auto found = passed_on_.find(reply.id);
    if (found == passed_on_.end() || found->second.to != from) {
        return;
    }
    control_.reply(found->second.asker, reply);
    if (reply.kind != CommandReply::Kind::event) {
        passed_on_.erase(found);
    }
}

Commands::OrderedJson Commands::nodes() const
{
    const ControlView view = control_.control().view();
    OrderedJson all = OrderedJson::array();
    std::vector<Address> own;
    for (const auto& address : control_.own_addresses()) {
        own.push_back(address);
    }
    all.push_back({{"id", to_text(view.self)},
                   {"name", name_},
                   {"addresses", texts_of(own)},
                   {"state", "this"},
                   {"version", CONSTELA_VERSION},
                   {"devices", devices_of(control_.devices())}});
    for (const PeerView& peer : view.peers) {
        OrderedJson one{{"id", to_text(peer.id)},
                        {"name", peer.name},
                        {"addresses", texts_of(peer.addresses)},
                        {"state", state_text(peer)},
                        {"version", peer.version},
                        {"devices", devices_of(peer.status ? peer.status->devices : std::vector<DeviceSnapshot>())}};
        if (peer.reason) {
            one["reason"] = peer.reason->text();
        }
        all.push_back(std::move(one));
    }
    for (const discovery::SeenNode& seen : control_.seen()) {
        if (seen.known) {
            continue;
        }
        std::vector<Address> addresses;
        for (const discovery::Candidate& candidate : seen.candidates) {
            addresses.push_back(candidate.address);
        }
        all.push_back({{"id", to_text(seen.node)},
                       {"name", seen.name},
                       {"addresses", texts_of(addresses)},
                       {"state", "unpaired"},
                       {"version", ""},
                       {"devices", OrderedJson::array()}});
    }
    return {{"nodes", std::move(all)}};
}

Result<Commands::OrderedJson> Commands::shards() const
{
    const auto loaded = loader_.loaded();
    if (!loaded) {
        return failure("No model is loaded; load one first.");
    }
    OrderedJson all = OrderedJson::array();
    const auto& shards = loaded->model->shards();
    for (const placement::StageChoice& stage : loaded->placement.stages) {
        for (std::size_t i = stage.first_shard; i < stage.first_shard + stage.shard_count; ++i) {
            all.push_back({{"id", shards[i]->id()},
                           {"device", stage.device},
                           {"bytes", shards[i]->weight_bytes()},
                           {"kv_bytes", runtime::context_memory(*loaded->model, loaded->options, {i, 1}).kv}});
        }
    }
    return OrderedJson{{"model", loaded->name}, {"epoch", loaded->epoch}, {"shards", std::move(all)}};
}

Result<> Commands::pair(const Asker& asker, const Json& arguments)
{
    const PairingSelf self{identity_.keys, name_, control_.port()};
    const Time patience = std::chrono::seconds(arguments.value("timeout", std::int64_t{120}));
    PairingDesk::Events events;
    events.on_digits = [this, asker](const std::string& digits, const std::string& claimed) {
        event(asker, {{"digits", digits}, {"name", claimed}});
    };
    events.on_paired = [this, asker](const Peer& peer) {
        pairing_.reset();
        if (auto added = control_.add_peer(peer); !added) {
            return fail(asker, added.error());
        }
        result(asker, {{"paired", peer.name}});
    };
    events.on_failed = [this, asker](const Error& error) {
        pairing_.reset();
        fail(asker, error);
    };
    const auto pairing_port = static_cast<std::uint16_t>(options_.port == 0 ? 0 : options_.port + 1);
    if (arguments.value("accept", false)) {
        CONSTELA_TRY(control_.pairing().wait_for({options_.address, pairing_port}, self, patience, std::move(events)));
        event(asker, {{"waiting_at", control_.pairing().port()}});
    } else {
        CONSTELA_ASSIGN(const Address address,
                        parse_address(arguments.at("address").get<std::string>(), kControlPort + 1));
        CONSTELA_TRY(control_.pairing().ask(address, self, patience, std::move(events)));
    }
    pairing_ = asker;
    return {};
}

Result<> Commands::unpair(const Json& arguments)
{
    const auto wanted = arguments.at("node").get<std::string>();
    for (const PeerView& peer : control_.control().view().peers) {
        if (peer.name == wanted || to_text(peer.id) == wanted) {
            return control_.unpair(peer.id);
        }
    }
    return failure("No node {} is paired with this one.", wanted);
}

Result<> Commands::load(const Asker& asker, const Json& arguments)
{
    if (loading_) {
        return failure("Another model is being loaded on this node.");
    }
    LoadRequest request;
    request.path = arguments.at("file").get<std::string>();
    request.context_length = arguments.value("ctx", 0U);
    request.placement = arguments.value("placement", std::string());
    request.kernels = arguments.value("kernels", std::string());
    loading_ = asker;
    seen_loading_ = false;
    node_.load(std::move(request));
    return {};
}

void Commands::on_snapshot(const Snapshot& snapshot)
{
    const ModelSnapshot& model = snapshot.model;
    if (unloading_ && model.state == ModelSnapshot::State::none) {
        result(*std::exchange(unloading_, std::nullopt), OrderedJson::object());
    }
    if (!loading_) {
        return;
    }
    if (model.state == ModelSnapshot::State::loading) {
        seen_loading_ = true;
        OrderedJson devices = OrderedJson::array();
        if (const auto load = control_.control().view().load) {
            for (const StageView& stage : load->stages) {
                devices.push_back({{"node", to_text(stage.where.node)},
                                   {"device", stage.where.device},
                                   {"done", stage.progress.done},
                                   {"total", stage.progress.total},
                                   {"ready", stage.ready}});
            }
        }
        event(*loading_, {{"progress", model.progress}, {"devices", std::move(devices)}});
    } else if (seen_loading_ && model.state == ModelSnapshot::State::ready) {
        const auto loaded = loader_.loaded();
        OrderedJson body{{"model", model.name}, {"epoch", loaded ? loaded->epoch : 0}, {"seconds", model.load_seconds}};
        if (loaded) {
            body["placement"] = placement::placement_json(loaded->placement, loaded->model->shards().size());
        }
        result(*std::exchange(loading_, std::nullopt), body);
    } else if (seen_loading_) {
        const Error error = model.error ? *model.error : failure("Loading was cancelled.").value();
        fail(*std::exchange(loading_, std::nullopt), error);
    }
}

Result<> Commands::ask(const Asker& asker, const Json& arguments)
{
    CONSTELA_ASSIGN(AskRequest request, ask_request(arguments));
    answering_.emplace(node_.ask(std::move(request)), Answering{asker, {}, Clock::now()});
    return {};
}

void Commands::on_piece(const AnswerPiece& piece)
{
    const auto found = answering_.find(piece.id);
    if (found == answering_.end()) {
        return;
    }
    found->second.text += piece.text;
    const double elapsed = std::chrono::duration<double, std::milli>(Clock::now() - found->second.asked).count();
    const auto loaded = loader_.loaded();
    event(found->second.asker,
          {{"token", piece.token}, {"text", piece.text}, {"t_ms", elapsed}, {"epoch", loaded ? loaded->epoch : 0}});
}

void Commands::on_end(const AnswerEnd& end)
{
    const auto found = answering_.find(end.id);
    if (found == answering_.end()) {
        return;
    }
    const Answering answering = std::move(found->second);
    answering_.erase(found);
    if (end.error) {
        fail(answering.asker, *end.error);
    } else {
        result(answering.asker, answer_json(end, answering.text));
    }
}

void Commands::on_cancel(const Asker& asker)
{
    const auto is = [&](const Asker& other) {
        return other.peer == asker.peer && other.client == asker.client && (asker.id == 0 || other.id == asker.id);
    };
    for (const auto& [id, answering] : answering_) {
        if (is(answering.asker)) {
            node_.cancel(id);
        }
    }
    for (const auto& [id, passed] : passed_on_) {
        if (is(passed.asker)) {
            control_.send(passed.to, CommandCancel{id});
        }
    }
    if (loading_ && is(*loading_)) {
        node_.cancel_load();
    }
    if (pairing_ && is(*pairing_)) {
        control_.pairing().close();
        pairing_.reset();
    }
}

} // namespace constela::node
