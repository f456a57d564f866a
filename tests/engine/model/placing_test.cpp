// SPDX-License-Identifier: GPL-3.0-or-later
//
// Models on their way to a device.
#include "tests/engine/support/engine_under_test.h"
#include "tests/support/golden.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

namespace constela::test {
namespace {

class PlacingOn : public ::testing::TestWithParam<const kernels::KernelSet*> {
protected:
    [[nodiscard]] const kernels::KernelSet& set() const { return *GetParam(); }
};

TEST_P(PlacingOn, TellsOfEachByteAndLeavesTheModelAsItIs)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "phi3-longrope.gguf", 64);
    const auto backend = device::make_cpu_backend(set(), 2).value();
    std::size_t told = 0;
    const auto shards = model->place({*backend, [&](std::size_t bytes) {
                                          told += bytes;
                                          return Result<>();
                                      }});
    ASSERT_TRUE(shards) << shards.error().text();
    ASSERT_EQ(shards->size(), model->shards().size());
    std::size_t all = 0;
    for (std::size_t i = 0; i < shards->size(); ++i) {
        EXPECT_EQ((*shards)[i]->id(), model->shards()[i]->id());
        all += i > 0 ? (*shards)[i]->weight_bytes() : 0;
    }
    EXPECT_LE(told, model->placed_bytes());
    EXPECT_GT(told, model->placed_bytes() * 9 / 10); // the rest are norms
    EXPECT_GE(all, model->placed_bytes());           // a last group of rows may be filled up
}

TEST_P(PlacingOn, EndsWithTheErrorOfWhoIsTold)
{
    CONSTELA_NEED_GOLDEN(golden);
    const auto model = open_model(golden / "logits" / "phi3-longrope.gguf", 64);
    const auto backend = device::make_cpu_backend(set(), 2).value();
    int calls = 0;
    const auto shards = model->place(
        {*backend, [&](std::size_t) -> Result<> { return ++calls == 3 ? Result<>(failure("Enough.")) : Result<>(); }});
    ASSERT_FALSE(shards);
    EXPECT_EQ(shards.error().text(), "Enough.");
    EXPECT_EQ(calls, 3);
}

/// A matrix of rows that are no whole number of groups, and more bytes than are placed between two calls.
TEST_P(PlacingOn, OfALargeMatrixGoesInPieces)
{
    constexpr std::size_t kRows = 16 * 1024 + 5;
    constexpr std::size_t kColumns = 1024;
    const kernels::TypeInfo& info = kernels::type_info(kernels::TensorType::Q8_0);
    device::Matrix stored;
    stored.type = info.type;
    stored.rows = kRows;
    stored.columns = kColumns;
    stored.stride = info.row_bytes(kColumns);
    std::vector<std::byte> bytes(stored.bytes());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i % 251);
    }
    stored.data = bytes.data();
    const auto backend = device::make_cpu_backend(set(), 2).value();
    std::vector<std::size_t> told;
    const device::Matrix placed = backend->place(stored, [&](std::size_t more, bool copied) {
        told.push_back(more);
        EXPECT_EQ(copied, set().row_group(stored.type) > 1);
        return true;
    });
    EXPECT_GT(told.size(), 1U);
    EXPECT_EQ(std::accumulate(told.begin(), told.end(), std::size_t{0}), bytes.size());
    ASSERT_GE(placed.bytes(), bytes.size());
    std::vector<std::byte> expected(placed.bytes());
    set().pack(stored.type, bytes.data(), stored.stride, kRows, kColumns, expected.data());
    EXPECT_EQ(std::memcmp(placed.data, expected.data(), expected.size()), 0);

    told.clear();
    static_cast<void>(backend->place(stored, [&](std::size_t more, bool) {
        told.push_back(more);
        return false;
    }));
    EXPECT_EQ(told.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Sets, PlacingOn, ::testing::ValuesIn(permitted_sets()),
                         [](const auto& param) { return std::string(param.param->name); });

} // namespace
} // namespace constela::test
