#include "sheaf/base/ascii.h"
#include "sheaf/extract/metadata/metadata_internal.h"
#include "sheaf/html/text_value.h"
#include "sheaf/model/field_values.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace sheaf::extract {
namespace {

constexpr std::size_t kTagBytes = 64;

/// Whether a path is one of the usual paths of a site's front page.
bool is_front_page(std::string_view path) {
  return path == "/" || path.starts_with("/index.") || path.starts_with("/home.") || path == "/home";
}

/// Whether a host is reachable only from the author's machine or network.
bool is_local_host(std::string_view host) {
  return host.find('.') == std::string_view::npos || host.ends_with(".local") || host.ends_with(".test") ||
         host.starts_with("127.") || host.starts_with("192.168.") || host.starts_with("10.");
}

/// Whether a page at `page` may have `canonical` as its canonical URL. Faulty templates name the front page
/// or a developer's machine on every page, which would merge the whole site into one page.
bool is_believable(const base::Url& canonical, const base::Url* page) {
  if (page == nullptr) return !is_local_host(canonical.host());
  if (is_local_host(canonical.host()) && canonical.host() != page->host()) return false;
  const bool to_front = canonical.path() == "/" && !canonical.has_query();
  return !to_front || is_front_page(page->path());
}

}  // namespace

OptionalText read_language(const MetadataContext& context) {
  const auto try_tag = [&context](std::string_view raw) -> OptionalText {
    const std::string tag = model::normal_language_tag(raw);
    if (tag.empty()) return std::nullopt;
    return context.arena.copy(tag);
  };
  if (context.sources.html_language)
    if (const auto tag = try_tag(*context.sources.html_language)) return tag;
  // A list of languages is about the audience, not the text. It is not a language tag, so it is ignored.
  for (std::uint8_t rank = 0; rank < kMetaRanks; ++rank)
    for (const MetaValue& meta : context.sources.meta(MetaField::language))
      if (meta.rank == rank)
        if (const auto tag = try_tag(meta.value)) return tag;
  if (context.facts.language)
    if (const auto tag = try_tag(*context.facts.language)) return tag;
  for (const Candidate& item : context.sources.item(ItemField::language))
    if (const auto value = item_value(context, item.node, kTagBytes))
      if (const auto tag = try_tag(*value)) return tag;
  return std::nullopt;
}

OptionalText read_canonical(const MetadataContext& context) {
  const base::Url* page = context.options.url;
  std::optional<base::Url> base;
  if (context.sources.base) base = base::Url::parse(*context.sources.base, page);
  const base::Url* against = base ? &*base : page;
  const auto try_address = [&](std::string_view raw) -> OptionalText {
    if (text::trim_space(raw).empty()) return std::nullopt;  // it would resolve to the base URL
    const auto url = base::Url::parse(raw, against);
    if (!url || !is_believable(*url, page)) return std::nullopt;
    return html::url_text(url->without_fragment().href(), context.arena);
  };
  if (context.sources.canonical)
    if (const auto address = try_address(*context.sources.canonical)) return address;
  for (const MetaValue& meta : context.sources.meta(MetaField::address))
    if (const auto address = try_address(meta.value)) return address;
  return std::nullopt;
}

namespace {

/// Whether a directive has a value after a colon. Any other name before a colon is a user agent.
bool has_value(std::string_view name) { return name == "unavailable_after" || name.starts_with("max-"); }

class RobotsReader {
 public:
  explicit RobotsReader(Arena& arena) : arena_(arena) {}

  /// Reads the content of one meta element, or the whole header.
  void read(std::string_view text) {
    bool for_all = true;
    while (!text.empty()) {
      std::string_view part = take_part(text);
      const std::size_t colon = part.find(':');
      const std::string name = base::lower_text(text::trim_space(part.substr(0, colon)));
      if (colon != std::string_view::npos && !has_value(name)) {
        // "googlebot: noindex, nofollow": the directives are for this agent until another one is named.
        for_all = name == "*";
        part = text::trim_space(part.substr(colon + 1));
        if (for_all) add_words(part);
        continue;
      }
      if (!for_all) continue;
      if (colon == std::string_view::npos) {
        add_words(part);
        continue;
      }
      std::string directive = name;
      const std::string_view value = text::trim_space(part.substr(colon + 1));
      directive.append(": ").append(value);
      // "unavailable_after: Friday, 25 Jun 2010 15:00:00 GMT" contains a comma.
      if (name == "unavailable_after" && value.find_first_of("0123456789") == std::string_view::npos &&
          !text.empty())
        directive.append(", ").append(take_part(text));
      add(directive);
    }
  }

  [[nodiscard]] std::optional<List<Text>> finish() const {
    if (directives_.empty()) return std::nullopt;
    return arena_.copy(std::span<const Text>(directives_));
  }

 private:
  static constexpr std::size_t kDirectives = 32;
  static constexpr std::size_t kDirectiveBytes = 128;

  static std::string_view take_part(std::string_view& text) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text::trim_space(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    return part;
  }

  /// Adds directives that are separated by spaces: some authors forget the commas.
  void add_words(std::string_view words) {
    while (!(words = text::trim_space(words)).empty()) {
      const std::size_t end = std::min(words.find_first_of(" ;\t\n"), words.size());
      const std::string word = base::lower_text(words.substr(0, end));
      // `none` stands for these two; callers only have to look for noindex.
      if (word == "none") {
        add("noindex");
        add("nofollow");
      } else {
        add(word);
      }
      words.remove_prefix(std::min(words.size(), end + 1));
    }
  }

  void add(std::string_view directive) {
    if (directive.empty() || directive.size() > kDirectiveBytes) return;
    // noindex counts even after too many other directives.
    if (directives_.size() >= kDirectives && directive != "noindex") return;
    if (std::ranges::find(directives_, directive) != directives_.end()) return;
    directives_.push_back(arena_.copy(directive));
  }

  Arena& arena_;
  std::vector<Text> directives_;
};

}  // namespace

std::optional<List<Text>> robots_directives(std::span<const std::string_view> texts, Arena& arena) {
  RobotsReader reader(arena);
  for (const std::string_view text : texts) reader.read(text);
  return reader.finish();
}

std::optional<List<Text>> read_robots(const MetadataContext& context) {
  std::vector<std::string_view> texts(context.sources.robots.begin(), context.sources.robots.end());
  texts.push_back(context.options.robots_header);
  return robots_directives(texts, context.arena);
}

}  // namespace sheaf::extract
