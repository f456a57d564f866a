// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace constela::test {

namespace {

/// A file descriptor that is closed.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int get() const { return number_; }
    void reset(int number)
    {
        close();
        number_ = number;
    }
    void close()
    {
        if (number_ >= 0) {
            ::close(number_);
            number_ = -1;
        }
    }

private:
    int number_;
};

/// The reading end in `mine`, the writing end in `theirs`; both close on exec, so that children started later do not
/// keep them.
void make_pipe(Descriptor& mine, Descriptor& theirs)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    mine.reset(ends[0]);
    theirs.reset(ends[1]);
}

std::vector<char*> pointers(std::vector<std::string>& words)
{
    std::vector<char*> result;
    result.reserve(words.size() + 1);
    for (std::string& word : words) {
        result.push_back(word.data());
    }
    result.push_back(nullptr);
    return result;
}

} // namespace

struct Child::Pipes {
    Descriptor out;
    Descriptor err;
};

Child::Child(const std::vector<std::string>& arguments, std::string_view input,
             const std::vector<std::string>& environment)
    : pipes_(std::make_unique<Pipes>())
{
    Descriptor their_out;
    Descriptor their_err;
    make_pipe(pipes_->out, their_out);
    make_pipe(pipes_->err, their_err);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::tmpfile(), &std::fclose);
    const std::string bytes(input); // never null, as fwrite demands even for nothing
    if (in == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), in.get()) != bytes.size() ||
        std::fflush(in.get()) != 0) {
        throw std::runtime_error("cannot keep the input of a child");
    }
    std::rewind(in.get());

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, their_out.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, their_err.get(), STDERR_FILENO);

    std::vector<std::string> words = arguments;
    std::vector<std::string> variables = environment; // first, since the first of a name counts
    for (char** variable = environ; *variable != nullptr; ++variable) {
        variables.emplace_back(*variable);
    }
    const int error = posix_spawn(&pid_, words.front().c_str(), &actions, nullptr, pointers(words).data(),
                                  pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw std::runtime_error("cannot start " + words.front());
    }
}

Child::~Child()
{
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
}

/// Reads what is there, waiting for something; false when both ends are closed.
bool Child::read_more()
{
    std::array<pollfd, 2> waiting{{{pipes_->out.get(), POLLIN, 0}, {pipes_->err.get(), POLLIN, 0}}};
    if (waiting[0].fd < 0 && waiting[1].fd < 0) {
        return false;
    }
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
        throw std::runtime_error("cannot wait for a child's output");
    }
    const auto take = [](const pollfd& ready, Descriptor& from, std::string& to) {
        if (ready.fd < 0 || ready.revents == 0) {
            return;
        }
        std::array<char, 65536> buffer{};
        const ssize_t got = read(from.get(), buffer.data(), buffer.size());
        if (got > 0) {
            to.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            from.close();
        }
    };
    take(waiting[0], pipes_->out, outcome_.out);
    take(waiting[1], pipes_->err, outcome_.err);
    return true;
}

bool Child::wait_for_output()
{
    while (outcome_.out.empty() && read_more()) {
    }
    return !outcome_.out.empty();
}

void Child::send(int signal) const
{
    kill(pid_, signal);
}

void Child::stop_reading()
{
    pipes_->out.close();
}

Outcome Child::finish()
{
    while (read_more()) {
    }
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    outcome_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return outcome_;
}

std::vector<std::string> constelactl_command(const std::vector<std::string>& arguments)
{
    std::vector<std::string> command{CONSTELACTL_PROGRAM};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

Outcome constelactl(const std::vector<std::string>& arguments, std::string_view input,
                    const std::vector<std::string>& environment)
{
    return Child(constelactl_command(arguments), input, environment).finish();
}

Outcome constelactl_with(const std::string& redirection, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words{"/bin/sh", "-c", "exec \"$@\" " + redirection, "sh"};
    const std::vector<std::string> command = constelactl_command(arguments);
    words.insert(words.end(), command.begin(), command.end());
    return Child(words).finish();
}

std::size_t line_count(std::string_view text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace constela::test
