// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/reader.h"

#include "engine/gguf/printable.h"

#include <fmt/format.h>

namespace constela::gguf {

std::string Field::text() const
{
    std::string shown = printable(name);
    if (index) {
        shown += fmt::format("[{}]", *index);
    }
    if (!member.empty()) {
        shown += fmt::format(".{}", member);
    }
    return shown;
}

Result<std::string> Reader::text(const Field& field, std::uint64_t limit)
{
    CONSTELA_ASSIGN(const auto length, number<std::uint64_t>(field));
    if (length > left()) {
        return cut_short(field, length);
    }
    if (length > limit) {
        return failure("{}: {} is a text of {} bytes; at most {} were expected.", file_, field.text(), length, limit);
    }
    std::string text(static_cast<std::size_t>(length), '\0');
    std::memcpy(text.data(), bytes_.data() + position_, text.size());
    position_ += text.size();
    return text;
}

tl::unexpected<Error> Reader::cut_short(const Field& field, std::uint64_t needed) const
{
    return failure("{}: {} needs {} bytes at byte {}, but only {} are left; the file is cut short or damaged.", file_,
                   field.text(), needed, position_, left());
}

} // namespace constela::gguf
