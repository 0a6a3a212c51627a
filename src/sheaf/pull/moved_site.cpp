#include "sheaf/pull/moved_site.h"

#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/pull/drop_pages.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/site_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace sheaf::pull {
namespace {

using base::Result;

constexpr std::string_view kMovedNotes = "moved-from/";
constexpr std::size_t kMaxMoved = 16;  // former origins that are noted for a site
constexpr unsigned kMaxHops = 5;
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

/// Where the URL redirects permanently in the end; nullopt if it does not, or does not answer.
std::optional<base::Url> ask(http::fetch::Fetcher& fetcher, base::Url url) {
  std::optional<base::Url> target;
  for (unsigned hop = 0; hop < kMaxHops; ++hop) {
    const auto text = http::fetch::fetch_robots_file(fetcher, url.href(), kBodyBytes, {}, 1);
    const auto next = text ? permanent_target(text->head, url) : std::nullopt;
    if (!next) return target;
    target = next;
    url = base::Url::parse(url.path(), &*next).value_or(*next);
  }
  return target;
}

/// Adds the former origins that are noted for the origins of a host.
Result<void> add_noted(const store::PageStore& store, const std::set<std::string>& origins,
                       std::set<std::string>& former) {
  for (const std::string& origin : origins)
    SHEAF_TRY(store.each_note(origin, kMovedNotes, [&](std::string_view name, std::string_view) {
      former.emplace(name.substr(kMovedNotes.size()));
      return true;
    }));
  return {};
}

Result<DropPlan> whole_copy(const store::PageStore& store, const std::string& site) {
  DropPlan copy{.site = site, .section = {}};
  SHEAF_TRY_ASSIGN(copy.sections, store.sections(site));
  return copy;
}

/// Notes, or forgets, that the site was at another origin.
Result<void> note_former(store::PageStore& store, const std::string& former, const std::string& site,
                         bool is_known = true) {
  const std::string name = fmt::format("{}{}", kMovedNotes, former);
  std::set<std::string> noted;
  SHEAF_TRY(store.each_note(site, kMovedNotes, [&](std::string_view note, std::string_view) {
    noted.emplace(note);
    return true;
  }));
  if (noted.contains(name) == is_known || (is_known && noted.size() >= kMaxMoved)) return {};
  store::SectionEdit notes(site, kHtmlSection);
  is_known ? notes.put_note(name, "") : notes.remove_note(name);
  SHEAF_TRY(store.commit(notes));
  return {};
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

Result<void> note_moved(store::PageStore& store, const base::Url& address, const base::Url& target) {
  std::set<std::string> own = variants_of(address);
  own.insert(address.origin());
  std::set<std::string> former = own;
  SHEAF_TRY(add_noted(store, own, former));  // it moved before
  former.erase(target.origin());
  for (const std::string& site : former) {
    SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
    if (!sections.empty()) SHEAF_TRY(note_former(store, site, target.origin()));
  }
  return {};
}

Result<std::vector<FormerCopy>> retire_former_copies(store::PageStore& store, const base::Url& address,
                                                     http::fetch::Fetcher& fetcher, format::Shrink shrink,
                                                     Instant now) {
  std::set<std::string> own = variants_of(address);  // it may have moved to https since the note was made
  own.insert(address.origin());
  std::set<std::string> former = own;
  SHEAF_TRY(add_noted(store, own, former));
  former.erase(address.origin());
  SHEAF_TRY_ASSIGN(const DropPlan here, whole_copy(store, address.origin()));
  std::vector<FormerCopy> copies;
  for (const std::string& site : former) {
    SHEAF_TRY_ASSIGN(const DropPlan copy, whole_copy(store, site));
    if (!copy.sections.empty()) {
      // The note may be that of an origin whose copy goes now.
      if (!own.contains(site)) SHEAF_TRY(note_former(store, site, address.origin()));
      const auto robots = base::Url::parse(site + "/robots.txt");
      const auto target = robots ? ask(fetcher, *robots) : std::nullopt;
      if (!target || target->origin() != address.origin()) continue;
      const bool is_held =
          shrink == format::Shrink::refuse &&
          format::is_suspicious_shrink(copy.pages(), copy.pages() - std::min(copy.pages(), here.pages()));
      copies.push_back({site, copy.pages(), is_held});
      if (is_held) continue;
      SHEAF_TRY(drop_pages(store, copy, now));
    }
    for (const std::string& origin : own) SHEAF_TRY(note_former(store, site, origin, false));
  }
  return copies;
}

}  // namespace sheaf::pull
