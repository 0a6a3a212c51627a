// sheaf/writer.h - write a collection
//
// A Writer writes pages to one file, or to several files with different codecs. Files are written atomically:
// a file appears complete or not at all. The output is deterministic: the same pages and options give the
// same bytes.
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
// Lifetimes: add() copies what it needs; the page need not outlive the call. If finish() was not called, the
// destructor removes the temporary files.
//
// Memory: the metadata line comes first and has the checksum of everything after it, so pages are spooled to
// disk, not kept in memory, until finish().
//
// Errors: refused for a page that a reader would not accept completely; the writer can still be used. Any
// other error is an I/O error (io, no_space, ...) and final.
//
// Threads: a writer may be used by one thread at a time. WriterOptions::threads adds worker threads.
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
  std::optional<int> level;  ///< gzip 1 to 9, zstd 1 to 19; default: default_level(codec)
};

struct WriterOptions {
  Limits limits;
  /// Folder for the temporary file with the uncompressed pages; default: the folder of the first target.
  std::filesystem::path spool_folder;
  /// If more than 1, targets are compressed concurrently, each on several threads. The output does not depend
  /// on the number of threads.
  unsigned threads = 1;
  /// Also refuses pages with warnings, so that the file passes `validate --strict`.
  bool strict = false;
};

struct WrittenFile {
  std::filesystem::path path;
  Codec codec;
  int level;  ///< lower than requested if the file would have exceeded Limits::ratio
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
  /// Creates a writer for all targets. Fails if a target or the spool cannot be created, or if the head is
  /// not valid.
  static Result<Writer> create(CollectionHead head, std::vector<WriterTarget> targets,
                               const WriterOptions& options = {});
  /// The same for one file, whose extension determines the codec. Fails with invalid_argument if the
  /// extension is unknown.
  static Result<Writer> create(CollectionHead head, const std::filesystem::path& file,
                               const WriterOptions& options = {});
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  /// Adds a page. Fails with `refused` if a reader would not accept the page completely: it exceeds a limit,
  /// has an invalid URL, time, block or field, or raw JSON with a line feed. The page is then not written,
  /// and the writer can still be used.
  Result<void> add(const Page& page);

  /// The metadata line to be written; it may be changed until finish(). If a snapshot has no `state`,
  /// finish() sets it to the digest of the pages. finish() always sets `checksum`.
  CollectionHead& head();

  /// Compresses, syncs and renames every target. On failure no target has changed, unless one of several
  /// renames failed after others succeeded.
  Result<WriteSummary> finish();

 private:
  class Impl;
  explicit Writer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Encodes a page as one compact JSON object without a line feed: one line of a collection. Equal pages give
/// equal bytes. PageParser parses the result.
std::string page_json(const Page& page);

}  // namespace sheaf
