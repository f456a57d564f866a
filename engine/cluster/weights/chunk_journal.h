// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which chunks of a fetched model are on the disk: a file that only grows. After a header ("CNSTJRN1" and the number of
// the model's chunks in 8 bytes) come records of 8 bytes, the number of a chunk and the same number with all bits
// turned. What a crash left of a record, or anything else that is none, ends the reading: what follows is not believed.
//
// Threads: one.
#pragma once

#include "engine/base/result.h"
#include "engine/cluster/weights/disk.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace constela::cluster {

class ChunkJournal {
public:
    /// Reads what is there; a file that is not of this model's form is begun anew.
    [[nodiscard]] static Result<ChunkJournal> open(const std::filesystem::path& path, std::size_t chunks);

    /// A mark for each of the model's chunks, as the file had it at open().
    [[nodiscard]] const std::vector<bool>& marks() const { return marks_; }

    /// Returns once the disk has it. The chunks' bytes must be there before. After a failure nothing was added.
    [[nodiscard]] Result<> append(std::span<const std::uint32_t> chunks);

private:
    ChunkJournal(DiskFile file, std::vector<bool> marks, std::uint64_t end)
        : file_(std::move(file)), marks_(std::move(marks)), end_(end)
    {
    }

    DiskFile file_;
    std::vector<bool> marks_;
    std::uint64_t end_; ///< Behind the last good record.
};

} // namespace constela::cluster
