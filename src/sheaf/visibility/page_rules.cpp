#include "sheaf/visibility/page_rules.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/extract/metadata/date_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sheaf::visibility {
namespace {

/// How the value of a setting is judged.
enum class Kind : std::uint8_t {
  draft_if_true,
  secret_if_true,
  secret_if_set,   ///< any value but an empty one and `false`
  draft_if_false,  ///< or a date from which the page is public
  secret_if_false,
  none_if_false,  ///< draft if `false`; any other value says something else
  noindex_if_false,
  noindex_if_never,
  draft_if_never,
  status,
  begins,
  ends,
};

struct NamedKind {
  std::string_view name;
  Kind kind;
};

// The names as fold_name() returns them.
constexpr NamedKind kNames[] = {
    {"draft", Kind::draft_if_true},
    {"isdraft", Kind::draft_if_true},
    {"unpublished", Kind::draft_if_true},
    {"headless", Kind::draft_if_true},  // Hugo: resources only, no page
    {"private", Kind::secret_if_true},
    {"isprivate", Kind::secret_if_true},
    {"hidden", Kind::secret_if_true},
    {"ishidden", Kind::secret_if_true},
    {"internal", Kind::secret_if_true},
    {"confidential", Kind::secret_if_true},
    {"secret", Kind::secret_if_true},
    {"protected", Kind::secret_if_true},
    {"restricted", Kind::secret_if_true},
    {"membersonly", Kind::secret_if_true},
    {"memberonly", Kind::secret_if_true},
    {"subscribersonly", Kind::secret_if_true},
    {"paidonly", Kind::secret_if_true},
    {"loginrequired", Kind::secret_if_true},
    {"requireslogin", Kind::secret_if_true},
    {"requirelogin", Kind::secret_if_true},
    {"authrequired", Kind::secret_if_true},
    {"requiresauth", Kind::secret_if_true},
    {"requireauth", Kind::secret_if_true},
    {"encrypted", Kind::secret_if_true},
    {"password", Kind::secret_if_set},
    {"postpassword", Kind::secret_if_set},
    {"passwd", Kind::secret_if_set},
    {"passphrase", Kind::secret_if_set},
    {"publish", Kind::draft_if_false},
    {"published", Kind::draft_if_false},
    {"ispublished", Kind::draft_if_false},
    {"routable", Kind::draft_if_false},
    {"public", Kind::secret_if_false},
    {"ispublic", Kind::secret_if_false},
    {"visible", Kind::secret_if_false},
    {"isvisible", Kind::secret_if_false},
    {"permalink", Kind::none_if_false},
    {"output", Kind::none_if_false},
    {"render", Kind::none_if_false},
    {"sitemap", Kind::noindex_if_false},
    {"index", Kind::noindex_if_false},
    {"build.render", Kind::draft_if_never},
    {"build.list", Kind::noindex_if_never},
    {"status", Kind::status},
    {"poststatus", Kind::status},
    {"pagestatus", Kind::status},
    {"publishstatus", Kind::status},
    {"publicationstatus", Kind::status},
    {"moderationstate", Kind::status},
    {"workflowstate", Kind::status},
    {"visibility", Kind::status},
    {"access", Kind::status},
    {"date", Kind::begins},
    {"pubdate", Kind::begins},
    {"publishdate", Kind::begins},
    {"publishedat", Kind::begins},
    {"publisheddate", Kind::begins},
    {"publishat", Kind::begins},
    {"publishon", Kind::begins},
    {"datepublished", Kind::begins},
    {"scheduledat", Kind::begins},
    {"scheduledfor", Kind::begins},
    {"embargo", Kind::begins},
    {"embargountil", Kind::begins},
    {"availablefrom", Kind::begins},
    {"visiblefrom", Kind::begins},
    {"expirydate", Kind::ends},
    {"expirationdate", Kind::ends},
    {"expiry", Kind::ends},
    {"expires", Kind::ends},
    {"expiresat", Kind::ends},
    {"expireson", Kind::ends},
    {"unpublishdate", Kind::ends},
    {"unpublishat", Kind::ends},
    {"unpublishon", Kind::ends},
    {"unpublishedat", Kind::ends},
    {"availableuntil", Kind::ends},
    {"visibleuntil", Kind::ends},
};

// Values of a status by which a page is public. All others hold it.
constexpr std::string_view kPublicStatus[] = {
    "publish",  "published", "public",     "live",     "active",       "online",      "visible", "released",
    "release",  "final",     "done",       "complete", "completed",    "finished",    "stable",  "current",
    "new",      "updated",   "deprecated", "obsolete", "experimental", "beta",        "alpha",   "accepted",
    "proposed", "rejected",  "superseded", "approved", "maintained",   "recommended", "open",    "free",
    "everyone", "all",       "ok",         "true",     "yes",          "seedling",    "budding", "evergreen",
};

std::string fold_name(std::string_view name) {
  std::string folded;
  for (const char c : name)
    if (c != '_' && c != '-') folded += base::lower_ascii(c);
  for (const std::string_view prefix : {"params.", "extra."})
    if (folded.starts_with(prefix)) return folded.substr(prefix.size());
  return folded;
}

const NamedKind* find_name(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, fold_name(name), &NamedKind::name);
  return found == std::end(kNames) ? nullptr : found;
}

/// Without white space and quotes around it; empty if the value stands for none.
std::string read_value(std::string_view value) {
  std::string text = base::lower_text(base::trim_space(value));
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text == "null" || text == "~" || text == "none" ? std::string() : text;
}

/// Of a date that may begin with the day or the month, the later of the two, or the earlier one.
enum class Prefer : std::uint8_t { later, earlier };

std::optional<Instant> read_date(std::string_view text, Prefer prefer) {
  if (const auto time = parse_time(text)) return time->instant;
  std::string iso(text);
  if (iso.size() > 10 && iso[10] == ' ') iso[10] = 'T';
  if (const auto time = parse_time(iso)) return time->instant;
  // Any year is accepted, because some authors write 9999-12-31 for "never".
  if (const auto day = parse_time(std::string(text.substr(0, 10)) + "T00:00:00Z");
      day && (text.size() <= 10 || !base::is_digit(text[10])))
    return day->instant;
  const auto a = extract::parse_date_value(text, extract::DateOrder::day_first);
  const auto b = extract::parse_date_value(text, extract::DateOrder::month_first);
  if (!a || !b) return a ? std::optional(a->instant) : b ? std::optional(b->instant) : std::nullopt;
  return prefer == Prefer::later ? std::max(a->instant, b->instant) : std::min(a->instant, b->instant);
}

Verdict doubt(std::string_view name, std::string_view expected) {
  return {Hold::unreadable, fmt::format("{} has a value that is not {}", name, expected)};
}

Verdict hold_if(bool held, Hold hold, std::string_view name, std::string_view value) {
  return held ? Verdict{hold, fmt::format("{}: {}", name, value)} : Verdict{};
}

// Generators build a page up to a day before its date, because somewhere it is that day already.
constexpr std::int64_t kDay = 86'400;

Verdict judge_begin(std::string_view name, std::string_view value, Instant now) {
  const auto date = read_date(value, Prefer::later);
  if (!date) return doubt(name, "a date, such as 2026-05-01");
  if (date->seconds <= now.seconds + kDay) return {};
  return {Hold::future, fmt::format("{}: {}", name, format_time(*date))};
}

Verdict judge_end(std::string_view name, std::string_view value, Instant now) {
  if (value == "never" || read_flag(value) == false) return {};
  const auto date = read_date(value, Prefer::earlier);
  if (!date) return doubt(name, "a date, such as 2026-05-01");
  return hold_if(*date <= now, Hold::expired, name, format_time(*date));
}

Verdict judge_flag(Hold hold, bool held, std::string_view name, std::string_view value) {
  const auto flag = read_flag(value);
  if (!flag) return doubt(name, "true or false");
  return hold_if(*flag == held, hold, name, value);
}

Verdict judge_kind(Kind kind, std::string_view name, std::string_view value, Instant now) {
  switch (kind) {
    case Kind::draft_if_true: return judge_flag(Hold::draft, true, name, value);
    case Kind::secret_if_true: return judge_flag(Hold::secret, true, name, value);
    case Kind::secret_if_false: return judge_flag(Hold::secret, false, name, value);
    case Kind::secret_if_set:
      if (read_flag(value) == false) return {};
      return {Hold::secret, fmt::format("it has a {}", name)};
    case Kind::draft_if_false:
      return read_flag(value) ? judge_flag(Hold::draft, false, name, value) : judge_begin(name, value, now);
    case Kind::none_if_false: return hold_if(value == "false", Hold::draft, name, value);
    case Kind::noindex_if_false: return hold_if(value == "false", Hold::noindex, name, value);
    case Kind::noindex_if_never: return hold_if(value == "never", Hold::noindex, name, value);
    case Kind::draft_if_never:
      return hold_if(value != "always" && read_flag(value) != true, Hold::draft, name, value);
    case Kind::status:
      if (std::ranges::find(kPublicStatus, value) != std::end(kPublicStatus)) return {};
      if (value == "draft" || value == "pending" || value == "auto-draft")
        return hold_if(true, Hold::draft, name, value);
      if (value == "future" || value == "scheduled") return hold_if(true, Hold::future, name, value);
      return hold_if(true, Hold::secret, name, base::cut_utf8(value, 40));
    case Kind::begins: return judge_begin(name, value, now);
    case Kind::ends: return judge_end(name, value, now);
  }
  return {};
}

/// The value of `unavailable_after`, up to a comma that begins another directive; nullopt if there is none.
std::optional<std::string> end_in(std::string_view directives) {
  constexpr std::string_view kName = "unavailable_after";
  const std::string lower = base::lower_text(directives);
  std::size_t at = lower.find(kName);
  if (at == std::string::npos) return std::nullopt;
  at += kName.size();
  at = std::min(lower.find_first_not_of(" \t:", at), lower.size());
  std::string value = lower.substr(at);
  // "Saturday, 25-Jun-30 15:00:00 GMT" has a comma after the day, and no other date has one.
  const std::size_t first = value.find(',');
  if (first == std::string::npos) return value;
  const bool is_weekday = value.find_first_of("0123456789") > first;
  const std::size_t end = is_weekday ? value.find(',', first + 1) : first;
  return value.substr(is_weekday ? first + 1 : 0,
                      end == std::string::npos ? end : end - (is_weekday ? first + 1 : 0));
}

/// The two digits of a year in "25-Jun-30" as four, which the reader of dates wants.
std::string with_full_year(std::string text) {
  const std::size_t a = text.find('-');
  const std::size_t b = a == std::string::npos ? a : text.find('-', a + 1);
  if (b == std::string::npos || a > 2) return text;
  const bool is_short = b + 3 <= text.size() && base::is_digit(text[b + 1]) && base::is_digit(text[b + 2]) &&
                        (b + 3 == text.size() || !base::is_digit(text[b + 3]));
  if (is_short) text.insert(b + 1, "20");
  std::ranges::replace(text, '-', ' ');
  return text;
}

/// The first bytes of files that are not text.
constexpr std::string_view kSignatures[] = {
    "%PDF-",
    "\x89PNG\r\n",
    "GIF87a",
    "GIF89a",
    "\xFF\xD8\xFF",
    "PK\x03\x04",
    "PK\x05\x06",
    "\x1F\x8B",
    "\x28\xB5\x2F\xFD",
    "7z\xBC\xAF",
    "\x7F"
    "ELF",
    "SQLite format 3",
    "Rar!\x1A",
    "OggS",
    "ID3\x03",
    "ID3\x04",
    "wOFF",
    "wOF2",
    "BZh9",
    "\xFD"
    "7zXZ",
    "\xD0\xCF\x11\xE0",
    "{\\rtf",
    "%!PS-Adobe",
    "\xCA\xFE\xBA\xBE",
};

/// Control characters that no text has, by the rules for MIME sniffing.
bool is_binary(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x08 || byte == 0x0B || (byte >= 0x0E && byte <= 0x1A) || (byte >= 0x1C && byte <= 0x1F);
}

bool is_wide(std::string_view bytes, std::string_view content_type) {
  return bytes.starts_with("\xFE\xFF") || bytes.starts_with("\xFF\xFE") ||
         base::lower_text(content_type).contains("utf-16");
}

}  // namespace

std::optional<bool> read_flag(std::string_view value) {
  const std::string text = base::lower_text(base::trim_space(value));
  for (const std::string_view yes : {"true", "yes", "on", "1", "y", "t"})
    if (text == yes) return true;
  for (const std::string_view no : {"false", "no", "off", "0", "n", "f"})
    if (text == no) return false;
  return std::nullopt;
}

Verdict judge_setting(std::string_view name, std::string_view value, Instant now) {
  const NamedKind* known = find_name(name);
  if (known == nullptr) return {};
  const std::string text = read_value(value);
  return text.empty() ? Verdict{} : judge_kind(known->kind, name, text, now);
}

bool is_about_publication(std::string_view name) { return find_name(name) != nullptr; }

Verdict judge_robots(std::string_view directives, Instant now) {
  const auto end = end_in(directives);
  return end ? judge_end("unavailable_after", with_full_year(std::string(base::trim_space(*end))), now)
             : Verdict{};
}

bool has_end(std::string_view directives) { return end_in(directives).has_value(); }

Verdict judge_path(std::string_view path, bool is_built) {
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const bool is_folder = slash != std::string_view::npos;
    const std::string part = base::lower_text(rest.substr(0, slash));
    rest.remove_prefix(is_folder ? slash + 1 : rest.size());
    if (part == "_drafts" || (!is_folder && part.contains(".draft.")))
      return {Hold::draft, fmt::format("{} is for drafts", part)};
    if (part == "node_modules" || part == "bower_components" || part == "_private" || part.starts_with('.'))
      return {Hold::secret, fmt::format("{} is not part of the site", part)};
    if (is_built || !part.starts_with('_')) continue;
    const bool is_page =
        is_folder ? part == "_posts" || part == "_pages" || part == "_docs" : part.starts_with("_index.");
    if (!is_page) return {Hold::draft, fmt::format("{} begins with _: generators build no page of it", part)};
  }
  return {};
}

Verdict judge_bytes(std::string_view bytes, std::string_view content_type) {
  constexpr std::size_t kOneIn = 100;  // random bytes have one in ten
  const std::string_view start = base::trim_front<base::is_space>(bytes);
  for (const std::string_view signature : kSignatures)
    if (start.starts_with(signature))
      return {Hold::no_text, "its bytes are those of another kind of file (PDF, image, archive, ...)"};
  if (is_wide(bytes, content_type)) return {};
  const auto binary = static_cast<std::size_t>(std::ranges::count_if(bytes, is_binary));
  if (binary <= 1 || binary * kOneIn < bytes.size()) return {};
  return {Hold::no_text, fmt::format("{} of its {} bytes are control characters", binary, bytes.size())};
}

}  // namespace sheaf::visibility
