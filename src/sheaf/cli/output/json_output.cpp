#include "sheaf/cli/output/json_output.h"

#include "sheaf/base/code_points.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/page_encoder.h"

#include <fmt/format.h>

namespace sheaf::cli {

void JsonOutput::begin(std::string_view key) {
  if (!first_) text_ += ',';
  first_ = false;
  if (key.data() == nullptr) return;
  format::append_json_string(text_, key);
  text_ += ':';
}

JsonOutput& JsonOutput::begin_report() { return begin_object().number("schemaVersion", kSchemaVersion); }

JsonOutput& JsonOutput::begin_object(std::string_view key) {
  begin(key);
  text_ += '{';
  first_ = true;
  return *this;
}

JsonOutput& JsonOutput::end_object() {
  text_ += '}';
  first_ = false;
  return *this;
}

JsonOutput& JsonOutput::begin_array(std::string_view key) {
  begin(key);
  text_ += '[';
  first_ = true;
  return *this;
}

JsonOutput& JsonOutput::end_array() {
  text_ += ']';
  first_ = false;
  return *this;
}

JsonOutput& JsonOutput::string(std::string_view key, std::string_view value) {
  begin(key);
  format::append_json_string(text_, base::make_valid_utf8(value));  // file names may be invalid UTF-8
  return *this;
}

JsonOutput& JsonOutput::element(std::string_view value) { return string({}, value); }
JsonOutput& JsonOutput::number(std::string_view key, std::uint64_t value) {
  return raw(key, fmt::format("{}", value));
}
JsonOutput& JsonOutput::decimal(std::string_view key, double value) {
  return raw(key, fmt::format("{:.2f}", value));
}
JsonOutput& JsonOutput::boolean(std::string_view key, bool value) {
  return raw(key, value ? "true" : "false");
}
JsonOutput& JsonOutput::null(std::string_view key) { return raw(key, "null"); }

JsonOutput& JsonOutput::raw(std::string_view key, std::string_view json) {
  begin(key);
  text_ += json;
  return *this;
}

void print_count(std::uint64_t pages, bool json) {
  if (!json) {
    print_text("{}\n", pages);
    return;
  }
  JsonOutput out;
  out.begin_report().number("pages", pages).end_object();
  print_json_line(out.text());
}

void write_finding(JsonOutput& out, std::string_view key, const format::Finding& finding) {
  out.begin_object(key)
      .string("code", format::to_string(finding.code))
      .string("level", format::to_string(format::level_of(finding.code)))
      .number("line", finding.line)
      .number("offset", finding.offset);
  if (!finding.url.empty()) out.string("url", finding.url);
  out.string("message", finding.message).end_object();
}

void write_head(JsonOutput& out, const model::CollectionHead* head) {
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
