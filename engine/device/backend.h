// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a device can do for a model: the operations of a forward pass, on rows of activations in the device's memory.
// A forward pass in engine/model is written in these words alone, so that it runs on whatever implements them.
//
// Threads: a backend is used by one thread, the one that owns the device. Only the abort flag may be set from
// elsewhere. Errors: none; shapes are checked when a model is loaded. An operation that was aborted leaves its output
// undefined, and whoever set the flag throws the whole step away.
#pragma once

#include "kernels/kernels.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace constela::device {

/// A matrix of weights: `rows` outputs by `columns` inputs. As a file stores it, rows follow each other; as a device
/// holds it (Backend::place()), it lies as the device's products want it, in groups of rows.
struct Matrix {
    kernels::TensorType type = kernels::TensorType::F32;
    const std::byte* data = nullptr;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t stride = 0;               ///< Bytes from group to group.
    std::size_t group = 1;                ///< Rows of a group; a last one that is not full takes as many bytes.
    std::shared_ptr<const void> memory{}; ///< What holds a device's own copy; null for what others hold.

    [[nodiscard]] bool empty() const { return data == nullptr; }
    [[nodiscard]] std::size_t bytes() const { return (rows + group - 1) / group * stride; }
};

/// Told of how many more stored bytes of a matrix, from its first to its last, are in place, and whether the device has
/// a copy of them, so that they need not stay where they were; false stops the placing.
using OnPlaced = std::function<bool(std::size_t bytes, bool copied)>;

/// A vector of float32 weights (norms, biases).
using Vector = std::span<const float>;

/// Activations: `count` rows (tokens) of `columns` floats, `stride` floats apart.
struct Rows {
    float* data = nullptr;
    std::size_t count = 0;
    std::size_t columns = 0;
    std::size_t stride = 0;

    [[nodiscard]] std::span<float> row(std::size_t i) const { return {data + i * stride, columns}; }
    /// Columns [first, first + width) of every row.
    [[nodiscard]] Rows slice(std::size_t first, std::size_t width) const
    {
        return {data + first, count, width, stride};
    }
    /// Rows [first, first + number).
    [[nodiscard]] Rows rows(std::size_t first, std::size_t number) const
    {
        return {data + first * stride, number, columns, stride};
    }
};

/// One product of several over the same input: out = matrix * x (+ bias).
struct Projection {
    const Matrix* matrix = nullptr;
    Vector bias{};
    Rows out{};
};

enum class Activation { silu, gelu };

/// The angles of every token of a step: [token][half] each.
struct RopeAngles {
    std::size_t half = 0; ///< Number of rotated pairs.
    std::vector<float> cosines;
    std::vector<float> sines;
};

using PageId = std::uint32_t;
inline constexpr PageId kNoPage = 0xFFFFFFFFU;

struct KvShape {
    kernels::KvType type = kernels::KvType::f16;
    std::size_t heads = 0;           ///< Key/value heads.
    std::size_t head_size = 0;       ///< Elements of a key.
    std::size_t value_head_size = 0; ///< Elements of a value.
    std::size_t page_positions = 0;
    std::size_t pages = 0;

    [[nodiscard]] std::size_t page_bytes() const
    {
        return page_positions * heads * (kernels::kv_bytes(type, head_size) + kernels::kv_bytes(type, value_head_size));
    }
};

/// The pages of keys and values of one block on one device.
class KvStore {
public:
    virtual ~KvStore() = default;
    KvStore(const KvStore&) = delete;
    KvStore& operator=(const KvStore&) = delete;
    [[nodiscard]] const KvShape& shape() const { return shape_; }

protected:
    explicit KvStore(const KvShape& shape) : shape_(shape) {}

private:
    KvShape shape_;
};

/// Where the tokens of a step belong: their position, and the pages of their sequence.
struct KvIndex {
    std::span<const std::uint32_t> positions;        ///< By token.
    std::span<const std::uint32_t> sequences;        ///< By token: index into tables.
    std::span<const std::span<const PageId>> tables; ///< By sequence: page of positions [i * page_positions, ...).
};

struct AttentionOptions {
    std::size_t heads = 0; ///< Query heads; a multiple of the key/value heads.
    float scale = 1.0F;
    float softcap = 0.0F;   ///< 0: none.
    std::size_t window = 0; ///< A token sees the last `window` positions, itself included; 0: all.
};

class Backend {
public:
    virtual ~Backend() = default;
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    /// "cpu/avx2"
    [[nodiscard]] virtual std::string name() const = 0;

    /// Memory for activations that lives until the next reset_scratch().
    [[nodiscard]] virtual Rows scratch(std::size_t count, std::size_t columns) = 0;
    virtual void reset_scratch() = 0;
    /// A place in the scratch memory; release_scratch() takes back what was handed out after it.
    struct ScratchMark {
        std::size_t block = 0;
        std::size_t used = 0;
    };
    [[nodiscard]] virtual ScratchMark scratch_mark() const = 0;
    virtual void release_scratch(ScratchMark mark) = 0;

    /// A stored matrix as this device holds it: in its own memory, or the stored one itself where that is what its
    /// products want, then at least read once. Where `on_placed` stopped it, the content is undefined. Throws
    /// std::bad_alloc.
    [[nodiscard]] virtual Matrix place(const Matrix& stored, const OnPlaced& on_placed) = 0;

    [[nodiscard]] virtual std::unique_ptr<KvStore> make_kv_store(const KvShape& shape) = 0;
    /// Copies the first `positions` positions of a page, when a sequence goes its own way inside a shared page.
    virtual void copy_page(KvStore& store, PageId from, PageId to, std::size_t positions) = 0;

    /// out[i] = factor * table[tokens[i]]; the table is a stored matrix.
    virtual void embed(const Matrix& table, std::span<const std::int32_t> tokens, float factor, Rows out) = 0;
    /// All products of one input; they may run at once.
    virtual void project(Rows x, std::span<const Projection> projections) = 0;
    /// RMS norm of each row.
    virtual void norm(Rows x, Vector weight, float eps, Rows out) = 0;
    /// RMS norm of each head of each row, in place.
    virtual void norm_heads(Rows x, std::size_t head_size, Vector weight, float eps) = 0;
    /// Rotates each head of each row by its token's angles, in place.
    virtual void rope(Rows x, std::size_t head_size, kernels::RopeLayout layout, const RopeAngles& angles) = 0;
    /// Puts keys and values of the step's tokens into their pages.
    virtual void store_kv(KvStore& store, const KvIndex& index, Rows keys, Rows values) = 0;
    /// Each token over the positions it may see, from the pages.
    virtual void attention(const KvStore& store, const KvIndex& index, const AttentionOptions& options, Rows queries,
                           Rows out) = 0;
    /// out = activation(gate) * up
    virtual void gate(Activation activation, Rows gate, Rows up, Rows out) = 0;
    /// x += y
    virtual void add(Rows x, Rows y) = 0;
    /// x = softmax(x), row by row
    virtual void softmax(Rows x) = 0;
    /// x = cap * tanh(x / cap)
    virtual void softcap(Rows x, float cap) = 0;
    /// out[i] = x[rows[i]]
    virtual void gather(Rows x, std::span<const std::uint32_t> rows, Rows out) = 0;
    /// out[i] = sum over j of weights[i * per_row + j] * parts[indices[i * per_row + j]], in the order of j.
    virtual void weighted_sum(Rows parts, std::span<const std::uint32_t> indices, std::span<const float> weights,
                              std::size_t per_row, Rows out) = 0;
    /// Activations where the host can read and write them, e.g. to choose experts or a token. On a CPU: the same
    /// memory.
    [[nodiscard]] virtual Rows host_view(Rows x) = 0;

    /// While the flag is set, operations do nothing. Null: none.
    virtual void set_abort(const std::atomic<bool>* abort) = 0;
};

} // namespace constela::device
