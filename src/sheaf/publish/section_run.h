#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/base/url_set.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/merge_plan.h"
#include "sheaf/publish/prepare.h"
#include "sheaf/quality/quality_report.h"
#include "sheaf/site/advertised.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace sheaf::publish {

class OutputRun;

struct SectionOptions {
  std::string name;
  base::Url base;  ///< the site; the URLs of its pages begin with this, except for `www.`
  site::UpdateFreq update = site::UpdateFreq::daily;
  std::filesystem::path folder;  ///< for its files
  std::vector<format::Codec> codecs;
  format::Limits limits;
  Instant now;
  bool force_snapshot = false;
  bool dry_run = false;
  format::Shrink shrink = format::Shrink::refuse;
  unsigned threads = 1;                       ///< for compression
  std::vector<std::uint32_t> merge_days;      ///< see Retention
  quality::QualityReport* quality = nullptr;  ///< receives every page; null without --report
  OutputRun* outputs = nullptr;  ///< receives the pages that were read, and the removed ones; may be null
  /// Not null for a section that is not configured any more: the pages of the other sections.
  base::UrlSet* site_pages = nullptr;
};

/// One section in one run: processes the items of its sources, detects changes, and writes collections.
class SectionRun {
 public:
  static base::Result<SectionRun> begin(Catalog& catalog, SectionOptions options);

  /// If the clock was wrong in the last run: the time in the future at which the section was published. The
  /// section is then published again, as a snapshot only.
  [[nodiscard]] std::optional<Instant> misdated() const {
    return misdated_ ? std::optional(before_->generated) : std::nullopt;
  }

  /// Whether unchanged pages are needed too: a snapshot is written.
  [[nodiscard]] bool wants_everything() const { return snapshot_.has_value() || is_first(); }

  /// Adds an item. Returns the page's `modified`, for the other sections that have it; nullopt if the item
  /// was skipped. `remember`: store an ItemRecord, if the item wants one.
  base::Result<std::optional<Instant>> add(const PreparedItem& item, std::optional<Instant> source_time,
                                           bool remember);

  /// Call it after the last item: finds removed pages. Fails with Errc::refused if there are too many.
  base::Result<void> end_items();

  /// The names of the files that write() will write.
  [[nodiscard]] std::vector<std::string> file_names() const;
  /// Writes the collections and stages the section's new state. Does nothing if nothing has changed and no
  /// snapshot is due.
  base::Result<void> write();

  [[nodiscard]] const PublishSectionReport& report() const { return report_; }

 private:
  SectionRun(Catalog& catalog, SectionOptions options, std::optional<CatalogSection> before)
      : catalog_(&catalog), options_(std::move(options)), before_(std::move(before)) {}

  [[nodiscard]] bool is_first() const { return !before_.has_value(); }
  /// False for a misdated state: clients do not apply a delta to a state in the future.
  [[nodiscard]] bool has_delta() const { return before_.has_value() && !misdated_; }
  [[nodiscard]] std::vector<format::WriterTarget> targets(model::CollectionType type) const;
  base::Result<format::CollectionWriter> open_writer(model::CollectionType type) const;
  base::Result<void> skip(SkipReason reason, const std::string& what, const std::string& detail);
  base::Result<void> report_quality(const PreparedItem& item);
  void note_repairs(const PreparedItem& item);
  base::Result<void> note_item(const PreparedItem& item);
  base::Result<std::optional<Instant>> keep_known(const PreparedItem& item);
  base::Result<std::optional<Instant>> keep(const PreparedItem& item, std::optional<Instant> source_time);
  PageVerdict judge(const std::optional<KnownPage>& known, const Fingerprint& fingerprint,
                    std::optional<Instant> source_time);
  base::Result<std::optional<KnownPage>> newest_elsewhere(std::string_view url) const;
  /// Returns false if the writer refused the page, which is then reported as skipped.
  base::Result<bool> write_page(const Page& page, PageChange change, const std::string& name);
  base::Result<void> forget_gone();
  base::Result<void> measure_saving();
  [[nodiscard]] std::unexpected<base::Error> refuse_shrink() const;
  base::Result<void> remove(const CatalogEntry& page);
  base::Result<void> finish(format::CollectionWriter& writer, model::CollectionType type,
                            CatalogSection& state);
  void merge_earlier_deltas(CatalogSection& state);

  Catalog* catalog_;
  SectionOptions options_;
  std::optional<CatalogSection> before_;
  std::vector<std::string>
      other_sections_;  ///< that were published, even if they are not configured any more
  bool misdated_ = false;
  Instant generated_;
  std::optional<format::CollectionWriter> snapshot_;
  std::optional<format::CollectionWriter> delta_;
  format::StateDigest digest_;
  base::UrlSet seen_;
  base::UrlSet items_;                       ///< ids of the items in the sources
  std::unordered_set<std::string> refused_;  ///< URLs of pages that the writer refused
  std::vector<std::string> removed_;
  std::uint64_t removed_outside_base_ = 0;
  std::uint64_t html_bytes_ = 0;  ///< of the pages that were added to the writer
  bool all_have_html_ = true;
  std::uint64_t moved_ = 0;  ///< of a section that is not configured any more: pages that other sections have
  std::vector<DeltaSpan> merges_;
  PublishSectionReport report_;
};

}  // namespace sheaf::publish
