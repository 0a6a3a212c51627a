#include "sheaf/http/resource.h"

#include "sheaf/http/http_date.h"

namespace sheaf::http {
namespace {

std::vector<Header> with_validators(std::vector<Header> headers, const Representation& representation) {
  if (!representation.entity_tag.empty()) headers.push_back({"ETag", representation.entity_tag});
  if (representation.last_modified)
    headers.push_back({"Last-Modified", format_http_date(*representation.last_modified)});
  headers.push_back({"Accept-Ranges", "bytes"});
  return headers;
}

}  // namespace

void append_header_line(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

Resource::Resource(base::FileDescriptor file, Representation representation, std::vector<Header> headers)
    : file_(std::move(file)),
      representation_(std::move(representation)),
      headers_(with_validators(std::move(headers), representation_)) {
  for (const Header& header : headers_) {
    append_header_line(full_lines_, header.name, header.value);
    if (header.name == "ETag" || header.name == "Last-Modified" || header.name == "Cache-Control")
      append_header_line(cache_lines_, header.name, header.value);
  }
}

}  // namespace sheaf::http
