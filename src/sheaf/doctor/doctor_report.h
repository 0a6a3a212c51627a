#pragma once

#include "sheaf/doctor/checks.h"
#include "sheaf/doctor/site_facts.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::doctor {

/// How many occurrences of one problem are listed; the others are only counted.
inline constexpr std::size_t kListedPlaces = 5;

struct Occurrence {
  std::string url;
  std::string detail;
};

/// A check that failed.
struct Diagnosis {
  const Check* check = nullptr;
  std::vector<Occurrence> places = {};
  std::uint64_t count = 0;  ///< all occurrences, listed or not
};

/// What a section's snapshot saves, compared with fetching its pages one by one.
struct SnapshotSaving {
  std::string section;
  std::uint64_t pages = 0;
  std::uint64_t snapshot_bytes = 0;
  std::uint64_t page_bytes = 0;  ///< of all pages, estimated from the sample
  std::uint64_t sampled = 0;     ///< pages in the sample
};
/// Returns it as a sentence without its end.
std::string describe_saving(const SnapshotSaving& saving);

struct DoctorReport {
  std::string site = {};
  Instant checked_at = {};
  std::uint64_t checks = 0;                 ///< that were applied
  std::vector<Diagnosis> findings = {};     ///< errors first
  std::vector<std::string> unchecked = {};  ///< what was not checked and why
  ServerKind server = ServerKind::unknown;
  std::uint64_t sitemaps = 0;
  std::uint64_t offered = 0;      ///< collections in the sitemaps
  std::uint64_t collections = 0;  ///< that were read
  std::uint64_t pages = 0;        ///< in the collections
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::optional<SnapshotSaving> saving = {};  ///< of the largest section; nullopt if it is not known

  [[nodiscard]] std::uint64_t count(Severity severity) const;
};

/// Applies every check to the facts.
DoctorReport diagnose(const SiteFacts& facts);

/// Returns the report as one HTML page, without scripts and without links to other files.
std::string report_as_html(const DoctorReport& report);

}  // namespace sheaf::doctor
