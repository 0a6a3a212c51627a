#include "sheaf/api/c_open_store.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/search/search_index.h"
#include <sheaf/search.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

using sheaf::Result;
using namespace sheaf::c_api;  // NOLINT(google-build-using-namespace): the functions below are in no
                               // namespace

namespace sheaf::c_api {
namespace {

/// `given` may be shorter, from a caller that was compiled with an earlier header: fields that it does not
/// have are absent.
Result<SearchRequest> search_request(const sheaf_search_request& given) {
  if (given.size < offsetof(sheaf_search_request, site))
    return fail(Errc::invalid_argument, "sheaf_search_request: set `size` to sizeof(sheaf_search_request)");
  sheaf_search_request from{};
  std::memcpy(&from, &given, std::min(given.size, sizeof(from)));
  SearchRequest request;
  request.query = view(from.query);
  request.site = view(from.site);
  request.section = view(from.section);
  request.language = view(from.language);
  request.cursor = view(from.cursor);
  request.title_only = from.title_only != 0;
  if (from.limit != 0) request.limit = from.limit;
  if (from.since.data == nullptr) return request;
  SHEAF_TRY_ASSIGN(request.since, time_argument(view(from.since)));
  return request;
}

std::string results_json(const SearchResults& results) {
  format::JsonWriter out;
  out.begin_object();
  search::append_results_json(out, results);
  out.end_object();
  return out.text();
}

std::string update_json(const IndexUpdate& update) {
  format::JsonWriter out;
  out.begin_object()
      .number("indexed", update.indexed)
      .number("removed", update.removed)
      .number("unreadable", update.unreadable)
      .number("pages", update.pages)
      .boolean("everyPage", update.is_rebuilt)
      .end_object();
  return out.text();
}

}  // namespace
}  // namespace sheaf::c_api

sheaf_string* sheaf_store_search(const sheaf_store* store, const sheaf_search_request* request,
                                 sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    SHEAF_TRY_ASSIGN(const auto wanted, search_request(*request));
    const StoreCall call(store->open);
    SHEAF_TRY_ASSIGN(const auto results, call.store().search(wanted));
    return make_string(results_json(results));
  });
}

sheaf_string* sheaf_store_update_index(const sheaf_store* store, int rebuild, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    const StoreCall call(store->open);
    SHEAF_TRY_ASSIGN(const auto update, call.store().update_index({.rebuild = rebuild != 0}));
    return make_string(update_json(update));
  });
}
