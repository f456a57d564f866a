// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sources: the kernel's documents hwmon/sysfs-interface, hwmon/k10temp, hwmon/coretemp and thermal/sysfs-api.
#include "engine/device/cpu/cpu_info.h"
#include "engine/device/cpu/system_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <vector>

namespace constela::device {

namespace {

namespace fs = std::filesystem;
using State = Measured::State;

constexpr auto kUnsupported = "this machine has no temperature sensor of its processor that can be read";

/// A line of text from a file of one line.
std::string line_of(const fs::path& path)
{
    const SystemFile file(path);
    return file.text ? std::string(first_line(*file.text)) : std::string();
}

bool begins_with(const std::string& text, std::string_view with)
{
    return text.compare(0, with.size(), with) == 0;
}

/// The drivers of hwmon whose chip is a processor.
bool is_processor(const std::string& driver)
{
    constexpr std::array<std::string_view, 7> kDrivers{"k10temp",     "k8temp",      "zenpower",   "coretemp",
                                                       "cpu_thermal", "via_cputemp", "soc_thermal"};
    return std::find(kDrivers.begin(), kDrivers.end(), driver) != kDrivers.end();
}

/// Lower is better. Tctl may be raised by some degrees to make fans turn faster; Tdie is the true one.
int rank(const std::string& label)
{
    return label == "Tdie" ? 0 : begins_with(label, "Package id ") ? 1 : label == "Tctl" ? 2 : 3;
}

/// The sensor of the whole processor; without labels the first one, as the drivers number them.
fs::path best_sensor(const fs::path& chip)
{
    fs::path best = chip / "temp1_input";
    int best_rank = rank(line_of(chip / "temp1_label"));
    for (const fs::path& file : children(chip)) {
        const std::string name = file.filename().string();
        constexpr std::string_view kEnd = "_label";
        if (begins_with(name, "temp") && name.size() > kEnd.size() &&
            name.compare(name.size() - kEnd.size(), kEnd.size(), kEnd) == 0) {
            if (const int its_rank = rank(line_of(file)); its_rank < best_rank) {
                best_rank = its_rank;
                best = chip / (name.substr(0, name.size() - kEnd.size()) + "_input");
            }
        }
    }
    return best;
}

/// Thousandths of a degree.
Measured read_sensor(const fs::path& path)
{
    const SystemFile file(path);
    if (!file.text) {
        return Measured::none(file.state(),
                              file.denied ? fmt::format("the temperature sensor {} may not be read", path.string())
                                          : fmt::format("the temperature sensor {} cannot be read", path.string()));
    }
    const auto thousandths = leading_number<double>(*file.text);
    constexpr double kColdest = -100'000;
    constexpr double kHottest = 200'000;
    if (!thousandths || *thousandths < kColdest || *thousandths > kHottest) {
        return Measured::none(State::failed,
                              fmt::format("the temperature sensor {} gives no temperature", path.string()));
    }
    return Measured::of(*thousandths / 1000);
}

/// The hottest of all that can be read; else the first one's reason.
Measured hottest(const std::vector<fs::path>& sensors)
{
    Measured result = Measured::none(State::unsupported, kUnsupported);
    for (const fs::path& sensor : sensors) {
        Measured one = read_sensor(sensor);
        const bool better = one.state == State::ok && (result.state != State::ok || one.value > result.value);
        if (better || result.state == State::unsupported) {
            result = std::move(one);
        }
    }
    return result;
}

} // namespace

Measured cpu_temperature(const fs::path& root)
{
    std::vector<fs::path> sensors;
    for (const fs::path& chip : children(root / "sys/class/hwmon")) {
        if (is_processor(line_of(chip / "name"))) {
            sensors.push_back(best_sensor(chip));
        }
    }
    Measured chips = hottest(sensors);
    if (chips.state == State::ok) {
        return chips;
    }
    sensors.clear();
    for (const fs::path& zone : children(root / "sys/class/thermal")) {
        const std::string type = line_of(zone / "type");
        if (type == "x86_pkg_temp" || begins_with(type, "cpu-thermal") || begins_with(type, "cpu_thermal")) {
            sensors.push_back(zone / "temp");
        }
    }
    Measured zones = hottest(sensors);
    return zones.state == State::ok || chips.state == State::unsupported ? zones : chips;
}

} // namespace constela::device
