#include "sheaf/cli/sites/store_options.h"

#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/options/key_options.h"
#include "sheaf/http/message/message.h"
#include "sheaf/pull/site_list.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>
#include <sys/resource.h>

namespace sheaf::cli {
namespace {

using base::Errc;
using base::fail;
using base::Result;

/// A reader keeps every file of a store open, so that the writer cannot delete one that is still needed. A
/// store of about ten gigabytes reaches the usual limit of 1,024 files.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

/// --since takes a time in most commands, so the message says that this one takes the number of a change.
std::string refuse_time(std::string& text) {
  return store::FeedCursor::parse(text)
             ? std::string()
             : "takes the number of a change, as `sheaf changes` shows it, or 0; found " + text;
}

/// A line end would begin another header. The value is not shown: it would break the message too.
std::string refuse_controls(std::string& text) {
  return http::message::is_field_value(text) ? std::string()
                                             : "must not have line ends or other control characters";
}

void add_store_option(const Command& command, std::string& folder) {
  command.option("--store", folder, "folder of the store, or postgresql://... for a shared store")
      .required()
      .value_name("STORE");
}

Result<std::unique_ptr<store::PageStore>> open_any_store(const std::string& location, StoreAccess access) {
  return store::open_store(location, access, environment_variable);
}

Result<std::unique_ptr<store::PageStore>> open_existing_store(const std::string& location,
                                                              StoreAccess access) {
  allow_many_files();
  // A mistyped name must not create an empty store.
  if (access == StoreAccess::write) SHEAF_TRY(open_any_store(location, StoreAccess::read));
  return open_any_store(location, access);
}

void add_page_filter_options(const Command& command, SelectionOptions& options) {
  command.option("--site", options.site, "only this site, e.g. example.com or http://localhost:8080")
      .value_name("SITE");
  command.option("--section", options.section, "only this section").value_name("NAME");
  command
      .option("--since", options.since,
              "only pages modified at or after this time: 2026-01-31 or 2026-01-31T08:00:00Z")
      .value_name("TIME");
  command.option("--until", options.until, "only pages modified before this time").value_name("TIME");
  command.option("--url", options.url, "only pages whose URL matches; * matches anything").value_name("GLOB");
  command.option("--lang", options.language, "only pages in this language; en includes en-GB")
      .value_name("TAG");
}

void add_selection_options(const Command& command, SelectionOptions& options) {
  add_page_filter_options(command, options);
  command.option("--limit", options.limit, "stop after N pages").not_negative().value_name("N");
  command.flag("--count", options.count, "print only the number of pages");
}

store::StoreProgressSink store_progress(Progress& line) {
  return [&line](const store::StoreProgress& progress) {
    const bool packs = progress.stage == store::StoreProgress::Stage::pack;
    line.update_stage(packs ? "pack" : "check", progress.done, progress.total,
                      packs ? Progress::Unit::bytes : Progress::Unit::pages);
  };
}

Result<std::string> parse_site(const std::string& text) {
  if (text.empty()) return text;
  const auto url = pull::parse_site_url(text);
  if (!url)
    return fail(Errc::invalid_argument,
                fmt::format("--site {}: give the URL of a site, as https://example.com", text));
  return url->origin();
}

Result<Selection> parse_selection(const SelectionOptions& options) {
  Selection selection;
  SHEAF_TRY_ASSIGN(selection.site, parse_site(options.site));
  selection.section = options.section;
  SHEAF_TRY_ASSIGN(selection.since, parse_time_option("--since", options.since));
  SHEAF_TRY_ASSIGN(selection.until, parse_time_option("--until", options.until));
  if (selection.since && selection.until && *selection.until <= *selection.since)
    return fail(Errc::invalid_argument,
                fmt::format("--until {} is not later than --since {}", options.until, options.since));
  return selection;
}

Result<void> check_known(const store::PageStore& store, const std::string& site) {
  if (site.empty()) return {};
  SHEAF_TRY_ASSIGN(const auto sections, store.sections(site));
  if (!sections.empty()) return {};
  return fail(Errc::not_found,
              fmt::format("the store has no pages of {}; `sheaf status` lists its sites", site));
}

base::Result<pull::GivenKey> parse_given_key(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return base::fail(Errc::invalid_argument,
                      fmt::format("--key {}: give a site and its key, as https://example.com=RW...", text));
  SHEAF_TRY_ASSIGN(const base::Url site, pull::parse_site_url(text.substr(0, equals)));
  const std::string key = text.substr(equals + 1);
  if (key == "none") return pull::GivenKey{site.origin(), std::nullopt};
  SHEAF_TRY_ASSIGN(const trust::PublicKey read, read_public_key_option(key));
  return pull::GivenKey{site.origin(), read};
}

}  // namespace sheaf::cli
