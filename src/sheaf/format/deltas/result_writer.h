#pragma once

#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/deltas/collection_delta.h"
#include <sheaf/arena.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::format {

/// Writes the result of convert, diff or merge so that it passes `validate --strict`, although readers accept
/// inputs that do not. Repairs pages (page_repair.h), and leaves out those without content.
///
/// A repair may change what the state digest of a delta covers. The digest of the whole section cannot be
/// computed from a delta, so such a delta gets none: no digest is better than one that clients cannot reach.
class ResultWriter {
 public:
  static base::Result<ResultWriter> create(model::CollectionHead head, std::vector<WriterTarget> targets,
                                           const std::filesystem::path& folder, const DeltaOptions& options);

  /// Writes the page, repaired. Returns its `modified` as written; empty if it was left out. The text is
  /// valid until the next call.
  base::Result<std::string_view> add(const Page& page);

  /// The metadata line to be written.
  model::CollectionHead& head() { return writer_.head(); }
  /// The digest of the pages as they were before the repairs, including those left out.
  [[nodiscard]] StateDigest given_state() const;
  [[nodiscard]] std::uint64_t without_content() const { return without_content_; }

  base::Result<WriteSummary> finish();

 private:
  ResultWriter(CollectionWriter writer, const DeltaOptions& options)
      : writer_(std::move(writer)), options_(&options) {}

  CollectionWriter writer_;
  const DeltaOptions* options_;
  Page page_;  ///< repaired
  Arena arena_;
  std::vector<std::string> repairs_;
  StateDigest difference_;  ///< given_state() without the digest of the pages written
  bool changed_state_ = false;
  std::uint64_t without_content_ = 0;
};

/// The text of a page for comparisons, repaired, so that repairs are not changes. Appends to `out`, and uses
/// `memory`.
void append_repaired(const Page& page, Arena& memory, std::string& out);

}  // namespace sheaf::format
