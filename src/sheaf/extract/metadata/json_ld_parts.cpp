// The text of a JSON-LD entity in parts: an article's paragraphs, posts with their authors, questions and
// answers, a product's properties, the steps of a recipe.
#include "sheaf/base/code_points.h"
#include "sheaf/extract/metadata/json_ld_internal.h"
#include "sheaf/extract/metadata/json_ld_types.h"
#include "sheaf/html/text_value.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sheaf::extract {
namespace {

constexpr std::size_t kMaxParts = 500;
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;  // of all parts together
constexpr std::size_t kMaxReplyDepth = 6;
constexpr std::size_t kMaxNoteLength = 200;

using PartKind = DeclaredPart::Kind;

bool has_type(dom::object object, std::string_view wanted) {
  bool found = false;
  for_types(object, [&](std::string_view type) { found = found || short_type(type) == wanted; });
  return found;
}

/// Removes the next paragraph from the front of `text` and returns it. Paragraphs end at line breaks and at
/// "</p>".
std::string_view take_paragraph(std::string_view& text) {
  const std::size_t line = std::min(text.find_first_of("\n\r"), text.size());
  const std::size_t tag = std::min(text.find("</p>"), text.size());
  const std::string_view paragraph = text.substr(0, std::min(line, tag));
  text.remove_prefix(std::min(text.size(), line < tag ? line + 1 : tag + 4));
  return paragraph;
}

class PartReader {
 public:
  explicit PartReader(Arena& arena) : arena_(arena) {}

  List<DeclaredPart> read(dom::object entity) {
    if (has_type(entity, "FAQPage")) {
      add_questions(entity);
    } else if (has_type(entity, "QAPage")) {
      if (const auto question = member(entity, "mainEntity"))
        for_each_of(*question, [this](dom::element each) { add_thread(each, 0); });
    } else if (has_type(entity, "Question") || has_type(entity, "DiscussionForumPosting")) {
      add_post(entity, 0);
    } else if (has_type(entity, "Product")) {
      add_product(entity);
    } else if (has_type(entity, "Recipe")) {
      add_recipe(entity);
    } else {
      add_paragraphs(entity, "articleBody", PartKind::paragraph, {});
    }
    return arena_.copy(std::span<const DeclaredPart>(parts_));
  }

 private:
  void add(PartKind kind, std::string_view raw, Text note = {}) {
    if (parts_.size() == kMaxParts || raw.size() > kMaxBytes - bytes_) return;
    const std::string_view clean =
        html::clean_text(arena_.copy(raw), html::Markup::references_and_tags, arena_);
    if (clean.empty()) return;
    bytes_ += raw.size();
    parts_.push_back({kind, clean, note});
  }

  /// False if the member is not a text.
  bool add_paragraphs(dom::object object, std::string_view key, PartKind kind, Text note) {
    const auto value = member(object, key);
    auto text = value ? as_string(first_of(*value)) : std::nullopt;
    if (!text) return false;
    while (!text->empty() && parts_.size() < kMaxParts) {
      const std::size_t before = parts_.size();
      add(kind, take_paragraph(*text), note);
      if (parts_.size() > before) note = {};
    }
    return true;
  }

  void add_questions(dom::object page) {
    const auto questions = member(page, "mainEntity");
    if (!questions) return;
    for_each_of(*questions, [this](dom::element each) {
      const auto question = as_object(each);
      const auto name = question ? string_member(*question, "name") : std::nullopt;
      const auto answer = question ? member(*question, "acceptedAnswer") : std::nullopt;
      const auto of_answer = answer ? as_object(first_of(*answer)) : std::nullopt;
      if (!name || !of_answer) return;
      add(PartKind::question, *name);
      add_paragraphs(*of_answer, "text", PartKind::answer, {});
    });
  }

  /// Author and time of a post, as far as known: "jane, 2024-05-01 10:00".
  Text written_by(dom::object post) {
    std::string note(base::cut_utf8(string_member(post, "author").value_or(""), kMaxNoteLength));
    auto time = string_member(post, "datePublished");
    if (!time) time = string_member(post, "dateCreated");
    constexpr std::size_t kMinutes = 16;  // the size of a time without seconds
    std::string date(base::cut_utf8(time.value_or(""), kMinutes));
    std::ranges::replace(date, 'T', ' ');
    if (!note.empty() && !date.empty()) note += ", ";
    return html::clean_text(arena_.copy(note + date), html::Markup::references, arena_);
  }

  void add_thread(dom::element element, std::size_t depth) {
    if (const auto post = as_object(element)) add_post(*post, depth);
  }

  void add_post(dom::object post, std::size_t depth) {
    const Text note = written_by(post);
    if (!add_paragraphs(post, "text", PartKind::post, note))
      add_paragraphs(post, "articleBody", PartKind::post, note);
    if (depth == kMaxReplyDepth) return;
    for (const std::string_view key : {"acceptedAnswer", "suggestedAnswer", "comment"})
      if (const auto replies = member(post, key))
        for_each_of(*replies, [&](dom::element each) { add_thread(each, depth + 1); });
  }

  void add_product(dom::object product) {
    if (const auto offers = member(product, "offers"))
      if (const auto offer = as_object(first_of(*offers))) add_price(*offer);
    add_paragraphs(product, "description", PartKind::description, {});
    const auto properties = member(product, "additionalProperty");
    if (!properties) return;
    for_each_of(*properties, [this](dom::element each) {
      const auto property = as_object(each);
      const auto name = property ? string_member(*property, "name") : std::nullopt;
      const auto value = property ? member(*property, "value") : std::nullopt;
      if (!name || !value) return;
      const Text text =
          html::clean_text(arena_.copy(scalar_text(*value)), html::Markup::references_and_tags, arena_);
      if (!text.empty()) add(PartKind::property, *name, text);
    });
  }

  static std::string scalar_text(dom::element value) {
    if (const auto text = as_string(value)) return std::string(*text);
    return value.is_object() || value.is_array() ? std::string() : std::string(simdjson::minify(value));
  }

  void add_price(dom::object offer) {
    auto price = member(offer, "price");
    if (!price) price = member(offer, "lowPrice");
    if (!price) return;
    std::string text = scalar_text(first_of(*price));
    if (text.empty() || text.size() > kMaxNoteLength) return;
    if (const auto currency = string_member(offer, "priceCurrency"))
      text.append(" ").append(base::cut_utf8(*currency, kMaxNoteLength));
    add(PartKind::price, text);
  }

  void add_recipe(dom::object recipe) {
    add_paragraphs(recipe, "description", PartKind::paragraph, {});
    if (const auto ingredients = member(recipe, "recipeIngredient"))
      for_each_of(*ingredients, [this](dom::element each) {
        if (const auto text = as_string(each)) add(PartKind::ingredient, *text);
      });
    if (const auto steps = member(recipe, "recipeInstructions"))
      for_each_of(*steps, [this](dom::element each) { add_step(each, 0); });
  }

  /// Adds a step, or a section of steps.
  void add_step(dom::element element, std::size_t depth) {
    if (const auto text = as_string(element)) {
      std::string_view rest = *text;
      while (!rest.empty() && parts_.size() < kMaxParts) add(PartKind::step, take_paragraph(rest));
    }
    const auto step = as_object(element);
    if (!step) return;
    if (const auto inside = member(*step, "itemListElement"); inside && depth < kMaxReplyDepth) {
      if (const auto name = string_member(*step, "name")) add(PartKind::section, *name);
      for_each_of(*inside, [&](dom::element each) { add_step(each, depth + 1); });
    } else if (!add_paragraphs(*step, "text", PartKind::step, {})) {
      if (const auto name = string_member(*step, "name")) add(PartKind::step, *name);
    }
  }

  Arena& arena_;
  std::vector<DeclaredPart> parts_;
  std::size_t bytes_ = 0;
};

}  // namespace

List<DeclaredPart> declared_parts(dom::object entity, Arena& arena) { return PartReader(arena).read(entity); }

}  // namespace sheaf::extract
