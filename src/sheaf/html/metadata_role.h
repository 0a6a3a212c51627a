#pragma once

#include "sheaf/html/names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace sheaf::html {

/// What an element may tell of the page's title, author and dates, by its name.
enum class MetadataRole : std::uint8_t {
  plain,  ///< what its attributes say
  named,  ///< its name says something already
  mute,   ///< nothing: it has no text of its own, and pages have many
  data,   ///< something of the page that is not shown
};

namespace detail {

// The last entry is for elements that the standard does not know.
inline constexpr auto kMetadataRoles = [] {
  using enum Name;
  std::array<MetadataRole, index_of(kLastKnownElement) + 2> roles{};
  const auto set = [&roles](MetadataRole role, std::initializer_list<Name> names) {
    for (const Name name : names) roles[index_of(name)] = role;
  };
  set(MetadataRole::named, {h1, h2, h3, h4, h5, h6, time, article, nav, footer, aside});
  set(MetadataRole::mute, {br, button, hr, iframe, img, input, option, picture, select, source, style});
  set(MetadataRole::data, {meta, link, script, title, base, html, body});
  return roles;
}();

}  // namespace detail

constexpr MetadataRole metadata_role(Name name) {
  return detail::kMetadataRoles[std::min(index_of(name), detail::kMetadataRoles.size() - 1)];
}

/// How many attributes an element needs to tell anything.
constexpr std::uint32_t least_attributes(MetadataRole role) {
  constexpr std::array<std::uint32_t, 4> kLeast = {1, 0, UINT32_MAX, 0};  // a table, not jumps
  return kLeast[static_cast<std::size_t>(role)];
}

}  // namespace sheaf::html
