// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/constelactl/commands.h"
#include "app/constelactl/options.h"
#include "app/constelactl/output.h"
#include "engine/text/tokenizer.h"

#include <memory>

namespace constela::ctl {

namespace {

struct Options {
    std::string model;
    std::vector<std::string> words;
    std::vector<std::int32_t> ids;
};

Result<> detokenize(const Options& options)
{
    CONSTELA_ASSIGN(const auto file, gguf::File::open(options.model));
    CONSTELA_ASSIGN(const auto tokenizer, text::Tokenizer::create(file->metadata()));
    for (const std::int32_t id : options.ids) {
        if (static_cast<std::size_t>(id) >= tokenizer->size()) {
            return failure("There is no token {}: the vocabulary of {} has {} tokens, 0 to {}.", id,
                           file->metadata().file_name(), tokenizer->size(), tokenizer->size() - 1);
        }
    }
    return write_stdout(tokenizer->decode(options.ids));
}

} // namespace

void add_detokenize(CLI::App& app, Action& action)
{
    auto options = std::make_shared<Options>();
    CLI::App& command = *app.add_subcommand("detokenize", "The text of token ids");
    add_model(command, options->model)->required();
    command.add_option("ID", options->words, "Token ids, separated by spaces or commas")->required();
    command.footer("Exactly the text, with no line end added; special tokens are shown by their names.\n"
                   "Example:\n"
                   "  constelactl detokenize --model model.gguf 19556 905");
    command.callback([options, &action] {
        for (const std::string& word : options->words) {
            const auto ids = parse_token_ids(word);
            options->ids.insert(options->ids.end(), ids.begin(), ids.end());
        }
        action = [options] { return detokenize(*options); };
    });
}

} // namespace constela::ctl
