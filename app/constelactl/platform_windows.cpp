// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/platform.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <windows.h>

#include <psapi.h>

namespace constela::ctl {

namespace {

// A signal handler has nothing but global state to speak through.
std::atomic<bool> interrupt_flag{false};

void on_interrupt(int signal)
{
    std::signal(signal, on_interrupt); // Windows forgets the handler each time
    if (interrupt_flag.exchange(true)) {
        std::_Exit(1);
    }
}

} // namespace

void prepare_streams()
{
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

bool stdin_is_terminal()
{
    return _isatty(_fileno(stdin)) != 0;
}

bool stdout_is_terminal()
{
    return _isatty(_fileno(stdout)) != 0;
}

bool stderr_is_terminal()
{
    return _isatty(_fileno(stderr)) != 0;
}

std::int64_t process_id()
{
    return _getpid();
}

std::uint64_t peak_resident_bytes()
{
    PROCESS_MEMORY_COUNTERS counters{};
    GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof(counters));
    return counters.PeakWorkingSetSize;
}

void catch_interrupts()
{
    std::signal(SIGINT, on_interrupt);
}

const std::atomic<bool>& interrupted()
{
    return interrupt_flag;
}

bool terminated()
{
    return false; // Windows sends no SIGTERM
}

void forget_interrupt()
{
    interrupt_flag = false;
}

std::optional<std::string> environment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::filesystem::path> data_folder()
{
    const auto folder = environment("LOCALAPPDATA");
    return folder ? std::optional<std::filesystem::path>(*folder) : std::nullopt;
}

} // namespace constela::ctl
