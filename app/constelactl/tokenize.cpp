// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/options.h"
#include "app/constelactl/output.h"
#include "engine/text/tokenizer.h"

#include <fmt/format.h>
#include <memory>

namespace constela::ctl {

namespace {

struct Options {
    std::string model;
    std::string file = "-";
    bool no_bos = false;
    bool parse_special = false;
};

Result<> tokenize(const Options& options)
{
    CONSTELA_ASSIGN(const auto file, gguf::File::open(options.model));
    CONSTELA_ASSIGN(const auto tokenizer, text::Tokenizer::create(file->metadata()));
    CONSTELA_ASSIGN(const std::string given, read_input(options.file));
    const text::MarkedText text =
        options.parse_special ? text::MarkedText::by_template(given) : text::MarkedText::by_person(given);
    const auto ids = options.no_bos ? tokenizer->encode(text) : tokenizer->encode_prompt(text);
    return write_stdout(fmt::format("{}\n", fmt::join(ids, " ")));
}

} // namespace

void add_tokenize(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("tokenize", "Token ids of a text");
    add_model(command, options->model)->required();
    add_path(command, "--file,-f", options->file, "TEXTFILE", "Read this file, not standard input");
    command.add_flag("--no-bos", options->no_bos, "Do not begin with the BOS token, even if the model wants it");
    command.add_flag("--parse-special", options->parse_special, "Special tokens in the text become tokens");
    command.footer("The text is taken byte for byte, a line end at its end included.\n"
                   "Example:\n"
                   "  printf 'Hello' | constelactl tokenize --model model.gguf");
    command.callback([options, &action] { action = [options] { return tokenize(*options); }; });
}

} // namespace constela::ctl
