#pragma once

#include "sheaf/html/dom.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Our own parser, because parsing is the bottleneck of publishing and crawling: gumbo, the only HTML5 parser
// in Debian, is unmaintained and twenty times slower, libxml2 builds another tree than browsers, and lexbor
// is not packaged. A packaged parser that builds the standard's tree within 20 % of this speed would replace
// it.
namespace sheaf::html {

/// Limits on one page. Exceeding a limit never makes parsing fail: the excess is dropped or attached less
/// deeply, and ParseResult reports it.
struct ParseLimits {
  std::uint32_t input_bytes = 256U << 20;  ///< longer input is truncated; higher values have no effect
  /// Maximum depth of the tree. Deeper elements become siblings, as in browsers, whose limit is also 512.
  std::uint32_t depth = 512;
  std::uint32_t nodes = 8'000'000;  ///< the rest of the input is ignored
  std::uint32_t attributes = 1024;  ///< per element; further attributes are dropped
  /// Active formatting elements (b, i, a, font...) that are reopened in a new block; beyond the limit the
  /// oldest is dropped.
  std::uint32_t formatting = 256;
};

/// Which limits were reached.
struct LimitsHit {
  bool input_bytes = false;
  bool depth = false;
  bool nodes = false;
  bool attributes = false;
  bool formatting = false;
  bool emphasis = false;  ///< Markdown: some emphasis marks of a paragraph were kept as text
  bool names = false;     ///< over 65,000 different element and attribute names; further names are ignored

  [[nodiscard]] bool any() const {
    return input_bytes || depth || nodes || attributes || formatting || emphasis || names;
  }
  friend bool operator==(const LimitsHit&, const LimitsHit&) = default;
};

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
