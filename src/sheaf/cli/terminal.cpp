#include "sheaf/cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sheaf::cli {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

bool wants_colour() {
  if (isatty(STDOUT_FILENO) == 0) return false;
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

std::string coloured(Colour colour, std::string_view text) {
  static const bool kWanted = wants_colour();
  if (!kWanted) return std::string(text);
  constexpr std::array<std::string_view, 5> kCodes = {"31", "33", "32", "1", "2"};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(colour)], text);
}

std::string printable(std::string_view text, Lines lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n' || c == '\t') {
      out += lines == Lines::keep ? static_cast<char>(c) : ' ';
    } else if (c < 0x20 || c == 0x7f) {
      out += '?';
    } else if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) {
      out += '?';  // U+0080 to U+009F: control characters too, some of them start terminal sequences
      ++i;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out;
}

std::string human_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string human_count(std::uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", human_count(count), count == 1 ? singular : plural);
}

Progress::Progress(std::string_view label, std::optional<std::uint64_t> total_bytes)
    : label_(printable(label, Lines::join)),
      total_(total_bytes),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      start_(steady_clock::now()),
      next_(start_ + seconds(1)) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (std::exchange(shown_, false)) fmt::print(stderr, "\r\x1b[K");
}

void Progress::update(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected_pages) {
  if (!on_terminal_) return;
  const auto now = steady_clock::now();
  if (now < next_) return;
  next_ = now + milliseconds(200);
  const double elapsed = duration<double>(now - start_).count();
  const double rate = static_cast<double>(bytes) / elapsed;
  std::string line = fmt::format("{}: {}, {}/s", label_, counted(pages, "page", "pages"),
                                 human_size(static_cast<std::uint64_t>(rate)));
  const std::uint64_t done = total_ ? bytes : pages;
  const std::uint64_t whole = total_.value_or(expected_pages);
  if (whole > 0 && done > 0 && done <= whole) {
    const double left = elapsed * static_cast<double>(whole - done) / static_cast<double>(done);
    line += fmt::format(", {}%, {:.0f} s left", done * 100 / whole, left);
  }
  fmt::print(stderr, "\r\x1b[K{}", line);
  std::fflush(stderr);
  shown_ = true;
}

void complain(std::string_view message) {
  fmt::print(stderr, "sheaf: {}\n", printable(message, Lines::join));
}

}  // namespace sheaf::cli
