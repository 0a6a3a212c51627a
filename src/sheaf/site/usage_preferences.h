#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// What a publisher allows its content to be used for. The texts are stored and written verbatim, because
/// their vocabularies still change.
struct UsagePreferences {
  std::string content_usage = {};   ///< IETF AI Preferences: "train-ai=n, search=y"
  std::string content_signal = {};  ///< Cloudflare's Content Signals: "search=yes, ai-train=no"
  std::string license = {};         ///< URL of a licence in RSL (Really Simple Licensing)

  [[nodiscard]] bool empty() const {
    return content_usage.empty() && content_signal.empty() && license.empty();
  }
  friend bool operator==(const UsagePreferences&, const UsagePreferences&) = default;
};

/// Returns what is wrong with the preferences, in one sentence; empty if they are valid. Each must be one
/// line of printable ASCII of up to 1,000 bytes without '#', and the licence must be an http or https URL.
std::string find_usage_fault(const UsagePreferences& usage);

/// Returns robots.txt with the preferences added: `Content-Usage` and `Content-Signal` in the group for all
/// crawlers, which is added if there is none, and `License` outside of any group. Lines of the same name in
/// that group are replaced unless they are for a path; every other byte stays.
std::string with_usage_lines(std::string_view robots, const UsagePreferences& usage);

/// The lines of a robots.txt that state preferences for any crawler, verbatim and in order, such as
/// "Content-Usage: /a/ train-ai=n". They follow the names of their crawlers, such as "User-agent: *". At most
/// a hundred lines.
std::vector<std::string> find_usage_lines(std::string_view robots);

}  // namespace sheaf::site
