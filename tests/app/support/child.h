// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program as a child process, no shell between: its arguments, its input, what it wrote, how it ended.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace constela::test {

struct Outcome {
    int exit_code = -1; ///< -1 when a signal ended it.
    int signal = 0;
    std::string out;
    std::string err;
};

class Child {
public:
    /// arguments[0] is the program's path. `input` is its whole standard input; `environment` ("NAME=value") is added
    /// to ours.
    explicit Child(const std::vector<std::string>& arguments, std::string_view input = {},
                   const std::vector<std::string>& environment = {});
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Waits for the first byte of its standard output; false when it ended without one.
    bool wait_for_output();
    /// What it has written so far, as far as it was waited for.
    [[nodiscard]] const std::string& output() const { return outcome_.out; }
    void send(int signal) const;
    /// Reads no more of its standard output, as `head` does when it has enough.
    void stop_reading();
    /// Waits for its end.
    Outcome finish();

private:
    struct Pipes;
    bool read_more();

    std::unique_ptr<Pipes> pipes_;
    int pid_ = -1;
    Outcome outcome_;
};

/// Runs constelactl to its end.
[[nodiscard]] Outcome constelactl(const std::vector<std::string>& arguments, std::string_view input = {},
                                  const std::vector<std::string>& environment = {});
/// The same, to be started.
[[nodiscard]] std::vector<std::string> constelactl_command(const std::vector<std::string>& arguments);

/// Runs constelactl to its end with its streams led elsewhere by the shell: `redirection` is ">/dev/full", say.
[[nodiscard]] Outcome constelactl_with(const std::string& redirection, const std::vector<std::string>& arguments);

/// Lines of a text.
[[nodiscard]] std::size_t line_count(std::string_view text);

} // namespace constela::test
