#include "sheaf/base/url.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/options/store_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/page_text.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/markdown/page_markdown.h"
#include "sheaf/pull/site_usage.h"
#include "sheaf/store/stored_page_decoder.h"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Result;
using store::StoredPage;

struct Options {
  std::string store;
  std::vector<std::string> urls;
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

/// Prints pages one after the other. A missing page does not prevent the others from being printed.
class PagePrinter {
 public:
  PagePrinter(const Options& options, const store::PageStore& store, std::string site, bool is_one_of_several)
      : options_(options), store_(store), site_(std::move(site)), is_one_of_several_(is_one_of_several) {}

  Result<void> print(const std::string& url) {
    SHEAF_TRY_ASSIGN(const auto page, find_as_given_or_parsed(url));
    if (!page) {
      is_complete_ = false;
      complain(fmt::format("{} is not in the store", url));
    }
    if (options_.json) return print_json(url, page);
    return page ? print_page(*page) : Result<void>();
  }

  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  /// Looks up the URL as given, then as a browser would send it.
  Result<std::optional<StoredPage>> find_as_given_or_parsed(const std::string& given) {
    SHEAF_TRY_ASSIGN(auto page, find(store_, options_, site_, given));
    const auto url = base::Url::parse(given);
    if (page || !url || url->href() == given) return page;
    return find(store_, options_, site_, std::string(url->href()));
  }

  Result<void> print_json(const std::string& url, const std::optional<StoredPage>& stored) {
    JsonOutput out;
    out.begin_report().string("url", url);
    if (stored) {
      out.string("site", stored->site)
          .string("section", stored->section)
          .string("learnt", format_time(stored->learnt))
          .raw("page", stored->json);
      SHEAF_TRY(write_usage(out, stored->site));
    } else {
      out.null("page");
    }
    out.end_object();
    print_json_line(out.text());
    return {};
  }

  /// What the site says its pages may be used for, verbatim.
  Result<void> write_usage(JsonOutput& out, const std::string& site) {
    if (!usage_.contains(site)) {
      SHEAF_TRY_ASSIGN(usage_[site], pull::read_usage_note(store_, site));
    }
    const pull::SiteUsage& usage = usage_[site];
    if (usage.empty()) return {};
    out.begin_array("usage");
    for (const auto* lines : {&usage.robots, &usage.headers})
      for (const std::string& line : *lines) out.element(line);
    out.end_array();
    return {};
  }

  Result<void> print_page(const StoredPage& stored) {
    if (!options_.text && !options_.markdown) {
      print_json_line(stored.json);
      return {};
    }
    const auto page = decoder_(stored.json);
    if (!page)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the store's page {} cannot be read: {}", stored.url, page.error()));
    if (is_one_of_several_) print_heading(stored.url);
    print_text("{}", options_.text ? page_text(**page) : markdown::page_markdown(**page));
    return {};
  }

  void print_heading(const std::string& url) {
    if (!std::exchange(is_first_, false)) print_text("\n");
    const std::string name = printable(url, Lines::join);
    // A Markdown comment may contain anything but "-->".
    if (options_.text)
      print_text("==> {} <==\n", name);
    else if (name.find("--") == std::string::npos)
      print_text("<!-- {} -->\n\n", name);
  }

  const Options& options_;
  const store::PageStore& store_;
  std::string site_;
  bool is_one_of_several_;
  store::StoredPageDecoder decoder_{format::Detail::everything};
  std::map<std::string, pull::SiteUsage> usage_;  ///< by site, of pages that were printed
  bool is_first_ = true;
  bool is_complete_ = true;
};

Result<bool> print_all(const Options& options) {
  SHEAF_TRY(check_standard_input(options.urls));
  SHEAF_TRY_ASSIGN(std::string site, parse_site(options.site));
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, store::Access::read));
  const store::PageStore& store = *opened;
  PagePrinter printer(options, store, std::move(site),
                      options.urls.size() > 1 || options.urls.front() == "-");
  for (const std::string& url : options.urls) {
    if (url != "-") {
      SHEAF_TRY(printer.print(url));
      continue;
    }
    // Line by line: the list may be as long as the store.
    for (std::string line; std::getline(std::cin, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) SHEAF_TRY(printer.print(line));
    }
  }
  return printer.is_complete();
}

ExitStatus run(const Options& options) {
  const auto complete = print_all(options);
  if (!complete) return report_failure(complete.error());
  return *complete ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

void add_get(const Command& program, Job& job) {
  auto options = std::make_shared<Options>();
  const Command command = program.subcommand("get", "Print pages of a store");
  command
      .option("URL", options->urls,
              "URLs of pages, as `sheaf list` prints them; - reads standard input, one URL per line")
      .required();
  add_store_option(command, options->store);
  command.option("--site", options->site, "the site it was pulled from, if several have it")
      .value_name("SITE");
  command.option("--section", options->section, "the section, if several have it; default: the newest")
      .value_name("NAME");
  const Option text = command.flag("--text", options->text, "print the content as text");
  const Option markdown = command.flag("--markdown", options->markdown, "print the page as Markdown");
  const Option json = command.flag("--json", options->json,
                                   "print one JSON object per line: the page, its origin, and what its site "
                                   "says about its use; \"page\" is "
                                   "null if there is none");
  text.excludes(markdown).excludes(json);
  markdown.excludes(json);
  command.footer(
      "Example: sheaf get https://example.com/docs/start --store crawl --markdown\n"
      "         sheaf get - --store crawl --json < urls.txt\n"
      "Exit status: 0 printed, 1 the store does not have all of these pages, 2 it could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
