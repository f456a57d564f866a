// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is the same on every system.
#include "engine/device/cpu/cpu_info.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace constela::device {

namespace {

void erase_all(std::string& text, std::string_view what)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
        text.erase(at, what.size());
    }
}

/// Removes " 64-Core Processor" from the end.
void erase_core_count(std::string& text)
{
    const std::size_t end = text.find("-Core Processor");
    if (end == std::string::npos) {
        return;
    }
    const std::size_t blank = text.rfind(' ', end);
    if (blank != std::string::npos && blank > 0) {
        text.resize(blank);
    }
}

} // namespace

std::string readable_cpu_name(std::string_view name)
{
    constexpr std::size_t kLongest = 100;
    std::string text;
    for (const char c : name.substr(0, 4 * kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte > 0x20 && byte < 0x7F ? c : ' ';
    }
    for (const std::string_view mark : {"(R)", "(r)", "(TM)", "(tm)"}) {
        erase_all(text, mark);
    }
    text.resize(std::min(text.find(" @ "), text.size()));
    text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }), text.end());
    text.erase(0, text.find_first_not_of(' '));
    erase_core_count(text);
    const auto trim_end = [&text] { text.resize(text.find_last_not_of(' ') + 1); };
    trim_end();
    constexpr std::string_view kCpu = " CPU";
    if (text.size() > kCpu.size() && text.compare(text.size() - kCpu.size(), kCpu.size(), kCpu) == 0) {
        text.resize(text.size() - kCpu.size());
    }
    text.resize(std::min(text.size(), kLongest));
    trim_end();
    return text;
}

/// CPUID 80000002h to 80000004h: 48 bytes of text (Intel's and AMD's manuals, "processor brand string").
std::string cpuid_brand()
{
#if defined(__x86_64__) || defined(__i386__)
    std::array<unsigned, 12> words{};
    for (unsigned i = 0; i < 3; ++i) {
        const std::size_t at = std::size_t{4} * i;
        if (__get_cpuid(0x80000002U + i, &words[at], &words[at + 1], &words[at + 2], &words[at + 3]) == 0) {
            return {};
        }
    }
    std::array<char, sizeof(words) + 1> text{};
    std::memcpy(text.data(), words.data(), sizeof(words));
    return text.data();
#else
    return {};
#endif
}

Measured CpuLoadMeter::share(std::uint64_t busy, std::uint64_t all)
{
    const bool backwards = all < all_ || busy < busy_; // some counters of Linux do go back a little
    if (begun_ && !backwards && all > all_) {
        last_ = std::min(1.0, static_cast<double>(busy - busy_) / static_cast<double>(all - all_));
    }
    if (!begun_ || backwards || all > all_) {
        begun_ = true;
        busy_ = busy;
        all_ = all;
    }
    // Where no tick of the clock has passed, what was so a moment ago is so still.
    return last_ ? Measured::of(*last_)
                 : Measured::none(Measured::State::failed, "how busy the processor is shows from the second look on");
}

} // namespace constela::device
