// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of constelactl, a file each. Each add_NAME() tells the command line its options; when they were right
// and the command was chosen, it leaves in `action` what is to be done.
#pragma once

#include "engine/base/result.h"

#include <CLI/CLI.hpp>
#include <functional>

namespace constela::ctl {

/// Fails with the one line that goes to stderr; the program then ends with 1.
using Action = std::function<Result<>()>;

void add_run(CLI::App& app, Action& action);
void add_chat(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_tokenize(CLI::App& app, Action& action);
void add_detokenize(CLI::App& app, Action& action);
void add_template(CLI::App& app, Action& action);
void add_logits(CLI::App& app, Action& action);
void add_perplexity(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_cluster(CLI::App& app, Action& action);
void add_ask(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

} // namespace constela::ctl
