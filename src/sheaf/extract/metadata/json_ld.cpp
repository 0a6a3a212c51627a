#include "sheaf/extract/metadata/json_ld.h"

#include "sheaf/extract/metadata/json_ld_internal.h"
#include "sheaf/extract/metadata/json_ld_types.h"
#include "sheaf/extract/metadata/json_repair.h"
#include "sheaf/extract/outline/declared_page.h"
#include "sheaf/format/json/unsafe_url.h"
#include "sheaf/html/text_value.h"
#include "sheaf/model/field_values.h"

#include <simdjson.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::extract {
namespace {

constexpr std::size_t kDepth = 64;  // real JSON-LD is less than 20 deep; a page with it may be 256 deep
constexpr std::size_t kBlocks = 256;
constexpr std::size_t kBytes = std::size_t{4} << 20;  // of all blocks together
constexpr std::size_t kAuthors = 32;
constexpr std::size_t kQuestions = 500;  // parts of lists of questions
constexpr std::size_t kMedia = 64;
constexpr std::size_t kShortText = 2048;
constexpr std::size_t kLongText = std::size_t{16} * 1024;
constexpr std::size_t kArticleText = std::size_t{1} << 20;
constexpr std::size_t kTranscript = std::size_t{1} << 20;

std::optional<Rank> rank_of(dom::object object) {
  std::optional<Rank> best;
  for_types(object, [&best](std::string_view type) {
    const Rank rank = rank_of_type(type);
    if (!best || rank > *best) best = rank;
  });
  return best;
}

/// A URL without scheme, fragment and final slash, in which two spellings of it may differ.
std::string_view bare_address(std::string_view url) {
  url = url.substr(0, url.find('#'));
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos)
    url.remove_prefix(scheme + 3);
  if (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

/// Converts a duration to the form of the drafts, which has no days: many sites write "P0DT0H5M20S". Empty if
/// that is impossible.
std::string normal_duration(std::string_view text) {
  if (text.size() > 64) return {};
  std::string duration(text);
  const std::size_t time = duration.find('T');
  if (duration.starts_with('P') && time != std::string::npos && duration.find_first_of("123456789") > time)
    duration.erase(1, time - 1);
  return model::is_duration(duration) ? duration : std::string();
}

/// A top-level entity of the page's data.
struct Entity {
  dom::object object;
  std::optional<dom::element> context;
  Rank rank = Rank::other;
};

class Reader {
 public:
  Reader(const base::Url* page, Arena& arena) : page_(page), arena_(arena) {}

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
  [[nodiscard]] OptionalText text(dom::object object, std::string_view key, std::size_t most) const;
  [[nodiscard]] OptionalText address(dom::object object, std::string_view key) const;
  [[nodiscard]] OptionalText declared_text(dom::object object) const;
  void add_texts(dom::object object, std::string_view key, std::string& texts) const;

  void read_entity(dom::object object, Rank rank, JsonLdFacts& facts);
  void read_site_name(JsonLdFacts& facts, const Entity* main) const;
  [[nodiscard]] List<Text> read_authors(dom::object object, std::string_view key) const;
  void add_author(dom::element author, std::vector<Text>& names) const;
  [[nodiscard]] std::string_view write_schema(const Entity& entity) const;
  [[nodiscard]] List<DeclaredPart> read_parts(const Entity* main) const;

  const base::Url* page_;
  Arena& arena_;
  dom::parser parser_;
  std::string buffer_;
  std::deque<dom::document> documents_;  // elements point into these
  std::vector<Place> stack_;
  std::vector<Entity> entities_;
  std::vector<std::pair<std::string_view, dom::object>> by_id_;
  std::vector<MediaObject> media_;
  std::uint32_t kinds_ = 0;
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
    if (place.top) kinds_ |= declared_kind(short_type(type));
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
  // The page's own article is distinguished from articles in lists by its URL.
  const auto own = std::find_if(best, entities_.end(), [this, best](const Entity& entity) {
    return entity.rank == best->rank && is_this_page(entity.object);
  });
  return own == entities_.end() ? &*best : &*own;
}

/// The object with a name that an {"@id": ...} refers to; else the object itself.
dom::object Reader::resolve(dom::object object) const {
  if (member(object, "name")) return object;
  const auto id = string_member(object, "@id");
  if (!id) return object;
  const auto found = std::ranges::find_if(
      by_id_, [&id](const auto& entry) { return entry.first == *id && member(entry.second, "name"); });
  return found == by_id_.end() ? object : found->second;
}

OptionalText Reader::text(dom::object object, std::string_view key, std::size_t most) const {
  const auto raw = string_member(object, key);
  // Cleaning would not make such a text short enough.
  if (!raw || raw->size() > 8 * most) return std::nullopt;
  const std::string_view clean =
      html::clean_text(arena_.copy(*raw), html::Markup::references_and_tags, arena_);
  if (clean.empty() || clean.size() > most) return std::nullopt;
  return clean;
}

/// The full text of an entity: an article's body, a post, the steps of a recipe, questions and their answers,
/// a product's description.
OptionalText Reader::declared_text(dom::object object) const {
  if (const auto body = text(object, "articleBody", kArticleText)) return body;
  std::string texts;
  for (const std::string_view key : {"text", "recipeIngredient", "recipeInstructions"})
    add_texts(object, key, texts);
  for_types(object, [&](std::string_view type) {
    if (short_type(type) == "FAQPage") add_texts(object, "mainEntity", texts);
    if (short_type(type) == "Product") add_texts(object, "description", texts);
  });
  if (texts.empty() || texts.size() > kArticleText) return std::nullopt;
  return arena_.copy(texts);
}

/// Adds a line for each string of a member, and for the `name`, the `text` and the accepted answer of each
/// object in it.
void Reader::add_texts(dom::object object, std::string_view key, std::string& texts) const {
  const auto value = member(object, key);
  if (!value) return;
  const auto add = [&](std::string_view raw) {
    if (raw.size() > kArticleText) return;
    const std::string_view clean =
        html::clean_text(arena_.copy(raw), html::Markup::references_and_tags, arena_);
    if (clean.empty()) return;
    if (!texts.empty()) texts += '\n';
    texts += clean;
  };
  const auto add_element = [&](dom::element each) {
    if (const auto string = as_string(each)) add(*string);
    const auto inside = as_object(each);
    if (!inside) return;
    for (const std::string_view part : {"name", "text"})
      if (const auto string = member(*inside, part) ? as_string(*member(*inside, part)) : std::nullopt)
        add(*string);
    if (const auto answer = member(*inside, "acceptedAnswer"))
      if (const auto of_answer = as_object(first_of(*answer))) add_texts(*of_answer, "text", texts);
  };
  if (dom::array array; value->get(array) == simdjson::SUCCESS) {
    for (const dom::element each : array) add_element(each);
  } else {
    add_element(*value);
  }
}

OptionalText Reader::address(dom::object object, std::string_view key) const {
  const auto raw = string_member(object, key);
  if (!raw) return std::nullopt;
  const auto url = base::Url::parse(*raw, page_);
  if (!url) return std::nullopt;
  return arena_.copy(url->href());
}

void Reader::add_author(dom::element author, std::vector<Text>& names) const {
  if (names.size() == kAuthors) return;
  std::optional<std::string_view> raw = as_string(author);
  if (const auto object = as_object(author)) raw = string_member(resolve(*object), "name");
  if (!raw || raw->size() > kShortText) return;
  const std::string_view name =
      html::clean_text(arena_.copy(*raw), html::Markup::references_and_tags, arena_);
  if (!name.empty()) names.push_back(name);
}

List<Text> Reader::read_authors(dom::object object, std::string_view key) const {
  std::vector<Text> names;
  const auto value = member(object, key);
  if (!value) return {};
  if (dom::array array; value->get(array) == simdjson::SUCCESS) {
    for (const dom::element each : array) add_author(each, names);
  } else {
    add_author(*value, names);
  }
  return arena_.copy(std::span<const Text>(names));
}

/// Sets the facts that are still missing from an entity.
void Reader::read_entity(dom::object object, Rank rank, JsonLdFacts& facts) {
  if (!facts.headline) facts.headline = text(object, "headline", kShortText);
  if (!facts.headline) facts.headline = text(object, "name", kShortText);
  if (!facts.description) facts.description = text(object, "description", kLongText);
  if (!facts.declared_text) facts.declared_text = declared_text(object);
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
  const auto copy = [this](std::string_view schema) {
    return arena_.copy(format::without_unsafe_urls("", schema).value_or(std::string(schema)));
  };
  const std::string json = simdjson::minify(entity.object);
  if (member(entity.object, "@context")) return copy(json);
  std::string with_context = "{\"@context\":";
  with_context += entity.context ? simdjson::minify(*entity.context) : "\"https://schema.org\"";
  if (json.size() > 2) with_context += ',';
  with_context += std::string_view(json).substr(1);
  return copy(with_context);
}

/// The parts of the main entity, then those of all FAQs. If the main entity is itself a question or a FAQ,
/// only the latter, because they include it.
List<DeclaredPart> Reader::read_parts(const Entity* main) const {
  std::vector<DeclaredPart> questions;
  for (const Entity& entity : entities_) {
    bool is_faq = false;
    for_types(entity.object,
              [&](std::string_view type) { is_faq = is_faq || short_type(type) == "FAQPage"; });
    if (!is_faq) continue;
    const List<DeclaredPart> parts = declared_parts(entity.object, arena_);
    questions.insert(questions.end(), parts.begin(), parts.end());
    if (questions.size() > kQuestions) break;
  }
  bool is_question = false;
  if (main != nullptr)
    for_types(main->object, [&](std::string_view type) {
      is_question = is_question || short_type(type) == "Question" || short_type(type) == "FAQPage";
    });
  if (main == nullptr || main->rank < Rank::page || (is_question && !questions.empty()))
    return arena_.copy(std::span<const DeclaredPart>(questions));
  const List<DeclaredPart> own = declared_parts(main->object, arena_);
  questions.insert(questions.begin(), own.begin(), own.end());
  return arena_.copy(std::span<const DeclaredPart>(questions));
}

JsonLdFacts Reader::finish() {
  JsonLdFacts facts;
  const Entity* main = main_entity();
  if (main != nullptr) {
    facts.schema = write_schema(*main);
    if (main->rank >= Rank::page) read_entity(main->object, main->rank, facts);
  }
  // An entity of the page itself often has the dates that its article lacks.
  for (const Entity& entity : entities_)
    if (entity.rank == Rank::page && main != nullptr && main->rank >= Rank::page)
      read_entity(entity.object, entity.rank, facts);
  read_site_name(facts, main);
  facts.parts = read_parts(main);
  facts.media = arena_.copy(std::span<const MediaObject>(media_));
  facts.kinds = kinds_;
  return facts;
}

}  // namespace

JsonLdFacts read_json_ld(std::span<const std::string_view> blocks, const base::Url* page, Arena& arena) {
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

}  // namespace sheaf::extract
