#include "sheaf/compare/comparison.h"

#include "sheaf/base/counted_text.h"
#include "sheaf/compare/comparison_text_internal.h"
#include "sheaf/format/json/json_writer.h"

#include <fmt/format.h>

namespace sheaf::compare {
namespace {

void write_way(format::JsonWriter& json, std::string_view key, const RetrievalCost& way) {
  json.begin_object(key)
      .number("firstBytes", way.first_bytes)
      .number("updateBytes", way.update_bytes)
      .number("firstRequests", way.first_requests)
      .number("updateRequests", way.update_requests)
      .decimal("parseSeconds", static_cast<double>(way.parse_nanoseconds) / 1e9, 6)
      .end_object();
}

}  // namespace

double Promise::saved() const {
  if (crawl == 0) return 0;
  return 100.0 * (1.0 - static_cast<double>(collections) / static_cast<double>(crawl));
}

std::array<Promise, 4> judge_promises(const Comparison& comparison) {
  const RetrievalCost& crawl = comparison.crawl;
  const RetrievalCost& scp = comparison.collections;
  return {
      {{"first", "first visit", "bytes", 50, crawl.first_bytes, scp.first_bytes},
       {"update", "later visit", "bytes", 90, crawl.update_bytes, scp.update_bytes},
       {"requests", "requests of the first visit", "requests", 90, crawl.first_requests, scp.first_requests},
       {"parsing", "parsing", "time", 90, crawl.parse_nanoseconds, scp.parse_nanoseconds}}};
}

std::string amount_text(std::string_view kind, std::uint64_t amount) {
  if (kind == "bytes") return base::human_size(amount);
  if (kind == "requests") return base::human_count(amount);
  const double milliseconds = static_cast<double>(amount) / 1e6;
  return milliseconds < 1000 ? fmt::format("{:.1f} ms", milliseconds)
                             : fmt::format("{:.2f} s", milliseconds / 1000);
}

std::string basis_text(const Comparison& comparison) {
  if (!comparison.is_extrapolated())
    return fmt::format("{} measured", base::counted(comparison.pages, "page", "pages"));
  return fmt::format("{} measured of {}; sums are extrapolated",
                     base::counted(comparison.sampled, "page", "pages"), base::human_count(comparison.pages));
}

std::string share_text(const Comparison& comparison) {
  return fmt::format(
      "{:.2g} % of the pages change between two visits ({})", comparison.changed_share * 100,
      comparison.is_share_measured ? "per day, according to the sitemap" : "assumed; --changed sets it");
}

std::string describe_comparison(const Comparison& comparison) {
  std::string text = fmt::format("{}: {}\n", comparison.site, basis_text(comparison));
  text +=
      fmt::format("{:<28}{:>14}{:>14}{:>9}   {}\n", "", "page by page", "collections", "saved", "draft 1");
  for (const Promise& promise : judge_promises(comparison))
    text +=
        fmt::format("{:<28}{:>14}{:>14}{:>7.1f} %   {:.0f} %: {}\n", promise.text,
                    amount_text(promise.kind, promise.crawl), amount_text(promise.kind, promise.collections),
                    promise.saved(), promise.promised, promise.is_met() ? "kept" : "not kept");
  text += fmt::format("later visits: {}\n", share_text(comparison));
  text += fmt::format("with conditional requests a later visit takes {} in {} requests\n",
                      base::human_size(comparison.conditional_bytes),
                      base::human_count(comparison.crawl.update_requests));
  if (comparison.skipped > 0)
    text += fmt::format("{} not counted: noindex, no content, or not loaded\n",
                        base::counted(comparison.skipped, "page was", "pages were"));
  for (const std::string& note : comparison.notes) text += note + "\n";
  return text;
}

std::string comparison_as_json(const Comparison& comparison) {
  format::JsonWriter json;
  json.begin_object()
      .string("site", comparison.site)
      .number("pages", comparison.pages)
      .number("sampled", comparison.sampled)
      .boolean("extrapolated", comparison.is_extrapolated())
      .number("skipped", comparison.skipped)
      .number("htmlBytes", comparison.html_bytes)
      .decimal("changedShare", comparison.changed_share, 6)
      .boolean("changedShareMeasured", comparison.is_share_measured);
  write_way(json, "pageByPage", comparison.crawl);
  write_way(json, "collections", comparison.collections);
  json.number("conditionalUpdateBytes", comparison.conditional_bytes)
      .number("gzipSnapshotBytes", comparison.gzip_snapshot)
      .decimal("htmlTreeSeconds", static_cast<double>(comparison.tree_nanoseconds) / 1e9, 6);
  json.begin_array("promises");
  for (const Promise& promise : judge_promises(comparison))
    json.begin_object()
        .string("id", promise.id)
        .decimal("savedPercent", promise.saved(), 2)
        .decimal("promisedPercent", promise.promised, 0)
        .boolean("kept", promise.is_met())
        .end_object();
  json.end_array().begin_array("notes");
  for (const std::string& note : comparison.notes) json.element(note);
  json.end_array().end_object();
  return json.text();
}

}  // namespace sheaf::compare
