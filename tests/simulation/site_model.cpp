#include "simulation/site_model.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/format/collections/state_digest.h"
#include "simulation/own_publisher.h"
#include "support/collection_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <span>
#include <utility>

namespace sheaf::simulation {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::string_view kAll = "all";

Instant later(Instant time, std::int64_t seconds) { return {time.seconds + seconds, time.nanoseconds}; }

constexpr std::string_view kRevisionWords = " in revision ";

/// The collection with another revision of its first page. Empty if it has no pages.
std::string with_other_text(std::string text) {
  const std::size_t at = text.find(kRevisionWords);
  if (at == std::string::npos) return {};
  return text.insert(at + kRevisionWords.size(), "99");
}

/// A block too many.
std::string too_many_blocks() {
  std::string text = "[";
  for (int i = 0; i < 1001; ++i)
    text += i == 0 ? R"({"type":"text","text":"x"})" : R"(,{"type":"text","text":"x"})";
  return text + "]";
}

}  // namespace

std::string_view bare_host(std::string_view url) {
  url.remove_prefix(url.find("//") + 2);
  if (url.starts_with("www.")) url.remove_prefix(4);
  return url.substr(0, url.find('/'));
}

std::string mark_of(const std::string& path, int revision) {
  return fmt::format("the text of {} in revision {}.", path, revision);
}

int revision_of(std::string_view text) {
  const std::size_t at = text.find(kRevisionWords);
  if (at == std::string_view::npos) return -1;
  int number = -1;
  std::from_chars(text.data() + at + kRevisionWords.size(), text.data() + text.size(), number);
  return number;
}

bool WebState::disallows(std::string_view url) const {
  return !disallowed.empty() && url.substr(url.find('/', url.find("//") + 2)).starts_with(disallowed);
}

SiteModel::SiteModel(const Traits& traits, std::string host, std::filesystem::path folder, Instant now)
    : traits_(traits), origin_("http://" + std::move(host)), whole_(traits.whole) {
  if (traits.pages % 2 == 0) origin_.insert(4, "s");
  if (traits.own) own_ = std::make_unique<OwnPublisher>(std::move(folder), origin_);
  for (std::uint32_t i = 0; i < traits.sections; ++i)
    names_.push_back(fmt::format("part{}", next_section_++));
  for (std::uint32_t i = 0; i < traits.pages; ++i) add_page(i, later(now, -100 * kDay));
  if (traits.collections) begin_collections({.act = Act::begin_collections}, later(now, -kDay));
  show();
}

SiteModel::~SiteModel() = default;

std::optional<std::string> SiteModel::redirect_of(const std::string& url) const {
  for (const std::string& former : former_)
    if (url.starts_with(former + "/")) return origin_ + url.substr(former.size());
  const auto renamed =
      url.starts_with(origin_ + "/") ? renamed_.find(url.substr(origin_.size())) : renamed_.end();
  if (renamed == renamed_.end()) return std::nullopt;
  const Page& page = pages_[static_cast<std::size_t>(renamed->second)];
  return page.alive ? std::optional(url_of(page)) : std::nullopt;
}

/// After a move to https, the collections are what they were, but at other URLs. The pages of another host
/// get new ones.
void SiteModel::move_to(const std::string& origin, Instant now) {
  former_.push_back(std::exchange(origin_, origin));
  std::erase(former_, origin_);
  for (auto& [name, section] : sections_)
    for (Published& file : section.files)
      if (file.url.starts_with(former_.back() + "/")) file.url.replace(0, former_.back().size(), origin_);
  if (own_) own_->move(origin_);
  if (own_ && has_collections()) return publish_own({.act = Act::move_domain}, now);
  if (bare_host(origin_) == bare_host(former_.back())) return;
  for (auto& [name, section] : sections_) {
    section = {};
    publish_section(name, false, now);
  }
}

void SiteModel::act(const Event& event, Instant now) {
  if (event.act == Act::pull || event.act == Act::wait) return;
  change_pages(event, now);
  change_sections(event, now);
  show();
}

void SiteModel::settle(Instant now) {
  skew_ = 0;
  foreign_ = lies_ = false;
  disallowed_.clear();
  for (Page& page : pages_) {
    if (std::exchange(page.broken, false)) edit(page, now);
  }
  for (auto& [name, section] : sections_) section.dated = true;
  if (has_collections()) publish({.act = Act::publish}, now);
  show();
}

const std::map<int, Instant>& SiteModel::revisions(const std::string& url) const {
  static const std::map<int, Instant> kNone;
  const auto found = revisions_.find(url);
  return found == revisions_.end() ? kNone : found->second;
}

SiteModel::Page* SiteModel::pick(std::uint32_t number, bool alive) {
  std::vector<Page*> found;
  for (Page& page : pages_)
    if (page.alive == alive) found.push_back(&page);
  return found.empty() ? nullptr : found[number % found.size()];
}

std::string SiteModel::pick_section(std::uint32_t number) const { return names_[number % names_.size()]; }

void SiteModel::edit(Page& page, Instant modified) {
  ++page.revision;
  page.modified = modified;
}

void SiteModel::add_page(std::uint32_t number, Instant now) {
  Page page;
  page.number = static_cast<int>(pages_.size());
  page.path = fmt::format("/page{}", page.number);
  page.modified = now;
  page.sections.insert(pick_section(number));
  if (number % 5 == 0) page.sections.insert(pick_section(number + 1));  // in two sections
  pages_.push_back(std::move(page));
}

void SiteModel::change_pages(const Event& event, Instant now) {
  const Instant clock = later(now, skew_);
  if (event.act == Act::add) return add_page(event.a, clock);
  if (event.act == Act::remove_many) {
    for (Page& page : pages_)
      if ((static_cast<std::uint32_t>(page.number) + event.a) % 10 < 3 + event.b % 7) page.alive = false;
    return;
  }
  if (event.act == Act::mend) {
    for (Page& page : pages_)
      if (std::exchange(page.broken, false)) edit(page, clock);
    return;
  }
  Page* const page = pick(event.a, event.act != Act::restore);
  if (page == nullptr) return;
  switch (event.act) {
    case Act::edit: edit(*page, clock); break;
    case Act::backdate: edit(*page, later(page->modified, -3600)); break;
    case Act::remove: page->alive = false; break;
    case Act::restore:
      page->alive = true;
      edit(*page, event.b % 2 == 0 ? clock : page->modified);
      break;
    case Act::move: page->sections = {pick_section(event.b)}; break;
    case Act::change_url:
      if (event.b % 2 == 0) renamed_[page->path] = page->number;
      page->path += "-b";
      break;
    case Act::break_rule:
      page->broken = !own_;  // sheaf does not publish such pages
      edit(*page, clock);
      break;
    case Act::hide: page->hidden = true; break;
    case Act::show:
      page->hidden = false;
      edit(*page, clock);
      break;
    default: break;
  }
}

void SiteModel::change_sections(const Event& event, Instant now) {
  const std::string name = pick_section(event.a);
  switch (event.act) {
    case Act::move_to_https:
      if (!origin_.starts_with("https")) move_to("https" + origin_.substr(4), now);
      break;
    case Act::move_to_www: {
      const std::size_t host = origin_.find("//") + 2;
      const bool is_www = origin_.substr(host).starts_with("www.");
      move_to(origin_.substr(0, host) + (is_www ? "" : "www.") + std::string(bare_host(origin_)), now);
      break;
    }
    case Act::move_domain: {
      const auto other = std::ranges::find_if(
          former_, [&](const std::string& former) { return bare_host(former) != bare_host(origin_); });
      const bool moves_back = event.b % 3 == 0 && other != former_.end();
      move_to(moves_back ? std::string(*other) : fmt::format("{}.moved", origin_), now);
      break;
    }
    case Act::rename_section:
    case Act::split_section: {
      const std::string next = fmt::format("part{}", next_section_++);
      names_.push_back(next);
      for (Page& page : pages_) {
        const bool moves = event.act == Act::rename_section || page.number % 2 == 0;
        if (page.sections.contains(name) && moves) {
          page.sections.erase(name);
          page.sections.insert(next);
        }
      }
      if (event.act == Act::rename_section) {
        std::erase(names_, name);
        if (own_ && has_collections()) return publish_own(event, now);
        if (sections_.erase(name) > 0) publish_section(next, false, now);
      } else if (own_ && has_collections()) {
        publish_own(event, now);
      } else if (has_collections()) {
        publish_section(next, false, now);
        publish_section(name, false, now);
      }
      break;
    }
    case Act::withdraw_section:
      if (own_ && has_collections() && names_.size() > 1) {
        std::erase(names_, name);
        publish_own(event, now);
      } else if (!own_ && sections_.size() > 1)
        sections_.erase(name);
      break;
    case Act::add_whole:
      whole_ = true;
      if (own_ && has_collections()) return publish_own(event, now);
      if (has_collections()) publish_section(std::string(kAll), false, now);
      break;
    case Act::drop_whole:
      whole_ = false;
      if (own_ && has_collections()) return publish_own(event, now);
      if (sections_.erase(std::string(kAll)) > 0 && sections_.empty()) publish({.act = Act::publish}, now);
      break;
    case Act::begin_collections:
      if (!has_collections() && traits_.layout != SitemapLayout::links) begin_collections(event, now);
      break;
    case Act::end_collections: sections_.clear(); break;
    case Act::add_foreign: foreign_ = true; break;
    case Act::hide_times:
      for (auto& [section, published] : sections_)
        if (section == name) published.dated = !published.dated;
      break;
    case Act::lie: lies_ = !lies_ && traits_.state && !own_; break;
    case Act::close: disallowed_ = !disallowed_.empty() ? "" : event.b % 2 == 0 ? "/" : "/page1"; break;
    case Act::skew:
      if (event.b % 10 == 1 && !own_) {  // a computer without a clock; sheaf refuses to publish there
        skew_ = -std::int64_t{25} * 366 * 86'400;
        break;
      }
      skew_ = event.b % 2 == 0 ? 0 : static_cast<std::int64_t>(event.a % (40 * 3600)) - 20 * 3600;
      break;
    case Act::publish:
      if (has_collections()) publish(event, now);
      break;
    default: break;
  }
}

/// Collections of one section or of all.
void SiteModel::begin_collections(const Event& event, Instant now) {
  if (own_) return publish_own(event, now);
  had_collections_ = true;
  const bool is_part = event.b % 3 != 0;
  if (is_part) return publish_section(pick_section(event.a), false, now);
  for (const std::string& name : names_) publish_section(name, false, now);
  if (whole_) publish_section(std::string(kAll), false, now);
}

void SiteModel::publish_own(const Event& event, Instant now) {
  std::vector<OwnPublisher::Section> sources;
  for (const std::string& name : names_) {
    OwnPublisher::Section& source = sources.emplace_back(name);
    for (const Page& page : pages_) {
      if (!page.alive || !page.sections.contains(name)) continue;
      source.lines[url_of(page)] =
          page_line(url_of(page), {page.revision, page.modified, false, page.hidden});
      if (!page.hidden) source.revisions[url_of(page)] = page.revision;
    }
  }
  const bool allow = event.act == Act::move_domain || event.act == Act::move_to_https || event.b % 2 == 0;
  const auto run = own_->publish(sources, whole_, event.b % 4 == 0, allow, later(now, skew_));
  faults_.insert(faults_.end(), run.faults.begin(), run.faults.end());
  if (run.refused || !run.faults.empty()) return;
  had_collections_ = true;
  sections_.clear();
  const auto generated = own_->generated();
  for (const auto& [name, published] : own_->published()) {
    sections_[name].pages = published;
    sections_[name].generated = generated.at(name);
  }
}

void SiteModel::publish(const Event& event, Instant now) {
  if (own_) return publish_own(event, now);
  const bool only_one = event.a % 4 == 1;
  const bool as_delta = traits_.deltas && event.b % 4 != 0;
  if (only_one)
    return publish_section(event.b % 5 == 0 && whole_ ? std::string(kAll) : pick_section(event.b), as_delta,
                           now);
  std::vector<std::string> names;
  for (const auto& [name, section] : sections_) names.push_back(name);
  for (const std::string& name : names) publish_section(name, as_delta, now);
  // The snapshots may be offered no more, after some time.
  if (as_delta && event.b % 11 == 1)
    for (auto& [name, section] : sections_)
      if (!section.files.back().snapshot) std::erase_if(section.files, std::mem_fn(&Published::snapshot));
}

std::map<std::string, Version> SiteModel::pages_of(const std::string& section) const {
  std::map<std::string, Version> found;
  for (const Page& page : pages_) {
    if (!page.alive || (page.hidden && !traits_.lists_noindex)) continue;
    if (section == kAll || page.sections.contains(section))
      found[url_of(page)] = {page.revision, page.modified, page.broken, page.hidden};
  }
  return found;
}

void SiteModel::publish_section(const std::string& name, bool as_delta, Instant now) {
  Section& section = sections_[name];
  const bool is_first = section.files.empty();
  const Instant before = section.generated;
  Instant generated{later(now, skew_).seconds, 0};
  if (!is_first && generated <= before) {
    if (before.seconds - generated.seconds > 60) return;  // the clock was set back: this publisher waits
    generated = later(before, 1);
  }
  const auto pages = pages_of(name);
  const bool delta = as_delta && !is_first;
  for (const auto& [url, version] : section.pages)
    if (!pages.contains(url)) section.ghosts[url] = {version.revision, std::nullopt};
  for (const auto& [url, version] : pages) section.ghosts.erase(url);
  if (!delta || traits_.both)
    for (auto& [url, ghost] : section.ghosts)
      if (!ghost.revealed) ghost.revealed = generated;
  if (delta)
    section.files.push_back(
        write_file(name, section, pages, traits_.cumulative ? section.past.size() : 1, generated));
  if (!delta || traits_.both) {
    Published snapshot = write_file(name, section, pages, 0, generated);
    std::erase_if(section.files, [&](const Published& each) {
      if (each.url == snapshot.url) section.replaced = each;
      return each.url == snapshot.url || (!delta && each.snapshot && section.files.size() > 3);
    });
    section.files.push_back(std::move(snapshot));
  }
  section.past.emplace_back(generated, pages);
  if (section.past.size() > 3) section.past.erase(section.past.begin());
  section.pages = pages;
  section.generated = generated;
  if (section.files.size() > 8) {  // what a snapshot follows is not needed
    const auto snapshot =
        std::ranges::find(section.files.rbegin(), section.files.rend(), true, &Published::snapshot);
    if (snapshot != section.files.rend())
      section.files.erase(section.files.begin(), std::prev(snapshot.base()));
  }
}

SiteModel::Published SiteModel::write_file(const std::string& name, const Section& section,
                                           const std::map<std::string, Version>& pages, std::size_t back,
                                           Instant generated) {
  const std::span past = std::span(section.past).last(back);
  // What a client may have that begins at one of these states.
  const auto has_everywhere = [&](const std::string& url, const Version& version) {
    return back > 0 && std::ranges::all_of(past, [&](const auto& state) {
             const auto found = state.second.find(url);
             return found != state.second.end() && found->second == version;
           });
  };
  format::StateDigest digest;
  std::vector<std::string> lines(1);
  for (const auto& [url, version] : pages) {
    digest.add(url, time_text(version));
    if (has_everywhere(url, version)) continue;
    const bool repeats = traits_.repeats && lines.size() == 1 && version.revision > 1 && !version.hidden;
    const Version older{version.revision - 1, later(version.modified, -7200)};
    if (repeats && generated.seconds % 2 == 0) lines.push_back(page_line(url, older));
    lines.push_back(page_line(url, version));
    if (repeats && generated.seconds % 2 == 1) lines.push_back(page_line(url, older));
  }
  if (foreign_) lines.push_back(page_line("https://foreign.example/page", {1, generated}));
  if (lies_) digest.add(origin_ + "/never", format_time(generated));
  test::HeadText head;
  head.id = fmt::format("{}-{}", name, generated.seconds);
  head.section = name;
  head.generated = format_time(generated);
  head.type = back > 0 ? "delta" : "snapshot";
  if (back > 0) head.since = format_time(past.front().first);
  if (traits_.state && !foreign_) head.more += fmt::format(R"(,"state":"{}")", digest.to_string());
  if (back > 0 && traits_.removed) {
    std::set<std::string> removed;
    for (const auto& [time, state] : past)
      for (const auto& [url, version] : state)
        if (!pages.contains(url)) removed.insert(fmt::format("\"{}\"", url));
    head.more += fmt::format(R"(,"removed":[{}])", fmt::join(removed, ","));
  }
  lines.front() = head.str();
  std::string text = test::join_lines(lines);
  std::string altered;
  Published file{.url = {},
                 .snapshot = back == 0,
                 .generated = generated,
                 .since = back > 0 ? past.front().first : Instant{},
                 .pages = lines.size() - 1};
  if (traits_.checksum) {
    if (std::string other = with_other_text(text); traits_.sitemap_checksum && !other.empty())
      altered = test::with_checksum(other);
    text = test::with_checksum(text);
    constexpr std::string_view kMember = R"("checksum":")";
    const std::size_t at = text.find(kMember) + kMember.size();
    file.checksum = text.substr(at, text.find('"', at) - at);
  }
  const auto pack = [&](format::Codec codec) {
    std::string body = test::compress(codec, text);
    const std::string tag = fmt::format("\"{}\"", base::to_hex(base::sha256(body)).substr(0, 12));
    return std::make_shared<WebFile>(WebFile{Target::collection, std::move(body), "application/octet-stream",
                                             traits_.validators ? tag : "",
                                             altered.empty() ? "" : test::compress(codec, altered)});
  };
  const std::uint32_t codec = traits_.two_codecs ? 1 : traits_.codec;
  const std::string_view ending = std::array{"", ".gz", ".zst"}[codec];
  const bool reuses = traits_.fixed_names && back == 0;
  file.url = fmt::format("{}/files/{}{}.scp{}", traits_.other_host ? file_host() : origin_, name,
                         reuses ? std::string() : fmt::format("-{}", next_file_++), ending);
  file.file = pack(std::array{format::Codec::plain, format::Codec::gzip, format::Codec::zstd}[codec]);
  if (traits_.two_codecs) file.zstd = pack(format::Codec::zstd);
  return file;
}

std::string SiteModel::file_host() const { return "https://files-" + origin_.substr(origin_.find("//") + 2); }

/// `modified` as its page states it.
std::string SiteModel::time_text(const Version& version) const {
  std::string text = format_time(version.modified);
  if (traits_.odd_times && version.revision % 3 == 1)
    text = format_time(later(version.modified, 7200)).replace(text.size() - 1, 1, "+02:00");
  if (traits_.odd_times && version.revision % 3 == 2) text.replace(text.size() - 1, 1, ".000z");
  return text;
}

std::string SiteModel::page_line(const std::string& url, const Version& version) const {
  test::PageText page;
  page.url = url;
  page.title = "A page";
  page.modified = time_text(version);
  const std::string path = url.substr(url.find('/', url.find("//") + 2));
  page.content = fmt::format(R"([{{"type":"text","text":"{}"}}])", mark_of(path, version.revision));
  if (version.broken && version.revision % 2 == 0) page.modified = page.modified.substr(0, 10);
  if (version.broken && version.revision % 2 == 1) page.content = too_many_blocks();
  if (version.hidden) page.more = R"(,"robots":["noindex"])";
  return page.str();
}

void SiteModel::put(WebState& state, const std::string& url, Target target, std::string body,
                    std::string type) const {
  const std::string tag = fmt::format("\"{}\"", base::to_hex(base::sha256(body)).substr(0, 12));
  state.files[url] = std::make_shared<WebFile>(
      WebFile{target, std::move(body), std::move(type), traits_.validators ? tag : ""});
}

/// Makes a new state of the web from the state of the site.
void SiteModel::show() {
  auto state = std::make_shared<WebState>();
  state->had_collections = had_collections_;
  std::string links;
  for (const Page& page : pages_) {
    if (!page.alive) continue;
    show_page(*state, page);
    links += fmt::format("<li><a href=\"{}\">A page</a>", page.path);
  }
  // The front page is a list without content of its own.
  put(*state, origin_ + "/", Target::page,
      fmt::format("<title>Front</title><meta name=robots content=noindex><ul>{}</ul>", links), "text/html");
  for (const auto& [name, section] : sections_) {
    OfferedSection& offered = state->sections[name];
    offered = {section.pages, section.ghosts, section.dated, section.generated};
    for (const Published& file : section.files) {
      state->files[file.url] = file.file;
      if (file.zstd) state->files[file.zstd_url()] = file.zstd;
    }
  }
  if (own_)
    for (auto& [name, body] : own_->files())
      put(*state, origin_ + "/scp/" + name, Target::collection, std::move(body), "application/octet-stream");
  show_sitemaps(*state);
  states_.push_back(std::move(state));
}

void SiteModel::show_page(WebState& state, const Page& page) {
  const std::string url = url_of(page);
  state.live[url] = {page.revision, page.modified, page.hidden};
  revisions_[url][page.revision] = page.modified;
  std::string head = fmt::format("<title>{} revision {}</title>", page.path, page.revision);
  if (traits_.html_dates)
    head +=
        fmt::format("<meta property=\"article:modified_time\" content=\"{}\">", format_time(page.modified));
  if (page.hidden) head += "<meta name=robots content=noindex>";
  put(state, url, Target::page,
      fmt::format("<html lang=en>{}<main><h1>{} revision {}</h1><p>This sentence has {} It is long enough to "
                  "be content.</p></main>",
                  head, page.path, page.revision, mark_of(page.path, page.revision)),
      "text/html");
}

std::string SiteModel::collections_markup() const {
  if (sections_.empty()) return {};
  if (own_) return own_->markup();
  std::string text = "<scp:version>0.1</scp:version>";
  for (const auto& [name, section] : sections_) {
    text += fmt::format("<scp:section name=\"{}\" updateFreq=\"daily\" pages=\"{}\"/>", name,
                        section.pages.size());
    for (const Published& file : section.files) text += offer_markup(name, section.dated, file);
  }
  return text;
}

/// The collections that a sitemap has of which nobody thinks any more.
std::string SiteModel::old_markup() const {
  std::string text;
  if (!traits_.old_offers || own_) return text;
  for (const auto& [name, section] : sections_)
    text += offer_markup(name, section.dated, section.replaced.value_or(section.files.front()));
  return text;
}

std::string SiteModel::offer_markup(const std::string& name, bool dated, const Published& file) const {
  std::string text;
  for (const bool is_zstd : {false, true}) {
    if (is_zstd && !file.zstd) continue;
    const std::string url = is_zstd ? file.zstd_url() : file.url;
    text += fmt::format("<scp:{} section=\"{}\"",
                        file.snapshot ? "collection type=\"snapshot\"" : "delta period=\"p\"", name);
    if (dated) text += fmt::format(" generated=\"{}\"", format_time(file.generated));
    if (!file.snapshot) text += fmt::format(" since=\"{}\"", format_time(file.since));
    if (traits_.counts)
      text += fmt::format(" pages=\"{}\" size=\"{}\"", file.pages,
                          (is_zstd ? file.zstd : file.file)->body.size());
    if (traits_.sitemap_checksum && !file.checksum.empty())
      text += fmt::format(" checksum=\"{}\"", file.checksum);
    text += fmt::format(" url=\"{}\"/>", url);
  }
  return text;
}

void SiteModel::show_sitemaps(WebState& state) const {
  constexpr std::string_view kOpen =
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\">";
  std::array<std::string, 2> entries;
  for (const Page& page : pages_) {
    if (!page.alive || page.hidden) continue;
    std::string& text =
        entries[traits_.layout == SitemapLayout::index ? static_cast<std::size_t>(page.number) % 2 : 1];
    text += fmt::format("<url><loc>{}</loc>", url_of(page));
    if (traits_.lastmods) text += fmt::format("<lastmod>{}</lastmod>", format_time(page.modified));
    text += "</url>";
  }
  const std::string_view ending = traits_.gzip_sitemaps ? ".xml.gz" : ".xml";
  const auto put_map = [&](std::string_view name, std::string body) {
    if (traits_.gzip_sitemaps) body = test::compress(format::Codec::gzip, body);
    put(state, fmt::format("{}/{}{}", origin_, name, ending), Target::sitemap, std::move(body),
        "application/xml");
  };
  const std::string collections = collections_markup();
  std::string robots =
      fmt::format("User-agent: *\nDisallow: {}\n", disallowed_.empty() ? "/private" : disallowed_);
  if (traits_.gzip_sitemaps && traits_.layout < SitemapLayout::lines)
    robots += fmt::format("Sitemap: {}/sitemap.xml.gz\n", origin_);
  state.disallowed = disallowed_;
  state.lies = lies_;
  state.links_only = traits_.layout == SitemapLayout::links;
  switch (traits_.layout) {
    case SitemapLayout::one:
      put_map("sitemap", fmt::format("{}{}{}</urlset>", kOpen, collections, entries[1]));
      break;
    case SitemapLayout::index: {
      std::string index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
      for (const char* name : {"pages0", "pages1", "offers"})
        index += fmt::format("<sitemap><loc>{}/{}{}</loc></sitemap>", origin_, name, ending);
      put_map("sitemap", index + "</sitemapindex>");
      put_map("pages0", fmt::format("{}{}{}</urlset>", kOpen, old_markup(), entries[0]));
      put_map("pages1", fmt::format("{}{}</urlset>", kOpen, entries[1]));
      put_map("offers", fmt::format("{}{}</urlset>", kOpen, collections));
      break;
    }
    case SitemapLayout::lines:
      robots += fmt::format("Sitemap: {0}/pages1{1}\nSitemap: {0}/offers{1}\n", origin_, ending);
      put_map("pages1", fmt::format("{}{}{}</urlset>", kOpen, old_markup(), entries[1]));
      put_map("offers", fmt::format("{}{}</urlset>", kOpen, collections));
      break;
    case SitemapLayout::links: break;
  }
  put(state, origin_ + "/robots.txt", Target::robots, std::move(robots), "text/plain");
  if (traits_.other_host)
    put(state, file_host() + "/robots.txt", Target::robots, "User-agent: *\nDisallow: /private\n",
        "text/plain");
}

}  // namespace sheaf::simulation
