#pragma once

#include "publish/site_reader.h"
#include "simulation/site_model.h"
#include <sheaf/time.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sheaf::simulation {

/// A site that sheaf itself publishes, in a folder. After each run two readers that know only the drafts, one
/// that has followed every run and one that is new, must both have exactly the pages of the source.
class OwnPublisher {
 public:
  struct Section {
    std::string name;
    std::map<std::string, std::string> lines;  ///< of JSON, by URL of the page
    std::map<std::string, int> revisions;      ///< of the pages that must be published
  };
  struct Run {
    bool refused = false;             ///< by a safety check: nothing has changed
    std::vector<std::string> faults;  ///< a sentence each
  };

  OwnPublisher(std::filesystem::path folder, std::string origin)
      : folder_(std::move(folder)), origin_(std::move(origin)) {}
  ~OwnPublisher();
  OwnPublisher(const OwnPublisher&) = delete;
  OwnPublisher& operator=(const OwnPublisher&) = delete;

  /// Publishes these sections and, if `whole`, `all`.
  Run publish(const std::vector<Section>& sections, bool whole, bool snapshot, bool allow_shrink,
              Instant now);

  /// From now on the site is at another origin.
  void move(std::string origin);

  /// The collections by name, and the markup that lists them.
  [[nodiscard]] std::map<std::string, std::string> files() const;
  [[nodiscard]] std::string markup() const;
  /// The pages of each section, as the last run published them.
  [[nodiscard]] const std::map<std::string, std::map<std::string, Version>>& published() const {
    return published_;
  }
  /// The newest `generated` of each section in the sitemap.
  [[nodiscard]] std::map<std::string, Instant> generated() const;

 private:
  [[nodiscard]] std::string settings(const std::vector<Section>& sections, bool whole) const;
  std::map<std::string, Version> read(const std::string& section, Instant now, Run& run);
  void judge(const std::vector<Section>& sections, bool whole, Instant now, Run& run);
  void judge_clock(Run& run);

  std::filesystem::path folder_;
  std::string origin_;
  std::map<std::string, test::SiteReader> followers_;  ///< by section
  std::map<std::string, std::map<std::string, Version>> published_;
  std::map<std::string, Version> newest_;  ///< the newest version ever published of each URL
};

}  // namespace sheaf::simulation
