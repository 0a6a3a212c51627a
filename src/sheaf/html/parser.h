#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parse_limits.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Our own parser, because parsing is the bottleneck of publishing and crawling: gumbo, the only HTML5 parser
// in Debian, is unmaintained and twenty times slower, libxml2 builds another tree than browsers, and lexbor
// is not packaged. A packaged parser that builds the standard's tree within 20 % of this speed would replace
// it.

namespace sheaf::html {

/// Whether the page is parsed as in a browser that runs scripts. It determines the content of `noscript`: a
/// single text with scripting, elements without scripting. Crawlers need the elements.
enum class Scripting : std::uint8_t { off, on };

/// The context element of a fragment ("HTML fragment parsing algorithm").
struct FragmentContext {
  std::string_view name;  ///< in its final case: `foreignObject`
  Namespace ns = Namespace::html;
  QuirksMode quirks = QuirksMode::no_quirks;
};

struct ParseOptions {
  Scripting scripting = Scripting::off;
  std::optional<FragmentContext> fragment;
  ParseLimits limits;
};

struct ParseResult {
  LimitsHit limits;
  /// The amount of work: tokens and steps of searches. It is linear in the input size for every input.
  std::uint64_t steps = 0;
};

/// Builds the tree that the WHATWG HTML standard defines for `input`, which must be UTF-8 (invalid bytes are
/// kept). Never fails. Replaces the content of `document` and reuses its memory; see Document for lifetimes.
ParseResult parse(std::string_view input, const ParseOptions& options, Document& document);

}  // namespace sheaf::html
