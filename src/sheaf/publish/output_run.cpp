#include "sheaf/publish/output_run.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/record.h"
#include "sheaf/base/url_set.h"
#include "sheaf/markdown/page_markdown.h"
#include "sheaf/publish/outputs/site_outputs.h"
#include "sheaf/publish/release.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

namespace sheaf::publish {
namespace {

// The first byte of a note's key.
constexpr char kPageNote = 'p';  // of a page: followed by the section, NUL and an id of the URL
constexpr char kFileNote = 'f';  // of a file: followed by the name of a file next to the sitemap; the value
                                 // is its hash
constexpr char kNewsNote = 'i';  // of a URL to submit: followed by its id; the value is the URL
constexpr std::string_view kSettingsNote = "s";
constexpr std::string_view kKeyNote = "k";
constexpr std::string_view kLlmsName = "llms.txt";
constexpr std::size_t kMaxMarkdownBytes = std::size_t{64} << 20U;

std::string page_prefix(std::string_view section) { return kPageNote + std::string(section) + '\0'; }

std::string page_key(std::string_view section, std::string_view url) {
  return page_prefix(section) + Catalog::item_id(url);
}

std::string hash_of(std::string_view bytes) {
  const base::Digest digest = base::sha256(bytes);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace

/// The note of a page.
struct OutputRun::Known {
  OutputPage page;
  std::string hash;      ///< of its Markdown
  std::uint64_t at = 0;  ///< offset of its Markdown in the pending bytes
  std::uint64_t size = 0;

  [[nodiscard]] std::string encode() const {
    base::RecordWriter out;
    out.text(page.url).text(page.title).text(page.description).text(page.modified).text(page.file);
    return out.text(hash).number(at).number(size).bytes();
  }

  static base::Result<Known> decode(std::string_view bytes) {
    base::RecordReader in(bytes);
    Known known;
    for (std::string* field : {&known.page.url, &known.page.title, &known.page.description,
                               &known.page.modified, &known.page.file, &known.hash})
      *field = in.text();
    known.at = in.number();
    known.size = in.number();
    if (in.good()) return known;
    return base::fail(base::Errc::invalid_data,
                      "the catalog's record of an output cannot be read; move the state folder away to start "
                      "again from what is published");
  }

  /// Whether the same output would be written; the place in the pending bytes does not matter.
  [[nodiscard]] bool is_same(const Known& other) const { return page == other.page && hash == other.hash; }
};

std::string OutputRun::settings() const {
  if (!config_.outputs.needs_pages()) return {};
  return config_.outputs.markdown ? "1 markdown" : "1";
}

std::string OutputRun::folder_url() const { return sitemap_sibling_url(config_, ""); }

std::string OutputRun::title() const {
  return config_.outputs.title.empty() ? std::string(config_.base->host()) : config_.outputs.title;
}

std::string OutputRun::pending_path() const { return (config_.state / "outputs.pending").string(); }

base::Result<bool> OutputRun::begin(bool moved) {
  SHEAF_TRY_ASSIGN(const auto before, catalog_.note(kSettingsNote));
  if (!config_.outputs.needs_pages()) {
    if (before) SHEAF_TRY(forget_pages());
    return false;
  }
  SHEAF_TRY_ASSIGN(const bool gone, are_files_gone());
  is_all_ = moved || gone || before != settings();
  return is_all_;
}

/// The outputs were switched off: stages the deletion of what they wrote.
base::Result<void> OutputRun::forget_pages() {
  SHEAF_TRY(catalog_.each_note(std::string(1, kPageNote), [&](std::string_view key, std::string_view) {
    return catalog_.stage_forget_note(key);
  }));
  return catalog_.stage_forget_note(kSettingsNote);
}

/// Whether Markdown files are missing; a rebuild of the site may have deleted them.
base::Result<bool> OutputRun::are_files_gone() {
  if (!config_.outputs.markdown) return false;
  bool gone = false;
  SHEAF_TRY(catalog_.each_note(
      std::string(1, kPageNote), [&](std::string_view, std::string_view value) -> base::Result<void> {
        if (gone) return {};
        SHEAF_TRY_ASSIGN(const Known known, Known::decode(value));
        gone = !known.page.file.empty() && !target_.may_have_site_file(known.page.file);
        return {};
      }));
  return gone;
}

base::Result<bool> OutputRun::is_foreign(const std::string& file) {
  SHEAF_TRY_ASSIGN(const auto there, target_.read_site_file(file));
  return there && !there->contains(kOutputMark);
}

base::Result<void> OutputRun::add(std::string_view section, const Page& page, bool is_news) {
  if (is_news && config_.outputs.index_now)
    SHEAF_TRY(catalog_.stage_note(kNewsNote + Catalog::item_id(page.url), page.url));
  if (!config_.outputs.needs_pages()) return {};
  Known known{.page = {.url = std::string(page.url),
                       .title = std::string(page.title),
                       .description = std::string(page.description),
                       .modified = std::string(page.modified),
                       .file = {}},
              .hash = {}};
  const std::string key = page_key(section, page.url);
  SHEAF_TRY_ASSIGN(const auto bytes, catalog_.note(key));
  std::optional<Known> before;
  if (bytes) {
    SHEAF_TRY_ASSIGN(before, Known::decode(*bytes));
  }
  std::string markdown;
  if (config_.outputs.markdown) {
    known.page.file = markdown_file_of(page.url, folder_url()).value_or("");
    if (!known.page.file.empty() && (!before || before->page.file != known.page.file)) {
      SHEAF_TRY_ASSIGN(const bool foreign, is_foreign(known.page.file));
      if (foreign && ++foreign_ == 1)
        notes_.push_back(
            fmt::format("{} exists and was not made by sheaf: it stays, and the page has no "
                        "Markdown file",
                        known.page.file));
      if (foreign) known.page.file.clear();
    }
    if (!known.page.file.empty()) {
      markdown = fmt::format("{}\n\nSource: <{}>\n{}\n", sheaf::page_markdown(page), page.url, kOutputMark);
      known.hash = hash_of(markdown);
    }
  }
  const bool is_there = before && (known.page.file.empty() || target_.may_have_site_file(known.page.file));
  if (before && before->is_same(known) && is_there && !is_all_) return {};
  if (!markdown.empty()) SHEAF_TRY(keep_pending(markdown, known));
  return catalog_.stage_note(key, known.encode());
}

base::Result<void> OutputRun::keep_pending(std::string_view markdown, Known& known) {
  if (!pending_.is_open()) {
    pending_ =
        base::FileDescriptor(::open(pending_path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!pending_.is_open())
      return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", pending_path())));
  }
  known.at = pending_size_;
  known.size = markdown.size();
  pending_size_ += markdown.size();
  return base::write_all(pending_.get(), markdown, pending_path());
}

base::Result<void> OutputRun::remove(std::string_view section, std::string_view url) {
  if (config_.outputs.index_now) SHEAF_TRY(catalog_.stage_note(kNewsNote + Catalog::item_id(url), url));
  return config_.outputs.needs_pages() ? catalog_.stage_forget_note(page_key(section, url))
                                       : base::Result<void>();
}

base::Result<void> OutputRun::stage() {
  if (pending_.is_open()) {
    // The catalog refers to these bytes from now on, so the name of the file must survive a power loss as
    // well.
    if (::fsync(pending_.get()) != 0)
      return std::unexpected(base::system_error(errno, fmt::format("cannot write {}", pending_path())));
    SHEAF_TRY(base::sync_folder(config_.state));
  }
  return config_.outputs.needs_pages() ? catalog_.stage_note(kSettingsNote, settings())
                                       : base::Result<void>();
}

base::Result<void> OutputRun::release() {
  SHEAF_TRY(release_pages());
  return release_site_files();
}

base::Result<void> OutputRun::release_pages() {
  const base::FileDescriptor pending(::open(pending_path().c_str(), O_RDONLY | O_CLOEXEC));
  return catalog_.each_staged_note(
      std::string(1, kPageNote),
      [&](std::string_view key, std::optional<std::string_view> value) -> base::Result<void> {
        SHEAF_TRY_ASSIGN(const auto before_bytes, catalog_.note(key));
        std::optional<Known> before;
        if (before_bytes) {
          SHEAF_TRY_ASSIGN(before, Known::decode(*before_bytes));
        }
        std::optional<Known> known;
        if (value) {
          SHEAF_TRY_ASSIGN(known, Known::decode(*value));
        }
        if (before && (!known || known->page.file != before->page.file))
          SHEAF_TRY(release_removed(key, *before));
        if (!known || known->page.file.empty()) return {};
        if (known->size > kMaxMarkdownBytes)
          return base::fail(base::Errc::invalid_data, "the catalog's record of an output is damaged");
        std::string markdown(static_cast<std::size_t>(known->size), '\0');
        const ssize_t read =
            ::pread(pending.get(), markdown.data(), markdown.size(), static_cast<off_t>(known->at));
        if (read != static_cast<ssize_t>(markdown.size()) || hash_of(markdown) != known->hash)
          return base::fail(base::Errc::io, fmt::format("{} is not as this run wrote it; publish again with "
                                                        "--snapshot",
                                                        pending_path()));
        ++written_;
        return target_.put_site_file(known->page.file, markdown);
      });
}

/// Deletes the file of a removed page, unless another section has the page too.
base::Result<void> OutputRun::release_removed(std::string_view key, const Known& before) {
  if (before.page.file.empty()) return {};
  for (const SectionConfig& section : config_.sections) {
    const std::string other = page_key(section.name, before.page.url);
    if (other == key) continue;
    SHEAF_TRY_ASSIGN(const auto bytes, catalog_.staged_note(other));
    if (!bytes) continue;
    SHEAF_TRY_ASSIGN(const Known known, Known::decode(*bytes));
    if (known.page.file == before.page.file) return {};
  }
  ++removed_;
  return target_.remove_site_file(before.page.file);
}

base::Result<void> OutputRun::each_page(std::string_view section,
                                        const std::function<base::Result<void>(OutputPage)>& use) {
  return catalog_.each_note(page_prefix(section),
                            [&](std::string_view, std::string_view value) -> base::Result<void> {
                              SHEAF_TRY_ASSIGN(Known known, Known::decode(value));
                              return use(std::move(known.page));
                            });
}

base::Result<std::string> OutputRun::make_llms_text() {
  std::vector<LlmsSection> sections;
  // If there are too many pages, keeps the newest ones: a heap of limited size with the oldest page at the
  // front.
  const auto is_newer = [](const OutputPage& a, const OutputPage& b) {
    return std::pair(a.modified, a.url) > std::pair(b.modified, b.url);
  };
  for (const SectionConfig& config : config_.sections) {
    LlmsSection section;
    section.name = config.name;
    SHEAF_TRY(each_page(config.name, [&](OutputPage page) -> base::Result<void> {
      ++section.total;
      section.pages.push_back(std::move(page));
      std::ranges::push_heap(section.pages, is_newer);
      if (section.pages.size() <= config_.outputs.llms_pages) return {};
      std::ranges::pop_heap(section.pages, is_newer);
      section.pages.pop_back();
      return {};
    }));
    sections.push_back(std::move(section));
  }
  return write_llms_text({.title = title(),
                          .summary = config_.outputs.summary,
                          .sitemap_url = advertised_sitemap_url(config_),
                          .folder_url = folder_url()},
                         std::move(sections));
}

base::Result<std::string> OutputRun::make_feed() {
  std::vector<OutputPage> pages;
  std::vector<RemovedPage> removed;
  const auto is_newer = [](const OutputPage& a, const OutputPage& b) {
    return std::pair(a.modified, a.url) > std::pair(b.modified, b.url);
  };
  const auto is_later = [](const RemovedPage& a, const RemovedPage& b) {
    return std::pair(a.removed_at, a.url) > std::pair(b.removed_at, b.url);
  };
  const auto keep_newest = [&](auto& list, auto entry, const auto& order) {
    list.push_back(std::move(entry));
    std::ranges::push_heap(list, order);
    if (list.size() <= config_.outputs.feed_entries) return;
    std::ranges::pop_heap(list, order);
    list.pop_back();
  };
  base::UrlSet listed;
  for (const SectionConfig& section : config_.sections)
    SHEAF_TRY(each_page(section.name, [&](OutputPage page) -> base::Result<void> {
      if (listed.insert(page.url)) keep_newest(pages, std::move(page), is_newer);
      return {};
    }));
  for (const SectionConfig& section : config_.sections)
    SHEAF_TRY(catalog_.each_staged_page(section.name, [&](const CatalogEntry& page) -> base::Result<void> {
      if (page.removed_at && listed.insert(page.url))
        keep_newest(removed, RemovedPage{page.url, *page.removed_at}, is_later);
      return {};
    }));
  std::ranges::sort(pages, is_newer);
  std::ranges::sort(removed, is_later);
  return write_atom_feed({.title = title(),
                          .site_url = std::string(config_.base->href()),
                          .feed_url = sitemap_sibling_url(config_, config_.outputs.feed)},
                         pages, removed);
}

base::Result<std::string> OutputRun::index_now_key() {
  if (!config_.outputs.index_now_key.empty()) return config_.outputs.index_now_key;
  SHEAF_TRY_ASSIGN(const auto kept, catalog_.staged_note(kKeyNote));
  if (kept) return *kept;
  std::string key = make_index_now_key();
  SHEAF_TRY(catalog_.stage_note(kKeyNote, key));
  return key;
}

base::Result<void> OutputRun::release_site_files() {
  std::set<std::string> wanted;
  const auto put = [&](const std::string& name, const std::string& bytes, bool is_key) {
    wanted.insert(name);
    return put_file(name, bytes, is_key);
  };
  if (config_.outputs.llms_txt) {
    SHEAF_TRY_ASSIGN(const std::string text, make_llms_text());
    SHEAF_TRY(put(std::string(kLlmsName), text, false));
  }
  if (!config_.outputs.feed.empty()) {
    SHEAF_TRY_ASSIGN(const std::string feed, make_feed());
    SHEAF_TRY(put(config_.outputs.feed, feed, false));
  }
  if (config_.outputs.index_now) {
    SHEAF_TRY_ASSIGN(const std::string key, index_now_key());
    SHEAF_TRY(put(key + ".txt", key, true));
  }
  return catalog_.each_note(std::string(1, kFileNote),
                            [&](std::string_view key, std::string_view) -> base::Result<void> {
                              const std::string name(key.substr(1));
                              if (wanted.contains(name)) return {};
                              ++removed_;
                              SHEAF_TRY(target_.remove_site_file(name));
                              return catalog_.stage_forget_note(key);
                            });
}

base::Result<void> OutputRun::put_file(const std::string& name, const std::string& bytes, bool is_key) {
  const std::string key = kFileNote + name;
  SHEAF_TRY_ASSIGN(const auto before, catalog_.staged_note(key));
  const std::string hash = hash_of(bytes);
  if (before == hash && !is_all_ && target_.may_have_site_file(name)) return {};
  if (!before && !is_key) {
    SHEAF_TRY_ASSIGN(const bool foreign, is_foreign(name));
    if (foreign) {
      notes_.push_back(
          fmt::format("{} exists and was not made by sheaf: it stays as it is; delete it to get "
                      "one that is kept current",
                      name));
      return {};
    }
  }
  ++written_;
  SHEAF_TRY(target_.put_site_file(name, bytes));
  return catalog_.stage_note(key, hash);
}

base::Result<void> OutputRun::announce(const http::fetch::FetchOptions& options) {
  pending_ = {};
  std::error_code error;
  std::filesystem::remove(pending_path(), error);
  if (!config_.outputs.index_now) return {};
  std::vector<std::string> keys;
  std::vector<std::string> urls;
  SHEAF_TRY(catalog_.each_note(std::string(1, kNewsNote),
                               [&](std::string_view key, std::string_view url) -> base::Result<void> {
                                 keys.emplace_back(key);
                                 urls.emplace_back(url);
                                 return {};
                               }));
  if (urls.empty()) return {};
  SHEAF_TRY_ASSIGN(const std::string key, index_now_key());
  const IndexNowSite site{.host = std::string(config_.base->host()),
                          .key = key,
                          .key_url = sitemap_sibling_url(config_, key + ".txt"),
                          .endpoint = config_.outputs.index_now_url};
  http::fetch::Fetcher fetcher(options);
  for (std::size_t from = 0; from < urls.size(); from += kIndexNowBatch) {
    const std::size_t end = std::min(from + kIndexNowBatch, urls.size());
    const std::vector<std::string> batch(urls.begin() + static_cast<std::ptrdiff_t>(from),
                                         urls.begin() + static_cast<std::ptrdiff_t>(end));
    const auto sent = submit_to_index_now(fetcher, site, batch);
    if (!sent) {
      notes_.push_back(fmt::format("IndexNow was not told about {}: {}; the next run tries again",
                                   base::counted(urls.size() - from, "changed URL", "changed URLs"),
                                   sent.error().message));
      break;
    }
    submitted_ += batch.size();
    for (std::size_t i = from; i < end; ++i) SHEAF_TRY(catalog_.stage_forget_note(keys[i]));
  }
  if (submitted_ == 0) return {};
  SHEAF_TRY(catalog_.prepare());
  return catalog_.commit();
}

}  // namespace sheaf::publish
