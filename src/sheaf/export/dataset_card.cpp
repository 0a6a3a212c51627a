#include "sheaf/export/dataset_card.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace sheaf::exporting {
namespace {

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

constexpr std::size_t kMaxNames =
    10'000;                           // of languages or sites that are counted; the names come from outside
constexpr std::size_t kMaxRows = 30;  // of a table in the card
constexpr std::string_view kOther = "(other)";

void count(Counts& counts, std::string_view name) {
  auto found = counts.find(name);
  if (found == counts.end())
    found = counts.try_emplace(std::string(counts.size() < kMaxNames ? name : kOther), 0).first;
  ++found->second;
}

/// Returns "en" for "en-GB", and an empty string if the tag does not begin with a language code.
std::string primary_language(std::string_view tag) {
  const std::string_view primary = tag.substr(0, tag.find('-'));
  constexpr std::size_t kMin = 2;
  constexpr std::size_t kMax = 3;
  const bool is_code = primary.size() >= kMin && primary.size() <= kMax &&
                       std::ranges::all_of(primary, [](char c) { return base::is_letter(c); });
  return is_code ? base::lower_text(primary) : std::string();
}

/// Hugging Face's names of size categories.
std::string_view size_category(std::uint64_t rows) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 9> kCategories = {{
      {1'000, "n<1K"},
      {10'000, "1K<n<10K"},
      {100'000, "10K<n<100K"},
      {1'000'000, "100K<n<1M"},
      {10'000'000, "1M<n<10M"},
      {100'000'000, "10M<n<100M"},
      {1'000'000'000, "100M<n<1B"},
      {10'000'000'000, "1B<n<10B"},
      {100'000'000'000, "10B<n<100B"},
  }};
  for (const auto& [below, name] : kCategories)
    if (rows < below) return name;
  return "100B<n<1T";
}

std::string_view feature_type(const parquet::Column& column) {
  switch (column.meaning) {
    case parquet::LogicalType::timestamp: return "timestamp[us, tz=UTC]";
    case parquet::LogicalType::number:
      return column.physical == parquet::PhysicalType::int32 ? "int32" : "int64";
    case parquet::LogicalType::text:
    case parquet::LogicalType::json: break;
  }
  return "string";
}

std::string features(TableColumns columns) {
  std::string out;
  for (const parquet::TableField& field : PageTable::schema(columns).fields) {
    out += fmt::format("  - name: {}\n", field.column.name);
    if (!field.is_list()) {
      out += fmt::format("    dtype: {}\n", feature_type(field.column));
      continue;
    }
    out += "    list:\n";
    for (const parquet::Column& member : field.members)
      out += fmt::format("    - name: {}\n      dtype: {}\n", member.name, feature_type(member));
  }
  return out;
}

/// Returns a table in Markdown, the most frequent names first.
std::string count_table(std::string_view title, const Counts& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> rows(counts.begin(), counts.end());
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::string out = fmt::format("| {} | pages |\n| --- | ---: |\n", title);
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i >= kMaxRows) {
      rest += rows[i].second;
    } else {
      out += fmt::format("| {} | {} |\n", rows[i].first.empty() ? "(none)" : rows[i].first, rows[i].second);
    }
  }
  if (rest > 0) out += fmt::format("| {} more | {} |\n", rows.size() - kMaxRows, rest);
  return out;
}

/// Keeps letters, digits and the punctuation of tags and origins, so that a name cannot become markup.
std::string plain_name(std::string_view name) {
  std::string out;
  for (const char c : name)
    out += base::is_alphanumeric(c) || std::string_view(":/.-[]()_").contains(c) ? c : '?';
  return out;
}

}  // namespace

void DatasetFacts::add(std::string_view site, std::string_view language) {
  count(sites_, plain_name(site));
  count(languages_, plain_name(language));
}

std::string dataset_card(const DatasetFacts& facts) {
  std::string out = "---\npretty_name: Pages of websites\n";
  Counts primary;
  for (const auto& [tag, pages] : facts.languages())
    if (const std::string code = primary_language(tag); !code.empty()) primary[code] += pages;
  if (!primary.empty()) out += "language:\n";
  for (const auto& entry : primary) out += fmt::format("- {}\n", entry.first);
  out += fmt::format("size_categories:\n- {}\n", size_category(facts.counts.rows));
  out += "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/*.parquet\n";
  out += "dataset_info:\n  features:\n" + features(facts.columns);
  out += fmt::format("  splits:\n  - name: train\n    num_bytes: {}\n    num_examples: {}\n",
                     facts.counts.text_bytes, facts.counts.rows);
  out += fmt::format("  download_size: {}\n  dataset_size: {}\n---\n\n", facts.file_bytes,
                     facts.counts.text_bytes);
  out += fmt::format(
      "# Pages of websites\n\n{} pages of {} {}, {} words, {} bytes of text, in {} Parquet {} of {} bytes "
      "together.\n\nWritten by `sheaf export --format parquet --layout huggingface`. One row is one page; "
      "each "
      "keeps its URL and\nthe site that it comes from. The pages belong to those who published them.\n\n",
      facts.counts.rows, facts.sites().size(), facts.sites().size() == 1 ? "site" : "sites",
      facts.counts.words, facts.counts.text_bytes, facts.files, facts.files == 1 ? "file" : "files",
      facts.file_bytes);
  out += "## Languages\n\n" + count_table("language", facts.languages());
  out += "\n## Sites\n\n" + count_table("site", facts.sites());
  return out;
}

}  // namespace sheaf::exporting
