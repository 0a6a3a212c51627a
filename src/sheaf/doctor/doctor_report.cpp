#include "sheaf/doctor/doctor_report.h"

#include "sheaf/base/counted_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::doctor {
namespace {

/// Recognises the server that sends collections; if there are none, the server of the sitemap or of
/// robots.txt.
ServerKind server_of(const SiteFacts& facts) {
  for (const CollectionFacts& collection : facts.collections)
    if (collection.get.is_ok()) return recognise_server(collection.get.head);
  if (!facts.sitemaps.files.empty()) return recognise_server(facts.sitemaps.files.front().head);
  return recognise_server(facts.robots.get.head);
}

std::uint64_t count_read(const SiteFacts& facts) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      facts.collections,
      [](const CollectionFacts& collection) { return collection.validation.has_value(); }));
}

std::optional<SnapshotSaving> find_saving(const SiteFacts& facts) {
  SnapshotSaving saving;
  for (const SectionFacts& section : facts.sections)
    if (section.complete && section.snapshot_size > 0 && section.pages > saving.pages)
      saving = {.section = section.name, .pages = section.pages, .snapshot_bytes = section.snapshot_size};
  for (const PageFacts& page : facts.pages) {
    if (!page.in_collection || page.fate != crawl::PageOutcome::stored) continue;
    ++saving.sampled;
    saving.page_bytes += page.bytes;
  }
  if (saving.pages == 0 || saving.sampled == 0) return std::nullopt;
  saving.page_bytes = saving.page_bytes / saving.sampled * saving.pages;
  return saving;
}

}  // namespace

std::string describe_saving(const SnapshotSaving& saving) {
  return fmt::format("section {}: {} in a snapshot of {}; one by one they take about {} (estimated from {})",
                     saving.section, base::counted(saving.pages, "page", "pages"),
                     base::human_size(saving.snapshot_bytes), base::human_size(saving.page_bytes),
                     base::counted(saving.sampled, "page", "pages"));
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::advice: break;
  }
  return "advice";
}

std::vector<const Check*> all_checks() {
  std::vector<const Check*> all;
  for (const auto checks : {robots_checks(), sitemap_checks(), listing_checks(), transfer_checks(),
                            caching_checks(), content_checks(), page_checks()})
    for (const Check& check : checks) all.push_back(&check);
  return all;
}

std::uint64_t DoctorReport::count(Severity severity) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      findings, [&](const Diagnosis& finding) { return finding.check->severity == severity; }));
}

DoctorReport diagnose(const SiteFacts& facts) {
  DoctorReport report;
  report.site = facts.site.href();
  report.checked_at = facts.now;
  for (const Check* check : all_checks()) {
    ++report.checks;
    Diagnosis diagnosis{.check = check};
    check->judge(facts, [&](std::string_view url, std::string detail) {
      if (++diagnosis.count <= kListedPlaces)
        diagnosis.places.push_back({std::string(url), std::move(detail)});
    });
    if (diagnosis.count > 0) report.findings.push_back(std::move(diagnosis));
  }
  std::ranges::stable_sort(report.findings, {},
                           [](const Diagnosis& finding) { return finding.check->severity; });
  report.unchecked = facts.unchecked;
  report.server = server_of(facts);
  report.sitemaps = facts.sitemaps.files.size();
  report.offered = facts.sitemaps.advertised.collections.size();
  report.collections = count_read(facts);
  for (const SectionFacts& section : facts.sections) report.pages += section.pages;
  report.requests = facts.requests;
  report.bytes = facts.bytes;
  report.saving = find_saving(facts);
  return report;
}

}  // namespace sheaf::doctor
