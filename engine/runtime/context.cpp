// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/context.h"

#include <algorithm>

namespace constela::runtime {

namespace {

using model::kReaches;
using model::Reach;

/// Positions that a window keeps beyond what it needs, so that a conversation can go back a little without being
/// computed again.
constexpr std::size_t kWindowSlack = 512;
/// Logits computed at once, in floats.
constexpr std::size_t kLogitsAtOnce = std::size_t{4} << 20U;

std::size_t pages_for(std::size_t positions, std::size_t page_positions)
{
    return (positions + page_positions - 1) / page_positions;
}

/// Pages of the blocks of one reach. Each sequence may leave its last page partly filled.
std::size_t pool_pages(const model::Config& config, const ContextOptions& options, Reach reach)
{
    std::size_t positions = std::max(options.positions, options.context);
    if (reach == Reach::window && config.window > 0) {
        const std::size_t each = config.window + kWindowSlack + options.max_batch;
        positions = std::min(positions, each * options.sequences + options.max_batch);
    }
    return pages_for(positions, options.page_positions) + 2 * options.sequences;
}

device::KvShape kv_shape(const model::Config& config, const model::KvNeed& need, const ContextOptions& options)
{
    return {options.kv_type,        need.heads,
            need.head_size,         need.value_head_size,
            options.page_positions, pool_pages(config, options, need.reach)};
}

} // namespace

ContextMemory context_memory(const model::Model& model, const ContextOptions& options)
{
    const model::Config& config = model.config();
    ContextMemory memory;
    for (const auto& shard : model.shards()) {
        if (shard->kv_need()) {
            const device::KvShape shape = kv_shape(config, *shard->kv_need(), options);
            memory.kv += shape.pages * shape.page_bytes();
        }
    }
    // The rows of one block's forward pass, of which the widest are those of the hidden layer.
    const std::size_t hidden = config.experts > 0
                                   ? config.experts_used * (2 * config.expert_feed_forward + config.width)
                                   : 2 * config.feed_forward;
    const std::size_t per_token =
        6 * config.width + hidden + 2 * (config.heads + 2 * config.kv_heads) * config.head_size;
    memory.workspace =
        options.max_batch * per_token * sizeof(float) + std::max(kLogitsAtOnce, config.vocabulary) * sizeof(float);
    return memory;
}

struct Context::Batch {
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

Context::Context(std::shared_ptr<const model::Model> model, std::vector<std::unique_ptr<model::Shard>> shards,
                 device::Backend& backend, const ContextOptions& options)
    : model_(std::move(model)), shards_(std::move(shards)), backend_(backend),
      options_(options), pools_{PagePool(pool_pages(model_->config(), options_, Reach::full)),
                                PagePool(pool_pages(model_->config(), options_, Reach::window))}
{
    for (const auto& shard : shards_) {
        stores_.push_back(shard->kv_need()
                              ? backend_.make_kv_store(kv_shape(model_->config(), *shard->kv_need(), options_))
                              : nullptr);
    }
}

Context::~Context() = default;

Result<std::unique_ptr<Context>> Context::create(std::shared_ptr<const model::Model> model, device::Backend& backend,
                                                 const ContextOptions& options, const OnPlaced& on_placed)
{
    const model::Config& config = model->config();
    if (options.kv_type == kernels::KvType::q8_0 && (config.head_size % 32 != 0 || config.value_head_size % 32 != 0)) {
        return failure("A KV cache of type q8_0 needs heads of a multiple of 32 elements; those of {} have {}. "
                       "Choose f16 or f32.",
                       config.name, config.head_size);
    }
    CONSTELA_ASSIGN(auto shards, model->place({backend, on_placed}));
    if (auto changed = model->file().changed()) {
        return tl::unexpected<Error>(*std::move(changed));
    }
    return std::unique_ptr<Context>(new Context(std::move(model), std::move(shards), backend, options));
}

SequenceId Context::open()
{
    const std::size_t window = model_->config().window;
    const SequenceId id = next_++;
    sequences_.emplace(id, Sequence{0,
                                    {PageTable(options_.page_positions, 0),
                                     PageTable(options_.page_positions, window == 0 ? 0 : window + kWindowSlack)}});
    return id;
}

void Context::close(SequenceId sequence)
{
    Sequence& found = sequences_.at(sequence);
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        found.tables[reach].clear(pools_[reach]);
    }
    sequences_.erase(sequence);
}

std::size_t Context::length(SequenceId sequence) const
{
    return sequences_.at(sequence).length;
}

bool Context::can_continue_at(SequenceId sequence, std::size_t length) const
{
    const Sequence& found = sequences_.at(sequence);
    const PageTable& windowed = found.tables[static_cast<std::size_t>(Reach::window)];
    const std::size_t window = model_->config().window;
    const std::size_t seen = window == 0 || length + 1 <= window ? 0 : length + 1 - window;
    return length <= found.length && windowed.first() <= seen;
}

void Context::truncate(SequenceId sequence, std::size_t length)
{
    Sequence& found = sequences_.at(sequence);
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        found.tables[reach].truncate(pools_[reach], length);
    }
    found.length = length;
}

SequenceId Context::fork(SequenceId from, std::size_t length)
{
    const SequenceId id = open();
    Sequence& copy = sequences_.at(id);
    const Sequence& original = sequences_.at(from);
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        copy.tables[reach].share(pools_[reach], original.tables[reach], length);
    }
    copy.length = length;
    return id;
}

bool Context::fits(std::span<const Work> works) const
{
    for (std::size_t reach = 0; reach < kReaches; ++reach) {
        std::size_t needed = 0;
        for (const Work& work : works) {
            const Sequence& sequence = sequences_.at(work.sequence);
            needed += sequence.tables[reach].pages_needed(pools_[reach], sequence.length,
                                                          sequence.length + work.tokens.size());
        }
        if (needed > pools_[reach].available()) {
            return false;
        }
    }
    return true;
}

void Context::reserve(std::span<const Work> works)
{
    for (const Work& work : works) {
        Sequence& sequence = sequences_.at(work.sequence);
        for (std::size_t reach = 0; reach < kReaches; ++reach) {
            const auto copy =
                sequence.tables[reach].reserve(pools_[reach], sequence.length, sequence.length + work.tokens.size());
            for (std::size_t i = 0; copy && i < stores_.size(); ++i) {
                const auto& need = shards_[i]->kv_need();
                if (need && static_cast<std::size_t>(need->reach) == reach) {
                    backend_.copy_page(*stores_[i], copy->from, copy->to, copy->positions);
                }
            }
        }
    }
}

Context::Outcome Context::step(std::span<const Work> works, const OnLogits& on_logits, const std::atomic<bool>* abort)
{
    backend_.set_abort(nullptr); // the copies of shared pages must be whole
    reserve(works);

    Batch batch;
    for (std::size_t w = 0; w < works.size(); ++w) {
        const Sequence& sequence = sequences_.at(works[w].sequence);
        for (std::size_t reach = 0; reach < kReaches; ++reach) {
            batch.tables[reach].push_back(sequence.tables[reach].pages());
        }
        batch.wants_all = batch.wants_all || works[w].want == Want::all;
        const std::size_t count = works[w].tokens.size();
        for (std::size_t i = 0; i < count; ++i) {
            if (works[w].want == Want::all || (works[w].want == Want::last && i + 1 == count)) {
                batch.wanted.push_back({static_cast<std::uint32_t>(batch.tokens.size()), w, i});
            }
            batch.tokens.push_back(works[w].tokens[i]);
            batch.positions.push_back(static_cast<std::uint32_t>(sequence.length + i));
            batch.sequences.push_back(static_cast<std::uint32_t>(w));
        }
    }

    backend_.set_abort(abort);
    backend_.reset_scratch();
    model::Step step;
    step.tokens = batch.tokens;
    for (const Reach reach : {Reach::full, Reach::window}) {
        step.kv[static_cast<std::size_t>(reach)] = batch.index(reach);
        step.angles[static_cast<std::size_t>(reach)] = model_->rope(reach).angles(batch.positions);
    }
    const device::Rows x = shards_.front()->forward(backend_, step, nullptr, {});
    const auto mark = backend_.scratch_mark();
    for (std::size_t i = 1; i + 1 < shards_.size(); ++i) {
        shards_[i]->forward(backend_, step, stores_[i].get(), x);
        backend_.release_scratch(mark);
    }
    backend_.set_abort(nullptr);
    if (abort != nullptr && abort->load()) {
        return Outcome::aborted;
    }
    if (!batch.wanted.empty() && run_head(batch, x, on_logits, abort) == Outcome::aborted) {
        return Outcome::aborted;
    }
    for (const Work& work : works) {
        Sequence& sequence = sequences_.at(work.sequence);
        sequence.length += work.tokens.size();
        for (std::size_t reach = 0; reach < kReaches; ++reach) {
            sequence.tables[reach].forget_before(pools_[reach], sequence.length);
        }
    }
    return Outcome::done;
}

Context::Outcome Context::run_head(const Batch& batch, device::Rows x, const OnLogits& on_logits,
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

Result<> Context::feed(SequenceId sequence, std::span<const std::int32_t> tokens, Want want, const OnLogits& on_logits)
{
    const std::size_t held = length(sequence);
    if (held + tokens.size() > options_.context) {
        return failure("{} tokens do not fit into a context of {}; ask for a longer one.", held + tokens.size(),
                       options_.context);
    }
    for (std::size_t first = 0; first < tokens.size(); first += options_.max_batch) {
        const std::size_t count = std::min(options_.max_batch, tokens.size() - first);
        const bool is_last = first + count == tokens.size();
        const Work work{sequence, tokens.subspan(first, count), want == Want::last && !is_last ? Want::none : want};
        if (!fits({&work, 1})) {
            return failure("The KV cache is full: {} positions are not enough.", options_.positions);
        }
        step({&work, 1}, [&](std::size_t, std::size_t token, std::span<const float> logits) {
            on_logits(0, first + token, logits);
        });
    }
    return {};
}

} // namespace constela::runtime
