// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/cpu_device.h"

#include <array>
#include <chrono>
#include <limits>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace constela::node {

namespace {

Reading reading(const device::Measured& measured)
{
    Reading result;
    result.state = static_cast<Reading::State>(measured.state);
    result.value = measured.value;
    result.reason = measured.reason;
    result.when = std::chrono::system_clock::now();
    return result;
}
static_assert(static_cast<int>(Reading::State::ok) == static_cast<int>(device::Measured::State::ok) &&
              static_cast<int>(Reading::State::unsupported) == static_cast<int>(device::Measured::State::unsupported) &&
              static_cast<int>(Reading::State::denied) == static_cast<int>(device::Measured::State::denied) &&
              static_cast<int>(Reading::State::failed) == static_cast<int>(device::Measured::State::failed));

} // namespace

CpuDevice::CpuDevice(const std::string& node_name)
{
    const device::CpuInfo cpu = device::cpu_info();
    fixed_.id = node_name + "/cpu0";
    fixed_.name = cpu.name;
    fixed_.kind = "cpu";
    fixed_.threads = cpu.physical_cores;
}

DeviceSnapshot CpuDevice::read()
{
    DeviceSnapshot snapshot = fixed_;
    const device::MemoryInfo memory = device::memory_info();
    snapshot.memory_total = memory.total;
    snapshot.memory_free = reading(memory.available);
    snapshot.load = reading(load_.read());
    snapshot.temperature = reading(device::cpu_temperature());
    return snapshot;
}

std::uint64_t CpuDevice::memory_available()
{
    const device::Measured available = device::memory_info().available;
    return available.state == device::Measured::State::ok ? static_cast<std::uint64_t>(available.value)
                                                          : std::numeric_limits<std::uint64_t>::max();
}

std::string machine_name()
{
    std::array<char, 256> name{};
#ifdef _WIN32
    DWORD size = name.size();
    const bool known = GetComputerNameExA(ComputerNameDnsHostname, name.data(), &size) != 0;
#else
    const bool known = gethostname(name.data(), name.size() - 1) == 0;
#endif
    return known && name[0] != '\0' ? std::string(name.data()) : "this machine";
}

} // namespace constela::node
