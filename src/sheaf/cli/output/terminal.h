#pragma once

#include "sheaf/base/counted_text.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::cli {

/// 0 yes, 1 no (invalid, refused), 2 could not tell (wrong usage, or reading or writing failed).
enum class ExitStatus : int { yes = 0, no = 1, unknown = 2 };

}  // namespace sheaf::cli

// Everything that sheaf prints goes through this file. Text and names come from untrusted sites and files:
// control characters in them could move the cursor, set the window title or hide earlier output, and
// bidirectional overrides could make one URL look like another. So the printing functions replace both in
// everything that they print. Escaping in each command instead would be forgotten somewhere; a test fails if
// a command prints in another way.
namespace sheaf::cli {

enum class Colour : std::uint8_t { red, yellow, green, bold, dim };

/// The text in colour if standard output is a terminal with colours (NO_COLOR and TERM=dumb are respected).
std::string coloured(Colour colour, std::string_view text);

/// Makes an untrusted string safe for a terminal: control characters (C0, DEL, C1), bytes that are not UTF-8
/// and bidirectional embeddings, overrides and isolates become '?'. `join` is for names within a line: line
/// feeds and tabs become spaces, and bidirectional marks become '?'. `keep` is for content: line feeds, tabs
/// and marks stay; ordinary Arabic and Hebrew text uses marks.
enum class Lines : std::uint8_t { keep, join };
std::string printable(std::string_view text, Lines lines);

/// Prints text for people: printable(text, Lines::keep), except that the colours of `coloured` stay. Throws
/// std::system_error if standard output cannot be written; text for standard error is then lost.
void write_text(std::FILE* out, std::string_view text);

/// Formats and prints text for people on standard output. Single untrusted values still need printable(..,
/// Lines::join); otherwise they could add lines.
template <class... Values>
void print_text(fmt::format_string<Values...> format, Values&&... values) {
  write_text(stdout, fmt::format(format, std::forward<Values>(values)...));
}

/// Prints JSON text on standard output; it must not end within a character. Characters that printable() would
/// replace are written as \u00XX escapes, which leaves the values unchanged.
void write_json(std::string_view json);
/// Prints a JSON value on one line.
void print_json_line(std::string_view json);

using base::counted;
using base::human_count;
using base::human_size;

/// A progress line on standard error for a long job. Shown only on a terminal, and only after the first
/// second. It is erased when the job is done, and before anything else is printed. Not thread-safe.
class Progress {
 public:
  Progress(std::string_view label, std::optional<std::uint64_t> total_bytes);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The remaining time is estimated from the bytes if their total is known, else from `expected_pages`
  /// unless it is 0.
  void update(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected_pages = 0);

  /// For a job of several stages: "pack: 1.2 GiB of 3.4 GiB, 35%, 40 s left". A new label begins another
  /// stage. A total of 0 means unknown; then the elapsed time is shown.
  enum class Unit : std::uint8_t { bytes, pages };
  void update_stage(std::string_view label, std::uint64_t done, std::uint64_t total, Unit unit);

  /// Erases the line before other output.
  static void clear();

 private:
  [[nodiscard]] bool is_due();
  /// ", 35%, 40 s left"; empty if unknown.
  [[nodiscard]] std::string remaining(std::uint64_t done, std::uint64_t total) const;

  std::string label_;
  std::optional<std::uint64_t> total_;
  bool on_terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
};

/// Prints "sheaf: MESSAGE" on standard error, made safe for a terminal. A message that cannot be written is
/// lost.
void print_message(std::string_view message);

/// Says that memory ran out, without allocating any.
void print_out_of_memory();

}  // namespace sheaf::cli
