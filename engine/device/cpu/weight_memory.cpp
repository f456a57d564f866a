// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/weight_memory.h"

#include <atomic>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace constela::device {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20U;
constexpr std::size_t kLine = 64;
constexpr std::size_t kSmallestPage = 4096;

} // namespace

std::shared_ptr<std::byte> allocate_weights(std::size_t bytes)
{
    const std::align_val_t alignment{bytes >= kLargePage ? kLargePage : kLine};
    auto* memory = static_cast<std::byte*>(::operator new(bytes, alignment));
    std::shared_ptr<std::byte> owner(memory, [alignment](std::byte* old) { ::operator delete(old, alignment); });
#ifdef __linux__
    if (bytes >= kLargePage) {
        ::madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE); // a wish; refused, all works as well
    }
#endif
    return owner;
}

void read_once(std::span<const std::byte> data)
{
    unsigned sum = 0;
    for (std::size_t at = 0; at < data.size(); at += kSmallestPage) {
        sum += std::to_integer<unsigned>(data[at]);
    }
    if (!data.empty()) {
        sum += std::to_integer<unsigned>(data.back());
    }
    // The sum means nothing; using it keeps the reads from being left out.
    static_cast<void>(std::atomic<unsigned>(sum).load());
}

} // namespace constela::device
