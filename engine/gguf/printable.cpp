// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/printable.h"

#include <fmt/format.h>

namespace constela::gguf {

namespace {

/// Bytes of the well-formed, visible character at the front of `text`; 0 when there is none.
std::size_t clean_character(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80U) {
        return lead >= 0x20U && lead != 0x7FU ? 1 : 0;
    }
    const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
    if (lead < 0xC2U || lead > 0xF4U || text.size() < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    // Overlong forms, surrogates, code points above U+10FFFF and the C1 controls.
    const unsigned second = byte(1);
    const bool bad = (lead == 0xE0U && second < 0xA0U) || (lead == 0xEDU && second > 0x9FU) ||
                     (lead == 0xF0U && second < 0x90U) || (lead == 0xF4U && second > 0x8FU) ||
                     (lead == 0xC2U && second < 0xA0U);
    return bad ? 0 : length;
}

std::string utf8(const std::filesystem::path& path)
{
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

} // namespace

bool is_clean_text(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = clean_character(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

std::string printable(std::string_view text, std::size_t limit)
{
    std::string shown;
    while (!text.empty()) {
        if (shown.size() >= limit) {
            return shown + "...";
        }
        if (const std::size_t length = clean_character(text); length > 0) {
            shown += text.substr(0, length);
            text.remove_prefix(length);
        } else {
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
        }
    }
    return shown;
}

std::string display_name(const std::filesystem::path& path)
{
    return printable(utf8(path.filename()), 512);
}

std::string display_path(const std::filesystem::path& path)
{
    return printable(utf8(path), 4096);
}

} // namespace constela::gguf
