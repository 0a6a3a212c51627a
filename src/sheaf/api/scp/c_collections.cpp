#include "sheaf/api/scp/c_inside.h"
#include "sheaf/api/scp/c_page_threads.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/json/json_writer.h"

#include <fmt/format.h>

#include <sheaf/collection.h>

#include <utility>

using sheaf::Result;
using namespace sheaf::c_api;  // NOLINT(google-build-using-namespace): the functions below are in no
                               // namespace

namespace sheaf::c_api {
namespace {

void append_or_null(format::JsonWriter& out, std::string_view key, const std::optional<std::string>& value) {
  if (value)
    out.string(key, *value);
  else
    out.null(key);
}

/// Members that no draft names, as they are in the file.
std::string extra_json(const CollectionHead& head) {
  std::string out = "{";
  for (const auto& [key, value] : head.extra)
    out += fmt::format(R"({}"{}":{})", out.size() > 1 ? "," : "", key, value);
  return out + "}";
}

std::string head_json(const CollectionHead& head) {
  format::JsonWriter out;
  out.begin_object()
      .string("id", head.id)
      .string("section", head.section)
      .string("type", to_string(head.type))
      .string("generated", head.generated)
      .string("version", head.version);
  append_or_null(out, "since", head.since);
  append_or_null(out, "state", head.state);
  append_or_null(out, "checksum", head.checksum);
  out.begin_array("removed");
  for (const std::string& url : head.removed) out.element(url);
  out.end_array().raw("extra", extra_json(head)).end_object();
  return out.text();
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
