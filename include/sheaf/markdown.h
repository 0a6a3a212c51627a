// sheaf/markdown.h - a page as Markdown
//
// For people, and for language models. Markdown in is PageExtractor::extract_markdown of sheaf/extract.h.
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
// Errors: none. Threads: any number.
#pragma once

#include <sheaf/page.h>

#include <string>

namespace sheaf {

/// A page as Markdown (CommonMark with GitHub's tables), its title as the first heading if the content does
/// not begin with it. What Markdown would misread is escaped: extract_markdown gives the texts, headings,
/// lists, code, tables and quotes back as they were. Videos and recordings become links.
std::string page_markdown(const Page& page);

}  // namespace sheaf
