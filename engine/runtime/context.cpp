// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/context.h"

#include <algorithm>
#include <vector>

namespace constela::runtime {

Result<std::unique_ptr<Context>> Context::create(std::shared_ptr<const model::Model> model, device::Backend& backend,
                                                 const ContextOptions& options, const OnPlaced& on_placed)
{
    const ShardRange all = all_shards(*model);
    CONSTELA_ASSIGN(auto stage, Stage::create(std::move(model), backend, options, all, on_placed));
    return std::unique_ptr<Context>(new Context(std::move(stage)));
}

SequenceId Context::open()
{
    const SequenceId id = next_++;
    stage_->sequences().open(id);
    return id;
}

SequenceId Context::fork(SequenceId from, std::size_t length)
{
    const SequenceId id = next_++;
    stage_->sequences().fork(id, from, length);
    return id;
}

bool Context::fits(std::span<const Work> works) const
{
    std::vector<Growth> growths;
    for (const Work& work : works) {
        growths.push_back({work.sequence, work.tokens.size()});
    }
    return stage_->sequences().fits(growths);
}

Context::Outcome Context::step(std::span<const Work> works, const OnLogits& on_logits, const std::atomic<bool>* abort)
{
    return stage_->step(works, {}, {{}, on_logits}, abort);
}

Result<> Context::feed(SequenceId sequence, std::span<const std::int32_t> tokens, Want want, const OnLogits& on_logits)
{
    const std::size_t held = length(sequence);
    const ContextOptions& options = this->options();
    if (held + tokens.size() > options.context) {
        return failure("{} tokens do not fit into a context of {}; ask for a longer one.", held + tokens.size(),
                       options.context);
    }
    for (std::size_t first = 0; first < tokens.size(); first += options.max_batch) {
        const std::size_t count = std::min(options.max_batch, tokens.size() - first);
        const bool is_last = first + count == tokens.size();
        const Work work{sequence, tokens.subspan(first, count), want == Want::last && !is_last ? Want::none : want};
        if (!fits({&work, 1})) {
            return failure("The KV cache is full: {} positions are not enough.", options.positions);
        }
        step({&work, 1}, [&](std::size_t, std::size_t token, std::span<const float> logits) {
            on_logits(0, first + token, logits);
        });
    }
    return {};
}

} // namespace constela::runtime
