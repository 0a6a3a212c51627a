#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/publish/section_run.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

struct PublishOptions {
  Instant now;
  bool snapshot = false;  ///< whether or not one is due
  bool dry_run = false;
  format::Shrink shrink = format::Shrink::refuse;
  unsigned threads = 1;
  /// `expected` is how many items there were last time, 0 if that is not known.
  std::function<void(std::uint64_t bytes, std::uint64_t items, std::uint64_t expected)> progress;
  bool allow_private = false;        ///< `site` sources may lie at private addresses
  bool allow_http = false;           ///< ... and redirect from https to http
  objects::Environment environment;  ///< for the keys of a storage elsewhere
};

struct PublishReport {
  std::vector<PublishSectionReport> sections;
  bool resumed = false;    ///< a run that was ended in the middle was brought to its end first
  bool recovered = false;  ///< there was no catalog; it was made from what is published
  bool sitemap_changed = false;
  std::string place;               ///< where files were sent, unless to the local folder: "s3://bucket"
  std::uint64_t sent = 0;          ///< how many
  std::uint64_t cleaned = 0;       ///< old files taken away
  std::vector<std::string> notes;  ///< what the user may want to do, a sentence each

  [[nodiscard]] bool has_changes() const;
};

/// Brings the collections and the sitemap of a site up to date with its sources.
///
/// What readers can see is complete at every moment: collections first, then the sitemap that names them,
/// then old files go, and the catalog is committed at last. A run that ends in the middle, whatever ended it,
/// is either undone by the next one or brought to its end.
base::Result<PublishReport> publish(const PublishConfig& config, const PublishOptions& options);

}  // namespace sheaf::publish
