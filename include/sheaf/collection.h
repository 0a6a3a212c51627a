// sheaf/collection.h - what collections are: metadata line, codecs, limits, findings
//
// A collection is a file of pages: a snapshot of a section of a site, or a delta between two states of the
// section. Its first line, the metadata line, says which. Each further line is one page as JSON. The file is
// plain, gzip or zstd. This header defines the types that readers, writers and validators share.
//
//     #include <sheaf/collection.h>
//
//     #include <cstdio>
//
//     int main() {
//       sheaf::CollectionHead head;
//       head.id = "notes-1";
//       head.section = "notes";
//       head.set_generated(sheaf::now());
//       const auto codec = sheaf::codec_for_path("notes.scp.zst");
//       std::printf("%s of %s, %s\n", to_string(head.type).data(), head.section.c_str(),
//                   codec ? to_string(*codec).data() : "?");
//       return level_of(sheaf::FindingCode::checksum_mismatch) == sheaf::FindingLevel::fatal ? 0 : 1;
//     }
//
// Each problem in a file is reported as a Finding. A fatal finding stops the reader and is also returned as
// an Error. All other findings only report what was skipped or corrected. docs/findings.md explains each.
//
// Lifetimes: everything here owns its strings. Threads: plain values.
#pragma once

#include <sheaf/time.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sheaf {

/// A snapshot has every page of its section. A delta has the pages that changed since an earlier state.
enum class CollectionType : std::uint8_t { snapshot, delta };

std::string_view to_string(CollectionType type);  ///< "snapshot", "delta"

/// The metadata line of a collection. Each time is stored twice: as written, and parsed (`*_at`).
struct CollectionHead {
  std::string id;       ///< letters, digits, `-` and `_`
  std::string section;  ///< letters, digits, `-` and `_`
  CollectionType type = CollectionType::snapshot;
  std::string generated;
  Instant generated_at;
  std::optional<std::string> since;  ///< required in deltas
  std::optional<Instant> since_at;
  std::string version = "0.1";
  std::optional<std::string> state;     ///< "sum256:" and 64 hex digits, see docs/format.md
  std::vector<std::string> removed;     ///< URLs unpublished since `since`
  std::optional<std::string> checksum;  ///< "sha256:" and 64 hex digits
  /// Members that no draft defines: the key still escaped, without its quotes; the value as JSON text.
  std::vector<std::pair<std::string, std::string>> extra;

  friend bool operator==(const CollectionHead&, const CollectionHead&) = default;

  void set_generated(Instant instant);  ///< sets `generated` and `generated_at`
  void set_since(Instant instant);      ///< sets `since` and `since_at`
};

/// How a file is compressed.
enum class Codec : std::uint8_t { plain, gzip, zstd };

std::string_view to_string(Codec codec);     ///< "plain", "gzip", "zstd"
std::string_view extension_of(Codec codec);  ///< ".scp", ".scp.gz", ".scp.zst"

/// The codec for a file to be written, by its extension: .scp, .scp.gz or .scp.zst (also plain .gz and .zst).
/// Readers detect the codec from the first bytes instead, because file names may be wrong.
std::optional<Codec> codec_for_path(std::string_view path);

/// The compression level that the drafts recommend: gzip 6, zstd 9.
int default_level(Codec codec);

/// The limits of a reader or writer: a reader refuses what exceeds them, and a writer does not exceed them.
/// The defaults are those of the drafts ("Threat: Memory and CPU Exhaustion"). There are no global limits;
/// each reader and writer has its own.
struct Limits {
  std::uint64_t compressed_bytes = std::uint64_t{50} << 30;
  std::uint64_t decompressed_bytes = std::uint64_t{500} << 30;
  std::uint64_t page_bytes = std::uint64_t{100} << 20;  ///< one line, without its line feed
  std::uint32_t blocks = 1000;                          ///< content blocks of a page
  std::uint32_t depth = 256;  ///< nesting of JSON arrays and objects; the drafts do not give a number
  /// JSON values in a line, including member names. A parser needs up to 60 bytes for a value that takes two
  /// bytes in the line, so a limit on the line's size alone does not bound memory.
  std::uint32_t values = 1'000'000;
  std::uint32_t ratio = 100;  ///< decompressed : compressed
  /// The ratio is checked only after this many bytes of output, because a small harmless file may exceed it.
  std::uint64_t ratio_from = std::uint64_t{1} << 20;
};

/// Every kind of problem that a reader reports. docs/findings.md and `to_string` have the names that users
/// see.
enum class FindingCode : std::uint8_t {
  // The file is refused.
  empty_file,
  decompress_failed,
  ratio_exceeded,
  size_exceeded,
  not_utf8,
  invalid_json,
  not_an_object,
  missing_collection,
  invalid_collection,
  unsupported_version,
  missing_field,
  wrong_type,
  checksum_mismatch,
  read_failed,  ///< an I/O error, so nothing is known about the file itself
  // The page is skipped.
  invalid_url,
  invalid_modified,
  page_too_large,
  too_many_blocks,
  too_deep,
  too_many_values,
  noindex,
  foreign_page,  ///< the page's host is not the host of the site
  // The block is dropped.
  malformed_block,
  unsafe_url,
  // Reported only; nothing is skipped.
  unknown_block,
  heading_clamped,
  legacy_block,
  invalid_field,
  invalid_language,
  empty_content,
  naive_time,
  blank_line,
  bom,
  duplicate_url,
  state_mismatch,
  unsafe_url_kept,  ///< in JSON that is kept as it came, such as an unknown member
};
inline constexpr std::size_t kFindingCodes = static_cast<std::size_t>(FindingCode::unsafe_url_kept) + 1;

/// What is lost because of a finding: the file, a page, a block, or nothing (a warning).
enum class FindingLevel : std::uint8_t { fatal, page, block, warning };

constexpr FindingLevel level_of(FindingCode code) {
  if (code <= FindingCode::read_failed) return FindingLevel::fatal;
  if (code <= FindingCode::foreign_page) return FindingLevel::page;
  if (code <= FindingCode::unsafe_url) return FindingLevel::block;
  return FindingLevel::warning;
}

std::string_view to_string(FindingCode code);    ///< "empty-file", "decompress-failed", ...
std::string_view to_string(FindingLevel level);  ///< "fatal", "page", "block", "warning"

/// One problem: its code, its place, and a message for people.
struct Finding {
  FindingCode code;
  std::uint64_t line = 0;    ///< line number, from 1; 0 if the finding concerns the whole file
  std::uint64_t offset = 0;  ///< byte offset in the uncompressed file
  std::string url;           ///< URL of the page, if known
  std::string message;
};

/// Receives findings in the order in which they occur. The function must not throw. An empty sink, `{}`, may
/// be called too and ignores its argument.
class FindingSink {
 public:
  FindingSink() = default;
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, FindingSink> &&
             std::is_invocable_v<Function&, const Finding&>)
  // NOLINTNEXTLINE(google-explicit-constructor): a lambda is passed where a sink is wanted
  FindingSink(Function&& function) : function_(std::forward<Function>(function)) {}

  void operator()(const Finding& finding) const {
    if (function_) function_(finding);
  }

 private:
  std::function<void(const Finding&)> function_;
};

}  // namespace sheaf
