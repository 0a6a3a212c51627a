#pragma once

#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Decides what is public: what an anonymous visitor of a site sees. Pure functions; every source of publish
/// asks them. Doubt means "not public": a value that cannot be read holds the page, and the detail says why.
namespace sheaf::visibility {

/// Why a page is not public.
enum class Hold : std::uint8_t {
  none,  ///< it is public
  draft,
  secret,  ///< private, hidden, with a password, for members
  noindex,
  future,
  expired,
  guarded,  ///< the web server asks for a login, or refuses the folder
  unreadable,
  no_text,  ///< its bytes are not text
};

/// The detail never repeats a value that may be secret.
struct Verdict {
  Hold hold = Hold::none;
  std::string detail = {};

  [[nodiscard]] bool is_public() const { return hold == Hold::none; }
};

/// Judges a setting of a page: of its front matter, a member of a page as JSON, a column of a row. Names are
/// compared without case, `_` and `-`, and without `params.` and `extra.` before them. Names that say nothing
/// about publication are public.
Verdict judge_setting(std::string_view name, std::string_view value, Instant now);

/// Whether judge_setting() knows the name.
bool is_about_publication(std::string_view name);

/// Judges the whole text of robots directives ("noarchive, unavailable_after: 25 Jun 2030 15:00:00 GMT").
/// Only `unavailable_after` is read; for noindex see model/robots_directives.h.
Verdict judge_robots(std::string_view directives, Instant now);
/// Whether the directives have an `unavailable_after`, so that the verdict changes with time.
bool has_end(std::string_view directives);

/// Judges the path of a file in the folder of a source. `is_built`: the folder is the output of a generator;
/// otherwise it has the generator's sources, where names that begin with `_` are no pages.
Verdict judge_path(std::string_view path, bool is_built);

/// Judges bytes that should be HTML or Markdown: `no_text` for images, PDF files, archives, random data.
Verdict judge_bytes(std::string_view bytes, std::string_view content_type);

/// Reads "true", "no", "1".
std::optional<bool> read_flag(std::string_view value);

}  // namespace sheaf::visibility
