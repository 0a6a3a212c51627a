#include "sheaf/publish/template_keeper.h"

#include "sheaf/base/file.h"

#include <utility>

namespace sheaf::publish {
namespace {

constexpr std::uint64_t kSampleBytes = std::uint64_t{8} << 20;  // larger pages add no information
// If the first rows of a database are not whole pages, later ones are not either.
constexpr std::size_t kRowsWithoutPage = 64;

bool is_whole_html(const SourceItem& item) {
  return item.kind == ItemKind::html && !item.all_content && item.trouble.empty() &&
         item.skip == SkipReason::none;
}

}  // namespace

bool has_template(const SourceConfig& source) {
  const bool is_html =
      source.kind == SourceKind::html || source.kind == SourceKind::sql || source.kind == SourceKind::warc;
  return source.select.empty() && is_html;
}

base::Result<std::shared_ptr<const crawl::SiteTemplate>> TemplateKeeper::choose(const std::string& section,
                                                                                std::size_t index,
                                                                                Source& source,
                                                                                bool is_snapshot) {
  SHEAF_TRY_ASSIGN(auto before, catalog_.site_template(section, index));
  if (relearn_) before.reset();
  if (before && !is_snapshot) return before->frame;
  SHEAF_TRY_ASSIGN(const crawl::TemplateSample pages, sample(source));
  const crawl::Relearn verdict = before ? crawl::judge_template(*before, pages) : crawl::Relearn::layout;
  if (verdict == crawl::Relearn::no) return before->frame;
  crawl::LearnedTemplate learned =
      crawl::learn_from_sample(pages, verdict == crawl::Relearn::grown ? &*before : nullptr);
  auto frame = learned.frame;
  learned_.push_back({section, index, std::move(learned)});
  return frame;
}

base::Result<crawl::TemplateSample> TemplateKeeper::sample(Source& source) {
  crawl::TemplateSample sample;
  std::size_t others = 0;
  SHEAF_TRY(source.read([&](const SourceItem& item) {
    if (!is_whole_html(item)) return ++others < kRowsWithoutPage || sample.offered() > 0;
    if (sample.offer(item.name)) add_texts(item, sample);
    return true;
  }));
  return sample;
}

/// Adds a page to the sample. Files that cannot be read are reported when their pages are made, so they are
/// ignored here.
void TemplateKeeper::add_texts(const SourceItem& item, crawl::TemplateSample& sample) {
  std::string read;
  if (!item.file.empty()) {
    auto bytes = base::read_regular_file(item.file.string(), kSampleBytes);
    if (!bytes) return;
    read = std::move(*bytes);
  }
  const std::string_view bytes = item.file.empty() ? std::string_view(item.bytes) : std::string_view(read);
  if (bytes.empty() || bytes.size() > kSampleBytes) return;
  extract::ExtractOptions how;
  how.url = item.url;
  how.content_type = item.content_type;
  extractor_.extract(bytes, how);
  sample.add(extractor_.frame_texts(crawl::TemplateSample::kMaxTexts));
}

base::Result<void> TemplateKeeper::stage() {
  for (const Learned& entry : std::exchange(learned_, {}))
    SHEAF_TRY(catalog_.stage_template(entry.section, entry.index, entry.learned));
  return {};
}

}  // namespace sheaf::publish
