// sheaf/reader.h - read a collection page by page
//
// A Reader decompresses, checks and parses a collection in flat memory: what it holds depends on the longest
// line and nothing else. It reads the drafts as docs/spec-readings.md says: a page that breaks a rule is
// skipped, a file that breaks one is refused.
//
//     #include <sheaf/reader.h>
//
//     #include <cstdio>
//
//     int main() {
//       auto reader = sheaf::Reader::open("monday.scp");
//       while (reader) {
//         const auto page = reader->next();
//         if (!page) return std::fprintf(stderr, "%s\n", page.error().message.c_str()), 1;
//         if (*page == nullptr) return 0;  // the end, and the checksum is right
//         std::printf("%.*s: %zu blocks\n", static_cast<int>((*page)->url.size()), (*page)->url.data(),
//                     (*page)->content.size());
//       }
//       return std::fprintf(stderr, "%s\n", reader.error().message.c_str()), 1;
//     }
//
// Lifetimes: a page and its JSON borrow the reader's buffers and die at the next next(). copy(page, arena) of
// sheaf/page.h keeps one.
//
// Trust: the checksum is verified at the end. Until next() has returned null, do not use what you have read
// as the file's content for good: write it to a place from which it can be discarded.
//
// Errors: invalid_data when the file is refused, io when it cannot be read, not_found and the like when it
// cannot be opened. Every finding (sheaf/collection.h), also the fatal one, goes to the FindingSink first.
// Errors are final: every further call gives the same one.
//
// Threads: a reader belongs to one thread at a time. ReaderOptions::threads lets it use more of its own.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/error.h>
#include <sheaf/page.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sheaf {

/// Whether a file needs a metadata line.
enum class HeadRule : std::uint8_t {
  required,
  optional,  ///< a file without a metadata line is read too, as draft 1 wrote them
};

/// How much of a page a caller looks at.
enum class PageDetail : std::uint8_t {
  /// For callers that need texts only: like `checks`, but `inline` is not looked at. Blocks have no inline
  /// ranges, and nothing is reported about them. The quickest.
  texts,
  /// Every rule is checked and every field of the drafts is there, but what is kept as raw JSON (`schema`,
  /// structured data, unknown blocks, unknown members) is left empty. json() has it all the same. Quicker.
  checks,
  everything,
};

struct ReaderOptions {
  Limits limits;
  PageDetail detail = PageDetail::everything;
  /// 1: everything in next(). 2: decompressing and hashing on a second thread. 3 and more: on one each.
  unsigned threads = 1;
  HeadRule head = HeadRule::required;
};

/// What came of the checksum that a file states.
enum class ChecksumVerdict : std::uint8_t { unchecked, absent, verified, mismatch };
std::string_view to_string(ChecksumVerdict verdict);  ///< "unchecked", "absent", "verified", "mismatch"

struct ReaderStatistics {
  Codec codec = Codec::plain;
  std::uint64_t pages = 0;    ///< handed out
  std::uint64_t skipped = 0;  ///< skipped by a rule
  std::uint64_t compressed_bytes = 0;
  std::uint64_t plain_bytes = 0;
  std::uint64_t longest_line = 0;
};

/// Gives the next bytes of a stream: fills the span from its front and returns how many came, 0 at the end.
using ReadFunction = std::function<Result<std::size_t>(std::span<char>)>;

/// Reads a collection from front to back. See the top of this file.
class Reader {
 public:
  /// Opens a file and reads as far as its metadata line; "-" is standard input.
  static Result<Reader> open(const std::filesystem::path& file, const ReaderOptions& options = {},
                             FindingSink sink = {});
  /// The same for bytes in memory, which must outlive the reader.
  static Result<Reader> open_bytes(std::string_view bytes, const ReaderOptions& options = {},
                                   FindingSink sink = {});
  /// The same for a stream, such as a download; `name` is for messages. `read` is called by the reader's own
  /// threads, one at a time.
  static Result<Reader> open_stream(ReadFunction read, std::string name, const ReaderOptions& options = {},
                                    FindingSink sink = {});
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  /// The metadata line; empty for a file without one (HeadRule::optional).
  [[nodiscard]] const CollectionHead& head() const;
  [[nodiscard]] bool has_head() const;

  /// The next page, or null at the end: the file is complete, and its checksum, if it has one, is right.
  Result<const Page*> next();

  /// The JSON text of the page of the last next(): as it came, or without what a rule dropped. One line,
  /// without a line feed. Lives as long as the page.
  std::string_view json();
  /// Where that page is in the file, from 1.
  [[nodiscard]] std::uint64_t line_number() const;

  /// Known once next() has returned null or an error.
  [[nodiscard]] ChecksumVerdict checksum() const;
  /// Complete once next() has returned null or an error.
  [[nodiscard]] ReaderStatistics statistics() const;

 private:
  class Impl;
  explicit Reader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Makes a Page of one line of JSON, such as Reader::json(), StoreEntry::json or page_json() give. Keeps its
/// memory from page to page. One thread at a time.
class PageParser {
 public:
  PageParser();
  ~PageParser();
  PageParser(PageParser&&) noexcept;
  PageParser& operator=(PageParser&&) noexcept;

  /// The page, which lives until the next call; `json` need not live longer than the call. invalid_data where
  /// a reader would skip the page or refuse the file. Limits of size do not apply.
  Result<const Page*> parse(std::string_view json);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
