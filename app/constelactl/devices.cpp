// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/node_session.h"
#include "app/constelactl/output.h"
#include "app/constelactl/terminal.h"
#include "engine/runtime/memory_plan.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

namespace constela::ctl {

namespace {

std::string_view state_name(node::Reading::State state)
{
    switch (state) {
    case node::Reading::State::ok: return "ok";
    case node::Reading::State::unsupported: return "unsupported";
    case node::Reading::State::denied: return "denied";
    case node::Reading::State::failed: return "failed";
    }
    return "";
}

nlohmann::ordered_json as_json(const node::Reading& reading, bool whole = false)
{
    nlohmann::ordered_json json{{"value", nullptr}, {"state", state_name(reading.state)}, {"reason", reading.reason}};
    if (reading.state == node::Reading::State::ok) {
        json["value"] = whole ? nlohmann::ordered_json(static_cast<std::uint64_t>(reading.value))
                              : nlohmann::ordered_json(reading.value);
    }
    return json;
}

nlohmann::ordered_json as_json(const node::DeviceSnapshot& device)
{
    return {{"id", device.id},
            {"name", device.name},
            {"kind", device.kind},
            {"backend", device.backend},
            {"threads", device.threads},
            {"memory_total", device.memory_total},
            {"memory_free", as_json(device.memory_free, true)},
            {"load", as_json(device.load)},
            {"temperature", as_json(device.temperature)}};
}

template <class Show>
std::string shown(const node::Reading& reading, const Show& show)
{
    if (reading.state == node::Reading::State::ok) {
        return show(reading.value);
    }
    return reading.reason.empty() ? std::string(state_name(reading.state))
                                  : fmt::format("{} ({})", state_name(reading.state), reading.reason);
}

std::string sheet(const node::DeviceSnapshot& device)
{
    std::string text = device.id + "\n";
    const auto row = [&](std::string_view name, const std::string& value) {
        text += fmt::format("  {:<14}{}\n", name, value);
    };
    row("Name", device.name);
    row("Kind", device.kind);
    row("Backend", device.backend);
    row("Threads", fmt::format("{}", device.threads));
    row("Memory", runtime::bytes_text(device.memory_total));
    row("Free memory",
        shown(device.memory_free, [](double v) { return runtime::bytes_text(static_cast<std::uint64_t>(v)); }));
    row("Load", shown(device.load, [](double v) { return fmt::format("{:.0f} %", v * 100); }));
    row("Temperature", shown(device.temperature, [](double v) { return fmt::format("{:.0f} °C", v); }));
    return text;
}

/// How busy a processor is shows only between two readings, so the second ones are waited for.
std::shared_ptr<const node::Snapshot> second_readings(const NodeSession& session)
{
    constexpr auto kStep = std::chrono::milliseconds(20);
    constexpr int kMostSteps = 100;
    auto snapshot = session.snapshot();
    for (int step = 0; step < kMostSteps && snapshot->devices.front().load.state == node::Reading::State::failed;
         ++step) {
        std::this_thread::sleep_for(kStep);
        snapshot = session.snapshot();
    }
    return snapshot;
}

Result<> devices(bool json)
{
    const NodeSession session;
    const auto snapshot = second_readings(session);
    if (json) {
        auto list = nlohmann::ordered_json::array();
        for (const node::DeviceSnapshot& device : snapshot->devices) {
            list.push_back(as_json(device));
        }
        return print_json({{"devices", list}});
    }
    std::string text;
    for (const node::DeviceSnapshot& device : snapshot->devices) {
        text += (text.empty() ? "" : "\n") + sheet(device);
    }
    return write_stdout(text);
}

} // namespace

void add_devices(CLI::App& app, Action& action)
{
    auto json = std::make_shared<bool>(false);
    CLI::App& command = *app.add_subcommand("devices", "What this machine can compute on");
    add_json(command, *json);
    command.footer("A reading is a value, or null with the reason why there is none.\n"
                   "Example:\n"
                   "  constelactl devices --json");
    command.callback([json, &action] { action = [json] { return devices(*json); }; });
}

} // namespace constela::ctl
