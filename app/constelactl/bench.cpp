// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/engine.h"
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"
#include "app/constelactl/terminal.h"
#include "engine/device/cpu/memory_bandwidth.h"
#include "engine/device/cpu/product_rate.h"
#include "engine/model/token_work.h"
#include "engine/runtime/memory_plan.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace constela::ctl {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    EngineOptions engine;
    std::int64_t prompt = 512;
    std::int64_t generated = 128;
    std::int64_t depth = 0;
    std::int64_t sequences = 1;
    std::int64_t repetitions = 5;
    bool json = false;
};

struct Speed {
    std::size_t tokens = 0;
    std::vector<double> rates; ///< Tokens per second of each repetition, sorted.

    [[nodiscard]] double median() const
    {
        const std::size_t half = rates.size() / 2;
        return rates.size() % 2 == 1 ? rates[half] : (rates[half - 1] + rates[half]) / 2;
    }
};

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The same ids in every run, spread over the vocabulary (multiplier and increment: Knuth's MMIX).
std::vector<std::int32_t> some_tokens(std::size_t count, std::size_t vocabulary, std::uint64_t seed = 1)
{
    std::uint64_t state = seed;
    std::vector<std::int32_t> tokens(count);
    for (std::int32_t& token : tokens) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        token = static_cast<std::int32_t>((state >> 33U) % vocabulary);
    }
    return tokens;
}

std::int32_t likeliest(std::span<const float> logits)
{
    return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

/// Seconds to process the whole prompt, up to the logits after it.
Result<double> time_prompt(Engine& engine, std::span<const std::int32_t> tokens)
{
    const auto sequence = engine.open_sequence();
    const auto begin = Clock::now();
    const auto fed =
        engine.feed(sequence, tokens, runtime::Want::last, [](std::size_t, std::size_t, std::span<const float>) {});
    const double seconds = seconds_since(begin);
    engine.close_sequence(sequence);
    CONSTELA_TRY(fed);
    return seconds;
}

struct Generation {
    std::size_t tokens = 0; ///< Of each sequence.
    std::size_t depth = 0;  ///< Tokens that come before them and are not timed.
    std::size_t sequences = 1;
};

/// Seconds to generate, in each step a token for each sequence, the likeliest after those before.
Result<double> time_generation(Engine& engine, const Generation& wanted)
{
    const auto no_logits = [](std::size_t, std::size_t, std::span<const float>) {};
    std::vector<std::int32_t> next;
    std::vector<runtime::Work> works;
    for (std::size_t i = 0; i < wanted.sequences; ++i) {
        std::vector<std::int32_t> tokens = some_tokens(wanted.depth + 1, engine.vocabulary(), i + 1);
        next.push_back(tokens.back());
        tokens.pop_back();
        works.push_back({engine.open_sequence(), {}, runtime::Want::last});
        CONSTELA_TRY(engine.feed(works.back().sequence, tokens, runtime::Want::none, no_logits));
    }
    for (std::size_t i = 0; i < wanted.sequences; ++i) {
        works[i].tokens = {&next[i], 1};
    }
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < wanted.tokens; ++i) {
        CONSTELA_TRY(engine.step(works, [&](std::size_t work, std::size_t, std::span<const float> logits) {
            next[work] = likeliest(logits);
        }));
    }
    const double seconds = seconds_since(begin);
    for (const runtime::Work& work : works) {
        engine.close_sequence(work.sequence);
    }
    return seconds;
}

/// Once to warm up, then as often as asked.
Result<Speed> measure(std::size_t tokens, std::int64_t repetitions, Progress& progress, double done,
                      const std::function<Result<double>()>& once)
{
    CONSTELA_TRY(once());
    Speed speed{tokens, {}};
    for (std::int64_t i = 0; i < repetitions; ++i) {
        CONSTELA_ASSIGN(const double seconds, once());
        speed.rates.push_back(static_cast<double>(tokens) / seconds);
        progress.show(done + 0.5 * static_cast<double>(i + 1) / static_cast<double>(repetitions));
    }
    std::sort(speed.rates.begin(), speed.rates.end());
    return speed;
}

nlohmann::ordered_json as_json(const Speed& speed)
{
    return {{"tokens", speed.tokens},
            {"tps_median", speed.median()},
            {"tps_min", speed.rates.front()},
            {"tps_max", speed.rates.back()}};
}

nlohmann::ordered_json number_or_null(std::optional<double> number)
{
    return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr);
}

/// Which part of what the processor could multiply a prompt's products took.
std::optional<double> int8_rate_part(const model::Model& model, const Speed& pp, double int8_rate)
{
    const model::TokenWork work = model::token_work(model);
    const auto tokens = static_cast<double>(pp.tokens);
    const double products =
        static_cast<double>(work.block_products) + static_cast<double>(work.head_products) / tokens; // the last's
    return int8_rate > 0 ? std::optional(2 * products * pp.median() / int8_rate) : std::nullopt;
}

/// Which part of what could be read from memory generation read: all weights in a step, and each sequence's keys and
/// values. Which experts several sequences choose is not known.
std::optional<double> bandwidth_part(const Engine& engine, kernels::KvType kv_type, const Generation& generation,
                                     const Speed& tg, double bandwidth)
{
    const model::Model& model = engine.model();
    if (bandwidth <= 0 || (model.config().experts > 0 && generation.sequences > 1)) {
        return std::nullopt;
    }
    std::uint64_t kv = 0;
    for (std::size_t i = 1; i <= generation.tokens; ++i) {
        kv += model::kv_bytes_read(model, kv_type, generation.depth + i);
    }
    const auto sequences = static_cast<double>(generation.sequences);
    const double a_token = static_cast<double>(model::token_work(model).weight_bytes) / sequences +
                           static_cast<double>(kv) / static_cast<double>(generation.tokens);
    return a_token * tg.median() / bandwidth;
}

std::string part_text(const nlohmann::ordered_json& part, std::string_view of)
{
    return part.is_null() ? std::string() : fmt::format("  {:.0f} % of the {}", 100 * part.get<double>(), of);
}

std::string table(const nlohmann::ordered_json& json)
{
    const auto line = [&json](const char* key, const std::string& name, const std::string& part) {
        const auto& speed = json[key];
        return fmt::format("{:<28}{:>8}{:>12.2f}{:>12.2f}{:>12.2f}{}\n", name, speed["tokens"].get<std::size_t>(),
                           speed["tps_median"].get<double>(), speed["tps_min"].get<double>(),
                           speed["tps_max"].get<double>(), part);
    };
    const auto sequences = json["sequences"].get<std::size_t>();
    const auto bandwidth = json["read_bandwidth_bytes_per_s"].get<double>();
    const auto& int8_rate = json["int8_ops_per_s"];
    std::string text = fmt::format("{}  {}, {} threads\n\n{:<28}{:>8}{:>12}{:>12}{:>12}\n",
                                   json["model"].get<std::string>(), json["backend"].get<std::string>(),
                                   json["threads"].get<unsigned>(), "tokens/s", "tokens", "median", "min", "max");
    text += line("pp", "prompt processing", part_text(json["pp"]["int8_rate_part"], "int8 rate"));
    text += line("tg", sequences == 1 ? "generation" : fmt::format("generation, {} at once", sequences),
                 part_text(json["tg"]["bandwidth_part"], "read bandwidth"));
    text += fmt::format("\nloaded in {:.0f} ms; at most {} of memory\n"
                        "these threads read {}/s from memory; the weights are {}\n",
                        json["load_ms"].get<double>(), runtime::bytes_text(json["peak_rss_bytes"].get<std::uint64_t>()),
                        runtime::bytes_text(static_cast<std::uint64_t>(bandwidth)),
                        runtime::bytes_text(json["weight_bytes"].get<std::uint64_t>()));
    if (!int8_rate.is_null()) {
        text += fmt::format("they could do {:.2f} million million int8 operations a second\n",
                            int8_rate.get<double>() / 1e12);
    }
    return text;
}

Result<> bench(const Options& options)
{
    catch_interrupts();
    const auto prompt = static_cast<std::size_t>(options.prompt);
    const Generation generation{static_cast<std::size_t>(options.generated), static_cast<std::size_t>(options.depth),
                                static_cast<std::size_t>(options.sequences)};
    if (options.sequences > options.engine.batch) {
        return failure("{} sequences do not go into one step of at most {} tokens; ask for longer steps with --batch.",
                       options.sequences, options.engine.batch);
    }
    const auto begin = Clock::now();
    CONSTELA_ASSIGN(Engine engine, Engine::open(options.engine, std::max(prompt, generation.depth + generation.tokens),
                                                generation.sequences));
    CONSTELA_TRY(time_generation(engine, {1, 0, 1}));
    const double load_ms = seconds_since(begin) * 1000;

    Progress progress("Measuring");
    const auto tokens = some_tokens(prompt, engine.vocabulary());
    CONSTELA_ASSIGN(const Speed pp,
                    measure(prompt, options.repetitions, progress, 0, [&] { return time_prompt(engine, tokens); }));
    CONSTELA_ASSIGN(const Speed tg, measure(generation.tokens * generation.sequences, options.repetitions, progress,
                                            0.5, [&] { return time_generation(engine, generation); }));
    progress.clear();
    const std::uint64_t peak = peak_resident_bytes(); // before the bandwidth takes a buffer of its own
    const double bandwidth = device::measured_read_bandwidth(engine.threads(), &interrupted());
    const double int8_rate = device::measured_int8_rate(engine.kernels(), engine.threads(), &interrupted());
    CONSTELA_TRY(Engine::check_interrupt());

    nlohmann::ordered_json json{
        {"model", engine.model().config().name},
        {"backend", engine.backend()},
        {"threads", engine.threads()},
        {"pp", as_json(pp)},
        {"tg", as_json(tg)},
        {"depth", generation.depth},
        {"sequences", generation.sequences},
        {"load_ms", load_ms},
        {"peak_rss_bytes", peak},
        {"repetitions", options.repetitions},
        {"kv_type", kernels::kv_type_name(options.engine.kv_type)},
        {"read_bandwidth_bytes_per_s", bandwidth},
        {"int8_ops_per_s", number_or_null(int8_rate > 0 ? std::optional(int8_rate) : std::nullopt)},
        {"weight_bytes", engine.model().weight_bytes()}};
    json["pp"]["int8_rate_part"] = number_or_null(int8_rate_part(engine.model(), pp, int8_rate));
    json["tg"]["bandwidth_part"] =
        number_or_null(bandwidth_part(engine, options.engine.kv_type, generation, tg, bandwidth));
    return options.json ? print_json(json) : write_stdout(table(json));
}

} // namespace

void add_bench(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("bench", "Speed of prompt processing and of generation");
    add_engine_options(command, options->engine);
    add_whole(command, "-p", options->prompt, 1, kMost, "Tokens of the prompt (512)");
    add_whole(command, "-n", options->generated, 1, kMost, "Tokens to generate (128)");
    add_whole(command, "-d", options->depth, 0, kMost, "Tokens that are there before those (0)");
    add_whole(command, "--sequences", options->sequences, 1, kMost, "How many are generated at once (1)");
    add_whole(command, "-r", options->repetitions, 1, 10'000, "How often each is measured (5)");
    add_json(command, options->json);
    command.footer(
        "pp feeds -p tokens at once into an empty sequence; tg makes -n tokens one by one after -d others, of each of\n"
        "--sequences sequences. Rates are tokens per second, of all sequences together. load_ms: from opening the "
        "file\n"
        "to the first token.\n"
        "How far the machine's limits are is measured too, on as many threads. bandwidth_part: what generation reads "
        "(the\n"
        "weights once a step, of experts the chosen ones; keys and values) by what could be read from memory.\n"
        "int8_rate_part: two operations for each weight that a token of the prompt is multiplied by, by what the\n"
        "processor could do of them with the instructions of these kernels.\n"
        "Examples:\n"
        "  constelactl bench --model model.gguf --threads 2 --json\n"
        "  constelactl bench --model model.gguf -p 1 -n 64 --sequences 16");
    command.callback([options, &action] { action = [options] { return bench(*options); }; });
}

} // namespace constela::ctl
