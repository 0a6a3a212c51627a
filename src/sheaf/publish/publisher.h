#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/section_run.h"
#include "sheaf/trust/key_history.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

struct PublishOptions {
  Instant now;
  bool snapshot = false;  ///< write a snapshot even if none is due
  bool dry_run = false;
  format::Shrink shrink = format::Shrink::refuse;
  bool allow_unsigned = false;  ///< publish unsigned although earlier runs were signed
  unsigned threads = 1;
  /// `expected` is the number of items of the last run; 0 if unknown.
  std::function<void(std::uint64_t bytes, std::uint64_t items, std::uint64_t expected)> progress;
  bool allow_private = false;  ///< `site` sources may use private addresses
  bool allow_http = false;     ///< `site` sources may redirect from https to http
  /// Records every page and every skipped item, if not null. The caller finishes and writes the report, also
  /// after an error. With `read_all` unchanged pages are read too, so that the report is complete.
  quality::QualityReport* quality = nullptr;
  bool read_all = false;
  /// Called for every item of the sources after it was judged; `kept` says whether its page is part of a
  /// section. An error ends the run.
  std::function<base::Result<void>(const PreparedItem& item, bool kept)> on_item = {};
  bool write_robots = false;           ///< add the Sitemap line to robots.txt if it is missing
  bool relearn = false;                ///< learn the templates of sites again
  objects::Environment environment;    ///< for the credentials of a remote target
  trust::PassphraseSource passphrase;  ///< of a protected signing key
};

struct PublishReport {
  std::vector<PublishSectionReport> sections;
  bool resumed = false;    ///< an interrupted run was completed before this one
  bool recovered = false;  ///< there was no catalog; it was rebuilt from the published collections
  bool sitemap_changed = false;
  bool robots_changed = false;        ///< the Sitemap line was added to robots.txt
  std::uint64_t outputs_written = 0;  ///< files written for [outputs]
  std::uint64_t outputs_removed = 0;
  std::uint64_t urls_submitted = 0;  ///< to IndexNow
  std::uint64_t signatures = 0;      ///< number of signatures made
  std::string place;                 ///< remote target: "s3://bucket"; empty for the local folder
  std::uint64_t sent = 0;            ///< number of files sent to it
  std::uint64_t cleaned = 0;         ///< old files deleted
  std::uint64_t restored = 0;        ///< collections that were missing in the folder and restored
  std::vector<std::string> notes;    ///< remarks for the user, one sentence each
  std::vector<std::string> steps;    ///< what the user has to do, one sentence each

  [[nodiscard]] bool has_changes() const;
};

/// Brings the collections and the sitemap of a site up to date with its sources.
///
/// Clients see a consistent state at every moment: collections are written first, then the sitemap that lists
/// them, then old files are deleted, and finally the catalog is committed. The next run undoes or completes
/// an interrupted one.
base::Result<PublishReport> publish(const PublishConfig& config, const PublishOptions& options);

}  // namespace sheaf::publish
