#include "sheaf/base/counted_text.h"
#include "sheaf/base/html_text.h"
#include "sheaf/compare/comparison.h"
#include "sheaf/compare/comparison_text_internal.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::compare {
namespace {

constexpr std::string_view kStart = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>sheaf compare</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 52rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; } th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #ccc; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; } svg text { font: 13px system-ui, sans-serif; fill: #222; }
.crawl { fill: #b26a00; } .scp { fill: #1b7f3b; } .no { color: #b3261e; } .yes { color: #1b7f3b; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; } svg text { fill: #ddd; } .crawl { fill: #e0a040; } .scp { fill: #50b070; } .no { color: #ff8a80; } .yes { color: #7fd09a; } }
</style>
</head>
<body>
)";

/// Two bars, the longer one as long as the chart.
std::string bars_of(const Promise& promise) {
  constexpr double kMaxLength = 420;
  const double most = static_cast<double>(std::max<std::uint64_t>({promise.crawl, promise.collections, 1}));
  const auto bar = [&](int y, std::string_view name, std::string_view style, std::uint64_t amount) {
    const double length = std::max(1.0, kMaxLength * static_cast<double>(amount) / most);
    return fmt::format(
        "<text x=\"0\" y=\"{0}\">{1}</text><rect class=\"{2}\" x=\"100\" y=\"{3}\" width=\"{4:.1f}\" "
        "height=\"20\"/><text x=\"{5:.1f}\" y=\"{0}\">{6}</text>",
        y + 15, name, style, y, length, 106 + length, amount_text(promise.kind, amount));
  };
  return fmt::format(
      "<svg viewBox=\"0 0 640 52\" role=\"img\" aria-label=\"{}: page by page {}, collections "
      "{}\">{}{}</svg>\n",
      promise.text, amount_text(promise.kind, promise.crawl), amount_text(promise.kind, promise.collections),
      bar(0, "page by page", "crawl", promise.crawl), bar(28, "collections", "scp", promise.collections));
}

std::string table_of(const Comparison& comparison) {
  std::string out =
      "<table>\n<thead><tr><th scope=\"col\"></th><th scope=\"col\">page by page</th><th scope=\"col\">"
      "collections</th><th scope=\"col\">saved</th><th scope=\"col\">draft 1 "
      "promises</th></tr></thead>\n<tbody>\n";
  for (const Promise& promise : judge_promises(comparison))
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1f} %</td><td class=\"{}\">{:.0f} %: {}</td></tr>\n",
        promise.text, amount_text(promise.kind, promise.crawl),
        amount_text(promise.kind, promise.collections), promise.saved(), promise.is_met() ? "yes" : "no",
        promise.promised, promise.is_met() ? "kept" : "not kept");
  return out + "</tbody>\n</table>\n";
}

}  // namespace

std::string comparison_as_html(const Comparison& comparison) {
  std::string out(kStart);
  out += fmt::format("<h1>What collections save on {}</h1>\n<p>{}.", base::visible_html(comparison.site),
                     base::visible_html(basis_text(comparison)));
  if (comparison.is_extrapolated())
    out +=
        " <strong>Extrapolated</strong>: bytes and parse times are scaled up from the sample; a whole site "
        "compresses better than a sample.";
  out += "</p>\n" + table_of(comparison);
  for (const Promise& promise : judge_promises(comparison))
    out += fmt::format("<h2>{}{}</h2>\n{}", promise.text,
                       comparison.is_extrapolated() && promise.kind != "requests" ? " (extrapolated)" : "",
                       bars_of(promise));
  out += fmt::format(
      "<h2>How it was measured</h2>\n<ul>\n<li>Page by page: the HTML of every page, compressed as one "
      "response each ({} uncompressed). Styles, scripts and images are not counted.</li>\n"
      "<li>Collections: one snapshot with zstd; with gzip its size is {}.</li>\n<li>{}. With conditional "
      "requests a later visit page by page takes {}, in {} requests.</li>\n<li>Parsing: HTML to the content "
      "of pages, compared with reading and checking the collection, on one thread; HTML to a tree only takes "
      "{}.</li>\n",
      base::human_size(comparison.html_bytes), base::human_size(comparison.gzip_snapshot),
      base::visible_html(share_text(comparison)), base::human_size(comparison.conditional_bytes),
      base::human_count(comparison.crawl.update_requests), amount_text("time", comparison.tree_nanoseconds));
  for (const std::string& note : comparison.notes)
    out += fmt::format("<li>{}</li>\n", base::visible_html(note));
  return out + "</ul>\n</body>\n</html>\n";
}

}  // namespace sheaf::compare
