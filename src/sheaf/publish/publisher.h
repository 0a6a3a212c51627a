#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/section_run.h"
#include "sheaf/trust/key_files.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

struct PublishOptions {
  Instant now;
  bool snapshot = false;  ///< even if none is due
  bool dry_run = false;
  format::Shrink shrink = format::Shrink::refuse;
  bool allow_unsigned = false;  ///< although earlier runs were signed
  unsigned threads = 1;
  /// `expected` is the number of items of the last run; 0 if unknown.
  std::function<void(std::uint64_t bytes, std::uint64_t items, std::uint64_t expected)> progress;
  bool allow_private = false;  ///< `site` sources may use private addresses
  bool allow_http = false;     ///< ... and redirect from https to http
  /// Gets every page and every skipped item; the caller finishes and writes it, also after an error. With
  /// `read_all` also pages that have not changed are read, so that none is missing in it.
  quality::QualityReport* quality = nullptr;
  bool read_all = false;
  /// Gets every item of the sources after it was judged; `kept` says whether its page is part of a section.
  /// An error ends the run.
  std::function<base::Result<void>(const PreparedItem& item, bool kept)> on_item = {};
  bool write_robots = false;           ///< add the Sitemap line to robots.txt if it is missing
  bool relearn = false;                ///< learn what recurs on the site's pages anew
  objects::Environment environment;    ///< for the keys of a remote target
  trust::PassphraseSource passphrase;  ///< of a protected signing key
};

struct PublishReport {
  std::vector<PublishSectionReport> sections;
  bool resumed = false;    ///< an interrupted run was completed first
  bool recovered = false;  ///< there was no catalog; it was rebuilt from the published collections
  bool sitemap_changed = false;
  bool robots_changed = false;        ///< the Sitemap line was added to robots.txt
  std::uint64_t outputs_written = 0;  ///< files of [outputs]
  std::uint64_t outputs_removed = 0;
  std::uint64_t urls_submitted = 0;  ///< to IndexNow
  std::uint64_t signatures = 0;      ///< made
  std::string place;                 ///< remote target: "s3://bucket"; empty for the local folder
  std::uint64_t sent = 0;            ///< how many
  std::uint64_t cleaned = 0;         ///< old files deleted
  std::uint64_t restored = 0;        ///< collections that were deleted from the folder, and put back
  std::vector<std::string> notes;    ///< what is remarkable, one sentence each
  std::vector<std::string> steps;    ///< what the user has to do, one sentence each

  [[nodiscard]] bool has_changes() const;
};

/// Brings the collections and the sitemap of a site up to date with its sources.
///
/// Clients see a consistent state at every moment: first collections are written, then the sitemap that lists
/// them, then old files are deleted, and last the catalog is committed. The next run undoes or completes an
/// interrupted one.
base::Result<PublishReport> publish(const PublishConfig& config, const PublishOptions& options);

}  // namespace sheaf::publish
