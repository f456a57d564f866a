// SPDX-License-Identifier: GPL-3.0-or-later
//
// A handler may do next to nothing, so it writes one byte into a pipe, which Qt's event loop reads (the "self-pipe
// trick", D. J. Bernstein).
#include "app/constela/quit_signals.h"

#include <QSocketNotifier>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace constela {

namespace {

constexpr std::array<int, 3> kSignals{SIGTERM, SIGINT, SIGHUP};

/// A handler can be given nothing but a global. -1: nobody listens.
std::atomic<int> bell{-1}; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void ring(int /*signal*/)
{
    const char byte = 0;
    if (const int end = bell.load(); end >= 0) {
        // A full pipe has rung already.
        [[maybe_unused]] const auto written = ::write(end, &byte, 1);
    }
}

void handle(void (*handler)(int))
{
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND); // a second one ends the program at once
    ::sigemptyset(&action.sa_mask);
    for (const int signal : kSignals) {
        ::sigaction(signal, &action, nullptr);
    }
}

} // namespace

QuitSignals::QuitSignals()
{
    if (::pipe2(pipe_.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return; // then signals end the program at once, as they would anyway
    }
    notifier_ = std::make_unique<QSocketNotifier>(pipe_[0], QSocketNotifier::Read);
    connect(notifier_.get(), &QSocketNotifier::activated, this, [this] {
        std::array<char, 16> bytes{};
        while (::read(pipe_[0], bytes.data(), bytes.size()) > 0) {
        }
        Q_EMIT asked();
    });
    bell = pipe_[1];
    handle(ring);
}

QuitSignals::~QuitSignals()
{
    if (notifier_ != nullptr) {
        handle(SIG_DFL);
        bell = -1;
        notifier_.reset();
        ::close(pipe_[0]);
        ::close(pipe_[1]);
    }
}

} // namespace constela
