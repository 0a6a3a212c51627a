#include "sheaf/html/json_ld.h"

#include "sheaf/html/json_repair.h"
#include "sheaf/html/text_value.h"
#include "sheaf/model/duration.h"

#include <simdjson.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::html {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kDepth = 64;  // real ones stay under 20; a page may be 256 deep with it
constexpr std::size_t kBlocks = 256;
constexpr std::size_t kBytes = std::size_t{4} << 20;  // of all blocks together
constexpr std::size_t kAuthors = 32;
constexpr std::size_t kMedia = 64;
constexpr std::size_t kShortText = 2048;
constexpr std::size_t kLongText = std::size_t{16} * 1024;
constexpr std::size_t kArticleText = std::size_t{1} << 20;
constexpr std::size_t kTranscript = std::size_t{1} << 20;

/// How likely a page is about a thing of some type, rather than carrying it along.
enum class Rank : std::uint8_t {
  trail,         ///< the way here, search boxes: never what the page is about
  site,          ///< the site and its parts
  organization,  ///< publishers and people; a page about one has them too
  page,          ///< the page as such
  other,         ///< a type we do not know is seldom put on every page
  media,         ///< a video or recording; part of an article if there is one
  work,          ///< articles, products, recipes, events
};

struct RankedType {
  std::string_view name;
  Rank rank;
};
constexpr RankedType kTypes[] = {
    {"BreadcrumbList", Rank::trail},
    {"ListItem", Rank::trail},
    {"SearchAction", Rank::trail},
    {"ReadAction", Rank::trail},
    {"WPHeader", Rank::trail},
    {"WPFooter", Rank::trail},
    {"WPSideBar", Rank::trail},
    {"SiteNavigationElement", Rank::trail},
    {"ImageObject", Rank::trail},
    {"Rating", Rank::trail},
    {"AggregateRating", Rank::trail},
    {"WebSite", Rank::site},
    {"ItemList", Rank::site},
    {"Brand", Rank::site},
    {"Organization", Rank::organization},
    {"NewsMediaOrganization", Rank::organization},
    {"Corporation", Rank::organization},
    {"Person", Rank::organization},
    {"PostalAddress", Rank::site},
    {"VideoObject", Rank::media},
    {"AudioObject", Rank::media},
    {"Report", Rank::work},
    {"Recipe", Rank::work},
    {"Product", Rank::work},
    {"ProductGroup", Rank::work},
    {"Event", Rank::work},
    {"Book", Rank::work},
    {"Movie", Rank::work},
    {"TVSeries", Rank::work},
    {"TVEpisode", Rank::work},
    {"PodcastEpisode", Rank::work},
    {"Course", Rank::work},
    {"JobPosting", Rank::work},
    {"HowTo", Rank::work},
    {"Review", Rank::work},
    {"ClaimReview", Rank::work},
    {"Dataset", Rank::work},
    {"SoftwareApplication", Rank::work},
    {"MobileApplication", Rank::work},
    {"WebApplication", Rank::work},
    {"VideoGame", Rank::work},
    {"MusicRecording", Rank::work},
    {"MusicAlbum", Rank::work},
};

/// "NewsArticle" of "http://schema.org/NewsArticle" and "schema:NewsArticle".
std::string_view short_type(std::string_view type) {
  const std::size_t cut = type.find_last_of("/#:");
  return cut == std::string_view::npos ? type : type.substr(cut + 1);
}

Rank rank_of_type(std::string_view type) {
  type = short_type(type);
  const auto* const row = std::ranges::find(kTypes, type, &RankedType::name);
  if (row != std::end(kTypes)) return row->rank;
  if (type.ends_with("Article") || type.ends_with("Posting") || type.ends_with("Event")) return Rank::work;
  if (type.ends_with("Page")) return Rank::page;
  if (type.ends_with("Organization") || type.ends_with("Business")) return Rank::organization;
  return Rank::other;
}

std::optional<dom::element> member(dom::object object, std::string_view key) {
  dom::element value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return value;
}

std::optional<dom::object> as_object(dom::element element) {
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) return std::nullopt;
  return object;
}

std::optional<std::string_view> as_string(dom::element element) {
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

/// The element, or the first of an array.
dom::element first_of(dom::element element) {
  dom::array array;
  if (element.get(array) != simdjson::SUCCESS || array.begin() == array.end()) return element;
  return *array.begin();
}

/// The string of a member, or the first of its array, or that of its `@value`, `name`, `url` or `@id`.
std::optional<std::string_view> string_member(dom::object object, std::string_view key) {
  const auto value = member(object, key);
  if (!value) return std::nullopt;
  const dom::element first = first_of(*value);
  if (const auto text = as_string(first)) return text;
  const auto inside = as_object(first);
  if (!inside) return std::nullopt;
  for (const std::string_view name : {"@value", "name", "url", "@id"})
    if (const auto text = member(*inside, name))
      if (const auto found = as_string(first_of(*text))) return found;
  return std::nullopt;
}

/// Calls `use` with every type of an object.
template <class Use>
void for_types(dom::object object, Use use) {
  const auto type = member(object, "@type");
  if (!type) return;
  if (const auto text = as_string(*type)) {
    use(*text);
    return;
  }
  dom::array types;
  if (type->get(types) != simdjson::SUCCESS) return;
  for (const dom::element each : types)
    if (const auto text = as_string(each)) use(*text);
}

std::optional<Rank> rank_of(dom::object object) {
  std::optional<Rank> best;
  for_types(object, [&best](std::string_view type) {
    const Rank rank = rank_of_type(type);
    if (!best || rank > *best) best = rank;
  });
  return best;
}

/// An address without what two spellings of it may differ in.
std::string_view bare_address(std::string_view url) {
  url = url.substr(0, url.find('#'));
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos)
    url.remove_prefix(scheme + 3);
  if (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

/// A duration in the drafts' form, which has no days: many write "P0DT0H5M20S". Empty if it cannot be had.
std::string normal_duration(std::string_view text) {
  if (text.size() > 64) return {};
  std::string duration(text);
  const std::size_t time = duration.find('T');
  if (duration.starts_with('P') && time != std::string::npos && duration.find_first_of("123456789") > time)
    duration.erase(1, time - 1);
  return model::is_duration(duration) ? duration : std::string();
}

/// A thing that the page speaks of at the top of its data.
struct Entity {
  dom::object object;
  std::optional<dom::element> context;
  Rank rank = Rank::other;
};

class Reader {
 public:
  Reader(const base::Url* page, base::Arena& arena) : page_(page), arena_(arena) {}

  void read_block(std::string_view script);
  JsonLdFacts finish();

 private:
  struct Place {
    dom::element element;
    std::optional<dom::element> context;
    bool top = false;
  };

  void walk(dom::element root);
  void visit_object(dom::object object, const Place& place);
  void add_media(dom::object object, MediaObject::Kind kind);

  [[nodiscard]] const Entity* main_entity() const;
  [[nodiscard]] bool is_this_page(dom::object object) const;
  [[nodiscard]] dom::object resolve(dom::object object) const;
  [[nodiscard]] model::OptionalText text(dom::object object, std::string_view key, std::size_t most) const;
  [[nodiscard]] model::OptionalText address(dom::object object, std::string_view key) const;

  void read_entity(dom::object object, Rank rank, JsonLdFacts& facts);
  void read_site_name(JsonLdFacts& facts, const Entity* main) const;
  [[nodiscard]] model::List<model::Text> read_authors(dom::object object, std::string_view key) const;
  void add_author(dom::element author, std::vector<model::Text>& names) const;
  [[nodiscard]] std::string_view write_schema(const Entity& entity) const;

  const base::Url* page_;
  base::Arena& arena_;
  dom::parser parser_;
  std::string buffer_;
  std::deque<dom::document> documents_;  // elements point into these
  std::vector<Place> stack_;
  std::vector<Entity> entities_;
  std::vector<std::pair<std::string_view, dom::object>> by_id_;
  std::vector<MediaObject> media_;
};

void Reader::read_block(std::string_view script) {
  if (!repair_json(script, kDepth, buffer_)) return;
  const std::size_t size = buffer_.size();
  buffer_.append(simdjson::SIMDJSON_PADDING, ' ');
  if (parser_.capacity() < size && parser_.allocate(size, kDepth + 1) != simdjson::SUCCESS) return;
  dom::element root;
  dom::document& document = documents_.emplace_back();
  if (parser_.parse_into_document(document, buffer_.data(), size, false).get(root) != simdjson::SUCCESS) {
    documents_.pop_back();
    return;
  }
  walk(root);
}

void Reader::walk(dom::element root) {
  stack_.assign(1, {root, std::nullopt, true});
  while (!stack_.empty()) {
    const Place place = stack_.back();
    stack_.pop_back();
    const std::size_t before = stack_.size();
    if (const auto object = as_object(place.element)) {
      visit_object(*object, place);
    } else if (dom::array array; place.element.get(array) == simdjson::SUCCESS) {
      for (const dom::element each : array)
        if (each.is_object() || each.is_array()) stack_.push_back({each, place.context, place.top});
    }
    std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(before), stack_.end());
  }
}

void Reader::visit_object(dom::object object, const Place& place) {
  auto context = member(object, "@context");
  if (!context) context = place.context;
  if (const auto id = member(object, "@id"); id && object.size() > 1)
    if (const auto text = as_string(*id)) by_id_.emplace_back(*text, object);
  for_types(object, [&](std::string_view type) {
    if (short_type(type) == "VideoObject") add_media(object, MediaObject::Kind::video);
    if (short_type(type) == "AudioObject") add_media(object, MediaObject::Kind::audio);
  });
  if (const auto rank = rank_of(object); rank && place.top) entities_.push_back({object, context, *rank});
  for (const auto& [key, value] : object)
    if ((value.is_object() || value.is_array()) && key != "@context")
      stack_.push_back({value, context, place.top && (key == "@graph" || key == "mainEntity")});
}

void Reader::add_media(dom::object object, MediaObject::Kind kind) {
  if (media_.size() == kMedia) return;
  MediaObject media;
  media.kind = kind;
  media.name = text(object, "name", kShortText);
  if (!media.name) media.name = text(object, "headline", kShortText);
  media.description = text(object, "description", kLongText);
  media.content_url = address(object, "contentUrl");
  media.embed_url = address(object, "embedUrl");
  media.thumbnail_url = address(object, "thumbnailUrl");
  if (!media.thumbnail_url) media.thumbnail_url = address(object, "thumbnail");
  if (const auto duration = string_member(object, "duration"))
    if (const std::string normal = normal_duration(*duration); !normal.empty())
      media.duration = arena_.copy(normal);
  media.transcript = text(object, "transcript", kTranscript);
  media_.push_back(media);
}

bool Reader::is_this_page(dom::object object) const {
  if (page_ == nullptr) return false;
  const std::string_view page = bare_address(page_->href());
  const auto is_page = [&](std::string_view key) {
    const auto url = string_member(object, key);
    return url && bare_address(*url) == page;
  };
  if (is_page("url") || is_page("@id")) return true;
  const auto of_page = member(object, "mainEntityOfPage");
  if (!of_page) return false;
  if (const auto inside = as_object(*of_page)) {
    const auto id = string_member(*inside, "@id");
    return id && bare_address(*id) == page;
  }
  return is_page("mainEntityOfPage");
}

const Entity* Reader::main_entity() const {
  const auto best = std::ranges::max_element(entities_, {}, &Entity::rank);
  if (best == entities_.end()) return nullptr;
  // Lists of articles are told from the page's own by its address.
  const auto own = std::find_if(best, entities_.end(), [this, best](const Entity& entity) {
    return entity.rank == best->rank && is_this_page(entity.object);
  });
  return own == entities_.end() ? &*best : &*own;
}

/// What an object that is only {"@id": ...} refers to; else the object itself.
dom::object Reader::resolve(dom::object object) const {
  if (member(object, "name")) return object;
  const auto id = string_member(object, "@id");
  if (!id) return object;
  const auto found = std::ranges::find_if(
      by_id_, [&id](const auto& entry) { return entry.first == *id && member(entry.second, "name"); });
  return found == by_id_.end() ? object : found->second;
}

model::OptionalText Reader::text(dom::object object, std::string_view key, std::size_t most) const {
  const auto raw = string_member(object, key);
  // What is cut off before cleaning is what no cleaning makes short enough.
  if (!raw || raw->size() > 8 * most) return std::nullopt;
  const std::string_view clean = clean_text(arena_.copy(*raw), Markup::references_and_tags, arena_);
  if (clean.empty() || clean.size() > most) return std::nullopt;
  return clean;
}

model::OptionalText Reader::address(dom::object object, std::string_view key) const {
  const auto raw = string_member(object, key);
  if (!raw) return std::nullopt;
  const auto url = base::Url::parse(*raw, page_);
  if (!url) return std::nullopt;
  return arena_.copy(url->href());
}

void Reader::add_author(dom::element author, std::vector<model::Text>& names) const {
  if (names.size() == kAuthors) return;
  std::optional<std::string_view> raw = as_string(author);
  if (const auto object = as_object(author)) raw = string_member(resolve(*object), "name");
  if (!raw || raw->size() > kShortText) return;
  const std::string_view name = clean_text(arena_.copy(*raw), Markup::references_and_tags, arena_);
  if (!name.empty()) names.push_back(name);
}

model::List<model::Text> Reader::read_authors(dom::object object, std::string_view key) const {
  std::vector<model::Text> names;
  const auto value = member(object, key);
  if (!value) return {};
  if (dom::array array; value->get(array) == simdjson::SUCCESS) {
    for (const dom::element each : array) add_author(each, names);
  } else {
    add_author(*value, names);
  }
  return arena_.copy(std::span<const model::Text>(names));
}

/// Takes from an entity what is not known yet.
void Reader::read_entity(dom::object object, Rank rank, JsonLdFacts& facts) {
  if (!facts.headline) facts.headline = text(object, "headline", kShortText);
  if (!facts.headline) facts.headline = text(object, "name", kShortText);
  if (!facts.description) facts.description = text(object, "description", kLongText);
  if (!facts.article_body) facts.article_body = text(object, "articleBody", kArticleText);
  if (facts.authors.empty()) facts.authors = read_authors(object, "author");
  if (facts.authors.empty()) facts.authors = read_authors(object, "creator");
  if (!facts.published) facts.published = text(object, "datePublished", kShortText);
  if (!facts.uploaded && rank == Rank::media) facts.uploaded = text(object, "uploadDate", kShortText);
  if (!facts.published) facts.published = text(object, "dateCreated", kShortText);
  if (!facts.modified) facts.modified = text(object, "dateModified", kShortText);
  if (!facts.language) facts.language = text(object, "inLanguage", kShortText);
}

void Reader::read_site_name(JsonLdFacts& facts, const Entity* main) const {
  for (const Entity& entity : entities_)
    if (entity.rank == Rank::site && !facts.site_name)
      for_types(entity.object, [&](std::string_view type) {
        if (short_type(type) == "WebSite") facts.site_name = text(entity.object, "name", kShortText);
      });
  if (facts.site_name || main == nullptr) return;
  const auto publisher = member(main->object, "publisher");
  if (!publisher) return;
  if (const auto object = as_object(first_of(*publisher)))
    facts.site_name = text(resolve(*object), "name", kShortText);
}

std::string_view Reader::write_schema(const Entity& entity) const {
  const std::string json = simdjson::minify(entity.object);
  if (member(entity.object, "@context")) return arena_.copy(json);
  std::string with_context = "{\"@context\":";
  with_context += entity.context ? simdjson::minify(*entity.context) : "\"https://schema.org\"";
  if (json.size() > 2) with_context += ',';
  with_context += std::string_view(json).substr(1);
  return arena_.copy(with_context);
}

JsonLdFacts Reader::finish() {
  JsonLdFacts facts;
  const Entity* main = main_entity();
  if (main != nullptr) {
    facts.schema = write_schema(*main);
    if (main->rank >= Rank::page) read_entity(main->object, main->rank, facts);
  }
  // The page as such often has the dates that its article lacks.
  for (const Entity& entity : entities_)
    if (entity.rank == Rank::page && main != nullptr && main->rank >= Rank::page)
      read_entity(entity.object, entity.rank, facts);
  read_site_name(facts, main);
  facts.media = arena_.copy(std::span<const MediaObject>(media_));
  return facts;
}

}  // namespace

JsonLdFacts read_json_ld(std::span<const std::string_view> blocks, const base::Url* page,
                         base::Arena& arena) {
  if (blocks.empty()) return {};
  Reader reader(page, arena);
  std::size_t bytes = 0;
  for (const std::string_view block : blocks.first(std::min(blocks.size(), kBlocks))) {
    if (block.size() > kBytes - bytes) continue;
    bytes += block.size();
    reader.read_block(block);
  }
  return reader.finish();
}

}  // namespace sheaf::html
