#include "sheaf/warc/warc_record.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/message/message_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <random>

namespace sheaf::warc {
namespace {

using base::Result;
using base::trim_blanks;
using http::message::equal_ignoring_case;

constexpr std::array<std::string_view, kRecordTypes> kTypeNames = {"warcinfo",   "response",     "request",
                                                                   "resource",   "revisit",      "metadata",
                                                                   "conversion", "continuation", "other"};

RecordType find_type(std::string_view name) {
  for (std::size_t i = 0; i < kTypeNames.size(); ++i)
    if (equal_ignoring_case(name, kTypeNames[i])) return static_cast<RecordType>(i);
  return RecordType::other;
}

/// WARC 1.0 showed URLs in angle brackets by mistake, and wget followed it.
std::string_view without_brackets(std::string_view url) {
  if (url.size() >= 2 && url.starts_with('<') && url.ends_with('>')) return url.substr(1, url.size() - 2);
  return url;
}

std::optional<std::uint64_t> parse_length(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Collects the fields that we use.
class HeadFields {
 public:
  void add(std::string_view name, std::string_view value) {
    const auto is = [&](std::string_view known) { return equal_ignoring_case(name, known); };
    if (is("content-length")) {
      length_ = parse_length(value);
    } else if (is("warc-type")) {
      head_.type = find_type(value);
    } else if (is("warc-target-uri")) {
      head_.url = without_brackets(value);
    } else if (is("warc-date")) {
      head_.date = parse_warc_date(value);
    } else if (is("warc-record-id")) {
      head_.id = value;
    } else if (is("content-type")) {
      head_.content_type = value;
    } else if (is("warc-identified-payload-type")) {
      head_.payload_type = value;
    } else if (is("warc-truncated")) {
      head_.truncated = value;
    } else if (is("warc-payload-digest")) {
      head_.payload_digest = value;
    } else if (is("warc-refers-to")) {
      head_.refers_to = value;
    } else if (is("warc-refers-to-target-uri")) {
      head_.refers_to_url = without_brackets(value);
    } else if (is("warc-refers-to-date")) {
      head_.refers_to_date = parse_warc_date(value);
    } else if (is("warc-segment-number")) {
      head_.is_segment = true;
    }
  }

  base::Result<RecordHead> finish() {
    if (!length_)
      return base::fail(base::Errc::invalid_data, "a record has no Content-Length that is a number");
    head_.length = *length_;
    return std::move(head_);
  }

 private:
  RecordHead head_;
  std::optional<std::uint64_t> length_;
};

void append_field(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += name;
  out += ": ";
  for (const char c : value) out += c == '\r' || c == '\n' ? ' ' : c;
  out += "\r\n";
}

}  // namespace

std::string_view to_string(RecordType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

std::optional<Instant> parse_warc_date(std::string_view text) {
  constexpr std::string_view kBeginning = "0000-01-01T00:00:00Z";
  constexpr std::string_view kMinutes = "0000-01-01T00:00";
  std::string whole(text);
  if (text.size() == 4 || text.size() == 7 || text.size() == 10)
    whole += kBeginning.substr(text.size());
  else if (text.size() > kMinutes.size() && text[kMinutes.size()] != ':')
    whole.insert(kMinutes.size(), ":00");
  const auto time = parse_time(whole);
  return time ? std::optional(time->instant) : std::nullopt;
}

bool is_version_line(std::string_view line) {
  constexpr std::string_view kName = "WARC/";
  if (!line.starts_with(kName)) return false;
  const std::string_view version = trim_blanks(line.substr(kName.size()));
  return version.size() >= 3 && version.size() <= 4 && base::is_digit(version[0]) && version[1] == '.' &&
         std::ranges::all_of(version.substr(2), base::is_digit);
}

base::Result<RecordHead> parse_record_head(std::string_view text) {
  const std::string_view version = take_line(text);
  if (!is_version_line(version))
    return base::fail(base::Errc::invalid_data, "a record does not begin with WARC/ and a version");
  HeadFields fields;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string joined;
    while (text.starts_with(' ') || text.starts_with('\t')) {
      if (joined.empty()) joined = line;
      joined += ' ';
      joined += trim_blanks(take_line(text));
    }
    const std::string_view whole = joined.empty() ? line : std::string_view(joined);
    const std::size_t colon = whole.find(':');
    if (colon == std::string_view::npos) continue;  // not a field; the other lines may still be right
    fields.add(trim_blanks(whole.substr(0, colon)), trim_blanks(whole.substr(colon + 1)));
  }
  return fields.finish();
}

std::string format_record_head(const RecordFields& fields, std::uint64_t length) {
  std::string out = "WARC/1.1\r\n";
  append_field(out, "WARC-Type", to_string(fields.type));
  append_field(out, "WARC-Record-ID", fields.id);
  append_field(out, "WARC-Date", format_time(fields.date));
  append_field(out, "WARC-Target-URI", fields.url);
  for (const auto& [name, value] : fields.more) append_field(out, name, value);
  append_field(out, "Content-Type", fields.content_type);
  append_field(out, "Content-Length", fmt::format("{}", length));
  return out + "\r\n";
}

std::string new_record_id() {
  static thread_local std::mt19937_64 random{[] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }()};
  const std::uint64_t a = random();
  const std::uint64_t b = random();
  // RFC 9562: version 4, variant 10.
  return fmt::format("<urn:uuid:{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}>", a >> 32U, (a >> 16U) & 0xffffU,
                     a & 0xfffU, 0x8000U | ((b >> 48U) & 0x3fffU), b & 0xffffffffffffU);
}

namespace {

// The same limit as in the fetcher: far more than any honest server sends.
constexpr std::size_t kMessageHeadBytes = std::size_t{256} << 10;

base::Error bad_message(std::string_view what) {
  return {base::Errc::invalid_data, fmt::format("a response record {}", what)};
}

/// Returns 200 for "HTTP/1.1 200 OK", and 0 if this is not a status line.
int parse_status_line(std::string_view line) {
  if (line.size() < 5 || !equal_ignoring_case(line.substr(0, 5), "HTTP/")) return 0;
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return 0;
  const std::string_view digits = trim_blanks(line.substr(space)).substr(0, 3);
  int status = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), status);
  return error == std::errc() && end == digits.data() + 3 ? status : 0;
}

void add_header(std::vector<std::pair<std::string, std::string>>& headers, std::string_view line) {
  const bool is_folded = line.starts_with(' ') || line.starts_with('\t');
  if (is_folded && !headers.empty()) {
    headers.back().second += ' ';
    headers.back().second += trim_blanks(line);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  headers.emplace_back(base::lower_text(trim_blanks(line.substr(0, colon))),
                       trim_blanks(line.substr(colon + 1)));
}

bool is_http_message(std::string_view content_type) {
  const std::string_view type = trim_blanks(content_type.substr(0, content_type.find(';')));
  return type.empty() || equal_ignoring_case(type, "application/http");
}

/// Whether a body that cannot be decoded looks like HTML or XML that was never encoded.
bool looks_like_markup(std::string_view body) {
  const std::size_t start = body.find_first_not_of(" \t\r\n\f\xEF\xBB\xBF");
  return start != std::string_view::npos && body[start] == '<';
}

}  // namespace

Result<ArchivedResponse> parse_response(const RecordHead& head, std::string_view block) {
  ArchivedResponse response;
  response.head.url = head.url;
  if (head.type == RecordType::resource) {
    response.head.status = 200;
    response.head.headers.emplace_back("content-type", head.content_type);
    response.body = block;
    return response;
  }
  const bool may_have_message = head.type == RecordType::response || head.type == RecordType::revisit;
  if (!may_have_message || !is_http_message(head.content_type))
    return std::unexpected(bad_message("has no HTTP message"));
  std::string_view rest = block;
  response.head.status = parse_status_line(take_line(rest));
  if (response.head.status == 0) return std::unexpected(bad_message("does not begin with a status line"));
  while (true) {
    if (block.size() - rest.size() > kMessageHeadBytes)
      return std::unexpected(bad_message("has headers over 256 KiB"));
    if (rest.empty()) return std::unexpected(bad_message("ends within its headers"));
    const std::string_view line = take_line(rest);
    if (line.empty()) break;
    add_header(response.head.headers, line);
  }
  response.body = rest;
  return response;
}

Result<std::string> decode_body(const ArchivedResponse& response, std::uint64_t limit) {
  auto chunked = response.head.joined("transfer-encoding").find("chunked") != std::string::npos
                     ? http::message::decode_chunked(response.body)
                     : std::nullopt;
  if (chunked && !chunked->is_whole) return std::unexpected(bad_message("has a body that is cut"));
  const std::string_view plain = chunked ? std::string_view(chunked->bytes) : response.body;
  const std::string coding = response.head.joined("content-encoding");
  auto decoded = http::message::decode_content(std::string(plain), coding, limit);
  if (!decoded && plain.size() <= limit && looks_like_markup(plain)) return std::string(plain);
  return decoded;
}

}  // namespace sheaf::warc
