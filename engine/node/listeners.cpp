// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/node/listeners.h"

#include <utility>

namespace constela::node {

ListenerId Listeners::add(Listener listener)
{
    const std::lock_guard lock(mutex_);
    const ListenerId id = next_++;
    listeners_.emplace(id, std::move(listener));
    return id;
}

void Listeners::remove(ListenerId id)
{
    const std::lock_guard lock(mutex_);
    listeners_.erase(id);
}

void Listeners::tell(const std::shared_ptr<const Snapshot>& snapshot)
{
    tell_each(&Listener::on_snapshot, snapshot);
}

void Listeners::tell(const AnswerPiece& piece)
{
    tell_each(&Listener::on_piece, piece);
}

void Listeners::tell(const AnswerEnd& end)
{
    tell_each(&Listener::on_end, end);
}

} // namespace constela::node
