// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/link_book.h"

#include <cmath>

namespace constela::cluster {

namespace {

/// Links vary by themselves; below this part of what it was, a link has changed.
constexpr double kMuchSlower = 0.5;
/// Differences of bandwidth below this part do not decide between two ways.
constexpr double kAlike = 0.1;

std::int64_t megabytes(double bytes)
{
    return std::llround(bytes / 1e6);
}

} // namespace

std::string_view link_kind_name(LinkKind kind)
{
    switch (kind) {
    case LinkKind::process: return "process";
    case LinkKind::network: return "network";
    }
    return "";
}

bool better(const LinkMeasurement& one, const LinkMeasurement& other)
{
    const double more = std::max(one.bandwidth_bytes_per_s, other.bandwidth_bytes_per_s);
    if (std::abs(one.bandwidth_bytes_per_s - other.bandwidth_bytes_per_s) > kAlike * more) {
        return one.bandwidth_bytes_per_s > other.bandwidth_bytes_per_s;
    }
    return one.latency_us < other.latency_us;
}

std::optional<Error> LinkBook::add(LinkMeasurement measurement, const std::string& from_name,
                                   const std::string& to_name)
{
    const std::pair key{measurement.from, measurement.to};
    const auto before = links_.find(key);
    std::optional<Error> alarm;
    if (before != links_.end() && measurement.kind == LinkKind::network &&
        measurement.bandwidth_bytes_per_s < kMuchSlower * before->second.bandwidth_bytes_per_s) {
        alarm =
            failure("The link from {} to {} has become slower: {} MB/s over {}, after {} MB/s over {}. Look whether "
                    "a cable or a network is gone.",
                    from_name, to_name, megabytes(measurement.bandwidth_bytes_per_s), measurement.address.host,
                    megabytes(before->second.bandwidth_bytes_per_s), before->second.address.host)
                .value();
    }
    links_.insert_or_assign(key, std::move(measurement));
    return alarm;
}

void LinkBook::forget(const NodeId& node)
{
    std::erase_if(links_, [&](const auto& link) { return link.first.first == node || link.first.second == node; });
}

const LinkMeasurement* LinkBook::find(const NodeId& from, const NodeId& to) const
{
    const auto found = links_.find({from, to});
    return found == links_.end() ? nullptr : &found->second;
}

std::vector<LinkMeasurement> LinkBook::all() const
{
    std::vector<LinkMeasurement> all;
    for (const auto& [key, link] : links_) {
        all.push_back(link);
    }
    return all;
}

} // namespace constela::cluster
