#include "sheaf/publish/config/config.h"
#include "sheaf/publish/publisher.h"
#include <sheaf/publish.h>

#include <algorithm>
#include <utility>

namespace sheaf {
namespace {

publish::PublishOptions publish_options(const PublishSettings& settings) {
  publish::PublishOptions options;
  options.now = settings.now.value_or(Instant{now().seconds, 0});
  options.snapshot = settings.snapshot;
  options.dry_run = settings.dry_run;
  options.shrink = settings.shrink;
  options.threads = settings.threads;
  options.progress = settings.progress;
  options.allow_private = settings.allow_private;
  options.allow_http = settings.allow_http;
  options.allow_unsigned = settings.allow_unsigned;
  options.environment = [lookup =
                             settings.environment](const std::string& name) -> std::optional<std::string> {
    return lookup ? lookup(name) : std::nullopt;
  };
  return options;
}

PublishedSection published_section(const publish::PublishSectionReport& report) {
  PublishedSection section;
  section.name = report.section;
  section.pages = report.pages;
  static_cast<PageChanges&>(section) = report;
  for (const publish::PublishedFile& file : report.written)
    section.collections.push_back({publish::to_string(file.name), file.pages, file.bytes});
  for (const auto& omission : report.skipped) {
    SkippedPages& skipped = section.skipped.emplace_back();
    skipped.reason = publish::to_string(omission.reason);
    skipped.count = omission.count;
    for (const publish::NamedItem& named : omission.named) skipped.examples.push_back(named.what);
  }
  return section;
}

}  // namespace

bool PublishResult::has_changes() const {
  return std::ranges::any_of(sections, [](const PublishedSection& section) {
    return section.added + section.changed + section.removed > 0;
  });
}

class Publisher::Impl {
 public:
  explicit Impl(publish::PublishConfig site) : config(std::move(site)) {}

  publish::PublishConfig config;
};

Publisher::Publisher(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Publisher::~Publisher() = default;
Publisher::Publisher(Publisher&&) noexcept = default;
Publisher& Publisher::operator=(Publisher&&) noexcept = default;

Result<Publisher> Publisher::from_config(const std::filesystem::path& file) {
  SHEAF_TRY_ASSIGN(auto config, publish::read_config(file));
  return Publisher(std::make_unique<Impl>(std::move(config)));
}

Result<Publisher> Publisher::for_folder(const std::filesystem::path& folder, const std::string& base,
                                        const std::filesystem::path& out, const std::string& section) {
  SHEAF_TRY_ASSIGN(auto config, publish::config_for_folder(folder, base, out, section));
  return Publisher(std::make_unique<Impl>(std::move(config)));
}

void Publisher::set_state_folder(const std::filesystem::path& folder) { impl_->config.state = folder; }

Result<PublishResult> Publisher::run(const PublishSettings& settings) const {
  SHEAF_TRY_ASSIGN(const auto report, publish::publish(impl_->config, publish_options(settings)));
  PublishResult result;
  for (const auto& section : report.sections) result.sections.push_back(published_section(section));
  result.sitemap_changed = report.sitemap_changed;
  result.notes = report.notes;
  result.notes.insert(result.notes.end(), report.steps.begin(), report.steps.end());
  return result;
}

}  // namespace sheaf
