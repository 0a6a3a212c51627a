#include "sheaf/site/robots_parser.h"

#include "sheaf/base/ascii.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace sheaf::site {
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
