#include "sheaf/lab/lab_answer.h"

#include "sheaf/http/message/conditional.h"
#include "sheaf/http/message/http_date.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::lab {

using http::message::equal_ignoring_case;

std::string_view LabRequest::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& header) { return equal_ignoring_case(header.first, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

void LabRequest::remove_header(std::string_view name) {
  std::erase_if(headers, [&](const auto& header) { return equal_ignoring_case(header.first, name); });
}

std::string_view LabResponse::header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& header) { return equal_ignoring_case(header.name, name); });
  return found == headers.end() ? std::string_view() : std::string_view(found->value);
}

void LabResponse::remove_header(std::string_view name) {
  std::erase_if(headers, [&](const auto& header) { return equal_ignoring_case(header.name, name); });
}

void LabResponse::set_header(std::string_view name, std::string_view value) {
  remove_header(name);
  headers.push_back({std::string(name), std::string(value)});
}

LabResponse plain_response(unsigned status, std::string text, std::string_view type) {
  LabResponse response{.status = status, .body = std::move(text)};
  response.set_header("Content-Type", type);
  return response;
}

LabResponse answer_request(const LabSite& site, const LabRequest& request) {
  const auto found = site.files.find(std::string_view(request.path).substr(0, request.path.find('?')));
  if (found == site.files.end()) return plain_response(404, "Not Found\n");
  const LabFile& file = found->second;
  std::vector<http::message::Field> fields;
  for (const auto& [name, value] : request.headers) fields.push_back({name, value});
  const http::message::Representation representation{file.bytes.size(), file.entity_tag, file.last_modified};
  const auto decision =
      http::message::decide(http::message::method_of(request.method), http::message::Fields(fields),
                            representation, site.now.seconds);
  LabResponse response{.status = decision.status};
  response.set_header("ETag", file.entity_tag);
  response.set_header("Last-Modified", http::message::format_http_date(file.last_modified));
  response.set_header("Cache-Control", file.cache_control);
  if (decision.status == 200) response.body = file.bytes;
  // Several ranges would need a multipart body, so only the first one is sent.
  if (decision.status == 206) {
    const auto& range = decision.ranges.front();
    response.body = file.bytes.substr(range.first, range.length);
    response.set_header("Content-Range", fmt::format("bytes {}-{}/{}", range.first,
                                                     range.first + range.length - 1, file.bytes.size()));
  }
  if (decision.status == 200 || decision.status == 206) {
    response.set_header("Content-Type", file.content_type);
    // The compression of a collection is its content coding.
    const bool is_collection = file.content_type == "application/scp";
    if (is_collection && found->first.ends_with(".gz")) response.set_header("Content-Encoding", "gzip");
    if (is_collection && found->first.ends_with(".zst")) response.set_header("Content-Encoding", "zstd");
  }
  if (decision.status == 200) response.set_header("Accept-Ranges", "bytes");
  return response;
}

}  // namespace sheaf::lab
