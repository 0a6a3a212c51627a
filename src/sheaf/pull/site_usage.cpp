#include "sheaf/pull/site_usage.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/record.h"
#include "sheaf/pull/pull.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::pull {
namespace {

constexpr std::uint64_t kUsageVersion = 1;
constexpr std::size_t kMaxUsageHeader = 1'000;

bool is_license_link(std::string_view value) {
  const std::string lower = base::lower_text(value);
  return lower.contains("rel=\"license\"") || lower.contains("rel=license");
}

void write_lines(base::RecordWriter& record, const std::vector<std::string>& lines) {
  record.number(lines.size());
  for (const std::string& line : lines) record.text(line);
}

std::vector<std::string> read_lines(base::RecordReader& record) {
  std::vector<std::string> lines;
  const std::uint64_t count = record.number();
  for (std::uint64_t i = 0; i < count && record.good_so_far(); ++i) lines.emplace_back(record.text());
  return lines;
}

}  // namespace

void SiteUsage::add(const http::fetch::FetchHead& head) {
  for (const auto& [name, value] : head.headers) {
    const bool is_usage = name == "content-usage" || (name == "link" && is_license_link(value));
    if (!is_usage || value.size() > kMaxUsageHeader || headers.size() >= kMaxHeaders) continue;
    std::string line = fmt::format("{}: {}", name == "link" ? "Link" : "Content-Usage", value);
    if (std::ranges::find(headers, line) == headers.end()) headers.push_back(std::move(line));
  }
}

std::string encode(const SiteUsage& usage) {
  base::RecordWriter record;
  record.number(kUsageVersion);
  write_lines(record, usage.robots);
  write_lines(record, usage.headers);
  return record.bytes();
}

std::optional<SiteUsage> decode_usage(std::string_view bytes) {
  base::RecordReader record(bytes);
  if (record.number() != kUsageVersion) return std::nullopt;
  SiteUsage usage;
  usage.robots = read_lines(record);
  usage.headers = read_lines(record);
  if (!record.good()) return std::nullopt;
  return usage;
}

base::Result<SiteUsage> read_usage_note(const store::PageStore& store, std::string_view site) {
  SHEAF_TRY_ASSIGN(const auto bytes, store.note(site, kUsageNote));
  return bytes ? decode_usage(*bytes).value_or(SiteUsage{}) : SiteUsage{};
}

base::Result<void> write_usage_note(store::PageStore& store, std::string_view site, const SiteUsage& usage) {
  SHEAF_TRY_ASSIGN(const SiteUsage before, read_usage_note(store, site));
  if (before == usage) return {};
  store::SectionEdit edit(site, kHtmlSection);
  usage.empty() ? edit.remove_note(kUsageNote) : edit.put_note(kUsageNote, encode(usage));
  SHEAF_TRY(store.commit(edit));
  return {};
}

}  // namespace sheaf::pull
