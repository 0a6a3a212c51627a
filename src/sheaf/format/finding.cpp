#include "sheaf/format/finding.h"

#include <array>

namespace sheaf::format {

std::string_view to_string(Code code) {
  constexpr std::array<std::string_view, kCodeCount> kNames = {"empty-file",
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
                                                               "noindex",
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
                                                               "duplicate-url"};
  return kNames[static_cast<std::size_t>(code)];
}

std::string_view to_string(Level level) {
  switch (level) {
    case Level::fatal: return "fatal";
    case Level::page: return "page";
    case Level::block: return "block";
    case Level::warning: return "warning";
  }
  return "";
}

}  // namespace sheaf::format
