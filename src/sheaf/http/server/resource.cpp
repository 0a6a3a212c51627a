#include "sheaf/http/server/resource.h"

#include "sheaf/http/message/http_date.h"

namespace sheaf::http::server {
namespace {

std::vector<message::Header> with_validators(std::vector<message::Header> headers,
                                             const message::Representation& representation) {
  if (!representation.entity_tag.empty()) headers.push_back({"ETag", representation.entity_tag});
  if (representation.last_modified)
    headers.push_back({"Last-Modified", message::format_http_date(*representation.last_modified)});
  headers.push_back({"Accept-Ranges", "bytes"});
  return headers;
}

}  // namespace

void append_header_line(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

Resource::Resource(base::FileDescriptor file, message::Representation representation,
                   std::vector<message::Header> headers)
    : file_(std::move(file)),
      representation_(std::move(representation)),
      headers_(with_validators(std::move(headers), representation_)) {
  for (const message::Header& header : headers_) {
    append_header_line(full_lines_, header.name, header.value);
    if (header.name == "ETag" || header.name == "Last-Modified" || header.name == "Cache-Control")
      append_header_line(cache_lines_, header.name, header.value);
  }
}

}  // namespace sheaf::http::server
