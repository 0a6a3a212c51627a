#include "sheaf/site/sitemap_finding.h"

#include <array>

namespace sheaf {

std::string_view to_string(SitemapCode code) {
  constexpr std::array<std::string_view, kSitemapCodeCount> kNames = {
      "not-a-sitemap",     "truncated",          "ill-formed-end",        "decompress-failed",
      "ratio-exceeded",    "size-exceeded",      "too-many-entries",      "entity-declaration",
      "too-complex",       "missing-loc",        "invalid-url",           "text-too-long",
      "invalid-section",   "invalid-collection", "unknown-scp-namespace", "ill-formed",
      "wrong-namespace",   "undeclared-prefix",  "leading-space",         "doctype",
      "bare-ampersand",    "not-utf8",           "repaired-url",          "invalid-lastmod",
      "invalid-attribute", "missing-attribute",  "misplaced-element",     "over-sitemap-limit",
  };
  return kNames[static_cast<std::size_t>(code)];
}

}  // namespace sheaf
