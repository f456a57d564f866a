// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/local_executor.h"

namespace constela::runtime {

namespace {

Work work_of(const PlannedWork& planned)
{
    return {planned.sequence, planned.tokens, planned.choose == nullptr ? Want::none : Want::last};
}

} // namespace

bool LocalExecutor::fits(std::span<const PlannedWork> works) const
{
    std::vector<Work> plain;
    for (const PlannedWork& work : works) {
        plain.push_back(work_of(work));
    }
    return context_.fits(plain);
}

void LocalExecutor::submit(std::span<const PlannedWork> works)
{
    works_.clear();
    requests_.clear();
    for (const PlannedWork& work : works) {
        works_.push_back(work_of(work));
        requests_.push_back(work.choose == nullptr ? SampleRequest{} : *work.choose);
    }
}

Result<Executor::Outcome> LocalExecutor::collect(const std::atomic<bool>* abort)
{
    Outcome outcome;
    const auto done = context_.step(
        works_,
        [&](std::size_t work, std::size_t, std::span<const float> logits) {
            outcome.chosen.push_back({work, choose(requests_[work], logits)});
        },
        abort);
    if (done == Context::Outcome::aborted) {
        outcome.state = Outcome::State::aborted;
    }
    return outcome;
}

} // namespace constela::runtime
