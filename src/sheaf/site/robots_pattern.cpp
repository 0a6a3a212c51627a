#include "sheaf/site/robots_pattern.h"

#include "sheaf/base/hex.h"

#include <algorithm>
#include <cstdint>

namespace sheaf::site {
namespace {

enum class Spelling : std::uint8_t { literal, relaxed };

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

bool is_reserved(char c) { return std::string_view(":/?#[]@!$&'()*+,;=").find(c) != std::string_view::npos; }

/// Normalises a path piece by piece. It tracks whether the query has begun.
class Speller {
 public:
  explicit Speller(Spelling spelling) : spelling_(spelling) {}

  void write(std::string_view text, std::string& out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '%' && i + 2 < text.size() && base::hex_value(text[i + 1]) >= 0 &&
          base::hex_value(text[i + 2]) >= 0) {
        const int byte = base::hex_value(text[i + 1]) * 16 + base::hex_value(text[i + 2]);
        write_escaped(static_cast<char>(byte), out);
        i += 2;
        continue;
      }
      if (c == '?') in_query_ = true;
      if (is_unreserved(c) || is_reserved(c)) {
        out += c;
      } else {
        append_escape(c, out);
      }
    }
  }

 private:
  void write_escaped(char c, std::string& out) const {
    if (is_unreserved(c) || (spelling_ == Spelling::relaxed && is_reserved(c) && !divides(c))) {
      out += c;
    } else {
      append_escape(c, out);
    }
  }

  [[nodiscard]] bool divides(char c) const {
    if (c == '#') return true;
    return in_query_ ? c == '&' || c == '=' || c == '+' : c == '/' || c == '?';
  }

  static void append_escape(char c, std::string& out) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15U];
  }

  Spelling spelling_;
  bool in_query_ = false;
};

std::string spell(std::string_view text, Spelling spelling) {
  std::string out;
  out.reserve(text.size());
  Speller(spelling).write(text, out);
  return out;
}

std::vector<std::string> spell_parts(std::string_view pattern, Spelling spelling) {
  std::vector<std::string> parts;
  Speller speller(spelling);
  while (true) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    parts.emplace_back();
    speller.write(pattern.substr(0, star), parts.back());
    if (star == pattern.size()) return parts;
    pattern.remove_prefix(star + 1);
  }
}

}  // namespace

RobotsPath::RobotsPath(std::string_view path_and_query)
    : literal(spell(path_and_query, Spelling::literal)), relaxed(spell(path_and_query, Spelling::relaxed)) {}

RobotsPattern::RobotsPattern(std::string_view text) {
  anchored_ = text.ends_with('$');
  if (anchored_) text.remove_suffix(1);
  literal_ = spell_parts(text, Spelling::literal);
  relaxed_ = spell_parts(text, Spelling::relaxed);
  octets_ = literal_.size() - 1 + (anchored_ ? 1 : 0);
  for (const std::string& part : literal_) octets_ += part.size();
  if (relaxed_ == literal_) relaxed_.clear();
}

bool RobotsPattern::matches(const RobotsPath& path) const {
  if (match(literal_, path.literal)) return true;
  if (relaxed_.empty() && path.relaxed == path.literal) return false;
  return match(relaxed_.empty() ? literal_ : relaxed_, path.relaxed);
}

/// Greedy: each part is matched at its first occurrence. If the rest matches after a later occurrence, it
/// also matches after the first, so there is no backtracking.
bool RobotsPattern::match(const Parts& parts, std::string_view path) const {
  if (!path.starts_with(parts.front())) return false;
  std::size_t at = parts.front().size();
  if (parts.size() == 1) return !anchored_ || at == path.size();
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    const std::size_t found = path.find(parts[i], at);
    if (found == std::string_view::npos) return false;
    at = found + parts[i].size();
  }
  const std::string_view rest = path.substr(at);
  return anchored_ ? rest.ends_with(parts.back()) : rest.find(parts.back()) != std::string_view::npos;
}

}  // namespace sheaf::site
