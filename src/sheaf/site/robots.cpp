#include "sheaf/site/robots.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/hex.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <tuple>

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

namespace {

bool is_letter(char c) { return base::is_letter(c) || c == '-' || c == '_'; }

/// The characters of a product token in RFC 9309, which has no digits.
std::string_view letters_of(std::string_view text) {
  const auto* end = std::ranges::find_if_not(text, is_letter);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// "FooBot/2.1" names FooBot. The RFC allows no digits in names, so a name with a digit matches itself and
/// also the letters before the digit.
bool names(std::string_view line_value, std::string_view agent) {
  return !agent.empty() &&
         (same_letters(product_token(line_value), agent) || same_letters(letters_of(line_value), agent));
}

/// "*", possibly followed by other text.
bool names_everyone(std::string_view line_value) {
  return line_value.starts_with('*') && (line_value.size() == 1 || base::is_blank(line_value[1]));
}

}  // namespace

std::string_view product_token(std::string_view text) noexcept {
  const auto* end = std::ranges::find_if_not(text, [](char c) { return is_letter(c) || base::is_digit(c); });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

RobotsAccess judge_robots_status(int status, unsigned redirects_followed) noexcept {
  constexpr int kNotModified = 304;
  constexpr int kTooManyRequests = 429;
  if (status >= 200 && status < 300) return RobotsAccess::read;
  if (status == kNotModified) return RobotsAccess::keep;
  if (status >= 300 && status < 400)
    return redirects_followed < kRobotsRedirects ? RobotsAccess::follow : RobotsAccess::everything;
  if (status >= 400 && status < 500 && status != kTooManyRequests) return RobotsAccess::everything;
  return RobotsAccess::nothing;
}

RobotsVerdict RobotsRules::judge(const base::Url& url) const {
  std::string path(url.path());
  if (url.has_query()) path.append("?").append(url.query());
  return judge_path(path);
}

RobotsVerdict RobotsRules::judge_path(std::string_view path_and_query) const {
  if (path_and_query == "/robots.txt" || path_and_query.starts_with("/robots.txt?")) return {};
  const RobotsPath path(path_and_query);
  for (const RobotsRule& rule : rules_)
    if (rule.pattern.matches(path)) return {rule.allow, &rule};
  return {};
}

RobotsTxt RobotsTxt::parse(std::string_view bytes, std::size_t limit) {
  return RobotsParser().parse(bytes, limit);
}

bool RobotsTxt::lists_sitemap(const base::Url& sitemap) const {
  return std::ranges::any_of(sitemaps_, [&](const std::string& listed) {
    const auto url = base::Url::parse(listed, &sitemap);
    return url && url->without_fragment() == sitemap.without_fragment();
  });
}

RobotsRules RobotsTxt::rules_for(std::string_view agent) const {
  const std::string_view token = product_token(agent);
  RobotsRules rules;
  std::vector<bool> chosen(groups_.size());
  const auto choose = [&](const auto& is_meant, std::string_view group) {
    for (const Agent& candidate : agents_) {
      if (!is_meant(candidate.name)) continue;
      rules.group_ = std::string(group);
      chosen[candidate.group] = true;
      if (candidate.crawl_delay)
        rules.crawl_delay_ = std::max(rules.crawl_delay_.value_or(0), *candidate.crawl_delay);
    }
  };
  choose([&](std::string_view name) { return names(name, token); }, token);
  if (rules.group_.empty()) choose(names_everyone, "*");
  for (std::size_t i = 0; i < groups_.size(); ++i)
    if (chosen[i]) rules.rules_.insert(rules.rules_.end(), groups_[i].begin(), groups_[i].end());
  std::ranges::sort(rules.rules_, std::ranges::greater(), [](const RobotsRule& rule) {
    return std::tuple(rule.pattern.octets(), rule.allow, ~rule.line);
  });
  return rules;
}

namespace {

// Maximum length of a rule: longer than any URL with every byte escaped.
constexpr std::size_t kLineMax = std::size_t{16} * 1024;
constexpr std::size_t kFindingsMax = 100;

enum class Key : std::uint8_t { user_agent, allow, disallow, crawl_delay, sitemap };

struct Name {
  std::string_view text;
  Key key;
  bool usual = true;
};

// The correct names in the order of Key, then common misspellings.
constexpr std::array kNames = {
    Name{"user-agent", Key::user_agent},
    Name{"allow", Key::allow},
    Name{"disallow", Key::disallow},
    Name{"crawl-delay", Key::crawl_delay},
    Name{"sitemap", Key::sitemap},
    Name{"useragent", Key::user_agent, false},
    Name{"user agent", Key::user_agent, false},
    Name{"dissallow", Key::disallow, false},
    Name{"dissalow", Key::disallow, false},
    Name{"disalow", Key::disallow, false},
    Name{"diasllow", Key::disallow, false},
    Name{"disallaw", Key::disallow, false},
    Name{"site-map", Key::sitemap, false},
    Name{"crawldelay", Key::crawl_delay, false},
};

const Name* find_name(std::string_view text) {
  const auto* found =
      std::ranges::find_if(kNames, [&](const Name& name) { return same_letters(name.text, text); });
  return found == kNames.end() ? nullptr : found;
}

struct Record {
  std::string_view key;
  std::string_view value;
  bool has_colon = true;
};

/// Splits "key: value". Without a colon, accepts "key value" if there is nothing else on the line.
std::optional<Record> split_record(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos)
    return Record{base::trim_xml_space(line.substr(0, colon)), base::trim_xml_space(line.substr(colon + 1))};
  const auto* blank = std::ranges::find_if(line, base::is_blank);
  const std::string_view key = line.substr(0, static_cast<std::size_t>(blank - line.begin()));
  const std::string_view value = base::trim_xml_space(line.substr(key.size()));
  if (value.empty() || std::ranges::any_of(value, base::is_blank)) return std::nullopt;
  return Record{key, value, false};
}

}  // namespace

RobotsTxt RobotsParser::parse(std::string_view bytes, std::size_t limit) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  robots_.truncated_ = bytes.size() > limit;
  bytes = bytes.substr(0, limit);
  while (!bytes.empty()) {
    ++line_;
    const std::size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos) {
      if (!robots_.truncated_) take_line(bytes);
      break;
    }
    take_line(bytes.substr(0, end));
    bytes.remove_prefix(bytes.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
  line_ = 0;
  if (robots_.truncated_) note(fmt::format("the file is longer than {} bytes; the rest is ignored", limit));
  return std::move(robots_);
}

void RobotsParser::note(std::string message) {
  if (robots_.findings_.size() < kFindingsMax) robots_.findings_.push_back({line_, std::move(message)});
}

void RobotsParser::take_line(std::string_view line) {
  if (line.size() > kLineMax) {
    note(fmt::format("the line is longer than {} bytes; it was skipped", kLineMax));
    return;
  }
  line = base::trim_xml_space(line.substr(0, line.find('#')));
  if (line.empty()) return;
  const auto record = split_record(line);
  const Name* name = record ? find_name(record->key) : nullptr;
  if (name == nullptr) {
    // Unknown records (Host, Clean-param ...) are not errors and do not end a group.
    if (!record || !record->has_colon) note(fmt::format("{} is not a record; it was skipped", quote(line)));
    return;
  }
  if (!name->usual || !record->has_colon)
    note(fmt::format("{} was read as {}: {}", quote(line), kNames[static_cast<std::size_t>(name->key)].text,
                     record->value));
  switch (name->key) {
    case Key::user_agent: take_agent(record->value); return;
    case Key::allow: take_rule(true, record->value); return;
    case Key::disallow: take_rule(false, record->value); return;
    case Key::crawl_delay: take_crawl_delay(record->value); return;
    case Key::sitemap:
      if (!record->value.empty()) robots_.sitemaps_.emplace_back(record->value);
      return;
  }
}

void RobotsParser::take_agent(std::string_view value) {
  if (!in_agents_) {
    robots_.groups_.emplace_back();
    first_agent_ = robots_.agents_.size();
  }
  in_agents_ = true;
  robots_.agents_.push_back({std::string(value), robots_.groups_.size() - 1, std::nullopt});
}

void RobotsParser::take_rule(bool allow, std::string_view value) {
  if (robots_.groups_.empty()) {
    note("a rule before any user-agent line applies to no crawler; it was skipped");
    return;
  }
  in_agents_ = false;
  if (value.empty()) return;  // allows, or disallows, nothing
  if (value.front() != '/' && value.front() != '*')
    note(fmt::format("{} begins with neither / nor *, so no URL can match it", quote(value)));
  robots_.groups_.back().push_back({allow, std::string(value), RobotsPattern(value), line_});
}

/// A Crawl-delay applies to the names above it. Unlike a rule, it does not end the group's list of names:
/// records that the RFC does not define must not change the meaning of records that it defines.
void RobotsParser::take_crawl_delay(std::string_view value) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(seconds) || seconds < 0) {
    note(fmt::format("Crawl-delay {} is not a number of seconds; it was skipped", quote(value)));
    return;
  }
  for (std::size_t i = first_agent_; i < robots_.agents_.size(); ++i) {
    std::optional<double>& delay = robots_.agents_[i].crawl_delay;
    delay = std::max(delay.value_or(0), seconds);
  }
}

}  // namespace sheaf::site
