// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/options.h"
#include "app/constelactl/terminal.h"
#include "engine/device/cpu/cpu_info.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace constela::ctl {

namespace {

constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostBatch = 65536;

template <class T>
std::optional<T> parse(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

void add_kv_type(CLI::App& app, kernels::KvType& target)
{
    app.add_option_function<std::string>(
           "--kv",
           [&target](const std::string& text) {
               for (const auto type : {kernels::KvType::f32, kernels::KvType::f16, kernels::KvType::q8_0}) {
                   if (kernels::kv_type_name(type) == text) {
                       target = type;
                       return;
                   }
               }
               usage_error(fmt::format("--kv takes f32, f16 or q8_0; \"{}\" is none of them.", text));
           },
           "Type of the KV cache: f32, f16 or q8_0 (f16 if not given)")
        ->type_name("TYPE");
}

void add_kernels(CLI::App& app, std::string& target)
{
    app.add_option_function<std::string>(
           "--kernels",
           [&target](const std::string& text) {
               std::string known;
               for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
                   if (status.name == text) {
                       target = text;
                       return;
                   }
                   known += (known.empty() ? "" : ", ") + status.name;
               }
               usage_error(fmt::format("--kernels takes one of {}; \"{}\" is none of them.", known, text));
           },
           "Kernel set: reference, avx2, avx512 or amx (the best that this machine permits if not given)")
        ->type_name("SET");
}

} // namespace

void usage_error(const std::string& sentence)
{
    throw CLI::ParseError(sentence, CLI::ExitCodes::InvalidError);
}

std::optional<std::int64_t> parse_whole(std::string_view text)
{
    return parse<std::int64_t>(text);
}

std::optional<double> parse_real(std::string_view text)
{
    const auto value = parse<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

CLI::Option* add_whole(CLI::App& app, const std::string& names, std::int64_t& target, std::int64_t least,
                       std::int64_t most, const std::string& help)
{
    const auto read = [&target, names, least, most](const std::string& text) {
        const auto value = parse_whole(text);
        if (!value || *value < least || *value > most) {
            usage_error(
                fmt::format("{} takes a whole number from {} to {}; \"{}\" is not one.", names, least, most, text));
        }
        target = *value;
    };
    return app.add_option_function<std::string>(names, read, help)->type_name("N");
}

CLI::Option* add_real(CLI::App& app, const std::string& names, float& target, double least, double most,
                      const std::string& help, Least limit)
{
    const auto read = [&target, names, least, most, limit](const std::string& text) {
        const auto value = parse_real(text);
        if (!value || *value < least || *value > most || (limit == Least::excluded && *value <= least)) {
            usage_error(fmt::format("{} takes a number {} {} to {}; \"{}\" is not one.", names,
                                    limit == Least::excluded ? "above" : "from", least, most, text));
        }
        target = static_cast<float>(*value);
    };
    return app.add_option_function<std::string>(names, read, help)->type_name("X");
}

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target, const std::string& value_name,
                      const std::string& help)
{
    return app.add_option(names, target, help)->type_name(value_name);
}

CLI::Option* add_path(CLI::App& app, const std::string& names, std::string& target, const std::string& value_name,
                      const std::string& help)
{
    return add_text(app, names, target, value_name, help)->each([names](const std::string& text) {
        if (text.empty()) {
            usage_error(fmt::format("{} takes a name; it was empty.", names));
        }
    });
}

CLI::Option* add_model(CLI::App& app, std::string& target)
{
    return add_path(app, "--model,-m", target, "FILE", "The model: a GGUF file, or the first of a split set");
}

CLI::Option* add_json(CLI::App& app, bool& target)
{
    return app.add_flag("--json", target, "Print one JSON object and nothing else");
}

void warn_of_many_threads(std::int64_t threads)
{
    const unsigned usable = device::cpu_info().usable_threads;
    if (threads > usable) {
        notice(fmt::format("{} threads were asked for, but this program may use {} at a time; more only slow it down.",
                           threads, usable));
    }
}

void warn_of_long_context(std::int64_t context, std::size_t trained)
{
    if (context > static_cast<std::int64_t>(trained)) {
        notice(fmt::format("This model was made for contexts of {} tokens; what it says beyond them is of little use.",
                           trained));
    }
}

void add_engine_options(CLI::App& app, EngineOptions& options, ModelOption model)
{
    add_model(app, options.model)->required(model == ModelOption::required);
    add_whole(app, "--threads", options.threads, 1, kMostThreads,
              "Threads to compute with (one per core if not given)");
    add_whole(app, "--ctx", options.context, 1, kMost, "Positions that a sequence may have");
    add_kv_type(app, options.kv_type);
    add_kernels(app, options.kernels);
    add_whole(app, "--batch", options.batch, 1, kMostBatch, "Largest prefill chunk in tokens (512 if not given)");
}

void add_answer_options(CLI::App& app, AnswerOptions& options)
{
    runtime::SamplingOptions& sampling = options.generation.sampling;
    options.top_k = sampling.top_k;
    add_whole(app, "-n", options.max_tokens, 1, kMost, "Most tokens to generate (until the context is full)");
    add_real(app, "--temp", sampling.temperature, 0, 100, "Temperature; 0: always the likeliest token (0.8)");
    add_whole(app, "--top-k", options.top_k, 0, kMost, "Choose among the K likeliest; 0: all (40)");
    add_real(app, "--top-p", sampling.top_p, 0, 1, "Choose among the likeliest that together reach P; 1: all (0.95)",
             Least::excluded);
    add_real(app, "--min-p", sampling.min_p, 0, 1, "Leave out what is less likely than P times the likeliest (0.05)");
    add_real(app, "--repeat-penalty", sampling.repeat_penalty, 0.01, 100,
             "Make repeated tokens less likely; 1: no (1)");
    add_whole(app, "--seed", options.seed, 0, std::numeric_limits<std::int64_t>::max(),
              "Same seed, same text (a fresh one)");
    app.add_option("--stop", options.generation.stop, "Text that ends the answer; may be given several times")
        ->type_name("TEXT")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->each([](const std::string& text) {
            if (text.empty()) {
                usage_error("--stop takes some text; it was empty.");
            }
        });
}

runtime::GenerationOptions generation_options(const AnswerOptions& options)
{
    runtime::GenerationOptions generation = options.generation;
    generation.sampling.top_k = static_cast<int>(options.top_k);
    if (options.max_tokens > 0) {
        generation.max_tokens = static_cast<int>(options.max_tokens);
    }
    if (options.seed >= 0) {
        generation.sampling.seed = static_cast<std::uint64_t>(options.seed);
    }
    return generation;
}

std::vector<std::int32_t> parse_token_ids(std::string_view text)
{
    std::vector<std::int32_t> ids;
    constexpr std::string_view between = ", \t\r\n";
    for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;
         at = text.find_first_not_of(between, at)) {
        const std::size_t end = std::min(text.find_first_of(between, at), text.size());
        const std::string_view word = text.substr(at, end - at);
        const auto id = parse_whole(word);
        if (!id || *id < 0 || *id > kMost) {
            usage_error(fmt::format("\"{}\" is not a token id; ids are whole numbers from 0.", word));
        }
        ids.push_back(static_cast<std::int32_t>(*id));
        at = end;
    }
    return ids;
}

} // namespace constela::ctl
