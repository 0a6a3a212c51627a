#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::site {

/// What a publisher allows its content to be used for. The texts are written and kept as they are: their
/// vocabularies still change.
struct UsagePreferences {
  std::string content_usage = {};   ///< IETF AI Preferences: "train-ai=n, search=y"
  std::string content_signal = {};  ///< Cloudflare's Content Signals: "search=yes, ai-train=no"
  std::string license = {};         ///< URL of a licence in RSL (Really Simple Licensing)

  [[nodiscard]] bool empty() const {
    return content_usage.empty() && content_signal.empty() && license.empty();
  }
  friend bool operator==(const UsagePreferences&, const UsagePreferences&) = default;
};

/// What is wrong with the preferences, one sentence; empty if nothing: each is one line of printable ASCII of
/// up to 1,000 bytes without '#', and the licence is an http or https URL.
std::string find_usage_fault(const UsagePreferences& usage);

/// The header fields that state them with each file: Content-Usage, and Link with rel="license". Content
/// Signals exist in robots.txt only.
std::vector<std::pair<std::string, std::string>> usage_headers(const UsagePreferences& usage);

/// robots.txt with the preferences in it: `Content-Usage` and `Content-Signal` in the group of all crawlers,
/// which is added if there is none, and `License` for everybody. Such lines of that group are replaced; every
/// other byte stays.
std::string with_usage_lines(std::string_view robots, const UsagePreferences& usage);

/// The lines of a robots.txt that state preferences, for any crawler, verbatim and in order: "Content-Usage:
/// /a/ train-ai=n". At most a hundred; each follows the names of the crawlers it is for: "User-agent: *".
std::vector<std::string> find_usage_lines(std::string_view robots);

}  // namespace sheaf::site
