// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/loading.h"

#include "engine/device/cpu/cpu_backend.h"
#include "engine/device/cpu/cpu_info.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

namespace constela::node {

namespace {

/// Sequences that a node answers at once; more wait.
constexpr std::size_t kSequences = 16;
constexpr std::size_t kUsualBatch = 512;

tl::unexpected<Error> cancelled()
{
    return failure("Loading was cancelled.");
}

/// The model's own template if it can render a simple conversation, else the plain format and why.
void choose_template(LoadedModel& loaded)
{
    const gguf::Metadata& metadata = loaded.file->metadata();
    const auto plain = [&](std::optional<Error> why) {
        loaded.chat_template = std::make_shared<const text::ChatTemplate>(text::ChatTemplate::plain());
        loaded.template_notice = std::move(why);
    };
    if (!metadata.has("tokenizer.chat_template")) {
        return plain(
            failure("This model brings no chat template; a plain format is used, which may suit it less.").value());
    }
    const auto source = metadata.get<std::string>("tokenizer.chat_template");
    if (!source) {
        return plain(source.error());
    }
    auto parsed = text::ChatTemplate::parse(*source);
    if (!parsed) {
        return plain(parsed.error());
    }
    text::TemplateInput trial;
    trial.messages = {{{"role", "user"}, {"content", "Hello"}}};
    if (const auto rendered = parsed->render(trial); !rendered) {
        return plain(rendered.error());
    }
    loaded.chat_template = std::make_shared<const text::ChatTemplate>(*std::move(parsed));
}

/// In bytes.
std::size_t longest_token(const text::Tokenizer& tokenizer)
{
    std::size_t longest = 1;
    for (std::size_t id = 0; id < tokenizer.size(); ++id) {
        longest = std::max(longest, tokenizer.token(static_cast<text::TokenId>(id)).size());
    }
    return longest;
}

std::string most_common_type(const gguf::File& file)
{
    std::map<std::string_view, std::uint64_t> bytes;
    for (const gguf::TensorInfo& tensor : file.tensors()) {
        bytes[kernels::type_info(tensor.type).name] += tensor.bytes;
    }
    const auto most =
        std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == bytes.end() ? std::string() : std::string(most->first);
}

} // namespace

ModelSnapshot describe(const model::Model& model)
{
    ModelSnapshot snapshot;
    snapshot.path = model.file().paths().front();
    snapshot.name = model.config().name;
    snapshot.architecture = model.config().architecture;
    snapshot.quantization = most_common_type(model.file());
    for (const gguf::TensorInfo& tensor : model.file().tensors()) {
        snapshot.parameters += tensor.elements();
    }
    snapshot.file_bytes = model.file().bytes();
    snapshot.trained_context = static_cast<std::uint32_t>(model.config().context);
    return snapshot;
}

Result<LoadedModel> prepare_model(const LoadRequest& request, std::uint64_t available, const LoadProgress& progress,
                                  const std::function<void(ModelSnapshot)>& on_described)
{
    LoadedModel loaded;
    CONSTELA_ASSIGN(const kernels::KernelSet* kernels, device::choose_kernels(request.kernels));
    loaded.kernels = kernels->name;
    CONSTELA_ASSIGN(loaded.file, gguf::File::open(request.path));
    CONSTELA_ASSIGN(loaded.model, model::Model::open(loaded.file, request.context_length));

    runtime::ContextOptions wanted;
    wanted.context = request.context_length;
    wanted.kv_type = request.kv_type;
    wanted.max_batch = request.max_batch == 0 ? kUsualBatch : request.max_batch;
    wanted.sequences = kSequences;
    CONSTELA_ASSIGN(loaded.memory, runtime::plan_memory(*loaded.model, wanted, available));
    const std::size_t context = loaded.memory.options.context;
    if (context != request.context_length) {
        CONSTELA_ASSIGN(loaded.model, model::Model::open(loaded.file, context)); // its angles depend on it
    }
    ModelSnapshot snapshot = describe(*loaded.model);
    snapshot.context_length = static_cast<std::uint32_t>(context);
    snapshot.memory_bytes = loaded.memory.total();
    on_described(std::move(snapshot));
    if (progress.cancelled) {
        return cancelled();
    }

    CONSTELA_ASSIGN(auto tokenizer, text::Tokenizer::create(loaded.file->metadata()));
    loaded.tokenizer = std::move(tokenizer);
    if (loaded.tokenizer->size() != loaded.model->config().vocabulary) {
        // Some files pad the embedding; ids beyond the vocabulary have no text.
        if (loaded.tokenizer->size() > loaded.model->config().vocabulary) {
            return failure("{}: the vocabulary has {} tokens, but the embedding only {} rows.",
                           loaded.file->metadata().file_name(), loaded.tokenizer->size(),
                           loaded.model->config().vocabulary);
        }
    }
    loaded.longest_token = longest_token(*loaded.tokenizer);
    choose_template(loaded);
    return loaded;
}

Result<LoadedModel> load_model(const LoadRequest& request, std::uint64_t available, LoadProgress& progress,
                               const std::function<void(ModelSnapshot)>& on_described)
{
    CONSTELA_ASSIGN(LoadedModel loaded, prepare_model(request, available, progress, on_described));
    CONSTELA_ASSIGN(const kernels::KernelSet* kernels, device::choose_kernels(request.kernels));
    loaded.threads = request.threads == 0 ? device::cpu_info().physical_cores : request.threads;
    CONSTELA_ASSIGN(loaded.backend, device::make_cpu_backend(*kernels, loaded.threads));
    const auto total = static_cast<double>(std::max<std::size_t>(loaded.model->placed_bytes(), 1));
    std::size_t done = 0;
    const auto on_placed = [&](std::size_t bytes) -> Result<> {
        done += bytes;
        progress.part = std::min(static_cast<double>(done) / total, 1.0);
        return progress.cancelled ? Result<>(cancelled()) : Result<>();
    };
    CONSTELA_ASSIGN(loaded.context,
                    runtime::Context::create(loaded.model, *loaded.backend, loaded.memory.options, on_placed));
    loaded.executor = std::make_unique<runtime::LocalExecutor>(*loaded.context);
    progress.part = 1;
    return loaded;
}

} // namespace constela::node
