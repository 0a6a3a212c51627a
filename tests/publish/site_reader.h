#pragma once

#include <sheaf/time.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::test {

/// A client of a published site by the rules of the drafts: follows the sitemap, applies snapshots and
/// deltas, and reports everything that is wrong. Files are found by the last part of their URL.
class SiteReader {
 public:
  SiteReader(std::filesystem::path sitemap, std::filesystem::path collections, std::string section)
      : sitemap_(std::move(sitemap)), collections_(std::move(collections)), section_(std::move(section)) {}

  /// Brings itself up to date, by deltas where they reach back far enough. Every advertised file must be
  /// there, be valid and be as the sitemap says. A reader that has a clock (`now`) recovers from a copy that
  /// lies in the future, by the rule of `sheaf pull`: everything on offer is older.
  void update(std::optional<Instant> now = std::nullopt);

  struct Page {
    std::string text;  ///< the first text block
    Instant modified;
  };
  [[nodiscard]] const std::map<std::string, Page>& pages() const { return pages_; }
  [[nodiscard]] bool used_snapshot() const { return used_snapshot_; }
  /// Faults, one sentence each.
  [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }

 private:
  struct Offer;
  std::vector<Offer> read_offers();
  void apply(const Offer& offer);
  void check_state(const std::string& stated, const std::string& file);

  std::filesystem::path sitemap_;
  std::filesystem::path collections_;
  std::string section_;
  std::map<std::string, Page> pages_;
  std::map<std::string, std::string> modified_texts_;
  std::optional<Instant> generated_;
  bool used_snapshot_ = false;
  std::vector<std::string> faults_;
};

}  // namespace sheaf::test
