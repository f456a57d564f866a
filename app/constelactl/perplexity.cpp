// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/engine.h"
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"
#include "app/constelactl/terminal.h"
#include "engine/text/tokenizer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace constela::ctl {

namespace {

constexpr std::int64_t kUsualContext = 512;
constexpr std::int64_t kLeastContext = 4;

struct Options {
    EngineOptions engine;
    std::string file;
    bool json = false;
};

/// -log(softmax(logits)[token])
double surprise(std::span<const float> logits, std::int32_t token)
{
    const double most = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - most);
    }
    return std::log(sum) + most - static_cast<double>(logits[static_cast<std::size_t>(token)]);
}

/// The text as one row of tokens, BOS first if the model adds one.
std::vector<std::int32_t> text_tokens(const std::string& text, const text::Tokenizer& tokenizer,
                                      std::optional<std::int32_t> bos)
{
    std::vector<std::int32_t> tokens = tokenizer.encode(text, text::SpecialTokens::as_plain_text);
    if (bos) {
        tokens.insert(tokens.begin(), *bos);
    }
    return tokens;
}

struct Score {
    double sum = 0;
    std::size_t tokens = 0;

    [[nodiscard]] double perplexity() const { return std::exp(sum / static_cast<double>(tokens)); }
};

/// The second half of a chunk, each token with all that stands before it in the chunk.
Result<> score_chunk(Engine& engine, std::span<const std::int32_t> chunk, Score& score)
{
    const std::size_t half = chunk.size() / 2;
    const auto sequence = engine.open_sequence();
    auto fed = [&]() -> Result<> {
        CONSTELA_TRY(engine.feed(sequence, chunk.first(half - 1), runtime::Want::none, {}));
        return engine.feed(sequence, chunk.subspan(half - 1, chunk.size() - half), runtime::Want::all,
                           [&](std::size_t, std::size_t token, std::span<const float> logits) {
                               score.sum += surprise(logits, chunk[half + token]);
                               ++score.tokens;
                           });
    }();
    engine.close_sequence(sequence);
    return fed;
}

Result<Score> score_text(Engine& engine, std::vector<std::int32_t> tokens, std::optional<std::int32_t> bos)
{
    const std::size_t length = engine.context().options().context;
    const std::size_t chunks = tokens.size() / length;
    if (chunks == 0) {
        return failure(
            "The text has {} tokens, less than one chunk of {}. Take a longer text, or give a smaller --ctx.",
            tokens.size(), length);
    }
    Progress progress("Perplexity");
    Score score;
    for (std::size_t i = 0; i < chunks; ++i) {
        const std::span<std::int32_t> chunk = std::span(tokens).subspan(i * length, length);
        if (bos) {
            chunk[0] = *bos;
        }
        CONSTELA_TRY(score_chunk(engine, chunk, score));
        progress.show(static_cast<double>(i + 1) / static_cast<double>(chunks),
                      fmt::format("chunk {} of {}: {:.3f}", i + 1, chunks, score.perplexity()));
    }
    return score;
}

Result<> perplexity(const Options& options)
{
    CONSTELA_ASSIGN(const std::string text, read_input(options.file));
    catch_interrupts();
    CONSTELA_ASSIGN(Engine engine, Engine::open(options.engine, kUsualContext));
    CONSTELA_ASSIGN(const auto tokenizer, text::Tokenizer::create(engine.metadata()));
    CONSTELA_TRY(Engine::check_interrupt());
    const std::optional<std::int32_t> bos = tokenizer->adds_bos() ? tokenizer->bos() : std::nullopt;
    auto tokens = text_tokens(text, *tokenizer, bos);
    CONSTELA_TRY(Engine::check_interrupt());
    CONSTELA_TRY(engine.check_tokens(tokens));
    CONSTELA_ASSIGN(const Score score, score_text(engine, std::move(tokens), bos));
    if (options.json) {
        return print_json({{"perplexity", score.perplexity()}, {"tokens", score.tokens}});
    }
    return write_stdout(fmt::format("perplexity {:.4f} over {} tokens\n", score.perplexity(), score.tokens));
}

} // namespace

void add_perplexity(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("perplexity", "How well a model foresees a text");
    add_engine_options(command, options->engine);
    add_path(command, "--file,-f", options->file, "TEXT", "The text; - for standard input")->required();
    add_json(command, options->json);
    command.footer(
        "The text is cut into chunks of --ctx tokens (512), what is left over is not used; in each chunk the\n"
        "second half is scored.\n"
        "Example:\n"
        "  constelactl perplexity --model model.gguf --file book.txt --json");
    command.callback([options, &action] {
        if (options->engine.context > 0 && options->engine.context < kLeastContext) {
            usage_error(fmt::format("--ctx must be at least {} here.", kLeastContext));
        }
        action = [options] { return perplexity(*options); };
    });
}

} // namespace constela::ctl
