#include "sheaf/format/finding.h"

#include <array>

namespace sheaf {

std::string_view to_string(FindingCode code) {
  constexpr std::array<std::string_view, kFindingCodes> kNames = {"empty-file",
                                                                  "decompress-failed",
                                                                  "ratio-exceeded",
                                                                  "size-exceeded",
                                                                  "not-utf8",
                                                                  "invalid-json",
                                                                  "not-an-object",
                                                                  "missing-collection",
                                                                  "invalid-collection",
                                                                  "unsupported-version",
                                                                  "missing-field",
                                                                  "wrong-type",
                                                                  "checksum-mismatch",
                                                                  "read-failed",
                                                                  "invalid-url",
                                                                  "invalid-modified",
                                                                  "page-too-large",
                                                                  "too-many-blocks",
                                                                  "too-deep",
                                                                  "too-many-values",
                                                                  "noindex",
                                                                  "foreign-page",
                                                                  "malformed-block",
                                                                  "unsafe-url",
                                                                  "unknown-block",
                                                                  "heading-clamped",
                                                                  "legacy-block",
                                                                  "invalid-field",
                                                                  "invalid-language",
                                                                  "empty-content",
                                                                  "naive-time",
                                                                  "blank-line",
                                                                  "bom",
                                                                  "duplicate-url",
                                                                  "state-mismatch",
                                                                  "unsafe-url-kept"};
  return kNames[static_cast<std::size_t>(code)];
}

std::string_view to_string(FindingLevel level) {
  switch (level) {
    case FindingLevel::fatal: return "fatal";
    case FindingLevel::page: return "page";
    case FindingLevel::block: return "block";
    case FindingLevel::warning: return "warning";
  }
  return "";
}

}  // namespace sheaf
