#include "sheaf/base/url.h"

// The URL Standard's basic URL parser for http and https, with one function for each group of its states. It
// fails for other schemes, so the rules for files, opaque paths and non-special schemes are missing. The
// result is written directly into href.
#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/base/url_host.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace sheaf::base {
namespace {

enum Mark : std::uint8_t { plain, refused, authority_end, at_sign, colon };

constexpr auto make_mark_table() {
  std::array<Mark, 256> table{};
  for (std::size_t c = 0; c <= 0x20; ++c) table[c] = refused;
  table[0x7F] = refused;
  table['\\'] = refused;
  table['/'] = authority_end;
  table['?'] = authority_end;
  table['#'] = authority_end;
  table['@'] = at_sign;
  table[':'] = colon;
  return table;
}

constexpr auto kMarks = make_mark_table();

Mark mark_of(char c) noexcept { return kMarks[static_cast<unsigned char>(c)]; }

// The length of a leading "http://" or "https://"; 0 for anything else. Setting bit 5 converts letters to
// lower case and turns no other character into one of "htps".
std::size_t measure_prefix(std::string_view url) noexcept {
  constexpr std::string_view kHttp = "http";
  if (url.size() < 7) return 0;
  for (std::size_t i = 0; i < kHttp.size(); ++i) {
    if ((url[i] | 0x20) != kHttp[i]) return 0;
  }
  const std::size_t colon_at = (url[4] | 0x20) == 's' ? 5 : 4;
  return url.substr(colon_at, 3) == "://" ? colon_at + 3 : 0;
}

bool is_port(std::string_view text) noexcept {
  unsigned value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > 65535) return false;
  }
  return true;
}

bool is_bracketed_host(std::string_view host) noexcept {
  const std::size_t close = host.find(']');
  if (close == std::string_view::npos || !parse_ipv6(host.substr(1, close - 1))) return false;
  const std::string_view rest = host.substr(close + 1);
  return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
}

}  // namespace

bool is_http_url(std::string_view url) noexcept {
  const std::size_t start = measure_prefix(url);
  if (start == 0) return false;
  std::size_t host = start;
  std::size_t port_colon = 0;  // the first colon of the host, 0 for none
  std::size_t i = start;
  for (; i < url.size(); ++i) {
    const Mark mark = mark_of(url[i]);
    if (mark == plain) continue;
    if (mark == refused) return false;
    if (mark == authority_end) break;
    if (mark == at_sign) {
      host = i + 1;
      port_colon = 0;
    } else if (port_colon == 0) {
      port_colon = i;
    }
  }
  if (i == host || port_colon == host) return false;
  if (url[host] == '[') {
    if (!is_bracketed_host(url.substr(host, i - host))) return false;
  } else if (port_colon != 0 && !is_port(url.substr(port_colon + 1, i - port_colon - 1))) {
    return false;
  }
  // No early exit: invalid URLs are rare, and without it the loop is one load and one compare per byte.
  bool is_refused = false;
  for (; i < url.size(); ++i) is_refused |= mark_of(url[i]) == refused;
  return !is_refused;
}

std::string Url::origin() const {
  std::string out;
  const std::string_view host_and_port = part(host_start_, path_start_);
  out.reserve(scheme_end_ + 3 + host_and_port.size());
  return out.append(scheme()).append("://").append(host_and_port);
}

Url Url::without_fragment() const {
  Url copy;
  copy.href_.assign(href_, 0, fragment_start_);
  copy.scheme_end_ = scheme_end_;
  copy.username_end_ = username_end_;
  copy.host_start_ = host_start_;
  copy.host_end_ = host_end_;
  copy.path_start_ = path_start_;
  copy.query_start_ = query_start_;
  copy.fragment_start_ = fragment_start_;
  copy.port_ = port_;
  return copy;
}

namespace {

// Offsets have 32 bits, and one byte of input can become nine bytes ("%EF%BF%BD").
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

bool is_slash(char c) noexcept { return c == '/' || c == '\\'; }

// The characters that end the authority and each path segment, as a table because find_first_of() is slow.
constexpr auto make_delimiter_table() {
  std::array<bool, 256> table{};
  table['/'] = table['\\'] = table['?'] = table['#'] = true;
  return table;
}

constexpr auto kDelimiters = make_delimiter_table();

bool is_tab_or_newline(char c) noexcept { return c == '\t' || c == '\n' || c == '\r'; }

bool is_scheme_character(char c) noexcept { return is_alphanumeric(c) || c == '+' || c == '-' || c == '.'; }

bool equals_ignoring_case(std::string_view text, std::string_view lower) noexcept {
  return std::ranges::equal(text, lower, [](char a, char b) { return lower_ascii(a) == b; });
}

// Returns 1 or 2 if a path segment is "." or ".." ("%2e" counts as a dot), else 0.
int count_dots(std::string_view segment) noexcept {
  int dots = 0;
  while (!segment.empty()) {
    if (segment.front() == '.') {
      segment.remove_prefix(1);
    } else if (segment.size() >= 3 && equals_ignoring_case(segment.substr(0, 3), "%2e")) {
      segment.remove_prefix(3);
    } else {
      return 0;
    }
    if (++dots > 2) return 0;
  }
  return dots;
}

}  // namespace

class UrlParser {
 public:
  UrlParser(std::string_view input, const Url* base) : rest_(input), base_(base) {}

  std::optional<Url> run() {
    if (!parse_start()) return std::nullopt;
    parse_query();
    parse_fragment();
    if (url_.href_.size() > kMaxBytes) return std::nullopt;
    return std::move(url_);
  }

 private:
  std::uint32_t here() const noexcept { return static_cast<std::uint32_t>(url_.href_.size()); }

  // "scheme start" to "special authority slashes": everything up to and including the path.
  bool parse_start() {
    const std::optional<std::string_view> scheme = take_scheme();
    if (!scheme) return base_ != nullptr && parse_relative();
    const bool is_https = equals_ignoring_case(*scheme, "https");
    if (!is_https && !equals_ignoring_case(*scheme, "http")) return false;
    const std::string_view name = is_https ? "https" : "http";
    // "https:page" is relative to an https base. The standard requires exactly two slashes here, not
    // backslashes.
    if (base_ != nullptr && base_->scheme() == name && !rest_.starts_with("//")) return parse_relative();
    return parse_authority(name);
  }

  // Takes a scheme and its colon. Returns nullopt, without consuming input, if there is none.
  std::optional<std::string_view> take_scheme() noexcept {
    if (rest_.empty() || !is_letter(rest_.front())) return std::nullopt;
    const auto end = std::ranges::find_if_not(rest_, is_scheme_character);
    if (end == rest_.end() || *end != ':') return std::nullopt;
    const std::string_view scheme = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(scheme.size() + 1);
    return scheme;
  }

  std::string_view take_to_delimiter() noexcept {
    std::size_t end = 0;
    while (end < rest_.size() && !kDelimiters[static_cast<unsigned char>(rest_[end])]) ++end;
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return taken;
  }

  // "relative" and "relative slash".
  bool parse_relative() {
    if (!rest_.empty() && is_slash(rest_.front())) {
      if (rest_.size() > 1 && is_slash(rest_[1])) return parse_authority(base_->scheme());
      copy_from_base(base_->path_start_);
      parse_path();
      return true;
    }
    if (rest_.empty() || rest_.front() == '#') {
      copy_from_base(base_->fragment_start_);
    } else if (rest_.front() == '?') {
      copy_from_base(base_->query_start_);
    } else {
      copy_from_base(base_->query_start_);
      remove_last_segment();
      parse_path();
    }
    return true;
  }

  void copy_from_base(std::uint32_t end) {
    url_.href_.reserve(end + rest_.size() + 1);
    url_.href_.assign(base_->href_, 0, end);
    url_.scheme_end_ = base_->scheme_end_;
    url_.username_end_ = base_->username_end_;
    url_.host_start_ = base_->host_start_;
    url_.host_end_ = base_->host_end_;
    url_.path_start_ = base_->path_start_;
    url_.port_ = base_->port_;
    url_.query_start_ = std::min(base_->query_start_, end);
  }

  // "special authority ignore slashes" to "port", and the path after it.
  bool parse_authority(std::string_view scheme) {
    // One extra byte for the slash of an empty path.
    url_.href_.reserve(scheme.size() + 3 + rest_.size() + 1);
    url_.href_.append(scheme);
    url_.scheme_end_ = here();
    url_.href_.append("://");
    while (!rest_.empty() && is_slash(rest_.front())) rest_.remove_prefix(1);
    std::string_view authority = take_to_delimiter();

    url_.username_end_ = here();
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
      append_credentials(authority.substr(0, at));
      authority.remove_prefix(at + 1);
    }
    url_.host_start_ = here();
    if (!append_host_and_port(authority)) return false;
    url_.path_start_ = here();
    parse_path();
    return true;
  }

  void append_credentials(std::string_view userinfo) {
    const std::size_t colon = userinfo.find(':');
    append_percent_encoded(url_.href_, userinfo.substr(0, colon), EncodeSet::userinfo);
    url_.username_end_ = here();
    if (colon != std::string_view::npos && colon + 1 < userinfo.size()) {
      url_.href_.push_back(':');
      append_percent_encoded(url_.href_, userinfo.substr(colon + 1), EncodeSet::userinfo);
    }
    if (here() > url_.scheme_end_ + 3) url_.href_.push_back('@');
  }

  bool append_host_and_port(std::string_view text) {
    const std::size_t colon = find_port_colon(text);
    if (!append_host(url_.href_, text.substr(0, colon))) return false;
    url_.host_end_ = here();
    return colon == std::string_view::npos || append_port(text.substr(colon + 1));
  }

  static std::size_t find_port_colon(std::string_view text) noexcept {
    bool in_brackets = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '[') in_brackets = true;
      if (text[i] == ']') in_brackets = false;
      if (text[i] == ':' && !in_brackets) return i;
    }
    return std::string_view::npos;
  }

  bool append_port(std::string_view digits) {
    constexpr std::uint32_t kMaxPort = std::numeric_limits<std::uint16_t>::max();
    std::uint32_t port = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return false;
      port = port * 10 + static_cast<std::uint32_t>(c - '0');
      if (port > kMaxPort) return false;
    }
    const std::uint32_t default_port = url_.scheme() == "https" ? 443 : 80;
    if (digits.empty() || port == default_port) return true;
    url_.port_ = static_cast<std::uint16_t>(port);
    url_.href_.push_back(':');
    url_.href_.append(std::to_string(port));
    return true;
  }

  // "path start" and "path": from the slash (or the first character, if there is no slash) to '?', '#' or the
  // end.
  void parse_path() {
    if (!rest_.empty() && is_slash(rest_.front())) rest_.remove_prefix(1);
    for (;;) {
      const std::string_view segment = take_to_delimiter();
      const bool is_last = rest_.empty() || !is_slash(rest_.front());
      append_segment(segment, is_last);
      if (is_last) break;
      rest_.remove_prefix(1);
    }
    url_.query_start_ = here();
  }

  void append_segment(std::string_view segment, bool is_last) {
    const int dots = count_dots(segment);
    if (dots == 0) {
      url_.href_.push_back('/');
      append_percent_encoded(url_.href_, segment, EncodeSet::path);
      return;
    }
    if (dots == 2) remove_last_segment();
    if (is_last) url_.href_.push_back('/');
  }

  void remove_last_segment() {
    if (here() > url_.path_start_) url_.href_.resize(url_.href_.rfind('/'));
  }

  void parse_query() {
    if (rest_.starts_with('?')) {
      const std::string_view query = rest_.substr(1, rest_.find('#') - 1);
      url_.href_.push_back('?');
      append_percent_encoded(url_.href_, query, EncodeSet::query);
      rest_.remove_prefix(1 + query.size());
    }
    url_.fragment_start_ = here();
  }

  void parse_fragment() {
    if (rest_.empty()) return;
    url_.href_.push_back('#');
    append_percent_encoded(url_.href_, rest_.substr(1), EncodeSet::fragment);
  }

  Url url_;
  std::string_view rest_;
  const Url* base_;
};

std::optional<Url> Url::parse(std::string_view input, const Url* base) {
  if (input.size() > kMaxBytes) return std::nullopt;
  input = trim<is_space_or_control>(input);
  if (std::ranges::none_of(input, is_tab_or_newline)) return UrlParser(input, base).run();
  std::string kept(input);
  std::erase_if(kept, is_tab_or_newline);
  return UrlParser(kept, base).run();
}

}  // namespace sheaf::base
