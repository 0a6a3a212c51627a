#include "sheaf/cli/output/json_output.h"

#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/pages/page_encoder.h"

#include <string>

namespace sheaf::cli {

void print_count(std::uint64_t pages, bool json) {
  if (!json) {
    print_text("{}\n", pages);
    return;
  }
  JsonOutput out;
  out.begin_report().number("pages", pages).end_object();
  print_json_line(out.text());
}

void write_finding(format::JsonWriter& out, std::string_view key, const format::Finding& finding) {
  out.begin_object(key)
      .string("code", format::to_string(finding.code))
      .string("level", format::to_string(format::level_of(finding.code)))
      .number("line", finding.line)
      .number("offset", finding.offset);
  if (!finding.url.empty()) out.string("url", finding.url);
  out.string("message", finding.message).end_object();
}

void write_head(format::JsonWriter& out, const model::CollectionHead* head) {
  if (head == nullptr) {
    out.null("collection");
    return;
  }
  std::string line;
  format::encode_head(*head, line);
  constexpr std::string_view kOpening = "{\"collection\":";
  out.raw("collection", std::string_view(line).substr(kOpening.size(), line.size() - kOpening.size() - 1));
}

}  // namespace sheaf::cli
