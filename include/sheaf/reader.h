// sheaf/reader.h - read a collection page by page
//
// A Reader decompresses, checks and parses a collection. Its memory use depends only on the longest line. It
// skips invalid pages and refuses invalid files, by the rules of the drafts as docs/spec-readings.md
// interprets them.
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
// Lifetimes: a page and its JSON borrow the reader's buffers and are valid until the next call of next().
// copy(page, arena) of sheaf/page.h keeps a page.
//
// Trust: the checksum is verified at the end of the file. Until next() has returned null, treat the pages as
// unverified: store them where you can discard them.
//
// Errors: invalid_data if the file is refused, io if it cannot be read, not_found and the like if it cannot
// be opened. Every finding (sheaf/collection.h), including the fatal one, is first sent to the FindingSink.
// Errors are final: every further call returns the same error.
//
// Threads: a reader may be used by one thread at a time. ReaderOptions::threads adds worker threads.
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
  optional,  ///< also accepts a file without a metadata line, as in draft 1
};

/// Which parts of a page are decoded.
enum class PageDetail : std::uint8_t {
  /// For callers that need only texts: like `checks`, but `inline` is ignored. Blocks have no inline ranges,
  /// and problems of inline ranges are not reported. The fastest.
  texts,
  /// All rules are checked and all fields of the drafts are set, but fields with raw JSON (`schema`,
  /// structured data, unknown blocks, unknown members) are left empty. json() still returns them. Faster than
  /// `everything`.
  checks,
  everything,
};

struct ReaderOptions {
  Limits limits;
  PageDetail detail = PageDetail::everything;
  /// 1: all work is done in next(). 2: a second thread decompresses and hashes. 3 or more: one thread
  /// decompresses and another one hashes.
  unsigned threads = 1;
  HeadRule head = HeadRule::required;
};

/// The result of comparing a file with the checksum that it states.
enum class ChecksumVerdict : std::uint8_t { unchecked, absent, verified, mismatch };
std::string_view to_string(ChecksumVerdict verdict);  ///< "unchecked", "absent", "verified", "mismatch"

struct ReaderStatistics {
  Codec codec = Codec::plain;
  std::uint64_t pages = 0;    ///< pages returned
  std::uint64_t skipped = 0;  ///< invalid pages, which were skipped
  std::uint64_t compressed_bytes = 0;
  std::uint64_t plain_bytes = 0;
  std::uint64_t longest_line = 0;
};

/// Reads the next bytes of a stream into the front of the span and returns their number; 0 at the end.
using ReadFunction = std::function<Result<std::size_t>(std::span<char>)>;

/// Reads a collection from front to back. See the top of this file.
class Reader {
 public:
  /// Opens a file and reads up to the end of its metadata line; "-" is standard input.
  static Result<Reader> open(const std::filesystem::path& file, const ReaderOptions& options = {},
                             FindingSink sink = {});
  /// The same for bytes in memory, which must outlive the reader.
  static Result<Reader> open_bytes(std::string_view bytes, const ReaderOptions& options = {},
                                   FindingSink sink = {});
  /// The same for a stream, such as a download; `name` is for messages. The reader may call `read` from its
  /// own threads, but never concurrently.
  static Result<Reader> open_stream(ReadFunction read, std::string name, const ReaderOptions& options = {},
                                    FindingSink sink = {});
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  /// The metadata line; empty for a file without one (HeadRule::optional).
  [[nodiscard]] const CollectionHead& head() const;
  [[nodiscard]] bool has_head() const;

  /// The next page, or null at the end. Null means that the file is complete and that its checksum, if it
  /// states one, is correct.
  Result<const Page*> next();

  /// The JSON text of the page that next() returned last: unchanged, or without the parts that a rule
  /// dropped. One line, without a line feed. Valid as long as the page.
  std::string_view json();
  /// The line number of that page, from 1.
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

/// Parses a Page from one line of JSON, such as Reader::json(), StoreEntry::json or page_json(). Reuses its
/// memory from page to page. May be used by one thread at a time.
class PageParser {
 public:
  PageParser();
  ~PageParser();
  PageParser(PageParser&&) noexcept;
  PageParser& operator=(PageParser&&) noexcept;

  /// Returns the page, which is valid until the next call; `json` need not outlive the call. Fails with
  /// invalid_data if a reader would skip the page or refuse the file. Size limits do not apply.
  Result<const Page*> parse(std::string_view json);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
