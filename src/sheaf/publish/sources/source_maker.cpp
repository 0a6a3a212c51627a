#include "sheaf/publish/sources/source_maker.h"

#include "sheaf/publish/sources/feed_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::publish {
namespace {

/// The name of a source in the databases. It depends on the position in the configuration, so that its
/// selection can change without downloading everything again.
std::string source_name(const PublishConfig& config, const SectionConfig& section, std::size_t index) {
  return fmt::format("{} {} {}", section.name, index, config.base->href());
}

std::vector<std::string> names_of_site_sources(const PublishConfig& config) {
  std::vector<std::string> names;
  for (const SectionConfig& section : config.sections)
    for (std::size_t i = 0; i < section.sources.size(); ++i)
      if (section.sources[i].kind == SourceKind::site) names.push_back(source_name(config, section, i));
  return names;
}

unsigned most_connections(const PublishConfig& config) {
  unsigned most = 1;
  for (const SectionConfig& section : config.sections)
    for (const SourceConfig& source : section.sources)
      most = std::max(most, source.live.requests.connections);
  return most;
}

}  // namespace

SourceMaker::SourceMaker(const PublishConfig& config, LiveSitePermissions leave)
    : config_(config), leave_(leave), gate_(most_connections(config), most_connections(config)) {}

base::Result<std::shared_ptr<const ContentRules>> ContentRules::compile(const SourceConfig& source) {
  const bool is_default = source.links == "content" && !source.inline_structure && !source.structured;
  if (source.select.empty() && source.leave_out.empty() && is_default) return nullptr;
  ContentRules rules;
  rules.links = source.links;
  rules.inline_structure = source.inline_structure;
  rules.structured = source.structured;
  rules.text = source.select + '\n' + source.leave_out;
  if (!is_default) rules.text += '\n' + source.links + (source.inline_structure ? "\ninline" : "");
  if (source.structured) rules.text += "\nstructured";
  if (!source.select.empty()) {
    SHEAF_TRY_ASSIGN(rules.select, html::Selector::compile(source.select));
  }
  if (!source.leave_out.empty()) {
    SHEAF_TRY_ASSIGN(rules.leave_out, html::Selector::compile(source.leave_out));
  }
  return std::make_shared<const ContentRules>(std::move(rules));
}

base::Result<std::unique_ptr<Source>> SourceMaker::make(const SectionConfig& section, std::size_t index) {
  const SourceConfig& source = section.sources[index];
  if (source.kind == SourceKind::jsonl)
    return source.command.empty() ? jsonl_source(source.file, config_.limits.page_bytes)
                                  : command_source(source.command, config_.limits.page_bytes);
  const base::Url below = base::Url::parse(source.path, &*config_.base).value_or(*config_.base);
  if (source.kind == SourceKind::site) return make_site(section, index, below);
  if (source.kind == SourceKind::warc)
    return warc_source(
        {.files = source.files, .below = below, .include = source.include, .exclude = source.exclude});
  if (source.kind == SourceKind::sql) return make_sql(source, below);
  if (source.kind == SourceKind::feed) return make_feed(section, index);
  return folder_source({.folder = source.folder,
                        .kind = source.kind == SourceKind::markdown ? ItemKind::markdown : ItemKind::html,
                        .base = below,
                        .extension = source.extension,
                        .include = source.include,
                        .exclude = source.exclude,
                        .languages = source.languages,
                        .times = listed_times()});
}

base::Result<std::unique_ptr<Source>> SourceMaker::make_sql(const SourceConfig& source,
                                                            const base::Url& below) const {
  SqlSourceOptions options{.database = source.database,
                           .password_file = source.password_file,
                           .query = source.query,
                           .base = below,
                           .body_limit = config_.limits.page_bytes};
  if (is_mariadb_url(source.database)) {
    SHEAF_TRY_ASSIGN(options.mariadb, parse_mariadb_url(source.database));
  }
  return sql_source(std::move(options));
}

http::fetch::FetchOptions SourceMaker::fetch_options(RequestOptions requests) {
  requests.allow_private = leave_.private_addresses;
  requests.allow_http = leave_.downgrade;
  requests.tries = 4;
  http::fetch::FetchOptions options(std::move(requests));
  options.gate = &gate_;
  return options;
}

base::Result<std::unique_ptr<Source>> SourceMaker::make_feed(const SectionConfig& section,
                                                             std::size_t index) {
  if (!feeds_) {
    SHEAF_TRY_ASSIGN(feeds_, database::Database::open(config_.state / "feeds"));
  }
  return feed_source({.place = section.sources[index].feed,
                      .name = source_name(config_, section, index),
                      .base = *config_.base,
                      .body_limit = config_.limits.page_bytes,
                      .fetch = fetch_options({})},
                     *feeds_);
}

const ListedTimes* SourceMaker::listed_times() {
  const auto url = base::Url::parse(config_.sitemap_url);
  if (!times_ && url) times_ = ListedTimes::read(config_.sitemap, *url);
  return times_ ? &*times_ : nullptr;
}

base::Result<std::unique_ptr<Source>> SourceMaker::make_site(const SectionConfig& section, std::size_t index,
                                                             const base::Url& below) {
  const SourceConfig& source = section.sources[index];
  if (!live_) {
    SHEAF_TRY_ASSIGN(live_, database::Database::open(config_.state / "live"));
    SHEAF_TRY(LiveCopies::drop_others(*live_, names_of_site_sources(config_)));
  }
  SHEAF_TRY_ASSIGN(LiveCopies copies,
                   LiveCopies::open(*live_, source_name(config_, section, index), source.live.copies));
  copies_.push_back(std::move(copies));
  return site_source({.base = *config_.base,
                      .below = below,
                      .sitemaps = source.live.sitemaps,
                      .include = source.include,
                      .exclude = source.exclude,
                      .fetch = fetch_options(source.live.requests),
                      .relearn = leave_.relearn},
                     copies_.back(), listings_);
}

}  // namespace sheaf::publish
