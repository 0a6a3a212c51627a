#include "sheaf/base/byte_source.h"
#include "sheaf/base/counted_text.h"
#include "sheaf/base/wildcard.h"
#include "sheaf/crawl/warc_pages.h"
#include "sheaf/publish/sources/glob.h"
#include "sheaf/publish/sources/source.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace sheaf::publish {
namespace {

namespace fs = std::filesystem;

/// The files that a name stands for: the file itself, or with a `*` in the last part all that match, sorted.
base::Result<std::vector<std::string>> expand(const std::string& name) {
  const fs::path path(name);
  const std::string pattern = path.filename().string();
  if (pattern.find('*') == std::string::npos) return std::vector{name};
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (base::matches_wildcard(pattern, entry.path().filename().string()))
      found.push_back(entry.path().string());
  if (error)
    return std::unexpected(
        base::system_error(error.value(), fmt::format("cannot read the folder {}", folder.string())));
  if (found.empty()) return base::fail(base::Errc::not_found, fmt::format("there is no file {}", name));
  std::ranges::sort(found);
  return found;
}

class WarcSource final : public Source {
 public:
  explicit WarcSource(WarcSourceOptions options) : options_(std::move(options)) {}

  [[nodiscard]] std::string name() const override {
    return fmt::format("WARC in {}", fmt::join(options_.files, ", "));
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    notes_.clear();
    crawl::WarcPages pages(page_options());
    for (const std::string& name : options_.files) {
      SHEAF_TRY_ASSIGN(const auto files, expand(name));
      for (const std::string& file : files) {
        SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
        SHEAF_TRY(pages.add(*source));
      }
    }
    SHEAF_TRY(pages.sort());
    note_damage(pages.counts());
    while (true) {
      SHEAF_TRY_ASSIGN(auto page, pages.next());
      if (!page || !sink(make_item(std::move(*page)))) return {};
    }
  }

 private:
  [[nodiscard]] crawl::WarcPagesOptions page_options() {
    return {.is_selected = [this](const base::Url& url) { return is_selected_page(url); },
            .now = sheaf::now(),
            .on_fault =
                [this](const std::string& sentence) {
                  if (notes_.empty()) notes_.push_back(sentence);
                }};
  }

  [[nodiscard]] bool is_selected_page(const base::Url& url) const {
    return site::is_same_site(url, options_.below) && url.path().starts_with(options_.below.path()) &&
           is_selected(url.path().substr(1), options_.include, options_.exclude);
  }

  void note_damage(const crawl::WarcCounts& counts) {
    const std::uint64_t damaged = counts.faults + counts.unreadable;
    if (damaged > 1)
      notes_.push_back(
          fmt::format("{} of the WARC files could not be read", base::counted(damaged, "place", "places")));
  }

  static SourceItem make_item(crawl::ArchivedPage page) {
    SourceItem item;
    item.name = page.visit.request.url;
    item.url = page.visit.final_url;
    item.bytes = std::move(page.visit.body);
    item.content_type = page.visit.content_type;
    item.robots_header = page.visit.robots_header;
    item.time = page.visit.last_modified;
    if (!item.time && page.date != crawl::kUndated) item.time = page.date;
    return item;
  }

  WarcSourceOptions options_;
  std::vector<std::string> notes_;
};

}  // namespace

std::unique_ptr<Source> warc_source(WarcSourceOptions options) {
  return std::make_unique<WarcSource>(std::move(options));
}

}  // namespace sheaf::publish
