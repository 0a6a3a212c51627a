#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parse_limits.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sheaf::html {

/// Whether the page is read as by a browser that runs scripts. It decides what `noscript` holds: with
/// scripting one text, without it (what a crawler wants) elements.
enum class Scripting : std::uint8_t { off, on };

/// The element whose inside a fragment is ("HTML fragment parsing algorithm").
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
  /// Work done, in units of one token or one step of a search. Linear in the input, whatever the input.
  std::uint64_t steps = 0;
};

/// Builds the tree the WHATWG HTML standard builds from `input`, which is UTF-8 (bytes that are not pass
/// through as they are). Never fails. What `document` held is gone, its memory is used again; see Document
/// about lifetimes.
ParseResult parse(std::string_view input, const ParseOptions& options, Document& document);

}  // namespace sheaf::html
