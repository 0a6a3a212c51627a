#pragma once

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/site/site_text.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace sheaf::site {

/// Call this before using libxml2. Thread-safe.
inline void prepare_libxml2() {
  static const bool initialized = (xmlInitParser(), true);
  static_cast<void>(initialized);
}

inline std::string_view view(const xmlChar* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

/// A message of libxml2, made safe to print: it may contain any bytes of the input.
inline std::string one_line(const char* message) {
  constexpr std::size_t kShown = 300;
  if (message == nullptr) return "the XML is ill-formed";
  std::string text = base::make_valid_utf8(base::cut_utf8(base::trim_xml_space(message), kShown));
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }, ' ');
  return text;
}

/// Frees the document too: libxml2 builds one to hold a declaration, although we do not need it.
struct FreeContext {
  void operator()(xmlParserCtxtPtr context) const {
    xmlFreeDoc(context->myDoc);
    xmlFreeParserCtxt(context);
  }
};

using XmlContext = std::unique_ptr<xmlParserCtxt, FreeContext>;

/// Sets the per-thread error handler during its lifetime: libxml2 reports some errors (about encodings) to it
/// instead of to the document's handler.
class ScopedErrorHandler {
 public:
  ScopedErrorHandler(void* user, xmlStructuredErrorFunc handler)
      : handler_(xmlStructuredError), user_(xmlStructuredErrorContext) {
    xmlSetStructuredErrorFunc(user, handler);
  }
  ~ScopedErrorHandler() { xmlSetStructuredErrorFunc(user_, handler_); }
  ScopedErrorHandler(const ScopedErrorHandler&) = delete;
  ScopedErrorHandler& operator=(const ScopedErrorHandler&) = delete;

 private:
  xmlStructuredErrorFunc handler_;
  void* user_;
};

}  // namespace sheaf::site
