// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/pipeline/stage_runner.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace constela::cluster {

namespace {

using runtime::Work;

/// More than a coordinator ever keeps.
constexpr std::size_t kMostSequences = 4096;

tl::unexpected<Error> impossible(const char* what)
{
    auto error =
        failure("The coordinator asked for a step that cannot be; it and this node do not agree on what was done "
                "before. Load the model again.");
    error.value().details = what;
    return error;
}

/// The same bytes as floats, copied where they do not lie as floats must.
class FloatRows {
public:
    FloatRows(std::span<const std::byte> bytes, std::size_t count, std::size_t columns)
    {
        const float* data = reinterpret_cast<const float*>(bytes.data());
        if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(float) != 0) {
            copy_.resize(count * columns);
            std::memcpy(copy_.data(), bytes.data(), bytes.size());
            data = copy_.data();
        }
        rows_ = {const_cast<float*>(data), count, columns, columns}; // NOLINT(*-const-cast): a stage only reads them
    }
    [[nodiscard]] const device::Rows& rows() const { return rows_; }

private:
    std::vector<float> copy_;
    device::Rows rows_;
};

} // namespace

Result<> StageRunner::apply(const SequenceOp& op)
{
    runtime::KvSequences& sequences = stage_->sequences();
    const bool known = sequences.has(op.sequence);
    switch (op.kind) {
    case SequenceOp::Kind::open:
        if (known || sequences.count() >= kMostSequences) {
            return impossible("open");
        }
        sequences.open(op.sequence);
        return {};
    case SequenceOp::Kind::close:
        if (!known) {
            return impossible("close");
        }
        sequences.close(op.sequence);
        return {};
    case SequenceOp::Kind::fork:
        if (known || sequences.count() >= kMostSequences || !sequences.has(op.from) ||
            !sequences.can_continue_at(op.from, op.length)) {
            return impossible("fork");
        }
        sequences.fork(op.sequence, op.from, op.length);
        return {};
    case SequenceOp::Kind::truncate:
        if (!known || !sequences.can_continue_at(op.sequence, op.length)) {
            return impossible("truncate");
        }
        sequences.truncate(op.sequence, op.length);
        return {};
    }
    return impossible("operation");
}

Result<std::vector<Work>> StageRunner::works_of(const DataStep& step) const
{
    const runtime::KvSequences& sequences = stage_->sequences();
    const runtime::ContextOptions& options = stage_->options();
    const std::size_t vocabulary = stage_->model().config().vocabulary;
    if (step.tokens.size() > options.max_batch) {
        return impossible("more tokens than a step may have");
    }
    for (const std::int32_t token : step.tokens) {
        if (token < 0 || static_cast<std::size_t>(token) >= vocabulary) {
            return impossible("a token that there is not");
        }
    }
    std::vector<Work> works;
    std::vector<runtime::Growth> growths;
    std::set<runtime::SequenceId> seen;
    std::size_t at = 0;
    for (const StepWork& work : step.works) {
        if (!sequences.has(work.sequence) || sequences.length(work.sequence) != work.length ||
            work.count > options.context - std::min<std::uint64_t>(work.length, options.context) ||
            !seen.insert(work.sequence).second) {
            return impossible("a sequence that is not where the step begins");
        }
        works.push_back({work.sequence, std::span(step.tokens).subspan(at, work.count),
                         work.choose ? runtime::Want::last : runtime::Want::none});
        growths.push_back({work.sequence, work.count});
        at += work.count;
    }
    if (!sequences.fits(growths)) {
        return impossible("more pages than there are");
    }
    return works;
}

Result<DataOutcome> StageRunner::step(const DataStep& step, std::span<const std::byte> rows,
                                      const runtime::OnRows& on_rows)
{
    if (step.number != next_) {
        return impossible("a step out of turn");
    }
    ++next_;
    for (const SequenceOp& op : step.ops) {
        CONSTELA_TRY(apply(op));
    }
    DataOutcome outcome{step.number, {}};
    CONSTELA_ASSIGN(const std::vector<Work> works, works_of(step));
    const std::size_t width = stage_->model().config().width;
    const std::size_t expected = stage_->takes_tokens() ? 0 : step.tokens.size() * width * sizeof(float);
    if (rows.size() != expected) {
        return impossible("rows of another size");
    }
    if (works.empty()) {
        if (!stage_->gives_logits()) {
            on_rows({});
        }
        return outcome;
    }
    const FloatRows in(rows, stage_->takes_tokens() ? 0 : step.tokens.size(), width);
    const auto on_logits = [&](std::size_t work, std::size_t /*token*/, std::span<const float> logits) {
        outcome.choices.push_back({work, runtime::choose(*step.works[work].choose, logits)});
    };
    stage_->step(works, in.rows(), {on_rows, on_logits});
    return outcome;
}

} // namespace constela::cluster
