#include "sheaf/warc/warc_record.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/message.h"
#include "sheaf/warc/text_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <random>

namespace sheaf::warc {
namespace {

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

}  // namespace sheaf::warc
