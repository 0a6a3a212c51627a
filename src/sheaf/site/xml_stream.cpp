#include "sheaf/site/xml_stream.h"

#include "sheaf/site/libxml2_internal.h"

#include <fmt/format.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::site {
namespace {

// A sitemap nests five levels deep and declares a handful of namespaces. libxml2 searches them linearly, so a
// file that declares thousands would be slow to parse. It is not a sitemap.
constexpr std::size_t kDepthMax = 200;
constexpr std::size_t kNamespacesMax = 256;
// Likewise for attributes: before libxml2 2.12, each is compared with every other one of its tag.
constexpr std::uint64_t kTagBytesMax = std::uint64_t{16} * 1024;
// Likewise for names: the hash table does not grow, so each new name is compared with all earlier ones.
constexpr int kNamesMax = 4096;
// Parsing stops after this many problems.
constexpr std::uint64_t kProblemsMax = 1000;

class Parse {
 public:
  Parse(const XmlInput& input, XmlHandler& handler, std::uint64_t first_line)
      : input_(input), handler_(handler), line_offset_(first_line - 1) {}

  XmlOutcome run();

 private:
  static Parse& self(void* user) { return *static_cast<Parse*>(user); }
  static int read(void* user, char* out, int size) { return self(user).fill(out, size); }
  static int close(void* /*user*/) { return 0; }
  static void start_element(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri,
                            int namespaces, const xmlChar** namespace_list, int attributes, int defaulted,
                            const xmlChar** attribute_list);
  static void end_element(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri);
  static void characters(void* user, const xmlChar* text, int size);
  static void cdata(void* user, const xmlChar* text, int size);
  static void reference(void* user, const xmlChar* name);
  static void internal_subset(void* user, const xmlChar* name, const xmlChar* external,
                              const xmlChar* system);
  static void entity_declaration(void* user, const xmlChar* name, int type, const xmlChar* public_id,
                                 const xmlChar* system_id, xmlChar* content);
  static xmlEntityPtr no_entity(void* /*user*/, const xmlChar* /*name*/) { return nullptr; }
  static void progress(void* user) { self(user).note_event(); }
  static void comment(void* user, const xmlChar* /*text*/) { progress(user); }
  static void instruction(void* user, const xmlChar* /*target*/, const xmlChar* /*data*/) {
    progress(user);
    self(user).names_are_few();
  }
  static void structured_error(void* user, xmlErrorPtr error) { self(user).note_error(*error); }

  static xmlSAXHandler callbacks();
  int fill(char* out, int size);
  void note_event();
  void note_error(const xmlError& error);
  void problem(SitemapCode code, std::string message);
  void stop();
  [[nodiscard]] std::uint64_t line() const;
  [[nodiscard]] bool tag_is_too_long() const;
  bool names_are_few();
  XmlName make_name(const xmlChar* local, const xmlChar* prefix, const xmlChar* uri);

  const XmlInput& input_;
  XmlHandler& handler_;
  std::uint64_t line_offset_;
  xmlParserCtxtPtr context_ = nullptr;
  std::vector<XmlAttribute> attributes_;
  std::vector<std::size_t> namespaces_;  ///< number of namespaces that each open element declares
  std::size_t namespaces_in_scope_ = 0;
  std::uint64_t problems_ = 0;
  std::uint64_t bytes_since_event_ = 0;
  std::string last_error_;
  bool stopped_ = false;
  bool input_ended_ = false;
  bool root_closed_ = false;
  bool cut_short_ = false;
  bool any_element_ = false;
  const xmlChar* last_uri_ = nullptr;  ///< interned by the parser: one pointer per namespace
  std::string_view last_uri_view_;
};

int Parse::fill(char* out, int size) {
  if (stopped_ || size <= 0) return 0;
  if (tag_is_too_long()) {
    problem(SitemapCode::too_complex,
            fmt::format("a tag is longer than {} bytes; nothing more was read", kTagBytesMax));
    stopped_ = true;  // only a flag: the parser must not be stopped while it reads
    return 0;
  }
  const std::size_t count = input_({out, static_cast<std::size_t>(size)});
  input_ended_ = count == 0;
  bytes_since_event_ += count;
  return static_cast<int>(count);
}

/// Tags, but also comments, processing instructions and CDATA sections, consume input without an event.
bool Parse::tag_is_too_long() const {
  if (bytes_since_event_ <= kTagBytesMax) return false;
  const xmlParserInputState state = context_->instate;
  return state != XML_PARSER_COMMENT && state != XML_PARSER_PI && state != XML_PARSER_CDATA_SECTION;
}

bool Parse::names_are_few() {
  if (xmlDictSize(context_->dict) <= kNamesMax) return true;
  if (!stopped_)
    problem(
        SitemapCode::too_complex,
        fmt::format("over {} different names of elements and attributes; nothing more was read", kNamesMax));
  stop();
  return false;
}

/// libxml2 drops references after the first error. We want to continue, so each error is cleared once parsing
/// has passed it.
void Parse::note_event() {
  bytes_since_event_ = 0;
  context_->wellFormed = 1;
}

std::uint64_t Parse::line() const {
  const int in_parser = context_->input == nullptr ? 1 : context_->input->line;
  return line_offset_ + static_cast<std::uint64_t>(std::max(in_parser, 1));
}

void Parse::stop() {
  stopped_ = true;
  xmlStopParser(context_);
}

void Parse::problem(SitemapCode code, std::string message) {
  if (!handler_.on_problem({code, line(), std::move(message)})) stop();
}

void Parse::note_error(const xmlError& error) {
  if (stopped_ || error.level == XML_ERR_WARNING || context_ == nullptr) return;
  bytes_since_event_ = 0;
  last_error_ = one_line(error.message);
  if (error.domain == XML_FROM_NAMESPACE) {
    problem(SitemapCode::undeclared_prefix, last_error_);
    return;
  }
  // A truncated file is reported once, through the outcome.
  const bool at_end =
      input_ended_ && context_->input != nullptr && context_->input->cur >= context_->input->end;
  if (at_end && !root_closed_) {
    cut_short_ = true;
    return;
  }
  if (error.code == XML_ERR_DOCUMENT_END && root_closed_) {
    problem(SitemapCode::ill_formed_end, "there is more after the end of the first element; it was not read");
    return;
  }
  if (++problems_ > kProblemsMax) {
    problem(SitemapCode::ill_formed_end, "too much of the XML is ill-formed; nothing more was read");
    stop();
    return;
  }
  problem(SitemapCode::ill_formed, last_error_);
}

XmlName Parse::make_name(const xmlChar* local, const xmlChar* prefix, const xmlChar* uri) {
  if (uri != last_uri_) {
    last_uri_ = uri;
    last_uri_view_ = view(uri);
  }
  return {view(local), view(prefix), last_uri_view_};
}

void Parse::start_element(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri,
                          int namespaces, const xmlChar** /*namespace_list*/, int attributes,
                          int /*defaulted*/, const xmlChar** attribute_list) {
  Parse& parse = self(user);
  if (parse.stopped_) return;
  parse.note_event();
  parse.any_element_ = true;
  parse.namespaces_.push_back(static_cast<std::size_t>(namespaces));
  parse.namespaces_in_scope_ += static_cast<std::size_t>(namespaces);
  if (parse.namespaces_.size() > kDepthMax || parse.namespaces_in_scope_ > kNamespacesMax) {
    parse.problem(SitemapCode::too_complex,
                  fmt::format("over {} nested elements or over {} namespaces; nothing more was read",
                              kDepthMax, kNamespacesMax));
    parse.stop();
    return;
  }
  if (!parse.names_are_few()) return;
  parse.attributes_.clear();
  for (int i = 0; i < attributes; ++i) {
    // Name, prefix, namespace, start and end of the value.
    const xmlChar** entry = attribute_list + static_cast<std::ptrdiff_t>(i) * 5;
    const auto* begin = reinterpret_cast<const char*>(entry[3]);
    const auto* end = reinterpret_cast<const char*>(entry[4]);
    parse.attributes_.push_back({{view(entry[0]), view(entry[1]), view(entry[2])}, {begin, end}});
  }
  if (!parse.handler_.on_start(parse.make_name(local, prefix, uri), parse.attributes_, parse.line()))
    parse.stop();
}

void Parse::end_element(void* user, const xmlChar* local, const xmlChar* prefix, const xmlChar* uri) {
  Parse& parse = self(user);
  if (parse.stopped_) return;
  parse.note_event();
  if (!parse.namespaces_.empty()) {
    parse.namespaces_in_scope_ -= parse.namespaces_.back();
    parse.namespaces_.pop_back();
  }
  parse.root_closed_ = parse.namespaces_.empty();
  if (!parse.handler_.on_end(parse.make_name(local, prefix, uri))) parse.stop();
}

void Parse::characters(void* user, const xmlChar* text, int size) {
  Parse& parse = self(user);
  if (parse.stopped_) return;
  parse.note_event();
  parse.handler_.on_text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)},
                         XmlText::plain);
}

void Parse::cdata(void* user, const xmlChar* text, int size) {
  Parse& parse = self(user);
  if (parse.stopped_) return;
  parse.note_event();
  parse.handler_.on_text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)},
                         XmlText::cdata);
}

/// A reference to an undeclared entity: an HTML name, or a URL with an unescaped ampersand. The text is kept.
void Parse::reference(void* user, const xmlChar* name) {
  Parse& parse = self(user);
  if (parse.stopped_) return;
  parse.note_event();
  parse.handler_.on_text(fmt::format("&{};", view(name)), XmlText::plain);
}

void Parse::internal_subset(void* user, const xmlChar* name, const xmlChar* /*external*/,
                            const xmlChar* /*system*/) {
  Parse& parse = self(user);
  if (parse.stopped_) return;
  parse.note_event();
  parse.problem(
      SitemapCode::doctype,
      fmt::format("a document type ({}) has no place in a sitemap; it was skipped", quote(view(name))));
}

void Parse::entity_declaration(void* user, const xmlChar* name, int /*type*/, const xmlChar* /*public_id*/,
                               const xmlChar* /*system_id*/, xmlChar* /*content*/) {
  Parse& parse = self(user);
  if (parse.stopped_) return;
  parse.problem(SitemapCode::entity_declaration,
                fmt::format("the file declares an entity ({}); that is refused, since entities can be nested "
                            "to exhaust a reader or to fetch other files",
                            quote(view(name))));
  parse.stop();
}

xmlSAXHandler Parse::callbacks() {
  xmlSAXHandler sax{};
  sax.initialized = XML_SAX2_MAGIC;
  sax.startElementNs = start_element;
  sax.endElementNs = end_element;
  sax.characters = characters;
  sax.ignorableWhitespace = characters;
  sax.cdataBlock = cdata;
  sax.reference = reference;
  sax.internalSubset = internal_subset;
  sax.entityDecl = entity_declaration;
  sax.getEntity = no_entity;
  sax.comment = comment;
  sax.processingInstruction = instruction;
  sax.serror = structured_error;
  return sax;
}

XmlOutcome Parse::run() {
  prepare_libxml2();
  xmlSAXHandler sax = callbacks();
  const ScopedErrorHandler errors(this, structured_error);
  const XmlContext context(xmlCreateIOParserCtxt(&sax, this, read, close, this, XML_CHAR_ENCODING_NONE));
  if (!context) throw std::bad_alloc();
  context_ = context.get();
  // Without XML_PARSE_HUGE, the library's own limits apply: 10 MB for a name, an attribute, a comment.
  // XML_PARSE_NOENT is for &amp; in attributes; there are no other entities here, see no_entity.
  xmlCtxtUseOptions(context_, XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOENT);
  xmlParseDocument(context_);
  XmlOutcome outcome{XmlEnd::complete, line(), last_error_};
  if (stopped_) {
    outcome.end = XmlEnd::stopped;
  } else if (!any_element_) {
    outcome.end = XmlEnd::no_element;
  } else if (!root_closed_ || cut_short_) {
    outcome.end = XmlEnd::cut_short;
  }
  return outcome;
}

}  // namespace

XmlOutcome parse_xml(const XmlInput& input, XmlHandler& handler, std::uint64_t first_line) {
  return Parse(input, handler, first_line).run();
}

}  // namespace sheaf::site
