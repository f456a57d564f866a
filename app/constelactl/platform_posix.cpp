// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/platform.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace constela::ctl {

namespace {

// A signal handler has nothing but global state to speak through.
std::atomic<bool> interrupt_flag{false};
std::atomic<bool> terminate_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int signal)
{
    if (signal == SIGTERM) {
        terminate_flag = true;
    }
    if (interrupt_flag.exchange(true)) {
        std::signal(signal, SIG_DFL); // NOLINT(cert-sig30-c): signal() and raise() are async-signal-safe (POSIX)
        std::raise(signal);
    }
}

} // namespace

void prepare_streams()
{
    // Also where the parent ignores SIGPIPE: writing to nobody ends us without a word, as it does other programs.
    std::signal(SIGPIPE, SIG_DFL);
    // A file that grows beyond what is allowed is an error like a full disk, to be told in words.
    std::signal(SIGXFSZ, SIG_IGN);
    // A stream that the parent has closed must not become the next file that is opened. What is put in its place
    // refuses reads (or writes) as a closed one does.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            // The lowest free number is this one: those below are open.
            static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

bool stdin_is_terminal()
{
    return isatty(STDIN_FILENO) == 1;
}

bool stdout_is_terminal()
{
    return isatty(STDOUT_FILENO) == 1;
}

bool stderr_is_terminal()
{
    return isatty(STDERR_FILENO) == 1;
}

std::int64_t process_id()
{
    return getpid();
}

std::uint64_t peak_resident_bytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // getrusage(2): kilobytes on Linux
}

void catch_interrupts()
{
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = 0; // no SA_RESTART: waiting for a line must end
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& interrupted()
{
    return interrupt_flag;
}

bool terminated()
{
    return terminate_flag;
}

void forget_interrupt()
{
    interrupt_flag = false;
}

std::optional<std::string> environment(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody changes the environment
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::filesystem::path> data_folder()
{
    if (const auto chosen = environment("XDG_DATA_HOME")) {
        return *chosen;
    }
    if (const auto home = environment("HOME")) {
        return std::filesystem::path(*home) / ".local" / "share";
    }
    return std::nullopt;
}

} // namespace constela::ctl
