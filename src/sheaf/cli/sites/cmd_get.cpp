#include "sheaf/base/byte_source.h"
#include "sheaf/base/url.h"
#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/page_text.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/format/pages/stored_page_decoder.h"
#include "sheaf/markdown/page_markdown.h"
#include "sheaf/pull/site_usage.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Result;
using store::StoredPage;

struct GetOptions {
  std::string store;
  std::vector<std::string> urls;
  std::string site;
  std::string section;
  bool text = false;
  bool markdown = false;
  bool json = false;
  unsigned threads = 0;
};

/// URLs that are looked up together. The more there are, the more of them share a compressed block of the
/// store.
constexpr std::size_t kWindowUrls = 65'536;
/// How long to wait for more input from a producer that is in the middle of a list.
constexpr std::chrono::milliseconds kMoreSoon{20};
constexpr std::size_t kListBegun = 64;
constexpr std::size_t kMaxUrlBytes = std::size_t{1} << 20U;

/// Prints pages in the order of their URLs. A missing page does not prevent the others from being printed.
class PagePrinter {
 public:
  PagePrinter(const GetOptions& options, const store::PageStore& store, std::string site,
              bool is_one_of_several)
      : options_(options), store_(store), site_(std::move(site)), is_one_of_several_(is_one_of_several) {}

  Result<void> print(const std::vector<std::string>& urls) {
    return store_.get_many(requests(urls), [&](std::size_t i, const std::optional<StoredPage>& page) {
      return page ? print(urls[i], page) : print_as_parsed(urls[i]);
    });
  }

  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  [[nodiscard]] store::PageRequests requests(std::span<const std::string> urls) const {
    return {urls, site_, options_.section, options_.threads};
  }

  /// Looks for a page that was not found as given, with its URL in the form that a browser would send.
  Result<void> print_as_parsed(const std::string& given) {
    const auto url = base::Url::parse(given);
    if (!url || url->href() == given) return print(given, std::nullopt);
    const std::string parsed(url->href());
    return store_.get_many(requests({&parsed, 1}), [&](std::size_t, const std::optional<StoredPage>& page) {
      return print(given, page);
    });
  }

  Result<void> print(const std::string& url, const std::optional<StoredPage>& page) {
    if (!page) {
      is_complete_ = false;
      print_message(fmt::format("{} is not in the store", url));
    }
    if (options_.json) return print_json(url, page);
    return page ? print_page(*page) : Result<void>();
  }

  Result<void> print_json(const std::string& url, const std::optional<StoredPage>& stored) {
    JsonOutput out;
    out.begin_report().string("url", url);
    if (stored) {
      out.string("site", stored->site)
          .string("section", stored->section)
          .string("learnt", format_time(stored->as_of))
          .raw("page", stored->json);
      SHEAF_TRY(write_usage(out, stored->site));
    } else {
      out.null("page");
    }
    out.end_object();
    print_json_line(out.text());
    return {};
  }

  /// Writes what the site says its pages may be used for, verbatim.
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

  const GetOptions& options_;
  const store::PageStore& store_;
  std::string site_;
  bool is_one_of_several_;
  format::StoredPageDecoder decoder_{format::Detail::everything};
  std::map<std::string, pull::SiteUsage> usage_;  ///< by site, for pages that were printed
  bool is_first_ = true;
  bool is_complete_ = true;
};

/// Reads URLs from standard input, many at a time if they come fast, because a list may be as long as the
/// store. A URL that comes alone is returned at once, because the client waits for its page.
class UrlList {
 public:
  explicit UrlList(std::unique_ptr<base::ByteSource> input) : input_(std::move(input)) {}

  /// Returns the next URLs; empty at the end of the input.
  Result<std::vector<std::string>> next() {
    std::vector<std::string> urls;
    while (!ended_ && urls.size() < kWindowUrls) {
      if (!urls.empty() && !has_more_soon(urls.size())) break;
      SHEAF_TRY(read(urls));
    }
    return urls;
  }

 private:
  [[nodiscard]] static bool has_more_soon(std::size_t urls) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const auto patience = urls < kListBegun ? std::chrono::milliseconds(0) : kMoreSoon;
    return poll(&input, 1, static_cast<int>(patience.count())) != 0;
  }

  Result<void> read(std::vector<std::string>& urls) {
    SHEAF_TRY_ASSIGN(const std::size_t count, input_->read(buffer_));
    ended_ = count == 0;
    rest_.append(buffer_.data(), count);
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
      add(std::string_view(rest_).substr(begin, end - begin), urls);
      begin = end + 1;
    }
    rest_.erase(0, begin);
    if (rest_.size() > kMaxUrlBytes)
      return base::fail(base::Errc::invalid_argument, "a line of standard input is too long to be a URL");
    if (ended_) add(std::exchange(rest_, {}), urls);
    return {};
  }

  static void add(std::string_view line, std::vector<std::string>& urls) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) urls.emplace_back(line);
  }

  std::unique_ptr<base::ByteSource> input_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{64} << 10U);
  std::string rest_;  ///< an incomplete line
  bool ended_ = false;
};

Result<void> print_list(PagePrinter& printer) {
  SHEAF_TRY_ASSIGN(auto input, base::open_source("-"));
  UrlList list(std::move(input));
  while (true) {
    SHEAF_TRY_ASSIGN(const auto urls, list.next());
    if (urls.empty()) return {};
    SHEAF_TRY(printer.print(urls));
    std::fflush(stdout);  // no more input may come for a while
  }
}

Result<bool> print_all(const GetOptions& options) {
  SHEAF_TRY(check_standard_input(options.urls));
  SHEAF_TRY_ASSIGN(std::string site, parse_site(options.site));
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, StoreAccess::read));
  PagePrinter printer(options, *opened, std::move(site),
                      options.urls.size() > 1 || options.urls.front() == "-");
  std::vector<std::string> named;
  for (const std::string& url : options.urls) {
    if (url != "-") {
      named.push_back(url);
      continue;
    }
    SHEAF_TRY(printer.print(std::exchange(named, {})));
    SHEAF_TRY(print_list(printer));
  }
  SHEAF_TRY(printer.print(named));
  return printer.is_complete();
}

ExitStatus run(const GetOptions& options) {
  const auto complete = print_all(options);
  if (!complete) return report_failure(complete.error());
  return *complete ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

void add_get(const Command& program, Job& job) {
  auto options = std::make_shared<GetOptions>();
  const Command command = program.subcommand("get", "Print pages of a store");
  command
      .option("URL", options->urls,
              "URLs of pages, as `sheaf list` prints them; - reads standard input, one URL per line")
      .required();
  add_store_option(command, options->store);
  command.option("--site", options->site, "site from which the page was pulled, if several sites have it")
      .value_name("SITE");
  command
      .option("--section", options->section,
              "section of the page, if several have it; default: the one with the newest version")
      .value_name("NAME");
  const Option text = command.flag("--text", options->text, "print the content as text");
  const Option markdown = command.flag("--markdown", options->markdown, "print the page as Markdown");
  const Option json = command.flag("--json", options->json,
                                   "print one JSON object per line: the page, its origin, and what its site "
                                   "says about its use; \"page\" is "
                                   "null if there is none");
  add_thread_option(command, options->threads, "threads that read pages");
  text.excludes(markdown).excludes(json);
  markdown.excludes(json);
  command.footer(
      "Example: sheaf get https://example.com/docs/start --store crawl --markdown\n"
      "         sheaf get - --store crawl --json < urls.txt\n"
      "Exit status: 0 printed, 1 the store does not have all of these pages, 2 it could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
