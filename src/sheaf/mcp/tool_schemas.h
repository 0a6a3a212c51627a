#pragma once

#include <array>
#include <string_view>

namespace sheaf::mcp {

/// What tools/list says about a tool.
struct ToolSchema {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view input;  ///< JSON Schema of its arguments
  bool only_reads = true;
};

inline constexpr std::array<ToolSchema, 5> kToolSchemas{{
    {"search", "Search pages",
     "Full-text search over the copied pages. Query syntax: words (all must match), \"exact phrases\", "
     "-excluded, "
     "one OR other, prefix*, site:example.com, lang:de, title:word. Results have title, URL, date, the "
     "headings "
     "above the best match and a snippet. For more results, pass the cursor of a response.",
     R"({"type":"object","properties":{"query":{"type":"string","description":"what to look for"},)"
     R"("site":{"type":"string","description":"only this host, subdomains included, or an origin"},)"
     R"("section":{"type":"string","description":"only this section of a site"},)"
     R"("lang":{"type":"string","description":"only this language, as de or de-AT"},)"
     R"("since":{"type":"string","description":"only pages modified at or after this time, such as 2026-01-31"},)"
     R"("title_only":{"type":"boolean","description":"search only in titles"},)"
     R"("limit":{"type":"integer","minimum":1,"maximum":100,"description":"results, 10 unless given"},)"
     R"("cursor":{"type":"string","description":"`next` of the previous response"}},)"
     R"("required":["query"],"additionalProperties":false})"},
    {"get_page", "Read a page",
     "One page as Markdown; with heading, only the part below that heading. Long pages come in parts, each "
     "with the offset of the next.",
     R"({"type":"object","properties":{"url":{"type":"string","description":"URL of the page, as search returns it"},)"
     R"("site":{"type":"string","description":"origin of the site it was pulled with, if several have it"},)"
     R"("section":{"type":"string","description":"section, if several have it"},)"
     R"("heading":{"type":"string","description":"text of a heading; only the part below it is returned"},)"
     R"("max_bytes":{"type":"integer","minimum":1000,"maximum":400000,"description":"bytes of Markdown, 40000 unless given"},)"
     R"("offset":{"type":"integer","minimum":0,"description":"where to continue, from the previous part"}},)"
     R"("required":["url"],"additionalProperties":false})"},
    {"list_sites", "List sites",
     "The sites and sections in the store: pages, newest state, whether the copy is proven to be complete.",
     R"({"type":"object","properties":{"site":{"type":"string","description":"only this origin"},)"
     R"("limit":{"type":"integer","minimum":1,"maximum":500,"description":"sections, 100 unless given"},)"
     R"("offset":{"type":"integer","minimum":0,"description":"sections to skip"}},"additionalProperties":false})"},
    {"changes_since", "List changes",
     "What changed in the store after a change number, oldest first: pages put and deleted. Begin with the "
     "number at the end of an earlier response, or 0.",
     R"({"type":"object","properties":{"sequence":{"type":"integer","minimum":0,"description":"number of the last change known; 0 for all"},)"
     R"("position":{"type":"string","description":"instead of sequence: the position that an earlier call returned; a shared store needs it"},)"
     R"("limit":{"type":"integer","minimum":1,"maximum":500,"description":"changes, 100 unless given"}},)"
     R"("additionalProperties":false})"},
    {"pull_site", "Pull a site",
     "Brings the copy of a site up to date over the network, and the search index with it. A long pull "
     "continues in the background; call again with the same URL for its result.",
     R"({"type":"object","properties":{"url":{"type":"string","description":"URL of the site, such as https://example.com"}},)"
     R"("required":["url"],"additionalProperties":false})",
     false},
}};

}  // namespace sheaf::mcp
