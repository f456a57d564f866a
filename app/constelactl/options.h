// SPDX-License-Identifier: GPL-3.0-or-later
//
// Options that several commands share, and how their values are read. A value that cannot be is wrong usage: it throws
// CLI::ParseError with a sentence, and the program ends with 2.
#pragma once

#include "engine/runtime/generation.h"
#include "kernels/kernels.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace constela::ctl {

[[noreturn]] void usage_error(const std::string& sentence);

/// A whole number in decimal, nothing else around it.
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);
/// A finite number in decimal.
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

inline constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

/// Whether the least number is allowed itself.
enum class Least { allowed, excluded };
/// An option that takes a whole number, or a real one, from `least` to `most`.
CLI::Option* add_whole(CLI::App& app, const std::string& names, std::int64_t& target, std::int64_t least,
                       std::int64_t most, const std::string& help);
CLI::Option* add_real(CLI::App& app, const std::string& names, float& target, double least, double most,
                      const std::string& help, Least limit = Least::allowed);
/// An option with some text, taken as it is.
CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target, const std::string& value_name,
                      const std::string& help);

/// The same for the name of a file or folder, which cannot be empty.
CLI::Option* add_path(CLI::App& app, const std::string& names, std::string& target, const std::string& value_name,
                      const std::string& help);

CLI::Option* add_model(CLI::App& app, std::string& target);
CLI::Option* add_json(CLI::App& app, bool& target);

/// How a model is executed: --model, --threads, --ctx, --kv, --kernels, --batch.
struct EngineOptions {
    std::string model;
    std::int64_t threads = 0; ///< 0: one per core.
    std::int64_t context = 0; ///< 0: the command's own choice.
    kernels::KvType kv_type = kernels::KvType::f16;
    std::string kernels; ///< Empty: the best permitted.
    std::int64_t batch = 512;
};
/// Say on stderr what was asked for and does no good.
void warn_of_many_threads(std::int64_t threads);
void warn_of_long_context(std::int64_t context, std::size_t trained);
enum class ModelOption { required, optional };
void add_engine_options(CLI::App& app, EngineOptions& options, ModelOption model = ModelOption::required);

/// How an answer is made: -n, --temp ... --stop. What they say is put into `generation` when they are parsed.
struct AnswerOptions {
    std::int64_t max_tokens = 0; ///< 0: until the context is full.
    std::int64_t top_k = 0;
    std::int64_t seed = -1; ///< -1: a fresh one.
    runtime::GenerationOptions generation;
};
void add_answer_options(CLI::App& app, AnswerOptions& options);
/// What was asked for, once everything is parsed.
[[nodiscard]] runtime::GenerationOptions generation_options(const AnswerOptions& options);

/// "1,2,3" or "1 2 3", all token ids.
[[nodiscard]] std::vector<std::int32_t> parse_token_ids(std::string_view text);

} // namespace constela::ctl
