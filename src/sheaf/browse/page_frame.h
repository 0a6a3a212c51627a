#pragma once

#include "sheaf/browse/html_writer.h"
#include <sheaf/time.h>

#include <cstdint>
#include <string>
#include <string_view>

// What all pages of the app share: the head, the navigation, and small parts.
namespace sheaf::browse {

enum class AppPlace : std::uint8_t {
  none,
  overview,
  sites,
  pages,
  search,
  changes,
  inspect,
  publish,
  crawlers
};

/// Which parts of the app there are.
struct AppParts {
  bool has_store = false;
  bool has_preview = false;
  bool has_logs = false;
};

struct FrameOptions {
  std::string_view title;
  AppPlace place = AppPlace::none;
  std::string_view query = {};  ///< in the search field
  unsigned reload_seconds = 0;  ///< the page is not final yet
};

/// Everything up to the content of <main>, with its heading.
void begin_frame(HtmlWriter& out, const AppParts& parts, const FrameOptions& options);
std::string end_frame(HtmlWriter&& out);

/// A short document for a status: 404 and such.
std::string notice_page(const AppParts& parts, std::string_view title, std::string_view sentence);

/// A time as its date and clock in UTC, with the exact one for programs.
void write_time(HtmlWriter& out, Instant time);
/// A time as how long ago it was: "3 hours ago".
void write_age(HtmlWriter& out, Instant time, Instant now);
std::string describe_age(Instant time, Instant now);

/// A small word with a colour: "good", "bad", "plain".
void write_badge(HtmlWriter& out, std::string_view kind, std::string_view text);

/// A field of a form with its label.
struct FormField {
  std::string_view name;
  std::string_view label;
  std::string_view value = {};
  std::string_view type = "text";
  std::string_view hint = {};
};
void write_field(HtmlWriter& out, const FormField& field);

/// "<<" and ">>" below a list. Nothing for the ends.
void write_paging(HtmlWriter& out, const OwnPath* previous, const OwnPath* next, std::string_view where);

/// A row of a two-column list of facts.
void write_fact(HtmlWriter& out, std::string_view name, std::string_view value);

}  // namespace sheaf::browse
