// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/placement/search.h"

#include <algorithm>
#include <numeric>

namespace constela::placement {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;
/// Orders from which the improving begins, the best of all that are tried.
constexpr std::size_t kBeginnings = 4;

using Order = std::vector<std::size_t>;

/// What an order is worth: how many shards its devices can hold at all, then the time.
struct Worth {
    std::size_t held = 0;
    double seconds = kInfinite;
    /// By more than rounding.
    [[nodiscard]] bool better_than(const Worth& other) const
    {
        return held != other.held ? held > other.held : seconds < other.seconds * (1 - kRounding);
    }
    /// Before the other when sorted, the best first.
    [[nodiscard]] bool before(const Worth& other) const
    {
        return held != other.held ? held > other.held : seconds < other.seconds;
    }
};

/// The best route in one order, by dynamic programming from the last device to come back to.
class InOrder {
public:
    InOrder(const CostModel& cost, std::span<const std::size_t> order, const std::vector<bool>& required)
        : cost_(cost), order_(order), required_(required), shards_(cost.shards()),
          begun_(order.size(), std::vector<double>(shards_, kInfinite)), from_(order.size(), std::vector<From>(shards_))
    {
        for (std::size_t k = 0; k < order.size(); ++k) {
            begun_[k][0] = skippable(0, k) ? cost.hop_seconds(cost.coordinator(), order[k]) : kInfinite;
        }
        for (std::size_t k = 0; k < order.size(); ++k) {
            go_on(k);
        }
    }

    [[nodiscard]] Worth worth() const { return {held_, last_.seconds}; }

    [[nodiscard]] Route route() const
    {
        Route route;
        if (last_.seconds == kInfinite) {
            return route;
        }
        route.seconds = last_.seconds;
        From at = last_.from;
        for (std::size_t end = shards_; end > 0;) {
            route.stages.push_back({order_[at.place], at.start, end - at.start});
            end = at.start;
            at = from_[at.place][at.start];
        }
        std::reverse(route.stages.begin(), route.stages.end());
        return route;
    }

private:
    struct From {
        std::size_t place = 0;
        std::size_t start = 0;
    };

    /// Whether the devices [first, last) may be left out.
    [[nodiscard]] bool skippable(std::size_t first, std::size_t last) const
    {
        for (std::size_t k = first; k < last; ++k) {
            if (required_[k]) {
                return false;
            }
        }
        return true;
    }

    void go_on(std::size_t k)
    {
        const std::vector<std::size_t> fitting = first_fitting(cost_, order_[k]);
        for (std::size_t end = 1; end <= shards_; ++end) {
            double least = kInfinite;
            From from{k, 0};
            for (std::size_t start = fitting[end]; start < end; ++start) {
                const double seconds = begun_[k][start] + cost_.stage_seconds(order_[k], start, end - start);
                if (seconds < least) {
                    least = seconds;
                    from.start = start;
                }
            }
            if (least < kInfinite) {
                held_ = std::max(held_, end);
                hand_over(k, end, least, from);
            }
        }
    }

    void hand_over(std::size_t k, std::size_t end, double seconds, From from)
    {
        if (end == shards_) {
            const double all = seconds + cost_.hop_seconds(order_[k], cost_.coordinator());
            if (skippable(k + 1, order_.size()) && all < last_.seconds * (1 - kRounding)) {
                last_ = {all, from};
            }
            return;
        }
        for (std::size_t next = k + 1; next < order_.size(); ++next) {
            const double there = seconds + cost_.hop_seconds(order_[k], order_[next]);
            if (there < begun_[next][end]) {
                begun_[next][end] = there;
                from_[next][end] = from;
            }
            if (required_[next]) {
                break;
            }
        }
    }

    const CostModel& cost_;
    std::span<const std::size_t> order_;
    const std::vector<bool>& required_;
    std::size_t shards_;
    std::vector<std::vector<double>> begun_; ///< By place in the order, then by first shard.
    std::vector<std::vector<From>> from_;    ///< Likewise: the stage before.
    std::size_t held_ = 0;
    struct {
        double seconds = kInfinite;
        From from;
    } last_;
};

Worth worth_of(const CostModel& cost, const Order& order, const std::vector<bool>& required)
{
    return InOrder(cost, order, required).worth();
}

/// Takes the device at one place and puts it at another.
Order moved(const Order& order, std::size_t from, std::size_t to)
{
    Order other = order;
    const std::size_t device = other[from];
    other.erase(other.begin() + static_cast<std::ptrdiff_t>(from));
    other.insert(other.begin() + static_cast<std::ptrdiff_t>(to), device);
    return other;
}

/// Moves and swaps single devices for as long as that helps.
Order improved(const CostModel& cost, Order order, const std::vector<bool>& required)
{
    Worth worth = worth_of(cost, order, required);
    for (bool again = true; again;) {
        again = false;
        const auto consider = [&](Order other) {
            const Worth there = worth_of(cost, other, required);
            if (there.better_than(worth)) {
                worth = there;
                order = std::move(other);
                again = true;
            }
        };
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (std::size_t j = 0; j < order.size(); ++j) {
                if (i != j) {
                    consider(moved(order, i, j));
                }
                if (i < j) {
                    Order other = order;
                    std::swap(other[i], other[j]);
                    consider(std::move(other));
                }
            }
        }
    }
    return order;
}

/// From one device to the nearest that is left, and so on: neighbours on the network become neighbours on the way.
Order nearest_first(const CostModel& cost, std::span<const std::size_t> devices, std::size_t begin)
{
    Order left(devices.begin(), devices.end());
    std::swap(left[0], left[begin]);
    for (std::size_t k = 1; k < left.size(); ++k) {
        const auto nearest = std::min_element(
            left.begin() + static_cast<std::ptrdiff_t>(k), left.end(), [&](std::size_t one, std::size_t other) {
                return cost.hop_seconds(left[k - 1], one) < cost.hop_seconds(left[k - 1], other);
            });
        std::iter_swap(left.begin() + static_cast<std::ptrdiff_t>(k), nearest);
    }
    return left;
}

std::vector<Order> beginnings(const CostModel& cost, std::span<const std::size_t> devices)
{
    std::vector<Order> orders;
    for (std::size_t begin = 0; begin < devices.size(); ++begin) {
        orders.push_back(nearest_first(cost, devices, begin));
    }
    const auto all_devices = cost.devices();
    Order fast(devices.begin(), devices.end());
    std::stable_sort(fast.begin(), fast.end(), [&](std::size_t one, std::size_t other) {
        return all_devices[one].read_bandwidth > all_devices[other].read_bandwidth;
    });
    orders.push_back(std::move(fast));
    Order large(devices.begin(), devices.end());
    std::stable_sort(large.begin(), large.end(), [&](std::size_t one, std::size_t other) {
        return all_devices[one].memory_free > all_devices[other].memory_free;
    });
    orders.push_back(std::move(large));
    return orders;
}

Order best_order(const CostModel& cost, std::span<const std::size_t> devices, const std::vector<bool>& required)
{
    std::vector<Order> orders = beginnings(cost, devices);
    std::stable_sort(orders.begin(), orders.end(), [&](const Order& one, const Order& other) {
        return worth_of(cost, one, required).before(worth_of(cost, other, required));
    });
    orders.resize(std::min(orders.size(), kBeginnings));
    for (Order& order : orders) {
        order = improved(cost, std::move(order), required);
    }
    return *std::min_element(orders.begin(), orders.end(), [&](const Order& one, const Order& other) {
        return worth_of(cost, one, required).before(worth_of(cost, other, required));
    });
}

} // namespace

Route best_in_order(const CostModel& cost, std::span<const std::size_t> order, const std::vector<bool>& required)
{
    return InOrder(cost, order, required).route();
}

Routes search_orders(const CostModel& cost, std::span<const std::size_t> devices)
{
    Routes routes;
    routes.with.resize(devices.size());
    if (devices.empty()) {
        return routes;
    }
    const std::vector<bool> none(devices.size(), false);
    const std::vector<bool> all(devices.size(), true);
    const Order order = best_order(cost, devices, none);
    routes.best = best_in_order(cost, order, none);
    routes.all = best_in_order(cost, improved(cost, order, all), all);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const auto place = static_cast<std::size_t>(std::find(order.begin(), order.end(), devices[i]) - order.begin());
        for (std::size_t to = 0; to < order.size(); ++to) {
            std::vector<bool> required = none;
            required[to] = true;
            Route route = best_in_order(cost, moved(order, place, to), required);
            if (route.seconds < routes.with[i].seconds) {
                routes.with[i] = std::move(route);
            }
        }
        if (routes.with[i].seconds < routes.best.seconds * (1 - kRounding)) {
            routes.best = routes.with[i];
        }
    }
    return routes;
}

Route balanced_in_order(const CostModel& cost, std::span<const std::size_t> order)
{
    struct State {
        double slowest = kInfinite;
        double sum = kInfinite; ///< Of the token's time, where two are as slow.
        std::size_t start = 0;
        [[nodiscard]] bool better_than(const State& other) const
        {
            return slowest < other.slowest * (1 - kRounding) ||
                   (slowest <= other.slowest * (1 + kRounding) && sum < other.sum);
        }
    };
    const std::size_t shards = cost.shards();
    std::vector<std::vector<State>> done(order.size(), std::vector<State>(shards + 1));
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::vector<std::size_t> fitting = first_fitting(cost, order[k]);
        for (std::size_t end = 1; end <= shards; ++end) {
            for (std::size_t start = fitting[end]; start < end; ++start) {
                if ((k == 0) != (start == 0)) {
                    continue;
                }
                const State before = k == 0 ? State{0, 0, 0} : done[k - 1][start];
                const State here{std::max(before.slowest, cost.chunk_seconds(order[k], start, end - start)),
                                 before.sum + cost.stage_seconds(order[k], start, end - start), start};
                done[k][end] = here.better_than(done[k][end]) ? here : done[k][end];
            }
        }
    }
    Route route;
    if (order.empty() || done.back()[shards].slowest == kInfinite) {
        return route;
    }
    std::size_t end = shards;
    for (std::size_t k = order.size(); k-- > 0;) {
        const std::size_t start = done[k][end].start;
        route.stages.push_back({order[k], start, end - start});
        end = start;
    }
    std::reverse(route.stages.begin(), route.stages.end());
    route.seconds = cost.token_seconds(route.stages);
    return route.seconds < kInfinite ? route : Route{};
}

} // namespace constela::placement
