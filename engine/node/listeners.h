// SPDX-License-Identifier: GPL-3.0-or-later
//
// Those who want to hear of a node.
#pragma once

#include "engine/node/node.h"

#include <map>
#include <memory>
#include <mutex>

namespace constela::node {

/// Threads: any. Once remove() has returned, the listener is not called any more.
class Listeners {
public:
    ListenerId add(Listener listener);
    void remove(ListenerId id);

    void tell(const std::shared_ptr<const Snapshot>& snapshot);
    void tell(const AnswerPiece& piece);
    void tell(const AnswerEnd& end);

private:
    template <class Member, class Value>
    void tell_each(Member member, const Value& value)
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, listener] : listeners_) {
            if (listener.*member) {
                (listener.*member)(value);
            }
        }
    }

    std::mutex mutex_;
    std::map<ListenerId, Listener> listeners_;
    ListenerId next_ = 1;
};

} // namespace constela::node
