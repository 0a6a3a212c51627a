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

// Everything that sheaf prints goes through this file. Text and names come from sites, files and archives
// that nobody vouches for; in them, control characters could move the cursor, set the title of the window or
// hide what was printed before, and bidirectional overrides could make one URL look like another. So the
// printing functions replace both, whatever a command hands them; a test looks for commands that print past
// them.
namespace sheaf::cli {

enum class Colour : std::uint8_t { red, yellow, green, bold, dim };

/// The text in colour where standard output is a terminal that wants it (NO_COLOR and TERM=dumb are heeded).
std::string coloured(Colour colour, std::string_view text);

/// A string from outside made safe for a terminal: control characters (C0, DEL, C1), bytes that are not UTF-8
/// and bidirectional embeddings, overrides and isolates become '?'. `join` is for names that stand within a
/// line: line feeds and tabs become spaces, and the bidirectional marks become '?' too. `keep` is for
/// content, in which line feeds and tabs stay, and the marks, which ordinary Arabic and Hebrew text uses.
enum class Lines : std::uint8_t { keep, join };
std::string printable(std::string_view text, Lines lines);

/// Prints text for people: printable(text, Lines::keep), except that the colours of `coloured` stay.
void write_text(std::FILE* out, std::string_view text);

/// The same on standard output, formatted. Single values from outside still need printable(.., Lines::join),
/// or they could add lines of their own.
template <class... Values>
void print_text(fmt::format_string<Values...> format, Values&&... values) {
  write_text(stdout, fmt::format(format, std::forward<Values>(values)...));
}

/// Prints JSON text, in whole characters, on standard output. Characters that printable() would replace are
/// written as \u00XX escapes, which leaves the value as it is.
void write_json(std::string_view json);
/// A JSON value on a line.
void print_json_line(std::string_view json);

using base::counted;
using base::human_count;
using base::human_size;

/// A line on standard error that tells how far a long job is. Only on a terminal, and only once a second has
/// passed. It is erased when the job is done, and before anything else is printed. One thread at a time.
class Progress {
 public:
  Progress(std::string_view label, std::optional<std::uint64_t> total_bytes);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// How much is left is told by the bytes where their total is known, else by `expected_pages` unless that
  /// is 0.
  void update(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected_pages = 0);

  /// For a job of several stages: "pack: 1.2 GiB of 3.4 GiB, 35%, 40 s left". With a new label another stage
  /// begins. A total of 0 is not known; a stage of which nothing is known shows its time.
  enum class Unit : std::uint8_t { bytes, pages };
  void update_stage(std::string_view label, std::uint64_t done, std::uint64_t total, Unit unit);

  /// Takes the line away, for what is printed next.
  static void clear();

 private:
  [[nodiscard]] bool is_due();
  /// ", 35%, 40 s left", where that can be said.
  [[nodiscard]] std::string remaining(std::uint64_t done, std::uint64_t total) const;

  std::string label_;
  std::optional<std::uint64_t> total_;
  bool on_terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
};

/// Prints "sheaf: MESSAGE" on standard error, made safe for a terminal.
void complain(std::string_view message);

}  // namespace sheaf::cli
