#include "sheaf/markdown/front_matter.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/extract/metadata/author_text.h"
#include "sheaf/extract/metadata/date_text.h"
#include "sheaf/extract/metadata/metadata_address.h"
#include "sheaf/html/text_value.h"
#include "sheaf/model/field_values.h"
#include "sheaf/text/text_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sheaf::markdown {
namespace {

/// Removes and returns the first line, without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Whether a line looks like "title: x" or, in TOML, "title = x": a single word and the separator `sign`.
bool looks_like_setting(std::string_view line, char sign) {
  line = text::trim_space(line);
  const std::size_t at = line.find(sign);
  if (at == std::string_view::npos || at == 0) return false;
  if (sign == ':' && at + 1 < line.size() && !text::is_space(line[at + 1])) return false;
  const std::string_view name = text::trim_space(line.substr(0, at));
  return std::ranges::none_of(name, text::is_space);
}

bool has_setting(std::string_view text, char sign) {
  constexpr int kLines = 64;  // if there are settings, one is among the first lines
  for (int i = 0; i < kLines && !text.empty(); ++i)
    if (looks_like_setting(take_line(text), sign)) return true;
  return false;
}

/// Whether a line begins with a name that decides about publication: "draft:true", which no reader of YAML
/// takes for a setting.
bool has_mark(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t end = line.find_first_of(":=");
    if (end != std::string_view::npos &&
        visibility::is_about_publication(text::trim_space(line.substr(0, end))))
      return true;
  }
  return false;
}

FrontMatterParts split_fenced(std::string_view text, settings::Language language, std::string_view fence) {
  const bool yaml = language == settings::Language::yaml;
  const char sign = yaml ? ':' : '=';
  std::string_view rest = text;
  take_line(rest);
  const std::string_view inside = rest;
  while (!rest.empty()) {
    const std::size_t size = inside.size() - rest.size();
    const std::string_view line = take_line(rest);
    // The fence counts only at the start of a line. In a multi-line text, which is indented, it is text.
    const std::string_view bare = line.substr(0, line.find_last_not_of(" \t") + 1);
    if (bare != fence && !(yaml && bare == "...")) continue;
    const std::string_view settings = inside.substr(0, size);
    if (!text::trim_space(settings).empty() && !has_setting(settings, sign)) {
      if (has_mark(settings)) return {language, {}, 2, text, "a setting lacks the space after its name"};
      break;
    }
    return {language, settings, 2, rest};
  }
  if (!has_setting(inside.substr(0, inside.find("\n\n")), sign)) return {.body = text};
  return {language,
          {},
          1,
          text,
          fmt::format("front matter begins here and never ends; close it with a line {}", fence)};
}

/// The position after the brace that closes the first brace; npos if it is not closed.
std::size_t object_end(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

/// Splits off a JSON object. Templates begin with a brace too (`{% ... %}`, `{{ ... }}`), but a name in
/// quotes never follows it.
FrontMatterParts split_json(std::string_view text) {
  const std::string_view first = text::trim_space(text.substr(1, 1024));
  if (first.empty() || (first.front() != '"' && first.front() != '}')) return {.body = text};
  const std::size_t end = object_end(text);
  if (end == std::string_view::npos)
    return {settings::Language::json,
            {},
            1,
            text,
            "front matter begins here and never ends; close it with a brace"};
  std::string_view rest = text.substr(end);
  if (!text::trim_space(take_line(rest)).empty()) return {.body = text};
  return {settings::Language::json, text.substr(0, end), 1, rest};
}

enum class Field : std::uint8_t {
  title,
  description,
  author,
  published,
  modified,
  language,
  canonical,
  permalink,
  robots,
  noindex,
};
constexpr std::size_t kFields = 10;

struct KnownName {
  std::string_view name;
  Field field;
  std::uint8_t rank;  // if several names of a field are present, the lowest rank wins
};

constexpr std::uint8_t kSlugRank = 2;

/// Normalizes a name, because generators have different spellings: `last_update`, `lastUpdate`,
/// `last-update`.
std::string fold_name(std::string_view name) {
  std::string folded;
  for (const char c : name)
    if (c != '_' && c != '-') folded += text::lower_ascii(c);
  return folded;
}

// The known names, as fold_name() returns them, in alphabetical order.

// clang-format off
constexpr KnownName kNames[] = {
    {"author", Field::author, 0},
    {"author.name", Field::author, 0},
    {"authors", Field::author, 0},
    {"authors.name", Field::author, 0},
    {"canonical", Field::canonical, 0},
    {"canonicalurl", Field::canonical, 0},
    {"created", Field::published, 4},
    {"date", Field::published, 0},
    {"date.created", Field::published, 0},
    {"date.updated", Field::modified, 0},
    {"datemodified", Field::modified, 1},
    {"datepublished", Field::published, 3},
    {"description", Field::description, 0},
    {"excerpt", Field::description, 2},
    {"lang", Field::language, 0},
    {"language", Field::language, 0},
    {"lastmod", Field::modified, 0},
    {"lastmodified", Field::modified, 1},
    {"lastmodifiedat", Field::modified, 0},
    {"lastupdate.date", Field::modified, 1},
    {"lastupdated", Field::modified, 1},
    {"locale", Field::language, 1},
    {"modified", Field::modified, 1},
    {"noindex", Field::noindex, 0},
    {"permalink", Field::permalink, 1},
    {"pubdate", Field::published, 2},
    {"published", Field::published, 3},
    {"publishdate", Field::published, 1},
    {"publishedat", Field::published, 3},
    {"publisheddate", Field::published, 3},
    {"robots", Field::robots, 0},
    {"robotsnoindex", Field::noindex, 0},
    {"seo.noindex", Field::noindex, 0},
    {"slug", Field::permalink, kSlugRank},
    {"summary", Field::description, 1},
    {"title", Field::title, 0},
    {"unlisted", Field::noindex, 0},
    {"updated", Field::modified, 0},
    {"updatedat", Field::modified, 1},
    {"updateddate", Field::modified, 0},
    {"url", Field::permalink, 0},
};
// clang-format on

const KnownName* find_name(std::string_view name) {
  // Generators have custom settings in these maps.
  for (const std::string_view prefix : {"params.", "extra."})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  const auto* const found = std::ranges::find(kNames, name, &KnownName::name);
  return found == std::end(kNames) ? nullptr : found;
}

/// Collects the settings for each field, then parses them.
class SettingsReader {
 public:
  SettingsReader(const FrontMatterOptions& options, Arena& arena, FrontMatter& out)
      : options_(options), arena_(arena), out_(out) {}

  void gather(std::span<const settings::Setting> settings) {
    for (const settings::Setting& setting : settings) {
      judge(setting);
      const std::string name = fold_name(setting.name);
      const KnownName* known = find_name(name);
      if (known == nullptr || setting.is_alias) continue;
      // In some generators `published: false` marks a draft; in others `published: 2024-05-01` is the date.
      if (name == "published" && visibility::read_flag(setting.value)) continue;
      Values& values = fields_[std::to_underlying(known->field)];
      if (known->rank < values.rank) values = {known->rank, {}};
      if (known->rank == values.rank) values.texts.push_back(setting.value);
    }
  }

  void read() {
    extract::Metadata& metadata = out_.metadata;
    metadata.title = text(Field::title);
    metadata.description = text(Field::description);
    metadata.author = authors();
    metadata.language = language();
    metadata.canonical = canonical();
    metadata.published = date(Field::published);
    metadata.modified = date(Field::modified);
    metadata.robots = robots();
    out_.permalink = permalink();
  }

 private:
  struct Values {
    std::uint8_t rank = 255;
    std::vector<std::string_view> texts;
  };

  [[nodiscard]] std::span<const std::string_view> all(Field field) const {
    return fields_[std::to_underlying(field)].texts;
  }

  OptionalText text(Field field) {
    for (const std::string_view value : all(field))
      if (const std::string_view clean = html::clean_text(value, html::Markup::references, arena_);
          !clean.empty())
        return clean;
    return std::nullopt;
  }

  /// What holds the pages below (Hugo's `cascade`) holds this one too.
  void judge(const settings::Setting& setting) {
    if (!out_.verdict.is_public()) return;
    std::string_view name = setting.name;
    if (constexpr std::string_view kCascade = "cascade."; name.starts_with(kCascade))
      name.remove_prefix(kCascade.size());
    if (!setting.is_alias) {
      out_.verdict = visibility::judge_setting(name, setting.value, options_.now);
    } else if (name == "<<" || visibility::is_about_publication(name)) {
      out_.verdict = {visibility::Hold::unreadable, fmt::format("{} has an alias, {}", name, setting.value)};
    }
  }

  [[nodiscard]] bool flag(Field field) const {
    return std::ranges::any_of(all(field),
                               [](std::string_view value) { return visibility::read_flag(value) == true; });
  }

  OptionalText authors() {
    std::vector<std::string_view> names;
    for (const std::string_view value : all(Field::author))
      for (const std::string_view name : extract::names_in(
               html::clean_text(value, html::Markup::references, arena_), extract::AuthorText::field))
        if (std::ranges::find(names, name) == names.end() && names.size() < kAuthors) names.push_back(name);
    if (names.empty()) return std::nullopt;
    return arena_.copy(fmt::format("{}", fmt::join(names, ", ")));
  }

  OptionalText language() {
    for (const std::string_view value : all(Field::language))
      if (const std::string tag = model::normal_language_tag(value); !tag.empty()) return arena_.copy(tag);
    return std::nullopt;
  }

  OptionalText canonical() {
    const auto value = text(Field::canonical);
    if (!value) return std::nullopt;
    const auto url = base::Url::parse(*value, options_.url);
    if (!url) {
      if (options_.url != nullptr || value->find(':') != std::string_view::npos)
        report_invalid("canonical", *value, "an http or https URL");
      return std::nullopt;
    }
    return html::url_text(url->without_fragment().href(), arena_);
  }

  std::optional<Instant> date(Field field) {
    const auto value = text(field);
    if (!value) return std::nullopt;
    if (const auto time = parse_time(*value)) return time->instant;
    // Any year is accepted, because some authors write 9999-12-31 for "never".
    if (const auto day = parse_time(std::string(value->substr(0, 16)) + "T00:00:00Z")) return day->instant;
    const extract::DateOrder order = extract::date_order_of(out_.metadata.language.value_or(""));
    if (const auto found = extract::parse_date_value(*value, order); found && found->begin == 0)
      return found->instant;
    report_invalid("date", *value, "a date, such as 2024-05-01 or 2024-05-01T10:00:00Z");
    return std::nullopt;
  }

  std::optional<List<Text>> robots() {
    std::vector<std::string_view> texts(all(Field::robots).begin(), all(Field::robots).end());
    if (flag(Field::noindex)) texts.emplace_back("noindex");
    texts.push_back(options_.robots_header);
    return extract::robots_directives(texts, arena_);
  }

  OptionalText permalink() {
    const auto value = text(Field::permalink);
    if (!value || value->find("/:") != std::string_view::npos || value->starts_with(':')) return std::nullopt;
    const bool is_slug = fields_[std::to_underlying(Field::permalink)].rank == kSlugRank;
    return is_slug ? slug_url(*value) : *value;
  }

  /// A slug replaces the last segment of the page's path: /posts/first/ becomes /posts/slug/.
  std::string_view slug_url(std::string_view slug) {
    const bool is_folder = options_.url != nullptr && options_.url->path().ends_with('/');
    if (!is_folder || slug.starts_with('/')) return slug;
    return arena_.copy(fmt::format("../{}{}", slug, slug.ends_with('/') ? "" : "/"));
  }

  void report_invalid(std::string_view what, std::string_view value, std::string_view expected) {
    constexpr std::size_t kShown = 60;  // maximum number of bytes of the value in the message
    const std::string_view shown = base::cut_utf8(value, kShown);
    out_.problems.push_back(fmt::format("the front matter's {} is \"{}{}\"; write {}", what, shown,
                                        shown.size() < value.size() ? "..." : "", expected));
  }

  static constexpr std::size_t kAuthors = 32;

  const FrontMatterOptions& options_;
  Arena& arena_;
  FrontMatter& out_;
  std::array<Values, kFields> fields_;
};

std::string describe(const settings::Problem& problem, const FrontMatterParts& parts) {
  const std::size_t line = parts.first_line + problem.line;
  switch (problem.kind) {
    case settings::Problem::Kind::invalid:
      return fmt::format(
          "line {}: the front matter is not valid {}: {}; the settings from there on are ignored", line,
          settings::language_name(*parts.language), problem.what);
    case settings::Problem::Kind::too_many:
      return fmt::format("line {}: the front matter has {}; the rest is ignored", line, problem.what);
    case settings::Problem::Kind::too_long: break;
  }
  return fmt::format("line {}: the front matter is {} and was not read; is the line that ends it missing?",
                     line, problem.what);
}

}  // namespace

namespace {

/// Lines "Title: x" without a fence, as Pelican and MultiMarkdown have them. Every line up to the first empty
/// one is a setting or, indented, continues one; one of the names is a known one.
FrontMatterParts split_unfenced(std::string_view text) {
  std::string_view rest = text;
  bool is_known = false;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (text::trim_space(line).empty()) break;
    if (text::is_space(line.front())) continue;
    if (!looks_like_setting(line, ':')) return {.body = text};
    const std::string_view name = line.substr(0, line.find(':'));
    is_known = is_known || visibility::is_about_publication(name) || fold_name(name) == "title";
  }
  if (!is_known) return {.body = text};
  return {std::nullopt, text.substr(0, text.size() - rest.size()), 1, rest};
}

/// The settings of split_unfenced().
std::vector<settings::Setting> unfenced_settings(std::string_view text) {
  std::vector<settings::Setting> settings;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t colon = line.find(':');
    if (line.empty() || text::is_space(line.front()) || colon == std::string_view::npos) continue;
    settings.push_back({line.substr(0, colon), text::trim_space(line.substr(colon + 1))});
  }
  return settings;
}

/// A fence that names its language, "---toml".
FrontMatterParts split_named(std::string_view text, std::string_view name) {
  const std::string language = base::lower_text(name);
  auto parts = split_fenced(text, settings::Language::yaml, "---");
  if (language == "yaml" || language == "yml") return parts;
  std::string_view rest = text;
  take_line(rest);
  const std::size_t end = rest.find("\n---");
  if (end == std::string_view::npos) return {.body = text};
  const std::string_view settings = rest.substr(0, end + 1);
  rest.remove_prefix(end + 1);
  take_line(rest);
  if (language == "toml") return {settings::Language::toml, settings, 2, rest};
  if (language == "json") return {settings::Language::json, settings, 2, rest};
  return {
      settings::Language::yaml, {}, 1, text, fmt::format("front matter in {} is not understood", language)};
}

bool is_word(std::string_view text) {
  return !text.empty() && text.size() < 16 && std::ranges::all_of(text, base::is_letter);
}

}  // namespace

FrontMatterParts split_front_matter(std::string_view text) {
  const std::string_view whole = text;
  while (!text.empty() && text::is_space(text.front()) && text.front() != ' ' && text.front() != '\t')
    text.remove_prefix(1);
  std::string_view rest = text;
  if ((text.starts_with("---\r") || text.starts_with("+++\r")) && text.find('\n') == std::string_view::npos)
    return {settings::Language::yaml, {}, 1, whole, "its lines end with CR alone; convert it to LF"};
  const std::string_view first =
      rest.substr(0, 64).starts_with('{') ? std::string_view("{") : take_line(rest);
  const std::string_view fence = first.substr(0, first.find_last_not_of(" \t") + 1);
  FrontMatterParts parts{.body = whole};
  if (fence == "---") {
    parts = split_fenced(text, settings::Language::yaml, fence);
  } else if (fence == "+++") {
    parts = split_fenced(text, settings::Language::toml, fence);
  } else if (fence == "{") {
    parts = split_json(text);
  } else if (fence.starts_with("---") && is_word(fence.substr(3))) {
    parts = split_named(text, fence.substr(3));
  } else {
    parts = split_unfenced(text);
  }
  const bool is_all_body = parts.body.size() == text.size();
  if (is_all_body) parts.body = whole;
  const auto skipped = std::ranges::count(whole.substr(0, whole.size() - text.size()), '\n');
  parts.first_line += static_cast<std::size_t>(skipped);
  return parts;
}

FrontMatter read_front_matter(std::string_view text, const FrontMatterOptions& options, Arena& arena) {
  FrontMatter result;
  const FrontMatterParts parts = split_front_matter(text);
  result.body = parts.body;
  if (!parts.problem.empty()) {
    result.problems.push_back(fmt::format("line {}: {}", parts.first_line, parts.problem));
    result.verdict = {visibility::Hold::unreadable, result.problems.front()};
    return result;
  }
  if (parts.settings.empty()) return result;
  settings::ParsedSettings parsed;
  if (parts.language) {
    parsed = settings::parse_settings(parts.settings, *parts.language, arena);
  } else {
    parsed.settings = unfenced_settings(parts.settings);
  }
  if (parsed.problem) {
    result.problems.push_back(describe(*parsed.problem, parts));
    result.verdict = {visibility::Hold::unreadable, result.problems.front()};
  }
  SettingsReader reader(options, arena, result);
  reader.gather(parsed.settings);
  reader.read();
  if (result.verdict.hold == visibility::Hold::unreadable && result.problems.empty())
    result.problems.push_back(result.verdict.detail);
  return result;
}

visibility::Verdict judge_cascade(std::string_view text, Instant now) {
  constexpr std::string_view kCascade = "cascade.";
  const FrontMatterParts parts = split_front_matter(text);
  if (!parts.language) return {};
  Arena arena;
  for (const settings::Setting& setting :
       settings::parse_settings(parts.settings, *parts.language, arena).settings) {
    if (!setting.name.starts_with(kCascade)) continue;
    auto verdict = visibility::judge_setting(setting.name.substr(kCascade.size()), setting.value, now);
    if (verdict.is_public()) continue;
    verdict.detail = fmt::format("the folder's _index.md says {}", verdict.detail);
    return verdict;
  }
  return {};
}

}  // namespace sheaf::markdown
