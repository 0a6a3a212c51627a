#include "sheaf/base/url.h"
#include "sheaf/cli/commands.h"
#include "sheaf/cli/json_output.h"
#include "sheaf/cli/output_files.h"
#include "sheaf/cli/page_text.h"
#include "sheaf/cli/store_options.h"
#include "sheaf/cli/terminal.h"
#include "sheaf/html/page_markdown.h"
#include "sheaf/store/stored_page_decoder.h"

#include <fmt/format.h>

#include <memory>

namespace sheaf::cli {
namespace {

using base::Result;
using store::StoredPage;

struct Options {
  std::string store;
  std::string url;
  std::string site;
  std::string section;
  bool text = false;
  bool markdown = false;
  bool json = false;
};

Result<std::optional<StoredPage>> find(const store::PageStore& store, const Options& options,
                                       const std::string& site, const std::string& url) {
  if (options.section.empty()) return store.get(url, site);
  if (!site.empty()) return store.get(site, options.section, url);
  SHEAF_TRY_ASSIGN(const auto sections, store.sections());
  for (const auto& section : sections) {
    if (section.section != options.section) continue;
    SHEAF_TRY_ASSIGN(auto page, store.get(section.site, section.section, url));
    if (page) return page;
  }
  return std::nullopt;
}

/// By the address as given, or as a browser would send it.
Result<std::optional<StoredPage>> find(const Options& options) {
  SHEAF_TRY_ASSIGN(const std::string site, parse_site(options.site));
  SHEAF_TRY_ASSIGN(const auto store, open_store(options.store, store::Access::read));
  SHEAF_TRY_ASSIGN(auto page, find(store, options, site, options.url));
  const auto url = base::Url::parse(options.url);
  if (page || !url || url->href() == options.url) return page;
  return find(store, options, site, std::string(url->href()));
}

Result<void> print(const Options& options, const StoredPage& stored) {
  if (options.json) {
    JsonOutput out;
    out.begin_object()
        .string("site", stored.site)
        .string("section", stored.section)
        .string("learnt", base::format_time(stored.learnt))
        .raw("page", stored.json)
        .end_object();
    print_json_line(out.text());
    return {};
  }
  if (!options.text && !options.markdown) {
    print_json_line(stored.json);
    return {};
  }
  store::StoredPageDecoder decoder(format::Detail::everything);
  const auto page = decoder(stored.json);
  if (!page)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("the store's page {} cannot be read: {}", stored.url, page.error()));
  if (options.text) {
    print_text("{}", page_text(**page));
  } else {
    print_text("{}", html::page_markdown(**page));
  }
  return {};
}

ExitStatus run(const Options& options) {
  const auto found = find(options);
  if (!found) return report_failure(found.error());
  if (!*found) {
    complain(fmt::format("{} is not in the store", options.url));
    return ExitStatus::no;
  }
  const auto printed = print(options, **found);
  return printed ? ExitStatus::yes : report_failure(printed.error());
}

}  // namespace

void add_get(const Command& program, Job& job) {
  auto options = std::make_shared<Options>();
  const Command command = program.subcommand("get", "Print a page of a store");
  command.option("URL", options->url, "the page's address, as `sheaf list` shows it").required();
  add_store_option(command, options->store);
  command.option("--site", options->site, "the site it was pulled with, where several have it")
      .value_name("SITE");
  command.option("--section", options->section, "the section, where several have it; else the newest")
      .value_name("NAME");
  const Option text = command.flag("--text", options->text, "the content for people");
  const Option markdown = command.flag("--markdown", options->markdown, "the page as Markdown");
  const Option json = command.flag("--json", options->json, "the page and where it is from, as JSON");
  text.excludes(markdown).excludes(json);
  markdown.excludes(json);
  command.footer(
      "Example: sheaf get https://example.com/docs/start --store crawl --markdown\n"
      "Exit status: 0 printed, 1 the store has no such page, 2 it could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
