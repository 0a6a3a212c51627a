#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/doctor/probe_client.h"
#include "sheaf/doctor/site_facts.h"
#include "sheaf/doctor/site_inspection.h"
#include "sheaf/format/collections/state_digest.h"
#include "sheaf/format/limits.h"
#include <sheaf/collection.h>
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The steps of an inspection. Each adds facts; later steps use the facts of earlier ones.
namespace sheaf::doctor {

/// A page to compare with the live one.
struct SampledPage {
  std::string url;
  std::string text;
};

/// Ranks a URL for sampling. The URLs with the lowest ranks are chosen, so every run chooses the same ones,
/// in whatever order they come.
std::uint64_t sample_rank(std::string_view url);

/// The pages of a section as a client has them after applying collections: URLs, times, and the texts of a
/// sample. Memory is bounded: sections with more than kMaxPages pages are not followed.
class SectionCopy {
 public:
  static constexpr std::size_t kMaxPages = 1'000'000;

  explicit SectionCopy(std::size_t samples) : samples_(samples) {}

  /// Applies a collection, which must have been validated. Returns false if it cannot be read or there are
  /// too many pages.
  bool apply(std::unique_ptr<base::ByteSource> file, const format::Limits& limits);

  [[nodiscard]] std::size_t size() const { return pages_.size(); }
  [[nodiscard]] bool contains(std::string_view url) const { return pages_.contains(std::string(url)); }
  [[nodiscard]] std::string state() const { return digest_.to_string(); }
  [[nodiscard]] const std::map<std::uint64_t, SampledPage>& sample() const { return sample_; }

 private:
  struct Version {
    std::string modified;
    Instant at;
    Instant as_of;
  };
  void put(const Page& page, Instant generated, bool is_snapshot);
  void remove(std::string_view url);
  void keep_sample(const Page& page);

  std::size_t samples_;
  std::unordered_map<std::string, Version> pages_;
  format::StateDigest digest_;
  std::map<std::uint64_t, SampledPage> sample_;
};

/// The state of an inspection, in addition to the facts.
struct Inspection {
  const InspectOptions& options;
  SiteFacts& facts;
  ProbeClient& client;
  std::vector<std::shared_ptr<base::SpoolFile>> files = {};  ///< of facts.collections; null: no valid file
  std::vector<SectionCopy> copies = {};                      ///< of facts.sections
};

/// Returns false if nothing more may be requested.
bool inspect_robots(Inspection& inspection);
void inspect_sitemaps(Inspection& inspection);
void inspect_collections(Inspection& inspection);
void inspect_sections(Inspection& inspection);
void inspect_pages(Inspection& inspection);

}  // namespace sheaf::doctor
