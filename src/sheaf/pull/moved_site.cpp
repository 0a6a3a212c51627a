#include "sheaf/pull/moved_site.h"

#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/store/section_edit.h"
#include "sheaf/store/site_hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace sheaf::pull {
namespace {

using base::Result;

constexpr std::string_view kMovedNotes = "moved-from/";
constexpr std::size_t kMaxMoved = 16;  // former origins that are noted for a site
constexpr std::size_t kBodyBytes = 1024;

/// The origins of the same host: the other scheme, with and without `www.`.
std::set<std::string> variants_of(const base::Url& address) {
  std::set<std::string> origins;
  if (address.port()) return origins;
  std::string_view host = address.host();
  if (host.starts_with("www.")) host.remove_prefix(4);
  for (const std::string_view scheme : {"http", "https"})
    for (const std::string_view prefix : {"", "www."})
      origins.insert(fmt::format("{}://{}{}", scheme, prefix, host));
  origins.erase(address.origin());
  return origins;
}

/// Where the URL redirects permanently; nullopt if it does not, or does not answer.
std::optional<base::Url> ask(http::fetch::Fetcher& fetcher, const base::Url& url) {
  const auto text = http::fetch::fetch_robots_file(fetcher, url.href(), kBodyBytes, {}, 1);
  return text ? permanent_target(text->head, url) : std::nullopt;
}

Result<std::uint64_t> drop_copy(store::PageStore& store, const std::string& site, Instant now) {
  std::uint64_t pages = 0;
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
  for (const store::SectionState& section : sections) {
    SHEAF_TRY_ASSIGN(const std::uint64_t dropped, store.drop_section(site, section.section, now));
    pages += dropped;
  }
  store::SectionEdit notes(site, kHtmlSection);
  notes.remove_notes("");
  SHEAF_TRY(store.commit(notes));
  return pages;
}

}  // namespace

std::optional<base::Url> find_new_site(const base::Url& address, const RobotsResponse& robots,
                                       http::fetch::Fetcher& fetcher) {
  if (!robots.moved_to || store::host_identity(*robots.moved_to) == store::host_identity(address))
    return std::nullopt;
  const auto front = base::Url::parse("/", &address);
  if (!front || !robots.rules.judge(*front).allowed) return std::nullopt;
  const auto target = ask(fetcher, *front);
  return target && target->origin() == robots.moved_to->origin() ? target : std::nullopt;
}

Result<void> note_moved(store::PageStore& store, const std::string& site, const base::Url& target) {
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
  if (sections.empty()) return {};
  std::size_t noted = 0;
  SHEAF_TRY(store.each_note(target.origin(), kMovedNotes, [&](std::string_view name, std::string_view) {
    noted += name == fmt::format("{}{}", kMovedNotes, site) ? kMaxMoved : 1;
    return true;
  }));
  if (noted >= kMaxMoved) return {};
  store::SectionEdit notes(target.origin(), kHtmlSection);
  notes.put_note(fmt::format("{}{}", kMovedNotes, site), "");
  SHEAF_TRY(store.commit(notes));
  return {};
}

Result<std::vector<FormerCopy>> retire_former_copies(store::PageStore& store, const base::Url& address,
                                                     http::fetch::Fetcher& fetcher, Instant now) {
  std::set<std::string> former = variants_of(address);
  std::set<std::string> noted;
  SHEAF_TRY(store.each_note(address.origin(), kMovedNotes, [&](std::string_view name, std::string_view) {
    noted.emplace(name.substr(kMovedNotes.size()));
    return true;
  }));
  former.insert(noted.begin(), noted.end());
  std::vector<FormerCopy> retired;
  for (const std::string& site : former) {
    SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
    const auto robots = base::Url::parse(site + "/robots.txt");
    const auto target = sections.empty() || !robots ? std::nullopt : ask(fetcher, *robots);
    if (target && target->origin() == address.origin()) {
      SHEAF_TRY_ASSIGN(const std::uint64_t pages, drop_copy(store, site, now));
      retired.push_back({site, pages});
    } else if (!sections.empty()) {
      continue;
    }
    if (!noted.contains(site)) continue;
    store::SectionEdit notes(address.origin(), kHtmlSection);
    notes.remove_note(fmt::format("{}{}", kMovedNotes, site));
    SHEAF_TRY(store.commit(notes));
  }
  return retired;
}

}  // namespace sheaf::pull
