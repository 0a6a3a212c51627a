#include "sheaf/cli/browse/preview_sources.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::cli {
namespace {

browse::PreviewItem preview_of(const publish::PreparedItem& item, bool kept) {
  browse::PreviewItem preview{.name = item.name,
                              .section = item.section,
                              .url = item.url,
                              .title = std::string(item.page.title),
                              .skip = {},
                              .reason = {},
                              .detail = item.detail,
                              .repairs = fmt::format("{}", fmt::join(item.repairs, "; "))};
  preview.file = item.file;
  if (item.skip != SkipReason::none) {
    preview.skip = to_string(item.skip);
    preview.reason = publish::describe(item.skip);
  } else if (!kept) {
    preview.skip = to_string(SkipReason::duplicate);
    preview.reason = "another page has its URL, or no reader would take it";
  }
  return preview;
}

browse::PreviewReport report_of(PublishReport report) {
  browse::PreviewReport preview;
  for (const PublishSectionReport& section : report.sections)
    preview.sections.push_back(
        {section.section, section.pages, section.added, section.changed, section.removed});
  preview.notes = std::move(report.notes);
  return preview;
}

}  // namespace

browse::PreviewReader preview_sources(publish::PublishConfig config, PublishOptions options) {
  options.dry_run = true;
  return [config = std::move(config), options = std::move(options)](
             Instant now, const browse::PreviewSink& sink) -> base::Result<browse::PreviewReport> {
    PublishOptions run = options;
    run.now = now;
    publish::PublishWatch watch{.read_all = true};
    watch.on_item = [&sink](const publish::PreparedItem& item, bool kept) {
      browse::PreviewItem preview = preview_of(item, kept);
      const bool is_published = preview.skip.empty();
      return sink(std::move(preview), is_published ? &item.page : nullptr);
    };
    SHEAF_TRY_ASSIGN(auto report, publish::publish(config, run, watch));
    return report_of(std::move(report));
  };
}

}  // namespace sheaf::cli
