// sheaf/collection.h - what collections are: metadata line, codecs, limits, findings
//
// A collection is a file of pages: a snapshot of a section of a site, or a delta between two states of it.
// Its first line says which; every further line is one page as JSON. The file is plain, gzip or zstd. This
// header has the vocabulary that readers, writers and validators share.
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
// What is wrong with a file is a Finding. A fatal one ends the reading and becomes an Error too; all others
// only say what was skipped or corrected. docs/findings.md explains each.
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

/// A snapshot has every page of its section. A delta has those that changed since an earlier state.
enum class CollectionType : std::uint8_t { snapshot, delta };

std::string_view to_string(CollectionType type);  ///< "snapshot", "delta"

/// The metadata line of a collection. Times are kept as written, beside what they mean.
struct CollectionHead {
  std::string id;       ///< letters, digits, `-` and `_`
  std::string section;  ///< letters, digits, `-` and `_`
  CollectionType type = CollectionType::snapshot;
  std::string generated;
  Instant generated_at;
  std::optional<std::string> since;  ///< required of deltas
  std::optional<Instant> since_at;
  std::string version = "0.1";
  std::optional<std::string> state;     ///< "sum256:" and 64 hex digits, see docs/format.md
  std::vector<std::string> removed;     ///< URLs unpublished since `since`
  std::optional<std::string> checksum;  ///< "sha256:" and 64 hex digits
  /// Members no draft names: key with its escapes and without quotes, value as JSON text.
  std::vector<std::pair<std::string, std::string>> extra;

  friend bool operator==(const CollectionHead&, const CollectionHead&) = default;

  void set_generated(Instant instant);  ///< both forms of it
  void set_since(Instant instant);      ///< both forms of it
};

/// How a file is compressed.
enum class Codec : std::uint8_t { plain, gzip, zstd };

std::string_view to_string(Codec codec);     ///< "plain", "gzip", "zstd"
std::string_view extension_of(Codec codec);  ///< ".scp", ".scp.gz", ".scp.zst"

/// The codec by a file name's extension, for writing: .scp, .scp.gz, .scp.zst (also plain .gz and .zst).
/// Readers look at the first bytes instead: names lie.
std::optional<Codec> codec_for_path(std::string_view path);

/// The drafts' levels: gzip 6, zstd 9.
int default_level(Codec codec);

/// What a reader accepts and a writer does not exceed. The defaults are the drafts' ("Threat: Memory and CPU
/// Exhaustion"). Every reader and writer has its own: there are no global limits.
struct Limits {
  std::uint64_t compressed_bytes = std::uint64_t{50} << 30;
  std::uint64_t decompressed_bytes = std::uint64_t{500} << 30;
  std::uint64_t page_bytes = std::uint64_t{100} << 20;  ///< one line, without its line feed
  std::uint32_t blocks = 1000;                          ///< content blocks of a page
  std::uint32_t depth = 256;  ///< nested JSON arrays and objects; the drafts name no number
  /// JSON values of a line, names of members included. A parser needs up to sixty bytes for a value that
  /// takes two in the line, so the size of a line does not bound the memory it costs.
  std::uint32_t values = 1'000'000;
  std::uint32_t ratio = 100;  ///< decompressed : compressed
  /// The ratio is judged from this much output on: a small file compresses by chance better than any bomb.
  std::uint64_t ratio_from = std::uint64_t{1} << 20;
};

/// Everything a reader can find wrong. Names as users see them are in docs/findings.md and `to_string`.
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
  read_failed,  ///< the bytes could not be read: says nothing about the file
  // The page is skipped.
  invalid_url,
  invalid_modified,
  page_too_large,
  too_many_blocks,
  too_deep,
  too_many_values,
  noindex,
  foreign_page,  ///< of a host that is not the site's
  // The block is dropped.
  malformed_block,
  unsafe_url,
  // Reported, and nothing lost.
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
};
inline constexpr std::size_t kFindingCodes = static_cast<std::size_t>(FindingCode::state_mismatch) + 1;

/// What a finding costs: the file, a page, a block, or nothing.
enum class FindingLevel : std::uint8_t { fatal, page, block, warning };

constexpr FindingLevel level_of(FindingCode code) {
  if (code <= FindingCode::read_failed) return FindingLevel::fatal;
  if (code <= FindingCode::foreign_page) return FindingLevel::page;
  if (code <= FindingCode::unsafe_url) return FindingLevel::block;
  return FindingLevel::warning;
}

std::string_view to_string(FindingCode code);    ///< "empty-file", "decompress-failed", ...
std::string_view to_string(FindingLevel level);  ///< "fatal", "page", "block", "warning"

/// One thing wrong: what, where, and a sentence for a person.
struct Finding {
  FindingCode code;
  std::uint64_t line = 0;    ///< from 1; 0 when it concerns the whole file
  std::uint64_t offset = 0;  ///< bytes into the uncompressed file
  std::string url;           ///< of the page, when known
  std::string message;
};

/// Receives findings in the order in which they are met. The function must not throw. An empty sink, `{}`,
/// ignores them, so a sink can always be called.
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
