// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/links/link_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace constela::cluster {

namespace {

using Json = nlohmann::ordered_json;
using std::chrono::system_clock;

/// More than any link, and far from what a double cannot hold.
constexpr double kLargest = 1e15;
constexpr std::size_t kLongestText = 256;

class Fields {
public:
    explicit Fields(const Json& json) : json_(json) {}

    [[nodiscard]] Result<double> number(const char* name) const
    {
        const auto found = json_.find(name);
        if (found == json_.end() || !found->is_number() || !(found->get<double>() >= 0) ||
            found->get<double>() > kLargest) {
            return wrong(name);
        }
        return found->get<double>();
    }
    [[nodiscard]] Result<std::string> text(const char* name) const
    {
        const auto found = json_.find(name);
        if (found == json_.end() || !found->is_string() || found->get_ref<const std::string&>().size() > kLongestText) {
            return wrong(name);
        }
        return found->get<std::string>();
    }
    [[nodiscard]] Result<NodeId> id(const char* name) const
    {
        CONSTELA_ASSIGN(const std::string digits, text(name));
        const auto id = node_id_from_text(digits);
        return id ? Result<NodeId>(*id) : wrong(name);
    }
    [[nodiscard]] Result<bool> truth(const char* name) const
    {
        const auto found = json_.find(name);
        return found != json_.end() && found->is_boolean() ? Result<bool>(found->get<bool>()) : wrong(name);
    }
    [[nodiscard]] static tl::unexpected<Error> wrong(const char* name)
    {
        return failure("The report on a link has no right \"{}\".", name);
    }

private:
    const Json& json_;
};

} // namespace

Json link_json(const LinkMeasurement& link)
{
    const auto when = std::chrono::duration<double>(link.when.time_since_epoch()).count();
    return Json{{"from", to_text(link.from)},
                {"to", to_text(link.to)},
                {"kind", link_kind_name(link.kind)},
                {"latency_us", link.latency_us},
                {"latency_spread_us", link.latency_spread_us},
                {"bandwidth_bytes_per_s", link.bandwidth_bytes_per_s},
                {"spread", link.spread},
                {"when", std::floor(when)},
                {"transport", link.transport},
                {"encrypted", link.encrypted},
                {"address", link.address.host},
                {"port", link.address.port}};
}

Result<LinkMeasurement> parse_link(const Json& json)
{
    if (!json.is_object()) {
        return failure("The report on a link is no JSON object.");
    }
    const Fields fields(json);
    LinkMeasurement link;
    CONSTELA_ASSIGN(link.from, fields.id("from"));
    CONSTELA_ASSIGN(link.to, fields.id("to"));
    CONSTELA_ASSIGN(const std::string kind, fields.text("kind"));
    if (kind != link_kind_name(LinkKind::process) && kind != link_kind_name(LinkKind::network)) {
        return Fields::wrong("kind");
    }
    link.kind = kind == link_kind_name(LinkKind::network) ? LinkKind::network : LinkKind::process;
    CONSTELA_ASSIGN(link.latency_us, fields.number("latency_us"));
    CONSTELA_ASSIGN(link.latency_spread_us, fields.number("latency_spread_us"));
    CONSTELA_ASSIGN(link.bandwidth_bytes_per_s, fields.number("bandwidth_bytes_per_s"));
    CONSTELA_ASSIGN(link.spread, fields.number("spread"));
    CONSTELA_ASSIGN(const double when, fields.number("when"));
    if (when > 1e10) { // seconds, until the year 2286
        return Fields::wrong("when");
    }
    link.when = system_clock::time_point(
        std::chrono::duration_cast<system_clock::duration>(std::chrono::seconds(std::llround(when))));
    CONSTELA_ASSIGN(link.transport, fields.text("transport"));
    CONSTELA_ASSIGN(link.encrypted, fields.truth("encrypted"));
    CONSTELA_ASSIGN(link.address.host, fields.text("address"));
    CONSTELA_ASSIGN(const double port, fields.number("port"));
    if (port > 65535) {
        return Fields::wrong("port");
    }
    link.address.port = static_cast<std::uint16_t>(port);
    return link;
}

} // namespace constela::cluster
