#include "sheaf/http/message/conditional.h"

#include "sheaf/http/message/entity_tag.h"
#include "sheaf/http/message/http_date.h"

#include <algorithm>

namespace sheaf::http::message {
namespace {

enum class Comparison : std::uint8_t { strong, weak };

/// Whether the list of tags matches the representation. A malformed list matches nothing.
bool names(std::string_view list_text, const Representation& representation, Comparison comparison) {
  const auto list = parse_tag_list(list_text);
  if (!list) return false;
  if (list->any) return true;
  const auto own = parse_entity_tag(representation.entity_tag);
  if (!own) return false;
  return std::any_of(list->tags.begin(), list->tags.end(), [&](const EntityTag& tag) {
    return comparison == Comparison::strong ? equal_strongly(tag, *own) : equal_weakly(tag, *own);
  });
}

/// The date of a field that may occur only once. Nullopt, hence no condition, if it is malformed.
std::optional<std::int64_t> date_of(const Fields& fields, std::string_view name, std::int64_t now) {
  if (fields.count(name) != 1) return std::nullopt;
  return parse_http_date(trim_blanks(fields.first(name)), now);
}

bool precondition_failed(const Fields& fields, const Representation& representation, std::int64_t now) {
  if (fields.count("If-Match") > 0)
    return !names(fields.joined("If-Match"), representation, Comparison::strong);
  const auto since = date_of(fields, "If-Unmodified-Since", now);
  return since && representation.last_modified && *representation.last_modified > *since;
}

bool is_current(const Fields& fields, const Representation& representation, std::int64_t now) {
  if (fields.count("If-None-Match") > 0)
    return names(fields.joined("If-None-Match"), representation, Comparison::weak);
  const auto since = date_of(fields, "If-Modified-Since", now);
  return since && representation.last_modified && *representation.last_modified <= *since;
}

/// Whether the client's partial copy is a copy of our representation. RFC 9110 13.1.5 requires a strong,
/// exact match.
bool range_still_applies(const Fields& fields, const Representation& representation, std::int64_t now) {
  const std::size_t count = fields.count("If-Range");
  if (count == 0) return true;
  if (count > 1) return false;
  const std::string_view value = trim_blanks(fields.first("If-Range"));
  if (const auto tag = parse_entity_tag(value)) {
    const auto own = parse_entity_tag(representation.entity_tag);
    return own && equal_strongly(*tag, *own);
  }
  const auto date = parse_http_date(value, now);
  return date && representation.last_modified && *date == *representation.last_modified && *date < now;
}

Decision decide_range(const Fields& fields, const Representation& representation, std::int64_t now) {
  Decision decision;
  if (fields.count("Range") != 1 || !range_still_applies(fields, representation, now)) return decision;
  const auto specs = parse_range_header(trim_blanks(fields.first("Range")));
  if (!specs) return decision;
  // No Content-Range can describe a part of an empty representation. A suffix of it is the whole
  // representation, so the status is 200.
  const bool only_suffixes = std::all_of(specs->begin(), specs->end(),
                                         [](const RangeSpec& spec) { return !spec.first && *spec.last > 0; });
  if (representation.size == 0 && only_suffixes) return decision;
  decision.ranges = resolve_ranges(*specs, representation.size);
  decision.status = decision.ranges.empty() ? 416 : 206;
  return decision;
}

}  // namespace

Decision decide(Method method, const Fields& fields, const Representation& representation, std::int64_t now) {
  if (precondition_failed(fields, representation, now)) return {412, {}};
  if (is_current(fields, representation, now)) return {304, {}};
  if (method != Method::get) return {};
  return decide_range(fields, representation, now);
}

}  // namespace sheaf::http::message
