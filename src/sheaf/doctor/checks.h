#pragma once

#include "sheaf/doctor/remedies.h"
#include "sheaf/doctor/site_facts.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::doctor {

enum class Severity : std::uint8_t {
  error,    ///< clients get nothing, or something wrong
  warning,  ///< it works, but costs traffic, or fails with some clients
  advice,   ///< it works; this would make it better
};
std::string_view to_string(Severity severity);

/// Called for each occurrence of a problem, with the URL concerned (or that of the site) and a sentence.
using OnProblem = std::function<void(std::string_view url, std::string detail)>;

/// One check. All texts are ASCII and without markup.
struct Check {
  std::string_view code;  ///< "collection-no-etag"; part of the interface, as `--json` prints it
  Severity severity;
  std::string_view title;        ///< what is wrong: a sentence without its period
  std::string_view explanation;  ///< what it costs, and whom
  Remedy remedy;
  void (*judge)(const SiteFacts& facts, const OnProblem& problem);
};

// The checks by subject. all_checks() returns all of them in this order.
std::span<const Check> robots_checks();
std::span<const Check> sitemap_checks();
std::span<const Check> listing_checks();
std::span<const Check> transfer_checks();
std::span<const Check> caching_checks();
std::span<const Check> content_checks();
std::span<const Check> page_checks();
std::vector<const Check*> all_checks();

// Helpers for writing checks. A check has one function per fault, which returns what it found, or nullopt.
using Problem = std::optional<std::string>;

template <Problem (*Judge)(const SiteFacts&)>
void on_site(const SiteFacts& facts, const OnProblem& problem) {
  if (Problem found = Judge(facts)) problem(facts.site.href(), std::move(*found));
}

template <Problem (*Judge)(const CollectionFacts&)>
void on_collections(const SiteFacts& facts, const OnProblem& problem) {
  for (const CollectionFacts& collection : facts.collections)
    if (Problem found = Judge(collection)) problem(collection.offer.url, std::move(*found));
}

/// Like on_collections, but also passes all facts, for the time and the other collections.
template <Problem (*Judge)(const CollectionFacts&, const SiteFacts&)>
void on_collections_of(const SiteFacts& facts, const OnProblem& problem) {
  for (const CollectionFacts& collection : facts.collections)
    if (Problem found = Judge(collection, facts)) problem(collection.offer.url, std::move(*found));
}

/// Judges only collections for which all kinds of requests were made.
template <Problem (*Judge)(const CollectionFacts&, const CollectionProbes&)>
void on_probes(const SiteFacts& facts, const OnProblem& problem) {
  for (const CollectionFacts& collection : facts.collections)
    if (collection.probes && collection.get.is_ok())
      if (Problem found = Judge(collection, *collection.probes))
        problem(collection.offer.url, std::move(*found));
}

template <Problem (*Judge)(const SectionFacts&, const SiteFacts&)>
void on_sections(const SiteFacts& facts, const OnProblem& problem) {
  for (const SectionFacts& section : facts.sections)
    if (Problem found = Judge(section, facts))
      problem(facts.site.href(), "section " + section.name + ": " + std::move(*found));
}

template <Problem (*Judge)(const PageFacts&)>
void on_pages(const SiteFacts& facts, const OnProblem& problem) {
  for (const PageFacts& page : facts.pages)
    if (Problem found = Judge(page)) problem(page.url, std::move(*found));
}

}  // namespace sheaf::doctor
