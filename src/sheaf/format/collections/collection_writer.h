#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/limits.h"
#include "sheaf/model/collection.h"
#include <sheaf/page.h>
#include <sheaf/writer.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::format {

using sheaf::WriterOptions;
using sheaf::WriterTarget;
using sheaf::WriteSummary;
using sheaf::WrittenFile;

/// Writes a collection to one file per target. Each file appears complete or not at all.
///
///   SHEAF_TRY_ASSIGN(auto writer, CollectionWriter::create(head, {{"blog.scp.zst", Codec::zstd}}, {}));
///   for (const Page& page : pages) SHEAF_TRY(writer.add(page));
///   SHEAF_TRY(writer.finish());  // until here nothing exists under the target's name
///
/// The metadata line comes first and has the checksum of everything after it, so the pages are spooled to
/// disk, not held in memory. (Two frames, head and body, would need no spool, but many gzip and zstd clients
/// stop after the first.) The same pages and options give the same bytes.
class CollectionWriter {
 public:
  /// Fails if a target or the spool cannot be created, or if a reader would reject the head.
  static base::Result<CollectionWriter> create(model::CollectionHead head, std::vector<WriterTarget> targets,
                                               const WriterOptions& options);
  /// A writer that checks the head and the pages, and compresses the pages with `codec` to learn their size.
  /// It writes nothing, and must not be finished.
  static base::Result<CollectionWriter> create_checker(model::CollectionHead head, Codec codec,
                                                       const WriterOptions& options);
  ~CollectionWriter();
  CollectionWriter(CollectionWriter&&) noexcept;
  CollectionWriter& operator=(CollectionWriter&&) noexcept;

  /// Fails with Errc::refused if a reader would not accept the page unchanged: it exceeds a limit, or has an
  /// invalid URL or time, a bad block or field, or raw JSON with a line feed. The page is then not written;
  /// more pages can be added.
  base::Result<void> add(const Page& page);

  /// The metadata line. It can be changed until finish(). A snapshot without `state` gets the digest of its
  /// pages; `checksum` is always set by finish().
  model::CollectionHead& head();

  /// The digest of the pages added so far.
  [[nodiscard]] const StateDigest& state() const;

  /// Compresses, syncs and renames every target. On failure no target has been touched, unless one of several
  /// renames failed after others succeeded.
  base::Result<WriteSummary> finish();

  /// The compressed size of the pages. Only for a checker, and only once, after the last page.
  base::Result<std::uint64_t> compressed_size();

 private:
  class Impl;
  explicit CollectionWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::format
