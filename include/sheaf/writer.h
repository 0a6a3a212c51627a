// sheaf/writer.h - write a collection
//
// A Writer takes pages and writes one file, or the same pages in several codecs at once. A file appears under
// its name whole, or not at all. The same pages and options give the same bytes.
//
//     #include <sheaf/writer.h>
//
//     int main() {
//       sheaf::CollectionHead head;
//       head.id = "notes-1";
//       head.section = "notes";
//       head.set_generated(sheaf::now());
//       auto writer = sheaf::Writer::create(head, "notes.scp.zst");
//       if (!writer) return 2;
//       const sheaf::Block blocks[] = {{sheaf::TextBlock{"A first page."}, {}}};
//       sheaf::Page page;
//       page.url = "https://shop.example/hello";
//       page.title = page.description = "Hello";
//       page.modified = "2026-03-01T08:00:00Z";
//       page.language = "en";
//       page.content = std::span<const sheaf::Block>(blocks);
//       if (const auto added = writer->add(page); !added) return 1;
//       const auto written = writer->finish();  // until here there is no notes.scp.zst
//       return written && written->pages == 1 ? 0 : 2;
//     }
//
// Lifetimes: add() copies what it needs; the page may go when it returns. The destructor of a writer that was
// not finished removes what it has written.
//
// Memory: the metadata line comes first and has the checksum of everything after it, so pages wait on disk,
// not in memory, until finish().
//
// Errors: refused for a page that a reader would not accept whole; the writer can go on without it. Any other
// error is one of the disk (io, no_space, ...) and final.
//
// Threads: a writer belongs to one thread at a time. WriterOptions::threads lets it use more of its own.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/error.h>
#include <sheaf/page.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf {

/// One file to write.
struct WriterTarget {
  std::filesystem::path path;
  Codec codec = Codec::zstd;
  std::optional<int> level;  ///< default_level(codec) unless given; gzip 1 to 9, zstd 1 to 19
};

struct WriterOptions {
  Limits limits;
  /// Where the uncompressed pages wait until the checksum is known; beside the first target unless given.
  std::filesystem::path spool_folder;
  /// With more than one, targets are compressed at the same time, each by several. The bytes do not depend on
  /// it.
  unsigned threads = 1;
  /// Refuses a page for a warning too, so that the file passes `validate --strict`.
  bool strict = false;
};

struct WrittenFile {
  std::filesystem::path path;
  Codec codec;
  int level;  ///< lower than asked for where the file would have exceeded Limits::ratio
  std::uint64_t bytes;
};

struct WriteSummary {
  std::vector<WrittenFile> files;
  std::uint64_t pages = 0;
  std::uint64_t plain_bytes = 0;
  CollectionHead head;  ///< as written, with checksum and state
};

/// Writes a collection. See the top of this file.
class Writer {
 public:
  /// Writes to each target. Errors: a target or the spool cannot be created, or the head is not valid.
  static Result<Writer> create(CollectionHead head, std::vector<WriterTarget> targets,
                               const WriterOptions& options = {});
  /// The same for one file, whose extension says the codec; invalid_argument where it says none.
  static Result<Writer> create(CollectionHead head, const std::filesystem::path& file,
                               const WriterOptions& options = {});
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  /// refused for a page that a reader would not accept whole: over a limit, an invalid URL or time, a bad
  /// block or field, raw JSON with a line feed in it. The page is not written, and the writer can go on.
  Result<void> add(const Page& page);

  /// The metadata line to be written; it may be changed until finish(). A snapshot without `state` gets the
  /// digest of its pages. `checksum` is always set by finish().
  CollectionHead& head();

  /// Compresses, syncs and renames every target. On failure no target has changed, unless one of several
  /// renames failed after others succeeded.
  Result<WriteSummary> finish();

 private:
  class Impl;
  explicit Writer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A page as one compact JSON object without a line feed: one line of a collection. Equal pages give equal
/// bytes. PageParser is the way back.
std::string page_json(const Page& page);

}  // namespace sheaf
