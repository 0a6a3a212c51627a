#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parse_limits.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::html {

/// Whether the page is parsed as by a browser that runs scripts. It determines the content of `noscript`: one
/// text with scripting, elements without (what a crawler needs).
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
  /// Work done, in units of one token or one step of a search. Linear in the input size for every input.
  std::uint64_t steps = 0;
};

/// Builds the tree that the WHATWG HTML standard defines for `input`, which is UTF-8 (invalid bytes are kept
/// as they are). Never fails. Replaces the content of `document` and reuses its memory; see Document about
/// lifetimes.
ParseResult parse(std::string_view input, const ParseOptions& options, Document& document);

}  // namespace sheaf::html
