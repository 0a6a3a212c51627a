#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/scratch_folder.h"
#include "sheaf/compare/comparison.h"
#include "sheaf/extract/extract.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/html/dom.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::compare {

/// A page as a crawler receives it.
struct MeasuredResponse {
  std::string_view url;
  std::string_view html;
  std::string_view content_type = {};
  std::optional<std::uint64_t> transferred = {};  ///< bytes on the wire; if unset, the size with gzip is used
  std::optional<Instant> modified = {};
};

/// Measures what pages cost as single HTML responses and together as a collection. Does not keep the pages
/// in memory.
class PageMeasures {
 public:
  /// Every `1 / changed_share`th page counts as changed and is also written to a delta.
  static base::Result<PageMeasures> begin(double changed_share);

  /// Measures a page. Skips it if it is noindex, has no content, or is refused by the collection writer.
  base::Result<void> add(const MeasuredResponse& response);
  /// Finishes the collections, reads the snapshot back, and fills in `comparison`, whose `pages` are the
  /// pages that were counted. Fails with Errc::not_found if there are none.
  base::Result<void> finish(Comparison& comparison);

  [[nodiscard]] std::uint64_t pages() const { return pages_; }

 private:
  PageMeasures(base::ScratchFolder folder, format::CollectionWriter snapshot, format::CollectionWriter delta,
               double changed_share);

  base::Result<std::uint64_t> size_as_gzip(std::string_view html);

  base::ScratchFolder folder_;
  format::CollectionWriter snapshot_;
  format::CollectionWriter delta_;
  double changed_share_;
  double changed_due_ = 0;
  extract::Extractor extractor_;
  html::Document document_;
  std::uint64_t pages_ = 0;
  std::uint64_t skipped_ = 0;
  std::uint64_t changed_ = 0;
  std::uint64_t html_bytes_ = 0;
  std::uint64_t transferred_ = 0;
  std::uint64_t changed_bytes_ = 0;
  std::uint64_t tree_nanoseconds_ = 0;
  std::uint64_t extract_nanoseconds_ = 0;
};

}  // namespace sheaf::compare
