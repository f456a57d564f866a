// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/stage.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace constela::runtime {

namespace {

using model::kReaches;
using model::Reach;

/// Logits computed at once, in floats.
constexpr std::size_t kLogitsAtOnce = std::size_t{4} << 20U;

device::KvShape kv_shape(const model::Config& config, const model::KvNeed& need, const ContextOptions& options)
{
    return {options.kv_type,        need.heads,
            need.head_size,         need.value_head_size,
            options.page_positions, pool_pages(config, options, need.reach)};
}

std::vector<Growth> growths_of(std::span<const Work> works)
{
    std::vector<Growth> growths;
    growths.reserve(works.size());
    for (const Work& work : works) {
        growths.push_back({work.sequence, work.tokens.size()});
    }
    return growths;
}

} // namespace

ContextMemory context_memory(const model::Model& model, const ContextOptions& options, ShardRange shards)
{
    const model::Config& config = model.config();
    ContextMemory memory;
    for (std::size_t i = shards.first; i < shards.end(); ++i) {
        if (const auto& need = model.shards()[i]->kv_need()) {
            const device::KvShape shape = kv_shape(config, *need, options);
            memory.kv += shape.pages * shape.page_bytes();
        }
    }
    // The rows of one block's forward pass, of which the widest are those of the hidden layer.
    const std::size_t hidden = config.experts > 0
                                   ? config.experts_used * (2 * config.expert_feed_forward + config.width)
                                   : 2 * config.feed_forward;
    const std::size_t per_token =
        6 * config.width + hidden + 2 * (config.heads + 2 * config.kv_heads) * config.head_size;
    const std::size_t logits =
        shards.end() == model.shards().size() ? std::max(kLogitsAtOnce, config.vocabulary) * sizeof(float) : 0;
    memory.workspace = options.max_batch * per_token * sizeof(float) + logits;
    return memory;
}

struct Stage::Batch {
    std::vector<std::int32_t> tokens;
    std::vector<std::uint32_t> positions;
    std::vector<std::uint32_t> sequences;
    std::array<std::vector<std::span<const device::PageId>>, kReaches> tables;
    struct Wanted {
        std::uint32_t row;
        std::size_t work;
        std::size_t token;
    };
    std::vector<Wanted> wanted;
    bool wants_all = false; ///< Some work does.

    [[nodiscard]] device::KvIndex index(Reach reach) const
    {
        return {positions, sequences, tables[static_cast<std::size_t>(reach)]};
    }
};

Stage::Stage(std::shared_ptr<const model::Model> model, std::vector<std::unique_ptr<model::Shard>> shards,
             device::Backend& backend, const ContextOptions& options, ShardRange range)
    : model_(std::move(model)), shards_(std::move(shards)), backend_(backend), options_(options), range_(range),
      sequences_(model_->config(), options_)
{
    for (const auto& shard : shards_) {
        stores_.push_back(shard->kv_need()
                              ? backend_.make_kv_store(kv_shape(model_->config(), *shard->kv_need(), options_))
                              : nullptr);
    }
}

Stage::~Stage()
{
    sequences_.close_all();
}

Result<std::unique_ptr<Stage>> Stage::create(std::shared_ptr<const model::Model> model, device::Backend& backend,
                                             const ContextOptions& options, ShardRange range, const OnPlaced& on_placed)
{
    const model::Config& config = model->config();
    if (options.kv_type == kernels::KvType::q8_0 && (config.head_size % 32 != 0 || config.value_head_size % 32 != 0)) {
        return failure("A KV cache of type q8_0 needs heads of a multiple of 32 elements; those of {} have {}. "
                       "Choose f16 or f32.",
                       config.name, config.head_size);
    }
    CONSTELA_ASSIGN(auto shards, model->place({backend, on_placed, range.first, range.count}));
    if (auto changed = model->file().changed()) {
        return tl::unexpected<Error>(*std::move(changed));
    }
    return std::unique_ptr<Stage>(new Stage(std::move(model), std::move(shards), backend, options, range));
}

Stage::Batch Stage::gather(std::span<const Work> works) const
{
    Batch batch;
    for (std::size_t w = 0; w < works.size(); ++w) {
        const SequenceId sequence = works[w].sequence;
        for (const Reach reach : {Reach::full, Reach::window}) {
            batch.tables[static_cast<std::size_t>(reach)].push_back(sequences_.pages(sequence, reach));
        }
        batch.wants_all = batch.wants_all || works[w].want == Want::all;
        const std::size_t held = sequences_.length(sequence);
        const std::size_t count = works[w].tokens.size();
        for (std::size_t i = 0; i < count; ++i) {
            if (works[w].want == Want::all || (works[w].want == Want::last && i + 1 == count)) {
                batch.wanted.push_back({static_cast<std::uint32_t>(batch.tokens.size()), w, i});
            }
            batch.tokens.push_back(works[w].tokens[i]);
            batch.positions.push_back(static_cast<std::uint32_t>(held + i));
            batch.sequences.push_back(static_cast<std::uint32_t>(w));
        }
    }
    return batch;
}

void Stage::reserve(std::span<const Growth> growths)
{
    const KvSequences::Copies copies = sequences_.reserve(growths);
    for (std::size_t i = 0; i < stores_.size(); ++i) {
        if (stores_[i] == nullptr) {
            continue;
        }
        for (const PageCopy& copy : copies[static_cast<std::size_t>(shards_[i]->kv_need()->reach)]) {
            backend_.copy_page(*stores_[i], copy.from, copy.to, copy.positions);
        }
    }
}

/// Through all shards but the head.
device::Rows Stage::forward(const Batch& batch, device::Rows in)
{
    model::Step step;
    step.tokens = batch.tokens;
    for (const Reach reach : {Reach::full, Reach::window}) {
        step.kv[static_cast<std::size_t>(reach)] = batch.index(reach);
        step.angles[static_cast<std::size_t>(reach)] = model_->rope(reach).angles(batch.positions);
    }
    device::Rows x;
    std::size_t next = 0;
    if (takes_tokens()) {
        x = shards_[next++]->forward(backend_, step, nullptr, {});
    } else {
        x = backend_.scratch(in.count, in.columns);
        const device::Rows host = backend_.host_view(x);
        for (std::size_t i = 0; i < in.count; ++i) {
            std::memcpy(host.row(i).data(), in.row(i).data(), in.columns * sizeof(float));
        }
    }
    const auto mark = backend_.scratch_mark();
    const std::size_t blocks_end = shards_.size() - (gives_logits() ? 1 : 0);
    for (; next < blocks_end; ++next) {
        shards_[next]->forward(backend_, step, stores_[next].get(), x);
        backend_.release_scratch(mark);
    }
    return x;
}

Stage::Outcome Stage::step(std::span<const Work> works, device::Rows in, const Sinks& sinks,
                           const std::atomic<bool>* abort)
{
    backend_.set_abort(nullptr); // the copies of shared pages must be whole
    const std::vector<Growth> growths = growths_of(works);
    reserve(growths);
    const Batch batch = gather(works);

    backend_.set_abort(abort);
    backend_.reset_scratch();
    const device::Rows x = forward(batch, in);
    backend_.set_abort(nullptr);
    if (abort != nullptr && abort->load()) {
        return Outcome::aborted;
    }
    if (!gives_logits()) {
        sinks.on_rows(backend_.host_view(x));
    } else if (!batch.wanted.empty() && run_head(batch, x, sinks.on_logits, abort) == Outcome::aborted) {
        return Outcome::aborted;
    }
    sequences_.advance(growths);
    return Outcome::done;
}

Stage::Outcome Stage::run_head(const Batch& batch, device::Rows x, const OnLogits& on_logits,
                               const std::atomic<bool>* abort)
{
    const auto aborted = [abort] { return abort != nullptr && abort->load(); };
    const std::size_t at_once = std::max<std::size_t>(1, kLogitsAtOnce / model_->config().vocabulary);
    std::vector<std::uint32_t> rows;
    for (const Batch::Wanted& wanted : batch.wanted) {
        rows.push_back(wanted.row);
    }
    const device::Rows chosen = backend_.scratch(rows.size(), x.columns);
    backend_.gather(x, rows, chosen);
    const auto mark = backend_.scratch_mark();
    for (std::size_t first = 0; first < rows.size(); first += at_once) {
        const std::size_t count = std::min(at_once, rows.size() - first);
        // Once somebody may have chosen a token by a row, the step counts: that cannot be taken back.
        const bool may_abort = first == 0 || batch.wants_all;
        backend_.set_abort(may_abort ? abort : nullptr);
        const device::Rows logits =
            backend_.host_view(shards_.back()->forward(backend_, {}, nullptr, chosen.rows(first, count)));
        backend_.set_abort(nullptr);
        if (may_abort && aborted()) {
            return Outcome::aborted;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (batch.wants_all && aborted()) {
                return Outcome::aborted;
            }
            on_logits(batch.wanted[first + i].work, batch.wanted[first + i].token, logits.row(i));
        }
        backend_.release_scratch(mark);
    }
    return Outcome::done;
}

} // namespace constela::runtime
