#include "sheaf/traffic/log_line.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/hex.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <sheaf/time.h>

#include <simdjson.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <memory>
#include <vector>

namespace sheaf::traffic {
namespace {

using simdjson::dom::element;

constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Removes the text up to and including `end` from the front, and returns it without `end`.
std::optional<std::string_view> take_until(std::string_view& rest, std::string_view end) {
  const std::size_t at = rest.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(at + end.size());
  return taken;
}

/// Removes a text in quotes from the front. Quotes inside it are escaped with a backslash or as \x22.
std::optional<std::string_view> take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '\\') {
      ++i;
    } else if (rest[i] == '"') {
      const std::string_view taken = rest.substr(1, i - 1);
      rest.remove_prefix(i + 1);
      return taken;
    }
  }
  return std::nullopt;
}

std::string_view unescaped(std::string_view text, std::string& buffer) {
  if (!text.contains('\\')) return text;
  buffer.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      buffer += text[i];
      continue;
    }
    ++i;
    const bool is_hex = text[i] == 'x' && i + 2 < text.size() && base::hex_value(text[i + 1]) >= 0 &&
                        base::hex_value(text[i + 2]) >= 0;
    if (is_hex) {
      buffer += static_cast<char>(base::hex_value(text[i + 1]) * 16 + base::hex_value(text[i + 2]));
      i += 2;
    } else {
      buffer += text[i];
    }
  }
  return buffer;
}

std::optional<std::int64_t> seconds_of(int year, unsigned month, unsigned day, std::int64_t time_of_day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * std::int64_t{86'400} + time_of_day;
}

/// "17/Nov/2026:17:00:00 +0100".
std::optional<std::int64_t> parse_common_time(std::string_view text) {
  if (text.size() != 26 || text[2] != '/' || text[6] != '/' || text[11] != ':' || text[20] != ' ')
    return std::nullopt;
  const auto day = number_of<unsigned>(text.substr(0, 2));
  const std::size_t month = kMonths.find(text.substr(3, 3));
  const auto year = number_of<int>(text.substr(7, 4));
  const auto hour = number_of<int>(text.substr(12, 2));
  const auto minute = number_of<int>(text.substr(15, 2));
  const auto second = number_of<int>(text.substr(18, 2));
  const auto zone = number_of<int>(text.substr(22, 4));
  if (!day || month == std::string_view::npos || month % 3 != 0 || !year || !hour || !minute || !second ||
      !zone)
    return std::nullopt;
  const std::int64_t offset = (*zone / 100) * 3600 + (*zone % 100) * 60;
  const auto seconds =
      seconds_of(*year, static_cast<unsigned>(month / 3 + 1), *day, *hour * 3600 + *minute * 60 + *second);
  if (!seconds) return std::nullopt;
  return text[21] == '-' ? *seconds + offset : *seconds - offset;
}

/// "GET /path HTTP/1.1".
bool read_request(std::string_view request, LogEntry& entry) {
  const auto method = take_until(request, " ");
  if (!method || method->empty()) return false;
  entry.method = *method;
  entry.target = request.substr(0, request.rfind(' '));
  return entry.target.starts_with('/') || entry.target.starts_with("http");
}

std::string_view without_dash(std::string_view text) { return text == "-" ? std::string_view() : text; }

std::optional<std::string_view> text_member(element object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    std::string_view text;
    if (object[name].get(text) == simdjson::SUCCESS) return text;
  }
  return std::nullopt;
}

/// A number; it may be in quotes, as nginx writes it.
std::optional<double> number_member(element object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    double number = 0;
    if (object[name].get(number) == simdjson::SUCCESS) return number;
    std::string_view text;
    if (object[name].get(text) != simdjson::SUCCESS) continue;
    if (const auto parsed = number_of<double>(text)) return parsed;
  }
  return std::nullopt;
}

std::optional<std::int64_t> time_member(element object) {
  if (const auto number = number_member(object, {"ts", "msec", "time"});
      number && *number > 0 && *number < 1e12)
    return static_cast<std::int64_t>(*number);
  const auto text = text_member(object, {"time", "time_iso8601", "ts", "time_local", "timestamp"});
  if (!text) return std::nullopt;
  if (const auto time = parse_time(*text)) return time->instant.seconds;
  return parse_common_time(*text);
}

/// Caddy keeps header fields as lists.
std::string_view header_member(element request, std::string_view name) {
  simdjson::dom::array values;
  std::string_view text;
  if (request["headers"][name].get(values) != simdjson::SUCCESS || values.size() == 0) return {};
  return values.at(0).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

}  // namespace

struct LogLineParser::Json {
  simdjson::dom::parser parser;
};

LogLineParser::LogLineParser() : json_(std::make_unique<Json>()) {}
LogLineParser::~LogLineParser() = default;
LogLineParser::LogLineParser(LogLineParser&&) noexcept = default;
LogLineParser& LogLineParser::operator=(LogLineParser&&) noexcept = default;

std::optional<LogEntry> LogLineParser::parse(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.starts_with('{') ? parse_json(line) : parse_combined(line);
}

std::optional<LogEntry> LogLineParser::parse_combined(std::string_view line) {
  LogEntry entry;
  const auto client = take_until(line, " ");
  const auto ignored = take_until(line, " ");
  const auto user = take_until(line, " [");
  const auto time = take_until(line, "] ");
  if (!client || !ignored || !user || !time) return std::nullopt;
  const auto seconds = parse_common_time(*time);
  const auto request = take_quoted(line);
  if (!seconds || !request || !line.starts_with(' ')) return std::nullopt;
  line.remove_prefix(1);
  const auto status = take_until(line, " ");
  const auto status_number = status ? number_of<unsigned>(*status) : std::nullopt;
  const std::string_view bytes = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(bytes.size() + 1, line.size()));
  if (!status_number || *status_number < 100 || *status_number > 599) return std::nullopt;
  const auto referer = take_quoted(line);
  if (referer && line.starts_with(' ')) line.remove_prefix(1);
  entry.client = *client;
  entry.identity = without_dash(*user);
  entry.time = *seconds;
  entry.status = *status_number;
  entry.bytes = number_of<std::uint64_t>(bytes).value_or(0);
  if (const auto agent = take_quoted(line)) entry.user_agent = without_dash(unescaped(*agent, agent_));
  if (!read_request(unescaped(*request, request_), entry)) return std::nullopt;
  return entry;
}

std::optional<LogEntry> LogLineParser::parse_json(std::string_view line) {
  element root;
  if (json_->parser.parse(line.data(), line.size(), true).get(root) != simdjson::SUCCESS) return std::nullopt;
  element request = root;
  const bool is_caddy = root["request"].is_object();
  if (is_caddy && root["request"].get(request) != simdjson::SUCCESS) return std::nullopt;
  LogEntry entry;
  const auto time = time_member(root);
  const auto status = number_member(root, {"status"});
  if (!time || !status || *status < 100 || *status > 599) return std::nullopt;
  entry.time = *time;
  entry.status = static_cast<unsigned>(*status);
  const double bytes = number_member(root, {"bytes", "size", "body_bytes_sent", "bytes_sent"}).value_or(0);
  entry.bytes = bytes > 0 && bytes < 1e18 ? static_cast<std::uint64_t>(bytes) : 0;
  entry.client = text_member(request, {"client", "client_ip", "remote_ip", "remote_addr"}).value_or("");
  entry.user_agent =
      is_caddy ? header_member(request, "User-Agent")
               : without_dash(text_member(root, {"agent", "http_user_agent", "user_agent"}).value_or(""));
  entry.identity = without_dash(text_member(root, {"identity"}).value_or(""));
  if (const auto target = text_member(request, {"target", "uri", "request_uri"})) {
    entry.target = *target;
    entry.method = text_member(request, {"method", "request_method"}).value_or("GET");
    return entry;
  }
  const auto line_of_request = text_member(root, {"request"});
  if (!line_of_request || !read_request(*line_of_request, entry)) return std::nullopt;
  return entry;
}

namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20U;

base::Result<void> decode_into(base::Decoder& decoder, std::string_view bytes, std::vector<char>& buffer,
                               LineCutter& lines, const std::function<void(std::string_view)>& use,
                               const std::string& file) {
  while (true) {
    const auto step = decoder.decode(bytes, buffer);
    if (!step) return base::fail(base::Errc::invalid_data, fmt::format("{}: {}", file, step.error().message));
    bytes.remove_prefix(step->consumed);
    lines.add({buffer.data(), step->produced}, use);
    if (step->produced == 0 && (bytes.empty() || step->consumed == 0)) return {};
  }
}

}  // namespace

base::Result<void> each_log_line(const std::string& file, const std::function<void(std::string_view)>& use,
                                 const std::function<void(std::uint64_t)>& progress) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
  std::vector<char> input(kReadBytes);
  std::vector<char> output;
  std::unique_ptr<base::Decoder> decoder;
  LineCutter lines;
  std::uint64_t total = 0;
  while (true) {
    SHEAF_TRY_ASSIGN(const std::size_t count, source->read(input));
    if (count == 0) break;
    const std::string_view bytes(input.data(), count);
    if (total == 0 && base::is_gzip(bytes)) {
      decoder = base::make_gzip_decoder();
      output.resize(kReadBytes);
    }
    total += count;
    if (decoder) {
      SHEAF_TRY(decode_into(*decoder, bytes, output, lines, use, file));
    } else {
      lines.add(bytes, use);
    }
    if (progress) progress(total);
  }
  lines.finish(use);
  if (decoder && !decoder->may_end())
    return base::fail(base::Errc::invalid_data, fmt::format("{}: the gzip data ends in the middle", file));
  return {};
}

namespace {

constexpr std::size_t kTailBytes = std::size_t{256} * 1024;

}  // namespace

/// Whether the name now belongs to another file, or the file was truncated.
bool LogTail::is_replaced() const {
  struct stat now{};
  struct stat ours{};
  if (stat(file_.c_str(), &now) != 0 || fstat(open_.get(), &ours) != 0) return false;
  return now.st_ino != ours.st_ino || now.st_dev != ours.st_dev ||
         static_cast<std::uint64_t>(now.st_size) < offset_;
}

base::Result<bool> LogTail::read_to_end(const std::function<void(std::string_view)>& use,
                                        const std::function<bool()>& stopped) {
  std::vector<char> buffer(kTailBytes);
  while (!stopped()) {
    SHEAF_TRY_ASSIGN(const std::size_t count, base::read_some(open_.get(), buffer, file_));
    if (count == 0) return true;
    lines_.add({buffer.data(), count}, use);
    offset_ += count;
    bytes_ += count;
  }
  return false;
}

base::Result<bool> LogTail::read_more(const std::function<void(std::string_view)>& use,
                                      const std::function<bool()>& stopped) {
  if (open_.is_open()) {
    // Checked before reading, so that everything that was written before the rotation is read.
    const bool replaced = is_replaced();
    SHEAF_TRY_ASSIGN(const bool at_end, read_to_end(use, stopped));
    if (!at_end || !replaced) return at_end;
    lines_.finish(use);
  }
  open_ = base::FileDescriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  offset_ = 0;
  if (!open_.is_open() && errno == ENOENT) return true;
  if (!open_.is_open())
    return std::unexpected(base::system_error(errno, fmt::format("cannot read {}", file_)));
  return read_to_end(use, stopped);
}

}  // namespace sheaf::traffic
