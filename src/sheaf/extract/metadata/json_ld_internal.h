#pragma once

#include "sheaf/extract/metadata/json_ld.h"

#include <simdjson.h>

#include <optional>
#include <string_view>

// Members of JSON-LD objects, for the sources of this folder that read them.
namespace sheaf::extract {

namespace dom = simdjson::dom;

inline std::optional<dom::element> member(dom::object object, std::string_view key) {
  dom::element value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return value;
}

inline std::optional<dom::object> as_object(dom::element element) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return std::nullopt;
  return object;
}

inline std::optional<std::string_view> as_string(dom::element element) {
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

/// The element, or the first of an array.
inline dom::element first_of(dom::element element) {
  dom::array array;
  if (element.get(array) != simdjson::SUCCESS || array.begin() == array.end()) return element;
  return *array.begin();
}

/// The string of a member: its value, or the first element of its array; if that is an object, its `@value`,
/// `name`, `url` or `@id`.
inline std::optional<std::string_view> string_member(dom::object object, std::string_view key) {
  const auto value = member(object, key);
  if (!value) return std::nullopt;
  const dom::element first = first_of(*value);
  if (const auto text = as_string(first)) return text;
  const auto inside = as_object(first);
  if (!inside) return std::nullopt;
  for (const std::string_view name : {"@value", "name", "url", "@id"})
    if (const auto text = member(*inside, name))
      if (const auto found = as_string(first_of(*text))) return found;
  return std::nullopt;
}

/// Calls `use` with every type of an object.
template <class Use>
void for_types(dom::object object, Use use) {
  const auto type = member(object, "@type");
  if (!type) return;
  if (const auto text = as_string(*type)) {
    use(*text);
    return;
  }
  dom::array types;
  if (type->get(types) != simdjson::SUCCESS) return;
  for (const dom::element each : types)
    if (const auto text = as_string(each)) use(*text);
}

/// Calls `use` with every element of an array, or with the element itself if it is not an array.
template <class Use>
void for_each_of(dom::element element, Use use) {
  if (dom::array array; element.get(array) == simdjson::SUCCESS) {
    for (const dom::element each : array) use(each);
  } else {
    use(element);
  }
}

/// The text of an entity in parts, in order. Bounded in number and size.
List<DeclaredPart> declared_parts(dom::object entity, Arena& arena);

}  // namespace sheaf::extract
