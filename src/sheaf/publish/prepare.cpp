#include "sheaf/publish/prepare.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/extract/extract.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/format/pages/page_repair.h"
#include "sheaf/html/selector.h"
#include "sheaf/model/robots_directives.h"
#include "sheaf/site/site_text.h"
#include "sheaf/visibility/page_rules.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>
#include <tuple>
#include <utility>

namespace sheaf::publish {
namespace {

// Part of every fingerprint. Increase it with every change that affects results, so that unchanged input is
// read again.
constexpr std::string_view kRecipe = "sheaf-extract-6";
constexpr Instant kFarFuture{253'402'300'799, 0};  // the last second of the year 9999
constexpr std::size_t kStubBytes = 8192;           // maximum size of a redirect page
constexpr std::size_t kStubText = 400;

struct ReasonText {
  SkipReason reason;
  std::string_view name;
  std::string_view meaning;
};

constexpr ReasonText kReasons[] = {
    {SkipReason::none, "published", "published"},
    {SkipReason::noindex, "noindex", "noindex"},
    {SkipReason::draft, "draft", "draft"},
    {SkipReason::future, "future", "dated in the future"},
    {SkipReason::redirect, "redirect", "redirect to another page"},
    {SkipReason::error_page, "error-page", "error page"},
    {SkipReason::duplicate, "duplicate", "duplicate of another page"},
    {SkipReason::canonical_elsewhere, "canonical-elsewhere", "canonical URL is on another site"},
    {SkipReason::robots_disallowed, "robots", "disallowed by robots.txt"},
    {SkipReason::no_address, "no-address", "no URL on this site"},
    {SkipReason::no_content, "no-content", "no content"},
    {SkipReason::unreadable, "unreadable", "could not be read"},
    {SkipReason::refused, "refused", "readers would reject it"},
    {SkipReason::gone, "gone", "in the sitemap but not on the site"},
    {SkipReason::not_html, "not-html", "not HTML"},
    {SkipReason::private_page, "private", "private"},
    {SkipReason::expired, "expired", "expired"},
    {SkipReason::guarded, "guarded", "in a folder that the web server guards"},
    {SkipReason::no_text, "no-text", "not text"},
};

const ReasonText& text_of(SkipReason reason) {
  return *std::ranges::find(kReasons, reason, &ReasonText::reason);
}

Fingerprint short_digest(base::Sha256& sha) {
  const base::Digest digest = sha.finish();
  Fingerprint result;
  std::memcpy(result.data(), digest.data(), result.size());
  return result;
}

// A file that was written this recently may still be being written. The time is only waited for files that a
// build writes while they are read.
constexpr std::chrono::milliseconds kSettleTime{100};
constexpr int kReadTries = 5;

/// What changes with the content of a file; nullopt if there is no file.
std::optional<std::tuple<ino_t, off_t, time_t, long>> version_of(const std::filesystem::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return std::tuple(status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// Waits until the last write is kSettleTime ago. Files dated in the future do not count.
void let_settle(const std::filesystem::path& file) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  if (error) return;
  const auto age = std::filesystem::file_time_type::clock::now() - written;
  if (age >= age.zero() && age < kSettleTime) std::this_thread::sleep_for(kSettleTime);
}

/// Reads a file that a build may be writing: again if it changes meanwhile, a few times. Fails with
/// Errc::in_use if it keeps changing.
base::Result<std::string> read_file(const std::filesystem::path& file, std::uint64_t limit) {
  for (int tries = 0; tries < kReadTries; ++tries) {
    const auto before = version_of(file);
    SHEAF_TRY_ASSIGN(std::string bytes, base::read_regular_file(file.string(), limit));
    if (bytes.size() > limit)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("over the limit of {} bytes for a page", limit));
    let_settle(file);
    if (version_of(file) == before) return bytes;
  }
  return base::fail(base::Errc::in_use, "it changes while it is read");
}

/// "/de", "/pt-br": root folders of languages on multilingual sites.
bool is_language_folder(std::string_view folder) {
  if (folder.size() != 3 && folder.size() != 6) return false;
  if (folder.size() == 6 && folder[3] != '-' && folder[3] != '_') return false;
  return std::ranges::all_of(folder,
                             [](char c) { return base::is_letter(c) || c == '/' || c == '-' || c == '_'; });
}

/// Recognises error pages of servers by their URL: /404.html, /404/index.html, /errors/50x.html. Generators
/// also write one for each language, /de/404.html, but no others. In other folders such a name is an ordinary
/// page: /posts/404.html, /tv/400.html. The root is that of the site, which may have a path.
bool is_error_page(const base::Url& url, const base::Url& base) {
  std::string_view path = url.path();
  if (path.starts_with(base.path())) path.remove_prefix(base.path().size() - 1);
  for (const std::string_view end : {"/", "/index.html", ".html", ".htm"})
    if (path.ends_with(end)) path.remove_suffix(end.size());
  const std::size_t slash = path.rfind('/');
  const std::string_view name = path.substr(slash + 1);
  std::string_view folder = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  if (is_language_folder(folder)) return name == "404";
  constexpr std::string_view kFolders[] = {"", "/error", "/errors"};
  constexpr std::string_view kNames[] = {"400", "401", "403", "404", "410",
                                         "500", "502", "503", "504", "50x"};
  return std::ranges::find(kFolders, folder) != std::end(kFolders) &&
         std::ranges::find(kNames, name) != std::end(kNames);
}

/// Whether this is a redirect page with almost no text, as generators write them for moved pages.
bool is_redirect_stub(std::string_view bytes, const Page& page) {
  if (bytes.size() > kStubBytes) return false;
  std::size_t text = 0;
  for (const Block& block : page.content)
    if (const auto* paragraph = std::get_if<TextBlock>(&block.kind)) text += paragraph->text.size();
  if (text > kStubText) return false;
  const std::string head = base::lower_text(bytes);
  const std::size_t at = head.find("http-equiv");
  if (at == std::string::npos) return false;
  const std::string_view rest = std::string_view(head).substr(at, 300);
  return rest.find("refresh") != std::string_view::npos && rest.find("url=") != std::string_view::npos;
}

}  // namespace

std::string_view describe(SkipReason reason) { return text_of(reason).meaning; }

class Preparer::Impl {
 public:
  Impl(const PrepareOptions& options, const Catalog& catalog)
      : options_(options),
        catalog_(catalog),
        decoder_(options.limits, format::Detail::everything, format::UnsafeLink::keep_text) {}

  std::vector<base::Result<PreparedItem>> prepare(const std::vector<std::string>& sections,
                                                  std::vector<SourceItem> items) {
    memory_ = std::make_shared<Arena>();
    std::vector<base::Result<PreparedItem>> results;
    results.reserve(items.size());
    for (SourceItem& item : items) results.push_back(prepare(sections, std::move(item)));
    memory_.reset();
    return results;
  }

 private:
  base::Result<PreparedItem> prepare(const std::vector<std::string>& sections, SourceItem item) {
    PreparedItem result;
    result.name = item.name;
    result.section = sections.front();
    result.url = item.url;
    result.file = item.file;
    if (item.trouble.empty() && !item.file.empty()) {
      auto bytes = read_file(item.file, html::ParseLimits().input_bytes);
      if (bytes) {
        item.bytes = std::move(*bytes);
      } else {
        item.trouble = bytes.error().message;
      }
      if (!bytes && bytes.error().code == base::Errc::in_use) {
        SHEAF_TRY_ASSIGN(const bool kept, keep_published(sections, item, result));
        if (kept) return result;
      }
    }
    if (!item.trouble.empty() && item.skip == SkipReason::none) item.skip = SkipReason::unreadable;
    if (item.skip != SkipReason::none) {
      skip(result, item.skip, item.trouble);
      return result;
    }
    result.size = item.bytes.size();
    if (item.kind == ItemKind::html && !item.all_content) result.html_bytes = item.bytes.size();
    // Only HTML is remembered: decoding JSON costs little more than a lookup, and a Markdown page may have an
    // expiry date.
    result.remember = item.kind == ItemKind::html;
    if (result.remember) {
      result.bytes = hash_of(item);
      SHEAF_TRY_ASSIGN(const bool known, recall(sections, result));
      if (known) return result;
    }
    const visibility::Verdict text = item.kind == ItemKind::page
                                         ? visibility::Verdict()
                                         : visibility::judge_bytes(item.bytes, item.content_type);
    if (text.is_public()) {
      make_page(item, result);
    } else {
      hold(result, text);
    }
    // Results that depend on more than the item's bytes must be computed each time.
    if (result.skip == SkipReason::future || result.skip == SkipReason::robots_disallowed)
      result.remember = false;
    // Repairs are reported in every run until the source is corrected.
    if (!result.repairs.empty()) result.remember = false;
    return result;
  }

  /// Whether the result is known without reading the item: its bytes are unchanged and all sections still
  /// have the page.
  base::Result<bool> recall(const std::vector<std::string>& sections, PreparedItem& result) {
    if (options_.read_all) return false;
    SHEAF_TRY_ASSIGN(const auto known, catalog_.item(sections.front(), result.name));
    if (!known || known->bytes != result.bytes) return false;
    if (known->skip == SkipReason::none) {
      SHEAF_TRY_ASSIGN(const bool published, is_published(sections, known->url));
      if (!published) return false;
    }
    result.unread = true;
    result.skip = known->skip;
    result.detail = known->detail;
    result.url = known->url;
    return true;
  }

  /// Keeps the published version of a page whose file cannot be read because it keeps changing. Returns false
  /// if there is none.
  base::Result<bool> keep_published(const std::vector<std::string>& sections, const SourceItem& item,
                                    PreparedItem& result) {
    SHEAF_TRY_ASSIGN(const auto known, catalog_.item(sections.front(), result.name));
    const std::string url = known && !known->url.empty() ? known->url : item.url;
    SHEAF_TRY_ASSIGN(const bool published, is_published(sections, url));
    if (!published) return false;
    if (options_.read_all)
      return base::fail(
          base::Errc::in_use,
          fmt::format("{} changes while it is read; publish when it is written", item.file.string()));
    result.unread = true;
    result.remember = item.kind == ItemKind::html;
    result.url = url;
    result.note =
        fmt::format("{} changes while it is read: its page stays as it was published", item.file.string());
    return true;
  }

  base::Result<bool> is_published(const std::vector<std::string>& sections, std::string_view url) const {
    for (const std::string& section : sections) {
      SHEAF_TRY_ASSIGN(const auto page, catalog_.page(section, url));
      if (!page || page->removed_at) return false;
    }
    return is_allowed(url);  // robots.txt may have changed
  }

  [[nodiscard]] bool is_allowed(std::string_view address) const {
    if (options_.robots == nullptr) return true;
    const auto url = base::Url::parse(address);
    return !url || options_.robots->judge(*url).allowed;
  }

  static void skip(PreparedItem& result, SkipReason reason, std::string detail = {}) {
    result.skip = reason;
    result.detail = std::move(detail);
    result.memory.reset();
    result.page = {};
  }

  static void hold(PreparedItem& result, const visibility::Verdict& verdict) {
    skip(result, reason_of(verdict.hold), verdict.detail);
  }

  Fingerprint hash_of(const SourceItem& item) {
    const GivenFields& given = item.given;
    const std::string times = (given.published ? format_time(*given.published) : "") + "/" +
                              (given.modified ? format_time(*given.modified) : "");
    for (const std::string_view part :
         {kRecipe, std::string_view(item.url), std::string_view(item.content_type),
          std::string_view(item.robots_header), std::string_view(item.bytes), std::string_view(given.title),
          std::string_view(given.description), std::string_view(given.author),
          std::string_view(given.language), std::string_view(times),
          std::string_view(item.all_content ? "all" : ""),
          item.rules ? std::string_view(item.rules->text) : std::string_view(),
          item.site_template ? std::string_view(item.site_template->id()) : std::string_view()}) {
      const std::uint64_t size = part.size();
      sha_.update({reinterpret_cast<const char*>(&size), sizeof size});
      sha_.update(part);
    }
    return short_digest(sha_);
  }

  void make_page(const SourceItem& item, PreparedItem& result) {
    if (item.kind == ItemKind::page) {
      decode(item, result);
    } else {
      extract(item, result);
    }
    if (result.skip != SkipReason::none) return;
    const bool keeps_structured = item.rules && item.rules->structured;
    format::repair_page(result.page,
                        keeps_structured ? format::StructuredBlocks::keep : format::StructuredBlocks::drop,
                        *result.memory, result.repairs);
    if (result.page.content.empty())
      return skip(
          result, SkipReason::no_content,
          result.repairs.empty() ? std::string() : fmt::format("{}", fmt::join(result.repairs, "; ")));
    result.url = result.page.url;
    result.fingerprint = format::fingerprint_of(result.page);
    if (options_.measure) measure(result);
  }

  /// Measures the page here, because several threads run this code.
  static void measure(PreparedItem& result) {
    const quality::PageQuality known = std::move(result.quality);
    result.quality = quality::measure_page(result.page);
    result.quality.has_own_title = known.has_own_title;
    result.quality.shown_chars = known.shown_chars;
  }

  /// Drops the last member, which `sheaf export` adds: it describes the store, not the page.
  static void drop_provenance(Page& page) {
    if (!page.extra.empty() && page.extra.back().key == "sheaf")
      page.extra = page.extra.first(page.extra.size() - 1);
  }

  void decode(const SourceItem& item, PreparedItem& result) {
    padded_.assign(item.bytes);
    padded_.append(format::kLinePadding, '\0');
    std::string finding;
    const auto outcome = decoder_.decode(
        {std::string_view(padded_).substr(0, item.bytes.size())}, [&](const format::Finding& found) {
          if (finding.empty() && format::level_of(found.code) == format::Level::page) finding = found.message;
          if (format::is_repaired_by_reading(found.code)) result.repairs.push_back(found.message);
        });
    if (!outcome) return skip(result, SkipReason::refused, outcome.error().message);
    if (*outcome == format::PageDecoder::Outcome::skipped)
      return finding.empty() ? skip(result, SkipReason::noindex) : skip(result, SkipReason::refused, finding);
    keep(decoder_.page(), item, result);
    drop_provenance(result.page);
    result.source_time = decoder_.page().modified_at;
    judge_members(result.page, item.bytes, result);
    if (result.skip == SkipReason::none) check_page(result.page, result);
  }

  /// Judges the members of a page as JSON that the format does not know, and the end that its robots state.
  void judge_members(const Page& page, std::string_view line, PreparedItem& result) const {
    for (const auto& member : page.extra) {
      const std::string_view json = member.value;
      if (json.starts_with('{') || json.starts_with('[')) continue;
      if (const auto verdict = visibility::judge_setting(member.key, json, options_.now);
          !verdict.is_public())
        return hold(result, verdict);
    }
    // The decoder keeps only the directives that a page of a collection may have.
    const std::size_t robots = line.find("\"robots\"");
    if (robots == std::string_view::npos) return;
    std::string directives(line.substr(robots, line.find_first_of("]}", robots) - robots));
    std::ranges::replace(directives, '"', ' ');
    if (const auto verdict = visibility::judge_robots(directives, options_.now); !verdict.is_public())
      hold(result, verdict);
  }

  void extract(const SourceItem& item, PreparedItem& result) {
    extract::ExtractOptions options;
    options.url = item.url;
    options.content_type = item.content_type;
    options.robots_header = item.robots_header;
    options.fallback_modified = item.time;
    if (item.site_template) options.site = &item.site_template->profile();
    if (item.all_content && body_) options.content = &*body_;
    if (item.rules && item.rules->select) options.content = &*item.rules->select;
    if (item.rules && item.rules->leave_out) options.leave_out = &*item.rules->leave_out;
    if (item.rules) options.links = extract::find_link_blocks(item.rules->links).value_or(options.links);
    if (item.rules && item.rules->inline_structure) options.inline_structure = extract::InlineStructure::keep;
    options.now = kFarFuture;  // keeps dates in the future, which are reported later
    options.present = options_.now;
    const std::string file_name = item.file.filename().string();
    options.file_name = file_name;
    const extract::Extraction& extraction = item.kind == ItemKind::markdown
                                                ? extractor_.extract_markdown(item.bytes, options)
                                                : extractor_.extract(item.bytes, options);
    if (extraction.has_end) result.remember = false;
    if (!extraction.verdict.is_public()) return hold(result, extraction.verdict);
    Page page = extraction.page;
    const GivenTimes times(item.given);
    apply_given(item.given, times, page);
    if (!extraction.permalink.empty()) page.url = extraction.permalink;
    if (item.kind == ItemKind::html && is_redirect_stub(item.bytes, page))
      return skip(result, SkipReason::redirect);
    if (page.content.empty()) return skip(result, SkipReason::no_content);
    keep(page, item, result);
    result.quality.has_own_title = extraction.has_own_title || !item.given.title.empty();
    // If all HTML counts as content, the share of content means nothing.
    result.quality.shown_chars = item.all_content ? 0 : extraction.shown_chars;
    if (!page.modified.empty()) result.source_time = page.modified_at;
    check_page(result.page, result);
  }

  /// Copies the page, because the extractor reuses its memory for the next one.
  void keep(const Page& page, const SourceItem& item, PreparedItem& result) const {
    result.memory = memory_;
    result.page = sheaf::copy(page, *result.memory);
    if (result.page.url.empty()) result.page.url = result.memory->copy(item.url);
  }

  void check_page(Page& page, PreparedItem& result) const {
    const auto url = base::Url::parse(page.url);
    if (!url || !site::is_same_site(*url, options_.base))
      return skip(
          result, SkipReason::no_address,
          page.url.empty() ? std::string() : fmt::format("{} is not on {}", page.url, options_.base.host()));
    if (model::is_noindex(page)) return skip(result, SkipReason::noindex);
    if (const auto published = page.published ? parse_time(*page.published) : std::nullopt;
        published && published->instant > options_.now)
      return skip(result, SkipReason::future, std::string(*page.published));
    if (is_error_page(*url, options_.base)) return skip(result, SkipReason::error_page);
    if (page.canonical && !apply_canonical(*url, page, result)) return;
    if (!is_allowed(page.url)) return skip(result, SkipReason::robots_disallowed);
    const auto address = base::Url::parse(page.url);
    if (address && !(address->username().empty() && address->password().empty()))
      return skip(result, SkipReason::no_address, "the URL has a user name or password");
    page.url = result.memory->copy(address ? address->without_fragment().href() : page.url);
  }

  /// Applies the canonical URL, which takes precedence over the file's name. Returns false if the page is
  /// skipped.
  static bool apply_canonical(const base::Url& url, Page& page, PreparedItem& result) {
    const auto canonical = base::Url::parse(*page.canonical, &url);
    if (!canonical) return true;
    switch (site::judge_canonical(url, *canonical)) {
      case site::Canonical::same:
        page.url = result.memory->copy(canonical->without_fragment().href());
        return true;
      case site::Canonical::other:
        skip(result, SkipReason::duplicate, std::string(canonical->href()));
        return false;
      case site::Canonical::elsewhere:
        skip(result, SkipReason::canonical_elsewhere, std::string(canonical->href()));
        return false;
    }
    return true;
  }

  /// Given times as they are written in a page. Must live as long as the page.
  struct GivenTimes {
    explicit GivenTimes(const GivenFields& given)
        : published(given.published ? format_time(*given.published) : ""),
          modified(given.modified ? format_time(*given.modified) : "") {}
    std::string published;
    std::string modified;
  };

  static void apply_given(const GivenFields& given, const GivenTimes& times, Page& page) {
    if (!given.title.empty()) page.title = given.title;
    if (!given.description.empty()) page.description = given.description;
    if (!given.author.empty()) page.author = given.author;
    if (!given.language.empty()) page.language = given.language;
    if (given.published) page.published = times.published;
    if (!given.modified) return;
    page.modified = times.modified;
    page.modified_at = *given.modified;
  }

  const PrepareOptions& options_;
  const Catalog& catalog_;
  format::PageDecoder decoder_;
  extract::Extractor extractor_;
  base::Result<html::Selector> body_ = html::Selector::compile("body");
  base::Sha256 sha_;
  std::string padded_;
  std::shared_ptr<Arena> memory_;  ///< for the current pages
};

Preparer::Preparer(const PrepareOptions& options, const Catalog& catalog)
    : impl_(std::make_unique<Impl>(options, catalog)) {}
Preparer::~Preparer() = default;
Preparer::Preparer(Preparer&&) noexcept = default;

std::vector<base::Result<PreparedItem>> Preparer::prepare(const std::vector<std::string>& sections,
                                                          std::vector<SourceItem> items) {
  return impl_->prepare(sections, std::move(items));
}

}  // namespace sheaf::publish

namespace sheaf {

std::string_view to_string(SkipReason reason) { return publish::text_of(reason).name; }

}  // namespace sheaf
