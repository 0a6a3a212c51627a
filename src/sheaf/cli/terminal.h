#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::cli {

enum class Colour : std::uint8_t { red, yellow, green, bold, dim };

/// The text in colour where standard output is a terminal that wants it (NO_COLOR and TERM=dumb are heeded).
std::string coloured(Colour colour, std::string_view text);

/// A string from outside made safe for a terminal: control characters become '?', line feeds and tabs stay or
/// become spaces.
enum class Lines : std::uint8_t { keep, join };
std::string printable(std::string_view text, Lines lines);

/// "12.3 MiB", "845 bytes".
std::string human_size(std::uint64_t bytes);

/// "1,234,567".
std::string human_count(std::uint64_t count);

/// "1 page", "3 pages".
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

/// A line on standard error that tells how far a long job is. Only on a terminal, and only once a second has
/// passed.
class Progress {
 public:
  Progress(std::string_view label, std::optional<std::uint64_t> total_bytes);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// How much is left is told by the bytes where their total is known, else by `expected_pages` unless that
  /// is 0.
  void update(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected_pages = 0);
  /// Takes the line away, for what is printed next.
  void clear();

 private:
  std::string label_;
  std::optional<std::uint64_t> total_;
  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
};

/// Prints "sheaf: MESSAGE" on standard error, made safe for a terminal.
void complain(std::string_view message);

}  // namespace sheaf::cli
