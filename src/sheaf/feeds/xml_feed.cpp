#include "sheaf/base/ascii.h"
#include "sheaf/base/escaping.h"
#include "sheaf/feeds/feed_internal.h"

#include <fmt/format.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include <limits>
#include <memory>

namespace sheaf::feeds {
namespace {

constexpr std::string_view kAtom = "http://www.w3.org/2005/Atom";
constexpr std::string_view kContent = "http://purl.org/rss/1.0/modules/content/";
constexpr std::string_view kDublinCore = "http://purl.org/dc/elements/1.1/";
constexpr std::string_view kTombstones = "http://purl.org/atompub/tombstones/1.0";

struct DocumentDeleter {
  void operator()(xmlDoc* document) const { xmlFreeDoc(document); }
};
struct BufferDeleter {
  void operator()(xmlBuffer* buffer) const { xmlBufferFree(buffer); }
};
struct TextDeleter {
  void operator()(xmlChar* text) const { xmlFree(text); }
};
using XmlText = std::unique_ptr<xmlChar, TextDeleter>;

std::string_view view_of(const xmlChar* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

bool is_element(const xmlNode* node, std::string_view name) {
  return node->type == XML_ELEMENT_NODE && view_of(node->name) == name;
}

std::string_view space_of(const xmlNode* node) { return node->ns == nullptr ? "" : view_of(node->ns->href); }

bool is_in(const xmlNode* node, std::string_view space, std::string_view name) {
  return is_element(node, name) && space_of(node) == space;
}

std::string text_in(xmlNode* node) {
  const XmlText text(xmlNodeGetContent(node));
  return std::string(base::trim_xml_space(view_of(text.get())));
}

std::string attribute_of(const xmlNode* node, const char* name) {
  const XmlText text(xmlGetProp(node, reinterpret_cast<const xmlChar*>(name)));
  return std::string(base::trim_xml_space(view_of(text.get())));
}

std::string language_of(const xmlNode* node) {
  const XmlText text(xmlNodeGetLang(node));
  return std::string(base::trim_xml_space(view_of(text.get())));
}

/// The inner markup of an element, for content of type xhtml.
std::string markup_in(xmlDoc* document, const xmlNode* node) {
  const std::unique_ptr<xmlBuffer, BufferDeleter> buffer(xmlBufferCreate());
  for (xmlNode* child = node->children; child != nullptr && buffer; child = child->next)
    xmlNodeDump(buffer.get(), document, child, 0, 0);
  return buffer ? std::string(view_of(xmlBufferContent(buffer.get()))) : std::string();
}

/// Converts an Atom text construct to HTML.
std::string atom_html(xmlDoc* document, xmlNode* node) {
  const std::string type = attribute_of(node, "type");
  if (type == "xhtml" || type == "application/xhtml+xml") return markup_in(document, node);
  if (type == "html" || type == "text/html") return text_in(node);
  return base::html_text(text_in(node));
}

/// Atom has links for other purposes too, for example rel="hub" or rel="next".
bool is_alternate(const xmlNode* link) {
  const std::string relation = attribute_of(link, "rel");
  return relation.empty() || relation == "alternate";
}

SyndicatedEntry atom_entry(xmlDoc* document, xmlNode* node) {
  SyndicatedEntry entry;
  entry.language = language_of(node);
  for (xmlNode* child = node->children; child != nullptr; child = child->next) {
    if (child->type != XML_ELEMENT_NODE || space_of(child) != kAtom) continue;
    const std::string_view name = view_of(child->name);
    if (name == "title") entry.title = atom_html(document, child);
    if (name == "summary") entry.summary = atom_html(document, child);
    if (name == "content" && attribute_of(child, "src").empty()) entry.html = atom_html(document, child);
    if (name == "published") entry.published = text_in(child);
    if (name == "updated") entry.modified = text_in(child);
    if (name == "link" && entry.url.empty() && is_alternate(child)) entry.url = attribute_of(child, "href");
    if (name != "author" || !entry.author.empty()) continue;
    for (xmlNode* part = child->children; part != nullptr; part = part->next)
      if (is_in(part, kAtom, "name")) entry.author = text_in(part);
  }
  return entry;
}

SyndicatedEntry rss_entry(xmlNode* node) {
  SyndicatedEntry entry;
  std::string permalink;
  for (xmlNode* child = node->children; child != nullptr; child = child->next) {
    if (child->type != XML_ELEMENT_NODE) continue;
    const std::string_view name = view_of(child->name);
    const std::string_view space = space_of(child);
    if (space == kContent && name == "encoded") entry.html = text_in(child);
    if (space == kDublinCore && name == "creator") entry.author = text_in(child);
    if (space == kDublinCore && name == "date" && entry.published.empty()) entry.published = text_in(child);
    if (space == kAtom && name == "updated") entry.modified = text_in(child);
    // Extensions such as media:title describe something else: an image of the entry.
    if (space != space_of(node)) continue;
    if (name == "title") entry.title = text_in(child);
    if (name == "link" && entry.url.empty()) entry.url = text_in(child);
    if (name == "description") entry.summary = text_in(child);
    if (name == "pubDate") entry.published = text_in(child);
    if (name == "author" && entry.author.empty()) entry.author = text_in(child);
    if (name == "guid" && attribute_of(child, "isPermaLink") != "false") permalink = text_in(child);
  }
  if (entry.url.empty()) entry.url = permalink;
  return entry;
}

class XmlFeed {
 public:
  XmlFeed(xmlDoc* document, const FeedLimits& limits) : document_(document), limits_(limits) {}

  base::Result<Feed> read() {
    xmlNode* root = xmlDocGetRootElement(document_);
    if (root == nullptr)
      return base::fail(base::Errc::invalid_data, "the feed is not XML: it has no element");
    if (is_in(root, kAtom, "feed")) {
      read_atom(root);
    } else if (is_element(root, "rss") || is_element(root, "RDF")) {
      read_rss(root);
    } else {
      return base::fail(base::Errc::invalid_data,
                        fmt::format("this XML is not a feed: its first element is <{}>, not <rss> or <feed>",
                                    view_of(root->name).substr(0, 100)));
    }
    return std::move(feed_);
  }

 private:
  bool has_room() {
    feed_.is_truncated = feed_.is_truncated || feed_.entries.size() >= limits_.entries;
    return feed_.entries.size() < limits_.entries;
  }

  void read_atom(xmlNode* root) {
    feed_.kind = SyndicationFormat::atom;
    feed_.language = language_of(root);
    for (xmlNode* child = root->children; child != nullptr; child = child->next) {
      if (is_in(child, kAtom, "title")) feed_.title = text_in(child);
      if (is_in(child, kAtom, "link") && feed_.site_url.empty() && is_alternate(child))
        feed_.site_url = attribute_of(child, "href");
      if (is_in(child, kTombstones, "deleted-entry")) feed_.deleted.push_back(attribute_of(child, "ref"));
      if (is_in(child, kAtom, "entry") && has_room()) feed_.entries.push_back(atom_entry(document_, child));
    }
  }

  /// Items are siblings of the channel in RSS 1.0, and children of the channel in the other versions.
  void read_rss(xmlNode* root) {
    for (xmlNode* child = root->children; child != nullptr; child = child->next) {
      if (is_element(child, "item")) add_item(child);
      if (!is_element(child, "channel")) continue;
      for (xmlNode* part = child->children; part != nullptr; part = part->next) {
        if (is_element(part, "item")) add_item(part);
        if (space_of(part) != space_of(child)) continue;
        if (is_element(part, "title")) feed_.title = text_in(part);
        if (is_element(part, "link")) feed_.site_url = text_in(part);
        if (is_element(part, "language")) feed_.language = text_in(part);
      }
    }
  }

  void add_item(xmlNode* node) {
    if (has_room()) feed_.entries.push_back(rss_entry(node));
  }

  xmlDoc* document_;
  const FeedLimits& limits_;
  Feed feed_;
};

}  // namespace

base::Result<Feed> parse_xml_feed(std::string_view bytes, const FeedLimits& limits) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return base::fail(base::Errc::invalid_data, "the feed is too large");
  const std::unique_ptr<xmlDoc, DocumentDeleter> document(xmlReadMemory(
      bytes.data(), static_cast<int>(bytes.size()), "feed.xml", nullptr,
      XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING));
  if (document == nullptr) return base::fail(base::Errc::invalid_data, "the feed is not XML");
  // Nested entities can expand a small feed to gigabytes.
  if (document->intSubset != nullptr && document->intSubset->entities != nullptr)
    return base::fail(base::Errc::invalid_data, "the feed declares entities, which are not supported");
  return XmlFeed(document.get(), limits).read();
}

}  // namespace sheaf::feeds
