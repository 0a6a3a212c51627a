#pragma once

#include "sheaf/markup/html_writer.h"
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// What all pages of the app have in common: the head, the navigation, and small parts.
namespace sheaf::browse {

// Style sheet, script and icon: the files in assets/, which are compiled into the program.

struct Asset {
  std::string_view name;  ///< "app.js"
  std::string_view content_type;
  std::string_view bytes;
};

/// All assets. CMake generates the definition from the files in the folder `assets`.
extern const std::array<Asset, 3> kAssets;

/// Returns nullptr if there is no asset of this name.
const Asset* find_asset(std::string_view name);

/// The path of an asset, with a version that depends on its bytes, so that browsers can cache it.
markup::OwnPath asset_path(markup::Literal name);

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

/// Which parts of the app exist.
struct AppParts {
  bool has_store = false;
  bool has_preview = false;
  bool has_logs = false;
};

struct FrameOptions {
  std::string_view title;
  AppPlace place = AppPlace::none;
  std::string_view query = {};  ///< text in the search field
  unsigned reload_seconds = 0;  ///< if not 0, the page is not final and is reloaded
};

/// Writes everything up to the content of <main>.
void begin_frame(markup::HtmlWriter& out, const AppParts& parts, const FrameOptions& options);
std::string end_frame(markup::HtmlWriter&& out);

/// Returns a short document for a status such as 404.
std::string notice_page(const AppParts& parts, std::string_view title, std::string_view sentence);

/// Writes a time as date and time of day in UTC, and the exact time for programs.
void write_time(markup::HtmlWriter& out, Instant time);
/// Writes a time as how long ago it was: "3 hours ago".
void write_age(markup::HtmlWriter& out, Instant time, Instant now);
std::string describe_age(Instant time, Instant now);

/// Writes a word with a colour: "good", "bad", "plain".
void write_badge(markup::HtmlWriter& out, std::string_view kind, std::string_view text);

/// A field of a form with its label.
struct FormField {
  std::string_view name;
  std::string_view label;
  std::string_view value = {};
  std::string_view type = "text";
  std::string_view hint = {};
};
void write_field(markup::HtmlWriter& out, const FormField& field);

/// Writes the links "Previous" and "Next" below a list, each unless it is null.
void write_paging(markup::HtmlWriter& out, const markup::OwnPath* previous, const markup::OwnPath* next,
                  std::string_view where);

/// Writes a row of a two-column list of facts.
void write_fact(markup::HtmlWriter& out, std::string_view name, std::string_view value);

}  // namespace sheaf::browse
