#include "sheaf/http/fetch/validators.h"

#include "sheaf/http/message/entity_tag.h"
#include "sheaf/http/message/http_date.h"
#include <sheaf/time.h>

#include <algorithm>

namespace sheaf::http::fetch {
namespace {

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_usable_etag(std::string_view text) {
  return text.size() <= kEntityTagBytes && is_printable(text) && message::parse_entity_tag(text).has_value();
}

}  // namespace

Validators::Validators(std::string_view etag, std::string_view last_modified) {
  if (is_usable_etag(etag)) etag_ = etag;
  if (message::parse_http_date(last_modified, sheaf::now().seconds)) last_modified_ = last_modified;
}

Validators::Validators(const FetchHead& head)
    : Validators(head.header("etag"), head.header("last-modified")) {}

void Validators::add_conditions(std::vector<std::pair<std::string, std::string>>& headers) const {
  if (!etag_.empty()) headers.emplace_back("If-None-Match", etag_);
  if (!last_modified_.empty()) headers.emplace_back("If-Modified-Since", last_modified_);
}

}  // namespace sheaf::http::fetch
