// sheaf/markdown.h - a page as Markdown
//
// For people and for language models. PageExtractor::extract_markdown (sheaf/extract.h) reads Markdown.
//
//     #include <sheaf/markdown.h>
//     #include <sheaf/reader.h>
//
//     #include <cstdio>
//
//     int main() {
//       auto reader = sheaf::Reader::open("monday.scp");
//       if (!reader) return 1;
//       const auto page = reader->next();
//       if (!page || *page == nullptr) return 1;
//       std::puts(sheaf::page_markdown(**page).c_str());
//       return 0;
//     }
//
// Errors: none. Threads: page_markdown() is thread-safe.
#pragma once

#include <sheaf/page.h>

#include <string>

namespace sheaf {

/// A page as Markdown: CommonMark with GitHub's tables. If the content does not begin with the title, the
/// title is added as the first heading. Characters with a meaning in Markdown are escaped, so that
/// extract_markdown returns the same texts, headings, lists, code, tables and quotes. Videos and audio become
/// links.
std::string page_markdown(const Page& page);

}  // namespace sheaf
