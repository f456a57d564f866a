// SPDX-License-Identifier: GPL-3.0-or-later
//
// What differs between operating systems.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace constela::ctl {

/// Bytes pass through standard input and output unchanged, a reader that goes away ends the program quietly, and a
/// stream that is closed stays unusable.
void prepare_streams();

[[nodiscard]] bool stdin_is_terminal();
[[nodiscard]] bool stdout_is_terminal();
[[nodiscard]] bool stderr_is_terminal();

[[nodiscard]] std::int64_t process_id();
/// The most memory that this process had resident so far, in bytes.
[[nodiscard]] std::uint64_t peak_resident_bytes();

/// From here on the first Ctrl-C (or SIGTERM) only sets interrupted(), so that work can end cleanly; the next one ends
/// the program at once.
void catch_interrupts();
/// Stays the same object, so that it can be handed to whoever looks at a flag.
[[nodiscard]] const std::atomic<bool>& interrupted();
/// Whether it was SIGTERM: then even a program that goes on after Ctrl-C should end.
[[nodiscard]] bool terminated();
/// The next interrupt counts as the first again.
void forget_interrupt();

[[nodiscard]] std::optional<std::string> environment(const char* name);
/// Where programs of this person keep what they fetch: $XDG_DATA_HOME or ~/.local/share; %LOCALAPPDATA% on Windows.
[[nodiscard]] std::optional<std::filesystem::path> data_folder();

} // namespace constela::ctl
