// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/lost_page_guard.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

namespace constela::gguf {

namespace {

/// One guarded range. `generation` is odd while a writer is at work, so that the handler, which can take no lock, never
/// pairs the begin of one mapping with the end of another.
struct Slot {
    std::atomic<std::uint32_t> generation{0};
    std::atomic<std::uintptr_t> begin{0}; ///< 0: free.
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> lost{false};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free);

// Global mutable state, since a signal handler is global and gets no argument of ours.
std::array<Slot, 4096> slots;           // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<std::size_t> slots_used{0}; // Slots at and above it were never taken.
struct sigaction previous_action;       // Written once, before our handler is in place.
std::uintptr_t page_bytes = 0;          // As above.

std::mutex& table_mutex()
{
    static std::mutex mutex;
    return mutex;
}

/// Maps zeros from the page of `address` to `end`. Everything behind, not one page alone: a file that was cut short has
/// lost it all, and page by page the kernel's limit of mappings would soon be met. Async-signal-safe: one system call.
bool map_zeros(std::uintptr_t address, std::uintptr_t end)
{
    const std::uintptr_t begin = address & ~(page_bytes - 1);
    const std::size_t bytes = end - begin;
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
#if defined(__linux__) && defined(SYS_mmap)
    // Directly: the sanitizers' stand-ins for mmap() are not made to run in a signal handler.
    return syscall(SYS_mmap, begin, bytes, PROT_READ, flags, -1, 0) != -1;
#else
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address came from the kernel as a number to round.
    return mmap(reinterpret_cast<void*>(begin), bytes, PROT_READ, flags, -1, 0) != MAP_FAILED;
#endif
}

/// Puts zeros where the fault was when a guarded range holds it.
bool repair(std::uintptr_t address)
{
    const std::size_t used = slots_used.load();
    for (std::size_t i = 0; i < used; ++i) {
        Slot& slot = slots[i];
        const std::uint32_t generation = slot.generation.load();
        const std::uintptr_t begin = slot.begin.load();
        const std::uintptr_t end = slot.end.load();
        if (generation % 2 != 0 || begin == 0 || address < begin || address >= end ||
            slot.generation.load() != generation) {
            continue;
        }
        slot.lost.store(true);
        return map_zeros(address, end);
    }
    return false;
}

/// Does what would have happened without us.
void forward(int number, siginfo_t* info, void* context)
{
    if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
        previous_action.sa_sigaction(number, info, context);
        return;
    }
    const bool sent = info->si_code <= 0; // By kill() and its like, so no instruction will fault again.
    if (previous_action.sa_handler == SIG_IGN && sent) {
        return;
    }
    if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
        previous_action.sa_handler(number);
        return;
    }
    // The default: the instruction faults again, or the signal raised here waits until we return, and ends the process.
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, nullptr);
    if (sent) {
        raise(number);
    }
}

void on_bus_error(int number, siginfo_t* info, void* context)
{
    const int saved_errno = errno;
    const bool fault = info->si_code > 0;
    if (!fault || !repair(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
        forward(number, info, context);
    }
    errno = saved_errno;
}

/// Called under the mutex.
bool install_handler()
{
    static const bool installed = [] {
        page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        if (sigaction(SIGBUS, nullptr, &previous_action) != 0) {
            return false;
        }
        struct sigaction action = {};
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        return sigaction(SIGBUS, &action, nullptr) == 0;
    }();
    return installed;
}

/// Called under the mutex.
std::optional<std::size_t> free_slot()
{
    const std::size_t used = slots_used.load();
    for (std::size_t i = 0; i < used; ++i) {
        if (slots[i].begin.load() == 0) {
            return i;
        }
    }
    return used < slots.size() ? std::optional(used) : std::nullopt;
}

} // namespace

std::unique_ptr<LostPageGuard> LostPageGuard::guard(const void* begin, std::size_t bytes)
{
    const std::lock_guard lock(table_mutex());
    if (!install_handler()) {
        return nullptr;
    }
    const auto index = free_slot();
    if (!index) {
        return nullptr;
    }
    std::unique_ptr<LostPageGuard> result(new LostPageGuard(*index)); // The constructor is private.
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t whole_pages = (bytes + page_bytes - 1) & ~(page_bytes - 1);
    Slot& slot = slots[*index];
    slot.generation.fetch_add(1);
    slot.lost.store(false);
    slot.end.store(address + whole_pages);
    slot.begin.store(address);
    slot.generation.fetch_add(1);
    if (*index == slots_used.load()) {
        slots_used.store(*index + 1);
    }
    return result;
}

LostPageGuard::~LostPageGuard()
{
    const std::lock_guard lock(table_mutex());
    Slot& slot = slots[slot_];
    slot.generation.fetch_add(1);
    slot.begin.store(0);
    slot.end.store(0);
    slot.generation.fetch_add(1);
}

bool LostPageGuard::lost() const
{
    return slots[slot_].lost.load();
}

} // namespace constela::gguf
