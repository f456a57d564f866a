// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/cpu/cpu_backend.h"

#include "engine/device/cpu/arena.h"
#include "engine/device/cpu/weight_memory.h"
#include "engine/device/thread_pool.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <system_error>

namespace constela::device {

namespace {

using kernels::ActivationFormat;

/// Rows of weights that a thread takes at once are a multiple of this.
constexpr std::size_t kLeastRows = 32;
/// And at most so many, which makes the streams that a thread reads from memory long enough.
constexpr std::size_t kMostRows = 128;
/// Pieces of work for a thread, so that threads end together.
constexpr std::size_t kPiecesPerThread = 8;
/// Tokens that a thread multiplies by at once: their activations stay in its own cache while the rows go by.
constexpr std::size_t kTokenChunk = 128;
/// Bytes of weights that are placed between two calls of OnPlaced.
constexpr std::size_t kPlacedAtOnce = std::size_t{8} << 20U;
/// Bytes of them that a thread takes at once.
constexpr std::size_t kPlacedByThread = std::size_t{256} << 10U;
/// Elements below which an element-wise loop is not worth a second thread.
constexpr std::size_t kElementsPerThread = 8192;

class CpuKvStore final : public KvStore {
public:
    explicit CpuKvStore(const KvShape& shape)
        : KvStore(shape), key_row_(kernels::kv_bytes(shape.type, shape.head_size)),
          value_row_(kernels::kv_bytes(shape.type, shape.value_head_size)),
          memory_(std::make_unique_for_overwrite<std::byte[]>(shape.pages * shape.page_bytes()))
    {
    }

    /// A page holds all keys, then all values; each [head][slot][element].
    [[nodiscard]] std::byte* keys(PageId page) const { return memory_.get() + page * shape().page_bytes(); }
    [[nodiscard]] std::byte* values(PageId page) const { return keys(page) + shape().heads * key_head(); }
    [[nodiscard]] std::size_t key_row() const { return key_row_; }
    [[nodiscard]] std::size_t value_row() const { return value_row_; }
    [[nodiscard]] std::size_t key_head() const { return shape().page_positions * key_row_; }
    [[nodiscard]] std::size_t value_head() const { return shape().page_positions * value_row_; }

private:
    std::size_t key_row_;
    std::size_t value_row_;
    std::unique_ptr<std::byte[]> memory_; // untouched pages cost no memory until they are written
};

class CpuBackend final : public Backend {
public:
    CpuBackend(const kernels::KernelSet& kernels, unsigned threads) : k_(kernels), pool_(threads) {}

    std::string name() const override { return fmt::format("cpu/{}", k_.name); }

    Rows scratch(std::size_t count, std::size_t columns) override
    {
        const std::size_t stride = (columns + 15) / 16 * 16;
        auto* data = reinterpret_cast<float*>(arena_.take(count * stride * sizeof(float)));
        return {data, count, columns, stride};
    }
    void reset_scratch() override { arena_.reset(); }
    ScratchMark scratch_mark() const override { return {arena_.mark().block, arena_.mark().used}; }
    void release_scratch(ScratchMark mark) override { arena_.release({mark.block, mark.used}); }

    Matrix place(const Matrix& stored, const OnPlaced& on_placed) override
    {
        Matrix placed = stored;
        placed.group = k_.row_group(stored.type);
        placed.stride = placed.group * stored.stride;
        std::byte* memory = nullptr;
        if (placed.group > 1) {
            const std::shared_ptr<std::byte> owner = allocate_weights(placed.bytes());
            memory = owner.get();
            placed.data = memory;
            placed.memory = owner;
        }
        const std::size_t groups = (stored.rows + placed.group - 1) / placed.group;
        const std::size_t at_once = std::max<std::size_t>(1, kPlacedAtOnce / placed.stride);
        const std::size_t by_thread = std::max<std::size_t>(1, kPlacedByThread / placed.stride);
        for (std::size_t first = 0; first < groups; first += at_once) {
            const std::size_t count = std::min(at_once, groups - first);
            pool_.for_each(count, by_thread, [&](std::size_t begin, std::size_t end, unsigned) {
                place_rows(stored, (first + begin) * placed.group, (first + end) * placed.group,
                           memory == nullptr ? nullptr : memory + (first + begin) * placed.stride);
            });
            const std::size_t rows = std::min(count * placed.group, stored.rows - first * placed.group);
            if (!on_placed(rows * stored.stride, memory != nullptr)) {
                break;
            }
        }
        return placed;
    }

    std::unique_ptr<KvStore> make_kv_store(const KvShape& shape) override
    {
        return std::make_unique<CpuKvStore>(shape);
    }

    void copy_page(KvStore& base, PageId from, PageId to, std::size_t positions) override
    {
        auto& store = static_cast<CpuKvStore&>(base);
        for (std::size_t head = 0; head < store.shape().heads; ++head) {
            std::memcpy(store.keys(to) + head * store.key_head(), store.keys(from) + head * store.key_head(),
                        positions * store.key_row());
            std::memcpy(store.values(to) + head * store.value_head(), store.values(from) + head * store.value_head(),
                        positions * store.value_row());
        }
    }

    void embed(const Matrix& table, std::span<const std::int32_t> tokens, float factor, Rows out) override
    {
        each_row(out, [&](std::size_t i) {
            const auto id = static_cast<std::size_t>(tokens[i]);
            k_.dequantize_row(table.type, table.data + id * table.stride, out.row(i));
            if (factor != 1.0F) {
                k_.scale(out.row(i), factor);
            }
        });
    }

    void project(Rows x, std::span<const Projection> projections) override
    {
        // Each format that one of the matrices wants is prepared once.
        std::array<Prepared, 3> prepared{};
        for (const Projection& projection : projections) {
            const ActivationFormat format = k_.activation_format(projection.matrix->type);
            Prepared& slot = prepared.at(static_cast<std::size_t>(format));
            if (slot.data == nullptr) {
                slot = prepare(format, x);
            }
        }
        const std::size_t chunk_rows = rows_at_once(projections);
        std::size_t chunks = 0;
        for (const Projection& projection : projections) {
            chunks += chunks_of(*projection.matrix, chunk_rows);
        }
        const std::size_t token_chunks = (x.count + kTokenChunk - 1) / kTokenChunk;
        pool_.for_each(token_chunks * chunks, 1, [&](std::size_t begin, std::size_t end, unsigned) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t token = i / chunks * kTokenChunk;
                multiply_chunk(projections, prepared, token, std::min(kTokenChunk, x.count - token), i % chunks,
                               chunk_rows);
            }
        });
    }

    void norm(Rows x, Vector weight, float eps, Rows out) override
    {
        each_row(x, [&](std::size_t i) { k_.rms_norm(x.row(i), weight, eps, out.row(i)); });
    }

    void norm_heads(Rows x, std::size_t head_size, Vector weight, float eps) override
    {
        each_head(x, head_size, [&](std::size_t, std::span<float> head) { k_.rms_norm(head, weight, eps, head); });
    }

    void rope(Rows x, std::size_t head_size, kernels::RopeLayout layout, const RopeAngles& angles) override
    {
        each_head(x, head_size, [&](std::size_t i, std::span<float> head) {
            k_.rope(layout, {angles.cosines.data() + i * angles.half, angles.half},
                    {angles.sines.data() + i * angles.half, angles.half}, head);
        });
    }

    void store_kv(KvStore& base, const KvIndex& index, Rows keys, Rows values) override
    {
        auto& store = static_cast<CpuKvStore&>(base);
        const KvShape& shape = store.shape();
        each_row(keys, [&](std::size_t i) {
            const std::uint32_t position = index.positions[i];
            const PageId page = index.tables[index.sequences[i]][position / shape.page_positions];
            const std::size_t slot = position % shape.page_positions;
            for (std::size_t head = 0; head < shape.heads; ++head) {
                k_.store_kv(shape.type, keys.row(i).subspan(head * shape.head_size, shape.head_size),
                            store.keys(page) + head * store.key_head() + slot * store.key_row());
                k_.store_kv(shape.type, values.row(i).subspan(head * shape.value_head_size, shape.value_head_size),
                            store.values(page) + head * store.value_head() + slot * store.value_row());
            }
        });
    }

    void attention(const KvStore& base, const KvIndex& index, const AttentionOptions& options, Rows queries,
                   Rows out) override
    {
        const auto& store = static_cast<const CpuKvStore&>(base);
        const PagePointers pages = page_pointers(store, index);
        const std::size_t heads = store.shape().heads;
        std::size_t longest = 0;
        for (const std::uint32_t position : index.positions) {
            longest = std::max(longest,
                               seen_from(position, options.window).second - seen_from(position, options.window).first);
        }
        const std::size_t group = options.heads / heads;
        const std::size_t score_floats = (group * longest + 15) / 16 * 16;
        auto* scores = reinterpret_cast<float*>(arena_.take(pool_.threads() * score_floats * sizeof(float)));
        pool_.for_each(queries.count * heads, 1, [&](std::size_t begin, std::size_t end, unsigned thread) {
            for (std::size_t i = begin; i < end; ++i) {
                attend(store, index, options, pages, queries, out, i / heads, i % heads,
                       scores + thread * score_floats);
            }
        });
    }

    void gate(Activation activation, Rows gate, Rows up, Rows out) override
    {
        const auto function = activation == Activation::silu ? k_.silu_multiply : k_.gelu_multiply;
        each_row(gate, [&](std::size_t i) { function(gate.row(i), up.row(i), out.row(i)); });
    }

    void add(Rows x, Rows y) override
    {
        each_row(x, [&](std::size_t i) { k_.add(x.row(i), y.row(i)); });
    }

    void softmax(Rows x) override
    {
        each_row(x, [&](std::size_t i) { k_.softmax(x.row(i)); });
    }

    void softcap(Rows x, float cap) override
    {
        each_row(x, [&](std::size_t i) { k_.softcap(x.row(i), cap); });
    }

    void gather(Rows x, std::span<const std::uint32_t> rows, Rows out) override
    {
        each_row(out, [&](std::size_t i) {
            const std::span<float> from = x.row(rows[i]);
            std::copy(from.begin(), from.end(), out.row(i).begin());
        });
    }

    void weighted_sum(Rows parts, std::span<const std::uint32_t> indices, std::span<const float> weights,
                      std::size_t per_row, Rows out) override
    {
        each_row(out, [&](std::size_t i) {
            const std::span<float> sum = out.row(i);
            std::fill(sum.begin(), sum.end(), 0.0F);
            for (std::size_t j = i * per_row; j < (i + 1) * per_row; ++j) {
                k_.add_scaled(sum, weights[j], parts.row(indices[j]));
            }
        });
    }

    Rows host_view(Rows x) override { return x; }

    void set_abort(const std::atomic<bool>* abort) override { pool_.set_abort(abort); }

private:
    struct Prepared {
        std::byte* data = nullptr;
        std::size_t stride = 0;
    };
    /// By sequence, by page: where keys and values begin. Null where the page is gone.
    struct PagePointers {
        std::vector<std::vector<const std::byte*>> keys;
        std::vector<std::vector<const std::byte*>> values;
    };

    Prepared prepare(ActivationFormat format, Rows x)
    {
        if (format == ActivationFormat::f32) {
            // Rows of activations are what the kernels want already.
            return {reinterpret_cast<std::byte*>(x.data), x.stride * sizeof(float)};
        }
        Prepared prepared;
        prepared.stride = k_.activation_bytes(format, x.columns);
        prepared.data = arena_.take(prepared.stride * x.count);
        each_row(x,
                 [&](std::size_t i) { k_.prepare_activation(format, x.row(i), prepared.data + i * prepared.stride); });
        return prepared;
    }

    /// Rows [begin, end), as far as there are such, to `to`; null: they stay where they are and are read once.
    void place_rows(const Matrix& stored, std::size_t begin, std::size_t end, std::byte* to) const
    {
        end = std::min(end, stored.rows);
        const std::byte* data = stored.data + begin * stored.stride;
        if (to != nullptr) {
            k_.pack(stored.type, data, stored.stride, end - begin, stored.columns, to);
        } else {
            read_once({data, (end - begin) * stored.stride});
        }
    }

    [[nodiscard]] std::size_t rows_at_once(std::span<const Projection> projections) const
    {
        std::size_t rows = 0;
        for (const Projection& projection : projections) {
            rows += projection.matrix->rows;
        }
        const std::size_t even = rows / (kPiecesPerThread * pool_.threads()) / kLeastRows * kLeastRows;
        return std::clamp(even, kLeastRows, kMostRows);
    }

    static std::size_t chunks_of(const Matrix& matrix, std::size_t chunk_rows)
    {
        return (matrix.rows + chunk_rows - 1) / chunk_rows;
    }

    void multiply_chunk(std::span<const Projection> projections, const std::array<Prepared, 3>& prepared,
                        std::size_t token, std::size_t tokens, std::size_t chunk, std::size_t chunk_rows) const
    {
        std::size_t which = 0;
        while (chunk >= chunks_of(*projections[which].matrix, chunk_rows)) {
            chunk -= chunks_of(*projections[which].matrix, chunk_rows);
            ++which;
        }
        const Projection& projection = projections[which];
        const Matrix& matrix = *projection.matrix;
        const Prepared& x = prepared.at(static_cast<std::size_t>(k_.activation_format(matrix.type)));
        const std::size_t row = chunk * chunk_rows;
        kernels::MatmulArgs args;
        args.type = matrix.type;
        args.weights = matrix.data + row / matrix.group * matrix.stride;
        args.weight_stride = matrix.stride;
        args.rows = std::min(chunk_rows, matrix.rows - row);
        args.columns = matrix.columns;
        args.x = x.data + token * x.stride;
        args.x_stride = x.stride;
        args.tokens = tokens;
        args.out = projection.out.row(token).data() + row;
        args.out_stride = projection.out.stride;
        k_.matmul(args);
        if (!projection.bias.empty()) {
            for (std::size_t i = token; i < token + tokens; ++i) {
                k_.add(projection.out.row(i).subspan(row, args.rows), projection.bias.subspan(row, args.rows));
            }
        }
    }

    static PagePointers page_pointers(const CpuKvStore& store, const KvIndex& index)
    {
        PagePointers pointers;
        for (const std::span<const PageId> table : index.tables) {
            std::vector<const std::byte*>& keys = pointers.keys.emplace_back();
            std::vector<const std::byte*>& values = pointers.values.emplace_back();
            for (const PageId page : table) {
                keys.push_back(page == kNoPage ? nullptr : store.keys(page));
                values.push_back(page == kNoPage ? nullptr : store.values(page));
            }
        }
        return pointers;
    }

    /// The positions [first, last) that a token at `position` sees.
    static std::pair<std::size_t, std::size_t> seen_from(std::uint32_t position, std::size_t window)
    {
        const std::size_t last = std::size_t{position} + 1;
        return {window == 0 || last <= window ? 0 : last - window, last};
    }

    void attend(const CpuKvStore& store, const KvIndex& index, const AttentionOptions& options,
                const PagePointers& pages, Rows queries, Rows out, std::size_t token, std::size_t head,
                float* scores) const
    {
        const KvShape& shape = store.shape();
        const std::size_t group = options.heads / shape.heads;
        const std::uint32_t sequence = index.sequences[token];
        const auto [first, last] = seen_from(index.positions[token], options.window);
        kernels::AttentionArgs args;
        args.queries = queries.row(token).data() + head * group * shape.head_size;
        args.group = group;
        args.head_size = shape.head_size;
        args.value_head_size = shape.value_head_size;
        args.type = shape.type;
        args.key_pages = pages.keys[sequence].data();
        args.value_pages = pages.values[sequence].data();
        args.page_positions = shape.page_positions;
        args.key_head_offset = head * store.key_head();
        args.value_head_offset = head * store.value_head();
        args.key_position_stride = store.key_row();
        args.value_position_stride = store.value_row();
        args.first = first;
        args.last = last;
        args.scale = options.scale;
        args.softcap = options.softcap;
        args.scores = scores;
        args.out = out.row(token).data() + head * group * shape.value_head_size;
        k_.attention(args);
    }

    template <class Function>
    void each_row(Rows x, const Function& function)
    {
        const std::size_t chunk = std::max<std::size_t>(1, kElementsPerThread / std::max<std::size_t>(x.columns, 1));
        pool_.for_each(x.count, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
            for (std::size_t i = begin; i < end; ++i) {
                function(i);
            }
        });
    }

    template <class Function>
    void each_head(Rows x, std::size_t head_size, const Function& function)
    {
        each_row(x, [&](std::size_t i) {
            for (std::size_t column = 0; column < x.columns; column += head_size) {
                function(i, x.row(i).subspan(column, head_size));
            }
        });
    }

    const kernels::KernelSet& k_;
    ThreadPool pool_;
    Arena arena_;
};

} // namespace

Result<const kernels::KernelSet*> choose_kernels(std::string_view name)
{
    if (name.empty()) {
        return &kernels::best_kernels();
    }
    std::string known;
    for (const kernels::KernelSetStatus& status : kernels::kernel_sets()) {
        if (status.name == name && status.set != nullptr) {
            return status.set;
        }
        if (status.name == name) {
            return failure("The kernels {} cannot run on this machine: {}. Choose none (leave --kernels out), and the "
                           "best that can run here are taken.",
                           name, status.reason);
        }
        known += (known.empty() ? "" : ", ") + status.name;
    }
    return failure("There are no kernels named {}; there are {}.", name, known);
}

Result<std::unique_ptr<Backend>> make_cpu_backend(const kernels::KernelSet& kernels, unsigned threads)
{
    try {
        return std::make_unique<CpuBackend>(kernels, threads);
    } catch (const std::system_error& problem) {
        return failure("The system does not allow {} threads here ({}). Ask for fewer threads.", threads,
                       problem.code().message());
    }
}

} // namespace constela::device
