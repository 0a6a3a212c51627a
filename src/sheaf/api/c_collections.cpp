#include "sheaf/api/c_inside.h"
#include "sheaf/api/c_page_threads.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/format/deltas/collection_pass.h"

#include <fmt/format.h>

#include <sheaf/collection.h>

#include <utility>

using sheaf::Result;
using namespace sheaf::c_api;  // NOLINT(google-build-using-namespace): the functions below are in no
                               // namespace

namespace sheaf::c_api {
namespace {

std::string head_json(const CollectionHead& head) {
  std::string out = "{\"id\":";
  append_json(out, head.id);
  out += ",\"section\":";
  append_json(out, head.section);
  out += fmt::format(",\"type\":\"{}\",\"generated\":", to_string(head.type));
  append_json(out, head.generated);
  out += ",\"since\":";
  head.since ? append_json(out, *head.since) : void(out += "null");
  out += ",\"state\":";
  head.state ? append_json(out, *head.state) : void(out += "null");
  out += ",\"removed\":[";
  for (std::size_t i = 0; i < head.removed.size(); ++i) {
    if (i > 0) out += ',';
    append_json(out, head.removed[i]);
  }
  return out + "]}";
}

/// What an error of a collection adds to its message.
sheaf_error place_of(const Finding& finding) {
  return {std::string(to_string(finding.code)), {}, finding.line, finding.offset};
}

Result<std::unique_ptr<sheaf_cursor>> open_collection(const char* path, unsigned threads,
                                                      std::uint32_t fields, sheaf_error& place) {
  const bool wants_json = (fields >> SHEAF_JSON & 1U) != 0;
  const PageDetail detail = wants_json ? PageDetail::checks : PageDetail::texts;
  SHEAF_TRY_ASSIGN(auto source, base::open_source(path));
  const std::string name = source->name();
  ReaderOptions options;
  options.detail = detail;
  options.threads =
      threads > 1 ? 2 : 1;  // the second one decompresses and hashes, with all that in its cache
  auto reader = format::CollectionReader::open(std::move(source), options);
  if (!reader) {
    place = place_of(reader.error());
    return std::unexpected(format::to_error(name, reader.error()));
  }
  auto cursor = std::make_unique<sheaf_cursor>();
  cursor->head = head_json(reader->head());
  auto pages = std::make_shared<PageThreads>(std::move(*reader), threads, detail, fields);
  cursor->next = [pages, name, found = cursor->place]() -> Result<std::unique_ptr<sheaf_batch>> {
    auto batch = pages->next();
    if (batch) return std::move(*batch);
    *found = place_of(batch.error());
    return std::unexpected(format::to_error(name, batch.error()));
  };
  return cursor;
}

}  // namespace
}  // namespace sheaf::c_api

sheaf_batch* sheaf_next(sheaf_cursor* cursor, sheaf_error** error) {
  return guarded(error, [&] { return cursor->next(); }, cursor->place.get());
}

void sheaf_cursor_free(sheaf_cursor* cursor) { delete cursor; }

sheaf_cursor* sheaf_read(const char* path, unsigned threads, sheaf_error** error) {
  return sheaf_read_fields(path, threads, kAllFields, error);
}

sheaf_cursor* sheaf_read_fields(const char* path, unsigned threads, uint32_t fields, sheaf_error** error) {
  sheaf_error place;
  return guarded(error, [&] { return open_collection(path, threads, fields, place); }, &place);
}

sheaf_string* sheaf_read_head(const sheaf_cursor* cursor, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    if (!cursor->head.empty()) return make_string(cursor->head);
    return sheaf::fail(sheaf::Errc::invalid_argument, "only a collection has a metadata line");
  });
}
