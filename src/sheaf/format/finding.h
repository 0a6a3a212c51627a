#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

namespace sheaf::format {

/// Everything a reader can find wrong. Names as users see them are in docs/findings.md and `to_string`.
enum class Code : std::uint8_t {
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
  read_failed,  ///< the bytes could not be had: says nothing about the file
  // The page is passed over.
  invalid_url,
  invalid_modified,
  page_too_large,
  too_many_blocks,
  too_deep,
  noindex,
  // The block is dropped.
  malformed_block,
  unsafe_url,
  // Said, and gone on.
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
};
constexpr std::size_t kCodeCount = static_cast<std::size_t>(Code::duplicate_url) + 1;

enum class Level : std::uint8_t { fatal, page, block, warning };

constexpr Level level_of(Code code) {
  if (code <= Code::read_failed) return Level::fatal;
  if (code <= Code::noindex) return Level::page;
  if (code <= Code::unsafe_url) return Level::block;
  return Level::warning;
}

std::string_view to_string(Code code);    ///< "empty-file", "decompress-failed", ...
std::string_view to_string(Level level);  ///< "fatal", "page", "block", "warning"

/// One thing wrong: what, where, and a sentence for a person.
struct Finding {
  Code code;
  std::uint64_t line = 0;    ///< from 1; 0 when it concerns the whole file
  std::uint64_t offset = 0;  ///< bytes into the uncompressed file
  std::string url;           ///< of the page, when known
  std::string message;
};

/// Takes findings that do not end the reading, in the order they are met. It must not throw.
using FindingSink = std::function<void(const Finding&)>;

/// A value, or the finding that ended the reading. Its code is always a fatal one.
template <class T>
using Read = std::expected<T, Finding>;

}  // namespace sheaf::format
