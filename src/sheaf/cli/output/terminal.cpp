#include "sheaf/cli/output/terminal.h"

#include "sheaf/base/code_points.h"
#include "sheaf/format/json/json_text.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sheaf::cli {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

std::atomic<bool> progress_is_shown = false;  // there is one terminal

/// Writes to standard error, which may be closed or full: losing a message is no reason to stop.
void write_diagnostic(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void show(std::string_view progress) {
  write_diagnostic(fmt::format("\r\x1b[K{}", progress));
  progress_is_shown = true;
}

bool detect_colour() {
  if (isatty(STDOUT_FILENO) == 0) return false;
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool wants_colour() {
  static const bool kWanted = detect_colour();
  return kWanted;
}

constexpr std::array<std::string_view, 5> kColours = {"\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[1m",
                                                      "\x1b[2m"};
constexpr std::string_view kColourEnd = "\x1b[0m";

/// If the text begins with a sequence that `coloured` writes, returns its length; else 0.
std::size_t own_colour_at_front(std::string_view text) {
  if (text.starts_with(kColourEnd)) return kColourEnd.size();
  const auto* found = std::ranges::find_if(kColours, [&](auto colour) { return text.starts_with(colour); });
  return found == kColours.end() ? 0 : found->size();
}

/// Returns the position of the first such sequence, or the size of the text.
std::size_t find_own_colour(std::string_view text) {
  std::size_t at = text.find('\x1b');
  while (at != std::string_view::npos && own_colour_at_front(text.substr(at)) == 0)
    at = text.find('\x1b', at + 1);
  return std::min(at, text.size());
}

bool is_ascii_text(char c) { return c >= 0x20 && c < 0x7f; }

/// Whether a code point has to be replaced before it is printed.
bool is_unsafe(char32_t c, Lines lines) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;
  return lines == Lines::join ? base::is_bidi_control(c) || base::is_bidi_mark(c) : base::is_bidi_control(c);
}

void append_printable(std::string& out, std::string_view text, Lines lines) {
  while (!text.empty()) {
    const auto* plain = std::ranges::find_if_not(text, is_ascii_text);
    const auto length = static_cast<std::size_t>(plain - text.begin());
    out += text.substr(0, length);
    text.remove_prefix(length);
    if (text.empty()) return;
    if (text.front() == '\n' || text.front() == '\t') {
      out += lines == Lines::keep ? text.front() : ' ';
      text.remove_prefix(1);
      continue;
    }
    const std::string_view before = text;
    const char32_t c = base::take_code_point(text);
    const std::string_view taken = before.substr(0, before.size() - text.size());
    const bool is_broken = c == base::kReplacementCharacter && taken != "\xef\xbf\xbd";
    if (is_broken || is_unsafe(c, lines)) {
      out += '?';
    } else {
      out += taken;
    }
  }
}

}  // namespace

std::string coloured(Colour colour, std::string_view text) {
  if (!wants_colour()) return std::string(text);
  return fmt::format("{}{}{}", kColours[static_cast<std::size_t>(colour)], text, kColourEnd);
}

std::string printable(std::string_view text, Lines lines) {
  std::string out;
  out.reserve(text.size());
  append_printable(out, text, lines);
  return out;
}

void write_text(std::FILE* out, std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = wants_colour() ? find_own_colour(text) : text.size();
    append_printable(safe, text.substr(0, plain), Lines::keep);
    text.remove_prefix(plain);
    const std::size_t colour = own_colour_at_front(text);
    safe += text.substr(0, colour);
    text.remove_prefix(colour);
  }
  Progress::clear();
  if (out == stderr) return write_diagnostic(safe);
  fmt::print(out, "{}", safe);
}

void write_json(std::string_view json) {
  std::string visible;
  visible.reserve(json.size());
  format::append_visible_json(visible, json);
  Progress::clear();
  fmt::print("{}", visible);
}

void print_json_line(std::string_view json) { write_json(std::string(json) + '\n'); }

Progress::Progress(std::string_view label, std::optional<std::uint64_t> total_bytes)
    : label_(printable(label, Lines::join)),
      total_(total_bytes),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      start_(steady_clock::now()),
      next_(start_ + seconds(1)) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (progress_is_shown.exchange(false)) write_diagnostic("\r\x1b[K");
}

bool Progress::is_due() {
  if (!on_terminal_) return false;
  const auto now = steady_clock::now();
  if (now < next_) return false;
  next_ = now + milliseconds(200);
  return true;
}

std::string Progress::remaining(std::uint64_t done, std::uint64_t total) const {
  if (total == 0 || done > total) return {};
  const double elapsed = duration<double>(steady_clock::now() - start_).count();
  std::string text =
      fmt::format(", {:.0f}%", std::floor(static_cast<double>(done) * 100 / static_cast<double>(total)));
  if (done == 0) return text;
  const double left = elapsed * static_cast<double>(total - done) / static_cast<double>(done);
  return text +
         (left < 120 ? fmt::format(", {:.0f} s left", left) : fmt::format(", {:.0f} min left", left / 60));
}

void Progress::update(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected_pages) {
  if (!is_due()) return;
  const double elapsed = duration<double>(steady_clock::now() - start_).count();
  const double rate = static_cast<double>(bytes) / std::max(elapsed, 0.001);
  show(fmt::format("{}: {}, {}/s{}", label_, counted(pages, "page", "pages"),
                   human_size(static_cast<std::uint64_t>(rate)),
                   total_ ? remaining(bytes, *total_) : remaining(pages, expected_pages)));
}

void Progress::update_stage(std::string_view label, std::uint64_t done, std::uint64_t total, Unit unit) {
  if (const std::string safe = printable(label, Lines::join); safe != label_) {
    label_ = safe;
    start_ = steady_clock::now();
  }
  if (!is_due()) return;
  if (done == 0 && total == 0) {
    show(fmt::format("{}: {:.0f} s", label_, duration<double>(steady_clock::now() - start_).count()));
    return;
  }
  const bool is_bytes = unit == Unit::bytes;
  const std::string whole = is_bytes ? human_size(total) : counted(total, "page", "pages");
  const std::string part = is_bytes     ? human_size(done)
                           : total == 0 ? counted(done, "page", "pages")
                                        : human_count(done);
  show(fmt::format("{}: {}{}{}", label_, part, total == 0 ? "" : " of " + whole, remaining(done, total)));
}

void print_message(std::string_view message) {
  Progress::clear();
  write_diagnostic(fmt::format("sheaf: {}\n", printable(message, Lines::join)));
}

void print_out_of_memory() {
  std::fputs("sheaf: not enough memory: free some, or use fewer --threads\n", stderr);
}

}  // namespace sheaf::cli
