#include "sheaf/base/ascii.h"
#include "sheaf/extract/metadata/metadata_internal.h"
#include "sheaf/extract/metadata/metadata_names.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/scan.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace sheaf::extract {
namespace {

constexpr std::size_t kDateBytes = 128;  // a longer line with a date is a sentence of the text
constexpr std::int64_t kSecondsPerDay = 86'400;
// Metas that only say "date": often the day on which the page was generated or last saved.
constexpr int kLooseRank = 2;
// Distances from the headline, in elements.
constexpr std::uint32_t kNear = 100;
constexpr std::uint32_t kAnywhere = UINT32_MAX;

bool has_any_word(std::string_view text, std::span<const std::string_view> words) {
  const std::string lower = base::lower_text(text);
  return std::ranges::any_of(
      words, [&lower](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// Whether the words before a date say that it is the date of a change.
bool speaks_of_change(std::string_view text) {
  constexpr std::string_view kWords[] = {"updat",           "aktualis",
                                         "modif",           "stand:",
                                         "mis \u00E0 jour", "actualiz",
                                         "aggiorn",         "atualizad",
                                         "bijgewerkt",      "aktualiz",
                                         "ge\u00E4ndert",   "edited",
                                         "zuletzt",         "\u043E\u0431\u043D\u043E\u0432"};
  return has_any_word(text, kWords);
}

/// Whether the words before a date say that it is the date of publication.
bool speaks_of_publishing(std::string_view text) {
  constexpr std::string_view kWords[] = {"publish",     "posted",     "ver\u00F6ffentlicht",
                                         "erschienen",  "erstellt",   "gepostet",
                                         "publi\u00E9", "publicado",  "publicada",
                                         "pubblicat",   "geplaatst",  "gepubliceerd",
                                         "opublikowan", "publikov",   "created",
                                         "date:",       "datum:",     "fecha:",
                                         "data:",       "eingestellt"};
  return has_any_word(text, kWords);
}

class DateReader {
 public:
  DateReader(const MetadataContext& context, std::string_view language)
      : context_(context), order_(date_order_of(language)), latest_(context.options.now) {
    latest_.seconds += kSecondsPerDay;
    if (context.headline) find_article(context.headline->node);
  }

  PageDates read() {
    published_ = parse(context_.facts.published);
    modified_ = parse(context_.facts.modified);
    if (!published_) published_ = best_meta_date(MetaField::published, 0, kLooseRank - 1);
    if (!modified_) modified_ = best_meta_date(MetaField::modified, 0, kLooseRank);
    read_items();
    if (!published_) published_ = parse(context_.facts.uploaded);
    if (!published_) published_ = path_date(PathDate::year_first);
    if (!published_ || !modified_) read_nearest(context_.sources.times, kAnywhere);
    if (!published_ && context_.headline) read_nearest(context_.sources.dates, kNear);
    if (!published_) published_ = best_meta_date(MetaField::published, kLooseRank, kLooseRank);
    if (!published_) read_nearest(context_.sources.dates, kAnywhere);
    if (!published_) read_texts();
    if (!published_) published_ = only_date();
    if (!published_) published_ = state_date();
    if (!published_) published_ = entry_updated_;
    if (!published_) published_ = path_date(PathDate::day_first);
    PageDates dates{published_, modified_};
    // A page cannot change before it is published: one of the two is wrong, and the date of publication
    // matters more.
    if (dates.published && dates.modified && *dates.modified < *dates.published) dates.modified.reset();
    return dates;
  }

 private:
  void find_article(html::NodeId headline) {
    constexpr std::size_t kLevels = 64;
    around_headline_.push_back(headline);
    for (const html::NodeId above : html::Ancestors(context_.document, headline)) {
      if (around_headline_.size() == kLevels) break;
      around_headline_.push_back(above);
      const html::Name name = context_.document.name(above);
      const bool is_home = name == html::Name::article || name == html::Name::main;
      if (is_home && article_index_ == 0) article_index_ = around_headline_.size() - 1;
    }
  }

  /// Whether there is a link among the first nodes inside an element, as in an entry of a list of pages.
  [[nodiscard]] bool has_link(html::NodeId element) const {
    constexpr std::size_t kLooked = 32;
    std::size_t looked = 0;
    for (const html::NodeId node : html::Descendants(context_.document, element)) {
      if (context_.document.is_html(node, html::Name::a) &&
          context_.document.attribute(node, html::Name::href))
        return true;
      if (++looked == kLooked) break;
    }
    return false;
  }

  [[nodiscard]] bool follows_headline(html::NodeId node) const {
    return context_.document.source_offset(node) > context_.document.source_offset(context_.headline->node);
  }

  /// Whether a date belongs to another page that this one lists: it is in a link, in a list item with a link,
  /// or after the article that contains the headline. Otherwise one new post would change the date of every
  /// page that lists it.
  [[nodiscard]] bool belongs_to_other_page(html::NodeId node) const {
    constexpr int kLevels = 24;
    int level = 0;
    for (const html::NodeId above : html::Ancestors(context_.document, node)) {
      if (++level > kLevels) break;
      const auto found = std::ranges::find(around_headline_, above);
      if (found != around_headline_.end()) {
        const auto place = static_cast<std::size_t>(found - around_headline_.begin());
        return article_index_ != 0 && place > article_index_ && follows_headline(node);
      }
      const html::Name name = context_.document.name(above);
      if (name == html::Name::a && context_.document.attribute(above, html::Name::href)) return true;
      if (name == html::Name::li && has_link(above)) return true;
    }
    return false;
  }

  std::optional<Instant> accept_date(const std::optional<FoundDate>& date) const {
    if (!date || date->instant > latest_) return std::nullopt;
    return date->instant;
  }

  std::optional<Instant> parse(const OptionalText& value) const {
    if (!value || value->size() > kDateBytes) return std::nullopt;
    return accept_date(parse_date_value(*value, order_));
  }

  std::optional<Instant> best_meta_date(MetaField field, int least_rank, int most_rank) const {
    std::optional<Instant> best;
    int best_rank = most_rank + 1;
    for (const MetaValue& meta : context_.sources.meta(field)) {
      if (meta.rank < least_rank || meta.rank >= best_rank) continue;
      const auto date = parse(meta.value);
      if (!date) continue;
      best = date;
      best_rank = meta.rank;
    }
    return best;
  }

  std::optional<Instant> item_date(ItemField field) const {
    std::optional<Instant> best;
    std::uint32_t nearest = UINT32_MAX;
    for (const Candidate& item : context_.sources.item(field)) {
      if (distance(item) >= nearest) continue;
      const auto date = parse(item_value(context_, item.node, kDateBytes));
      if (!date) continue;
      best = date;
      nearest = distance(item);
    }
    return best;
  }

  void read_items() {
    if (!published_) published_ = item_date(ItemField::published);
    if (!published_) published_ = item_date(ItemField::created);
    if (!modified_) modified_ = item_date(ItemField::modified);
  }

  std::optional<Instant> path_date(PathDate form) const {
    if (context_.options.url == nullptr) return std::nullopt;
    const auto date = find_path_date(context_.options.url->path(), form);
    if (!date || *date > latest_) return std::nullopt;
    return date;
  }

  /// The date in the attributes or the text of an element. Sets `shown` to its text.
  std::optional<Instant> element_date(html::NodeId node, std::string_view& shown) const {
    const auto text = html::element_text(context_.document, node, kDateBytes, context_.arena);
    shown = text.value_or("");
    for (const std::string_view name : {"datetime", "content", "title"})
      if (const auto date = parse(context_.document.attribute(node, name))) return date;
    if (!text) return std::nullopt;
    return accept_date(find_date(*text, order_));
  }

  /// The distance of an element from the headline. It is doubled for elements before the headline, because
  /// dates follow headlines more often than they precede them.
  [[nodiscard]] std::uint32_t distance(const Candidate& candidate) const {
    const std::uint32_t headline = context_.headline ? context_.headline->order : 0;
    return candidate.order >= headline ? candidate.order - headline : 2 * (headline - candidate.order);
  }

  void read_nearest(const std::vector<Candidate>& candidates, std::uint32_t farthest) {
    std::uint32_t best = farthest;
    std::optional<Instant> published;
    for (const Candidate& candidate : candidates) {
      std::string_view shown;
      const auto date = element_date(candidate.node, shown);
      if (!date || belongs_to_other_page(candidate.node)) continue;
      if ((candidate.signs & kModifiedSign) != 0 && (candidate.signs & kPublishedSign) == 0) {
        if (!modified_) modified_ = date;
        if (!entry_updated_) entry_updated_ = date;
        continue;
      }
      const bool plain =
          (candidate.signs & kPublishedSign) == 0 && !context_.document.attribute(candidate.node, "pubdate");
      const std::uint32_t far = distance(candidate) + (plain ? 50 : 0);
      if (far >= best) continue;
      best = far;
      published = date;
    }
    if (!published_) published_ = published;
  }

  struct TextDate {
    Instant instant;
    bool labelled = false;  // the text says that this is the date of publication
    bool changed = false;   // the text says that this is the date of a change
    bool alone = false;     // there is hardly any other text
    bool dateline = false;  // it begins a paragraph
  };

  /// The date of a text node that is not part of a sentence.
  std::optional<TextDate> text_date(html::NodeId node) const {
    const std::string_view raw = context_.document.text(node).substr(0, 4 * kDateBytes);
    if (raw.size() < 6 || !text::scan::has_two_digits(context_.document.padded(raw)) || !may_have_date(raw))
      return std::nullopt;
    // Dates in links belong to other pages or are part of a sentence.
    if (is_in_link(node) || is_in_code(node)) return std::nullopt;
    const std::string_view text = html::clean_text(raw, html::Markup::references, context_.arena);
    const auto found = find_date(text, order_);
    const auto date = accept_date(found);
    if (!date) return std::nullopt;
    const std::string_view before = text.substr(0, found->begin);
    TextDate result{*date, speaks_of_publishing(before), speaks_of_change(before), false, false};
    const std::size_t size = found->end - found->begin;
    result.alone = text.size() <= size + 8;
    result.dateline = is_dateline(text, *found);
    if (result.dateline) return result;
    const bool says_what = result.labelled || result.changed;
    if (text.size() > kDateBytes || (!says_what && text.size() > 4 * size)) return std::nullopt;
    return result;
  }

  /// Whether `is` holds for the node or one of the elements closely around it.
  template <class Is>
  bool is_inside(html::NodeId node, Is is) const {
    constexpr int kLevels = 4;
    for (int level = 0; level < kLevels && node != html::kNoNode;
         ++level, node = context_.document.parent(node))
      if (is(node)) return true;
    return false;
  }

  bool is_in_link(html::NodeId node) const {
    return is_inside(node,
                     [this](html::NodeId above) { return context_.document.name(above) == html::Name::a; });
  }

  /// Dates in code are examples.
  bool is_in_code(html::NodeId node) const {
    return is_inside(node, [this](html::NodeId above) {
      const html::Name name = context_.document.name(above);
      return name == html::Name::pre || name == html::Name::code || name == html::Name::samp ||
             name == html::Name::kbd || name == html::Name::tt || name == html::Name::textarea;
    });
  }

  /// Whether a node is inside the headline. A date in small print there is the page's date, but a date among
  /// other words is part of the headline.
  bool is_in_headline(html::NodeId node) const {
    return is_inside(node, [this](html::NodeId above) { return above == context_.headline->node; });
  }

  /// Whether a text begins with a date as the texts of news agencies do: "(15 March 2021) In the beginning",
  /// "15.3.2021 - In the beginning".
  static bool is_dateline(std::string_view text, const FoundDate& date) {
    const std::string_view after = text.substr(date.end);
    if (date.begin == 1 && text.front() == '(') return after.starts_with(')');
    return date.begin == 0 && (after.starts_with(" - ") || after.starts_with(" \u2013 ") ||
                               after.starts_with(" \u2014 ") || after.starts_with(" | "));
  }

  void read_texts() {
    for (const NearText& near : context_.near_headline) {
      const auto date = text_date(near.node);
      if (!date || (is_in_headline(near.node) && !date->alone) || belongs_to_other_page(near.node)) continue;
      if (!date->changed) {
        published_ = date->instant;
        return;
      }
      if (!modified_) modified_ = date->instant;
    }
  }

  /// A date that is used only if it is the only one, because lists of other pages have many dates.
  class OnlyDate {
   public:
    void add(Instant date) {
      several_ = several_ || (date_ && date_ != date);
      date_ = date;
    }
    [[nodiscard]] std::optional<Instant> get() const { return several_ ? std::nullopt : date_; }

   private:
    std::optional<Instant> date_;
    bool several_ = false;
  };

  /// A date from anywhere on the page: in a line that labels it ("Published on March 15, 2021"); else the
  /// only date that begins a paragraph; else the only date that is alone in a line.
  std::optional<Instant> only_date() const {
    OnlyDate alone;
    OnlyDate dateline;
    for (const html::NodeId node : find_dated_lines(context_.document, context_.outline)) {
      const auto date = text_date(node);
      if (!date || date->changed || belongs_to_other_page(node)) continue;
      if (date->labelled) return date->instant;
      if (date->dateline) dateline.add(date->instant);
      if (date->alone) alone.add(date->instant);
    }
    return dateline.get() ? dateline.get() : alone.get();
  }

  /// The only date of publication in the data of the page's scripts.
  std::optional<Instant> state_date() const {
    constexpr std::string_view kNames[] = {"\"datePublished\"", "\"publishedDate\"",   "\"publishDate\"",
                                           "\"publishedAt\"",   "\"publicationDate\"", "\"published_at\""};
    constexpr std::size_t kStateBytes = std::size_t{256} * 1024;
    OnlyDate only;
    for (std::string_view state : context_.sources.json_states) {
      state = state.substr(0, kStateBytes);
      for (const std::string_view name : kNames) {
        for (std::size_t at = state.find(name); at != std::string_view::npos; at = state.find(name, at + 1))
          if (const auto date = parse(member_value(state.substr(at + name.size())))) only.add(*date);
      }
    }
    return only.get();
  }

  /// The string value after the name of a JSON member.
  static OptionalText member_value(std::string_view rest) {
    rest = text::trim_space(rest);
    if (!rest.starts_with(':')) return std::nullopt;
    rest = text::trim_space(rest.substr(1));
    if (!rest.starts_with('"')) return std::nullopt;
    rest = rest.substr(1, kDateBytes);
    return rest.substr(0, rest.find('"'));
  }

  const MetadataContext& context_;
  DateOrder order_;
  Instant latest_;
  std::optional<Instant> published_;
  std::optional<Instant> modified_;
  std::vector<html::NodeId> around_headline_;  // the headline and the elements around it
  std::size_t article_index_ =
      0;  // index in `around_headline_` of the article or main element; 0 if there is none
  std::optional<Instant> entry_updated_;  // hAtom: the date of an entry that has no other
};

}  // namespace

PageDates read_dates(const MetadataContext& context, std::string_view language) {
  return DateReader(context, language).read();
}

}  // namespace sheaf::extract
