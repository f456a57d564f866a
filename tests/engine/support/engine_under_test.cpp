// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/engine_under_test.h"

#include <algorithm>
#include <stdexcept>

namespace constela::test {

std::shared_ptr<const model::Model> open_model(const std::filesystem::path& path, std::size_t context)
{
    auto file = gguf::File::open(path);
    if (!file) {
        throw std::runtime_error(file.error().text());
    }
    auto model = model::Model::open(*file, context);
    if (!model) {
        throw std::runtime_error(model.error().text());
    }
    return *model;
}

EngineUnderTest::EngineUnderTest(std::shared_ptr<const model::Model> model, const EngineSettings& settings)
    : backend_(device::make_cpu_backend(*settings.kernels, settings.threads).value())
{
    runtime::ContextOptions options = settings.context;
    if (options.context == 0) {
        options.context = 512;
    }
    auto context = runtime::Context::create(std::move(model), *backend_, options);
    if (!context) {
        throw std::runtime_error(context.error().text());
    }
    context_ = *std::move(context);
}

std::vector<float> EngineUnderTest::logits(std::span<const std::int32_t> tokens, std::vector<std::size_t> chunks)
{
    std::vector<float> result(tokens.size() * vocabulary());
    const runtime::SequenceId sequence = context_->open();
    std::size_t fed = 0;
    for (std::size_t i = 0; fed < tokens.size(); ++i) {
        const std::size_t chunk = std::min(chunks[std::min(i, chunks.size() - 1)], tokens.size() - fed);
        const auto done =
            context_->feed(sequence, tokens.subspan(fed, chunk), runtime::Want::all,
                           [&](std::size_t, std::size_t token, std::span<const float> row) {
                               std::copy(row.begin(), row.end(),
                                         result.begin() + static_cast<std::ptrdiff_t>((fed + token) * row.size()));
                           });
        if (!done) {
            throw std::runtime_error(done.error().text());
        }
        fed += chunk;
    }
    context_->close(sequence);
    return result;
}

std::vector<const kernels::KernelSet*> permitted_sets()
{
    std::vector<const kernels::KernelSet*> sets;
    for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
        if (status.set != nullptr) {
            sets.push_back(status.set);
        }
    }
    return sets;
}

} // namespace constela::test
