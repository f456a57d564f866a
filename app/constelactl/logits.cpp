// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/engine.h"
#include "app/constelactl/output.h"
#include "app/constelactl/platform.h"

#include <bit>
#include <cstdio>
#include <fmt/format.h>
#include <optional>

namespace constela::ctl {

namespace {

struct Options {
    EngineOptions engine;
    std::string tokens_text;
    std::vector<std::int32_t> tokens;
    std::int64_t last = 1;
    bool all = false;
    std::string out;
};

/// Rows of little-endian float32, as they lie in memory.
std::string_view bytes_of(std::span<const float> row)
{
    static_assert(std::endian::native == std::endian::little, "swap the bytes on such a machine");
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the bytes are what is asked for
    return {reinterpret_cast<const char*>(row.data()), row.size_bytes()};
}

Result<> write_rows(Engine& engine, std::span<const std::int32_t> tokens, std::size_t last,
                    const std::function<Result<>(std::string_view)>& write)
{
    const auto sequence = engine.open_sequence();
    Result<> written;
    const std::size_t silent = tokens.size() - last;
    CONSTELA_TRY(engine.feed(sequence, tokens.first(silent), runtime::Want::none, {}));
    CONSTELA_TRY(engine.feed(sequence, tokens.subspan(silent), runtime::Want::all,
                             [&](std::size_t, std::size_t, std::span<const float> row) {
                                 if (written) {
                                     written = write(bytes_of(row));
                                 }
                             }));
    return written;
}

Result<> logits(const Options& options)
{
    catch_interrupts();
    CONSTELA_ASSIGN(Engine engine, Engine::open(options.engine, options.tokens.size()));
    CONSTELA_TRY(engine.check_tokens(options.tokens));
    const std::size_t last = options.all ? options.tokens.size() : static_cast<std::size_t>(options.last);
    if (options.out.empty()) {
        return write_rows(engine, options.tokens, last, write_stdout);
    }
    CONSTELA_ASSIGN(OutputFile file, OutputFile::create(options.out));
    CONSTELA_TRY(write_rows(engine, options.tokens, last, [&](std::string_view bytes) { return file.write(bytes); }));
    return file.finish();
}

void check(Options& options)
{
    options.tokens = parse_token_ids(options.tokens_text);
    if (options.tokens.empty()) {
        usage_error("--tokens takes at least one token id, e.g. --tokens 1,2,3.");
    }
    if (options.last > static_cast<std::int64_t>(options.tokens.size())) {
        usage_error(fmt::format("--last {} asks for more rows than the {} tokens that were given.", options.last,
                                options.tokens.size()));
    }
    if (options.out.empty() && stdout_is_terminal()) {
        usage_error("Logits are raw bytes, which a terminal cannot show. Give --out FILE, or send them to a program.");
    }
}

} // namespace

void add_logits(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("logits", "Raw logits after given tokens");
    add_engine_options(command, options->engine);
    add_text(command, "--tokens", options->tokens_text, "IDS", "The token ids to feed, e.g. 1,2,3; nothing is added")
        ->required();
    CLI::Option* last = add_whole(command, "--last", options->last, 1, kMost, "After each of the last N tokens");
    command.add_flag("--all", options->all, "After each token")->excludes(last);
    add_path(command, "--out,-o", options->out, "FILE", "Write here instead of to standard output");
    command.footer(
        "Little-endian float32, row by row, as many columns as the vocabulary has tokens. Without --last or\n"
        "--all: one row, after the last token. The context is as long as it must be, unless --ctx is given.\n"
        "Example:\n"
        "  constelactl logits --model model.gguf --tokens 1,341,501 --all --out rows.f32");
    command.callback([options, &action] {
        check(*options);
        action = [options] { return logits(*options); };
    });
}

} // namespace constela::ctl
