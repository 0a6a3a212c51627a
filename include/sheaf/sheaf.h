// sheaf/sheaf.h - the whole library
//
// Includes every public header. docs/library.md is an introduction; each header begins with its manual page.
//
//     #include <sheaf/sheaf.h>
//
//     #include <cstdio>
//
//     int main() {
//       const auto report = sheaf::validate("tuesday.scp");
//       if (!report) return std::fprintf(stderr, "%s\n", report.error().message.c_str()), 2;
//       std::printf("%d pages, %s\n", static_cast<int>(report->pages), report->is_valid() ? "valid" : "wrong");
//       return report->is_valid() ? 0 : 1;
//     }
#pragma once

#include <sheaf/arena.h>
#include <sheaf/collection.h>
#include <sheaf/delta.h>
#include <sheaf/error.h>
#include <sheaf/export.h>
#include <sheaf/extract.h>
#include <sheaf/markdown.h>
#include <sheaf/page.h>
#include <sheaf/publish.h>
#include <sheaf/pull.h>
#include <sheaf/reader.h>
#include <sheaf/requests.h>
#include <sheaf/robots.h>
#include <sheaf/search.h>
#include <sheaf/serve.h>
#include <sheaf/sitemap.h>
#include <sheaf/store.h>
#include <sheaf/time.h>
#include <sheaf/validate.h>
#include <sheaf/writer.h>
