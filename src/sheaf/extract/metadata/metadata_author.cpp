#include "sheaf/extract/metadata/author_text.h"
#include "sheaf/extract/metadata/metadata_internal.h"
#include "sheaf/extract/metadata/metadata_names.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/text_value.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <span>
#include <string>

namespace sheaf::extract {
namespace {

constexpr std::size_t kBylineBytes = 160;  // a longer text is a biography
constexpr std::size_t kFieldBytes = 1024;

class AuthorReader {
 public:
  explicit AuthorReader(const MetadataContext& context) : context_(context) {}

  OptionalText read() {
    if (add_all(context_.facts.authors, AuthorText::field)) return join();
    if (read_metas() || read_items() || read_links() || read_bylines() || read_texts()) return join();
    return fallback_;
  }

 private:
  /// Adds the names in a text. Returns whether there are any names now.
  bool add(std::string_view text, AuthorText kind) {
    if (is_site_name(context_, text)) {
      add_site(text);
      return !names_.empty();
    }
    for (const std::string_view name : names_in(text, kind)) {
      if (sounds_like_site(context_, name)) {
        add_site(name);
        continue;
      }
      const auto same = [name](std::string_view other) { return html::same_words(other, name); };
      if (std::ranges::none_of(names_, same)) names_.push_back(name);
    }
    return !names_.empty();
  }

  /// Makes the site the author if there is no other, unless it is named by its host.
  void add_site(std::string_view name) {
    const std::string_view host = context_.options.url ? context_.options.url->host() : std::string_view();
    const bool is_host =
        name.find('.') != std::string_view::npos && html::same_words(name, without_www(host));
    if (!fallback_ && !is_host) fallback_ = name;
  }

  static std::string_view without_www(std::string_view host) {
    return host.starts_with("www.") ? host.substr(4) : host;
  }

  bool add_all(std::span<const Text> texts, AuthorText kind) {
    for (const Text text : texts) add(text, kind);
    return !names_.empty();
  }

  bool read_metas() {
    for (std::uint8_t rank = 0; rank < kMetaRanks && names_.empty(); ++rank)
      for (const MetaValue& meta : context_.sources.meta(MetaField::author))
        if (meta.rank == rank && meta.value.size() <= kFieldBytes)
          add(html::clean_text(meta.value, html::Markup::references_and_tags, context_.arena),
              AuthorText::field);
    for (const auto& [label, data] : context_.sources.card_lines)
      if (names_.empty() && data.size() <= kFieldBytes && is_author_label(label))
        add(html::clean_text(data, html::Markup::references_and_tags, context_.arena), AuthorText::field);
    return !names_.empty();
  }

  /// The element inside `node` that is marked as the name.
  html::NodeId name_inside(html::NodeId node) const {
    constexpr std::size_t kNodes = 64;
    html::NodeId inside = html::next_in_order(context_.document, node, node);
    for (std::size_t i = 0; i < kNodes && inside != html::kNoNode; ++i) {
      if (context_.document.is_element(inside)) {
        const auto prop = context_.document.attribute(inside, html::Name::itemprop);
        const auto property = context_.document.attribute(inside, html::Name::property);
        if (prop == "name" || property == "name" || property == "schema:name") return inside;
      }
      inside = html::next_in_order(context_.document, inside, node);
    }
    return html::kNoNode;
  }

  bool read_items() {
    for (const Candidate& item : context_.sources.item(ItemField::author)) {
      // item_value() checks the item that the author belongs to; the name inside belongs to the person.
      const auto whole = item_value(context_, item.node, kFieldBytes);
      const html::NodeId name = name_inside(item.node);
      if (!whole && name == html::kNoNode) continue;
      if (name == html::kNoNode) {
        add(*whole, AuthorText::field);
        continue;
      }
      const auto content = context_.document.attribute(name, html::Name::content);
      const auto text =
          content ? content : html::element_text(context_.document, name, kFieldBytes, context_.arena);
      if (text)
        add(html::clean_text(*text, html::Markup::references_and_tags, context_.arena), AuthorText::field);
    }
    return !names_.empty();
  }

  /// Reads the candidates from the headline on, then those before it, both in document order.
  bool read_first(const std::vector<Candidate>& candidates, std::uint32_t without) {
    const std::uint32_t headline = context_.headline ? context_.headline->order : 0;
    for (const bool after : {true, false}) {
      for (const Candidate& candidate : candidates) {
        if ((candidate.order >= headline) != after || (candidate.signs & without) != 0) continue;
        const auto text = html::element_text(context_.document, candidate.node, kBylineBytes, context_.arena);
        if (text && add(*text, AuthorText::visible)) return true;
      }
    }
    return false;
  }

  bool read_links() { return read_first(context_.sources.author_links, 0); }
  bool read_bylines() { return read_first(context_.sources.bylines, kDetailSign); }

  /// Reads a line near the headline that begins with "By", or the text after one that consists of "By" only.
  bool read_texts() {
    bool after_label = false;
    for (const NearText& near : context_.near_headline) {
      const std::string_view raw = near.text;
      const bool is_line = raw.size() <= kBylineBytes;
      const bool may_lead = is_line && may_introduce_author(raw);
      const bool is_byline = is_line && (after_label || (may_lead && introduces_author(raw)));
      after_label = may_lead && is_author_label(raw);
      if (is_byline &&
          add(html::clean_text(raw, html::Markup::references, context_.arena), AuthorText::visible))
        return true;
    }
    return false;
  }

  OptionalText join() const {
    if (names_.size() == 1) return names_.front();
    std::string all;
    for (const std::string_view name : names_) {
      if (!all.empty()) all += ", ";
      all += name;
    }
    return context_.arena.copy(all);
  }

  const MetadataContext& context_;
  std::vector<std::string_view> names_;
  OptionalText fallback_;
};

}  // namespace

OptionalText read_author(const MetadataContext& context) { return AuthorReader(context).read(); }

}  // namespace sheaf::extract
