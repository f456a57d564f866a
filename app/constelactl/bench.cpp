// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/engine.h"
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"
#include "app/constelactl/terminal.h"
#include "engine/device/cpu/memory_bandwidth.h"
#include "engine/runtime/memory_plan.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace constela::ctl {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    EngineOptions engine;
    std::int64_t prompt = 512;
    std::int64_t generated = 128;
    std::int64_t depth = 0;
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
std::vector<std::int32_t> some_tokens(std::size_t count, std::size_t vocabulary)
{
    std::uint64_t state = 1;
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

/// Seconds for `count` tokens, one after the other, each the likeliest after those before; `depth` tokens, which are
/// not timed, come before them.
Result<double> time_generation(Engine& engine, std::size_t count, std::size_t depth)
{
    const auto sequence = engine.open_sequence();
    const std::vector<std::int32_t> before = some_tokens(depth, engine.vocabulary());
    CONSTELA_TRY(
        engine.feed(sequence, before, runtime::Want::none, [](std::size_t, std::size_t, std::span<const float>) {}));
    std::int32_t token = some_tokens(1, engine.vocabulary()).front();
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < count; ++i) {
        CONSTELA_TRY(
            engine.feed(sequence, {&token, 1}, runtime::Want::last,
                        [&](std::size_t, std::size_t, std::span<const float> logits) { token = likeliest(logits); }));
    }
    const double seconds = seconds_since(begin);
    engine.close_sequence(sequence);
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

std::string table(const nlohmann::ordered_json& json)
{
    std::string text = fmt::format("{}  {}, {} threads\n\n{:<22}{:>8}{:>12}{:>12}{:>12}\n",
                                   json["model"].get<std::string>(), json["backend"].get<std::string>(),
                                   json["threads"].get<unsigned>(), "tokens/s", "tokens", "median", "min", "max");
    for (const auto& [key, name] : {std::pair{"pp", "prompt processing"}, std::pair{"tg", "generation"}}) {
        const auto& speed = json[key];
        text += fmt::format("{:<22}{:>8}{:>12.2f}{:>12.2f}{:>12.2f}\n", name, speed["tokens"].get<std::size_t>(),
                            speed["tps_median"].get<double>(), speed["tps_min"].get<double>(),
                            speed["tps_max"].get<double>());
    }
    const auto bandwidth = json["read_bandwidth_bytes_per_s"].get<double>();
    return text + fmt::format("\nloaded in {:.0f} ms; at most {} of memory\n"
                              "these threads read {}/s from memory; the weights are {}\n",
                              json["load_ms"].get<double>(),
                              runtime::bytes_text(json["peak_rss_bytes"].get<std::uint64_t>()),
                              runtime::bytes_text(static_cast<std::uint64_t>(bandwidth)),
                              runtime::bytes_text(json["weight_bytes"].get<std::uint64_t>()));
}

Result<> bench(const Options& options)
{
    catch_interrupts();
    const auto prompt = static_cast<std::size_t>(options.prompt);
    const auto generated = static_cast<std::size_t>(options.generated);
    const auto depth = static_cast<std::size_t>(options.depth);
    const auto begin = Clock::now();
    CONSTELA_ASSIGN(Engine engine, Engine::open(options.engine, std::max(prompt, depth + generated)));
    CONSTELA_TRY(time_generation(engine, 1, 0));
    const double load_ms = seconds_since(begin) * 1000;

    Progress progress("Measuring");
    const auto tokens = some_tokens(prompt, engine.vocabulary());
    CONSTELA_ASSIGN(const Speed pp,
                    measure(prompt, options.repetitions, progress, 0, [&] { return time_prompt(engine, tokens); }));
    CONSTELA_ASSIGN(const Speed tg, measure(generated, options.repetitions, progress, 0.5,
                                            [&] { return time_generation(engine, generated, depth); }));
    progress.clear();
    const std::uint64_t peak = peak_resident_bytes(); // before the bandwidth takes a buffer of its own
    const double bandwidth = device::measured_read_bandwidth(engine.threads(), &interrupted());
    CONSTELA_TRY(Engine::check_interrupt());

    const nlohmann::ordered_json json{{"model", engine.model().config().name},
                                      {"backend", engine.backend()},
                                      {"threads", engine.threads()},
                                      {"pp", as_json(pp)},
                                      {"tg", as_json(tg)},
                                      {"depth", depth},
                                      {"load_ms", load_ms},
                                      {"peak_rss_bytes", peak},
                                      {"repetitions", options.repetitions},
                                      {"kv_type", kernels::kv_type_name(options.engine.kv_type)},
                                      {"read_bandwidth_bytes_per_s", bandwidth},
                                      {"weight_bytes", engine.model().weight_bytes()}};
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
    add_whole(command, "-r", options->repetitions, 1, 10'000, "How often each is measured (5)");
    add_json(command, options->json);
    command.footer("pp feeds -p tokens at once into an empty sequence, tg makes -n tokens one by one after -d others;\n"
                   "rates are tokens per second. load_ms: from opening the file to the first token.\n"
                   "Example:\n"
                   "  constelactl bench --model model.gguf --threads 2 --json");
    command.callback([options, &action] { action = [options] { return bench(*options); }; });
}

} // namespace constela::ctl
