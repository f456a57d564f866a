// SPDX-License-Identifier: GPL-3.0-or-later
//
// Over which address a peer is tried next, and when: all that are known in turn, the pinned one first, then the best,
// with a pause that grows from round to round.
#pragma once

#include "engine/cluster/control/timing.h"
#include "engine/cluster/node_id.h"
#include "engine/cluster/time.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace constela::cluster {

class Dialer {
public:
    /// What the store of trusted peers knows.
    void set_known(std::vector<Address> best_first, std::optional<Address> pinned);
    /// What the peer said of itself, or other peers of it. Bounded; the newest are kept.
    void add_told(const std::vector<Address>& addresses);
    /// From discovery or typed; never trusted. Bounded: a flood of them neither grows nor crowds out one that was not
    /// tried yet. Tried soon when the peer is being looked for.
    void add_hint(const Address& address, Time now);
    /// That address works: it is the best now.
    void prefer(const Address& address);

    /// Begins anew: the first try is due at `first`.
    void start(Time first);
    void stop() { due_ = kNever; }
    [[nodiscard]] Time due() const { return candidates_.empty() ? kNever : due_; }
    /// The address to try now; call it when due() has come. `jitter` is any number.
    [[nodiscard]] std::optional<Address> next(Time now, std::uint64_t jitter);

    /// In the order in which they are tried.
    [[nodiscard]] const std::vector<Address>& candidates() const { return candidates_; }
    [[nodiscard]] const std::vector<Address>& known() const { return known_; }

private:
    struct Hint {
        Address address;
        bool tried = false;
    };
    void arrange();

    std::vector<Address> known_;
    std::optional<Address> pinned_;
    std::vector<Address> told_;
    std::vector<Hint> hints_;
    std::vector<Address> candidates_;
    std::size_t position_ = 0; ///< In candidates_.
    unsigned round_ = 0;
    Time due_ = kNever;
    std::optional<Time> last_try_;
};

/// An address that another machine may have written: can it be one at all?
[[nodiscard]] bool plausible(const Address& address);

} // namespace constela::cluster
