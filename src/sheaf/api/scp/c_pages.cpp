#include "sheaf/api/scp/c_batch_pool.h"
#include "sheaf/api/scp/c_inside.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/model/plain_text.h"

#include <fmt/format.h>

#include <sheaf/extract.h>
#include <sheaf/markdown.h>
#include <sheaf/reader.h>
#include <sheaf/validate.h>
#include <sheaf/writer.h>

#include <new>

using sheaf::Error;
using sheaf::Result;
using namespace sheaf::c_api;  // NOLINT(google-build-using-namespace): the functions below are in no
                               // namespace

struct sheaf_writer {
  sheaf::Writer writer;
  sheaf::PageParser parser;
  std::uint64_t pages = 0;  ///< offered, for messages
  bool is_finished = false;

  /// Fails if the collection is complete: nothing can be added to it.
  [[nodiscard]] Result<void> check_open() const {
    if (is_finished) return sheaf::fail(sheaf::Errc::invalid_argument, "the collection is already complete");
    return {};
  }
  Result<void> add(std::string_view json) {
    SHEAF_TRY(check_open());
    ++pages;
    const auto page = parser.parse(json);
    if (!page) return sheaf::fail(page.error().code, fmt::format("page {}: {}", pages, page.error().message));
    return writer.add(**page);
  }
};

struct sheaf_extractor {
  sheaf::PageExtractor extractor;
  std::shared_ptr<BatchPool> pool = std::make_shared<BatchPool>();
};

namespace sheaf::c_api {
namespace {

std::string_view name_of(Errc code) {
  switch (code) {
    case Errc::not_found: return "not-found";
    case Errc::permission_denied: return "permission-denied";
    case Errc::is_a_directory: return "is-a-directory";
    case Errc::already_exists: return "already-exists";
    case Errc::no_space: return "no-space";
    case Errc::broken_pipe: return "broken-pipe";
    case Errc::in_use: return "in-use";
    case Errc::io: return "io";
    case Errc::invalid_argument: return "invalid-argument";
    case Errc::invalid_data: return "invalid-data";
    case Errc::refused: return "refused";
  }
  return "unknown";
}

void append_finding(format::JsonWriter& out, std::string_view key, const Finding& finding) {
  out.begin_object(key)
      .string("code", to_string(finding.code))
      .string("level", to_string(level_of(finding.code)))
      .number("line", finding.line)
      .number("offset", finding.offset)
      .string("url", finding.url)
      .string("message", finding.message)
      .end_object();
}

std::string report_json(const ValidationReport& report) {
  format::JsonWriter out;
  out.begin_object()
      .boolean("valid", report.is_valid())
      .boolean("strict", report.is_strictly_valid())
      .number("pages", report.pages)
      .number("skipped", report.statistics.skipped)
      .string("checksum", to_string(report.checksum));
  if (report.fatal)
    append_finding(out, "fatal", *report.fatal);
  else
    out.null("fatal");
  out.begin_array("findings");
  for (const Finding& finding : report.findings) append_finding(out, {}, finding);
  out.end_array().end_object();
  return out.text();
}

}  // namespace

Result<Instant> time_argument(std::string_view text) {
  const auto time = parse_time(text);
  if (!time) return fail(Errc::invalid_argument, fmt::format("'{}' is not an RFC 3339 time", text));
  return time->instant;
}

void set_error(sheaf_error** error, const Error& failure, const sheaf_error* place) {
  if (error == nullptr) return;
  *error = new (std::nothrow) sheaf_error{std::string(name_of(failure.code)), failure.message};
  if (*error == nullptr || place == nullptr || place->code.empty()) return;
  (*error)->code = place->code;
  (*error)->line = place->line;
  (*error)->offset = place->offset;
}

void set_exception(sheaf_error** error) {
  if (error == nullptr) return;
  try {
    throw;
  } catch (const std::bad_alloc&) {
    *error = new (std::nothrow) sheaf_error{"no-memory", "there is not enough memory"};
  } catch (const std::exception& exception) {
    *error = new (std::nothrow) sheaf_error{"unexpected", exception.what()};
  } catch (...) {
    *error = new (std::nothrow) sheaf_error{"unexpected", "an unknown exception"};
  }
}

void add_page(sheaf_batch& batch, const Page& page, std::string_view json, std::uint32_t fields) {
  batch.add_row();
  const auto is_wanted = [&](sheaf_field field) { return (fields >> field & 1U) != 0; };
  const auto put = [&](sheaf_field field, const OptionalText& text) {
    if (text && is_wanted(field)) batch.put(field, *text);
  };
  put(SHEAF_URL, page.url);
  put(SHEAF_TITLE, page.title);
  put(SHEAF_DESCRIPTION, page.description);
  put(SHEAF_AUTHOR, page.author);
  put(SHEAF_PUBLISHED, page.published);
  put(SHEAF_MODIFIED, page.modified);
  put(SHEAF_LANGUAGE, page.language);
  put(SHEAF_CANONICAL, page.canonical);
  if (is_wanted(SHEAF_CONTENT_TEXT)) {
    const std::size_t start = batch.begin_field({});
    model::append_page_text(batch.data, page);
    batch.end_field(SHEAF_CONTENT_TEXT, start);
  }
  if (is_wanted(SHEAF_JSON)) {
    const std::size_t start = batch.begin_field(json);
    if (json.empty()) format::encode_page(page, batch.data);
    batch.end_field(SHEAF_JSON, start);
  }
}

}  // namespace sheaf::c_api

int sheaf_c_api_version() { return SHEAF_C_API_VERSION; }

const char* sheaf_error_code(const sheaf_error* error) { return error->code.c_str(); }
const char* sheaf_error_message(const sheaf_error* error) { return error->message.c_str(); }
uint64_t sheaf_error_line(const sheaf_error* error) { return error->line; }
uint64_t sheaf_error_offset(const sheaf_error* error) { return error->offset; }
void sheaf_error_free(sheaf_error* error) { delete error; }

sheaf_text sheaf_string_text(const sheaf_string* string) {
  return {string->text.data(), string->text.size()};
}
void sheaf_string_free(sheaf_string* string) { delete string; }

size_t sheaf_batch_count(const sheaf_batch* batch) { return batch->count(); }

sheaf_text sheaf_batch_field(const sheaf_batch* batch, size_t page, sheaf_field field) {
  if (page >= sheaf_batch_count(batch) || field >= SHEAF_FIELDS) return {nullptr, 0};
  const std::uint64_t* entry = batch->table.data() + 2 * (page * SHEAF_FIELDS + field);
  if (entry[0] == UINT64_MAX) return {nullptr, 0};
  return {batch->data.data() + entry[0], entry[1]};
}

sheaf_text sheaf_batch_data(const sheaf_batch* batch) { return {batch->data.data(), batch->data.size()}; }
const uint64_t* sheaf_batch_table(const sheaf_batch* batch) { return batch->table.data(); }
sheaf_batch_view sheaf_batch_contents(const sheaf_batch* batch) {
  return {batch->count(), sheaf_batch_data(batch), batch->table.data()};
}
void sheaf_batch_free(sheaf_batch* batch) {
  std::unique_ptr<sheaf_batch> freed(batch);
  if (freed == nullptr || freed->pool == nullptr) return;
  const auto pool = std::exchange(freed->pool, nullptr);
  pool->take_back(std::move(freed));
}

sheaf_writer* sheaf_writer_create(const char* path, const char* section, const char* id,
                                  const char* generated, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_writer>> {
    sheaf::CollectionHead head;
    head.section = section == nullptr ? "all" : section;
    sheaf::Instant time = sheaf::now();
    if (generated != nullptr) {
      SHEAF_TRY_ASSIGN(time, time_argument(generated));
    }
    head.set_generated(time);
    head.id = id == nullptr ? head.section + "-1" : id;
    SHEAF_TRY_ASSIGN(auto writer, sheaf::Writer::create(std::move(head), path));
    return std::unique_ptr<sheaf_writer>(new sheaf_writer{.writer = std::move(writer), .parser = {}});
  });
}

int sheaf_writer_add(sheaf_writer* writer, sheaf_text json, sheaf_error** error) {
  const sheaf_writer* done =
      guarded(error, [&]() -> Result<std::unique_ptr<sheaf_writer, void (*)(sheaf_writer*)>> {
        SHEAF_TRY(writer->add(view(json)));
        return std::unique_ptr<sheaf_writer, void (*)(sheaf_writer*)>(writer, [](sheaf_writer*) {});
      });
  return done == nullptr ? 0 : 1;
}

sheaf_string* sheaf_writer_finish(sheaf_writer* writer, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    SHEAF_TRY(writer->check_open());
    writer->is_finished = true;
    SHEAF_TRY_ASSIGN(const auto summary, writer->writer.finish());
    return make_string(fmt::format(R"({{"pages":{},"plainBytes":{},"bytes":{}}})", summary.pages,
                                   summary.plain_bytes,
                                   summary.files.empty() ? 0 : summary.files.front().bytes));
  });
}

void sheaf_writer_free(sheaf_writer* writer) { delete writer; }

sheaf_string* sheaf_validate(const char* path, unsigned threads, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    sheaf::ValidateOptions options;
    options.threads = threads == 0 ? 1 : threads;
    SHEAF_TRY_ASSIGN(const auto report, sheaf::validate(path, options));
    return make_string(report_json(report));
  });
}

sheaf_extractor* sheaf_extractor_create(sheaf_error** error) {
  return guarded(error, []() -> Result<std::unique_ptr<sheaf_extractor>> {
    return std::make_unique<sheaf_extractor>();
  });
}

sheaf_batch* sheaf_extract(sheaf_extractor* extractor, sheaf_text html, sheaf_text url,
                           sheaf_text content_type, sheaf_text modified, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_batch>> {
    sheaf::ExtractionOptions options;
    options.url = view(url);
    options.content_type = view(content_type);
    options.fallback_modified = sheaf::now();
    if (modified.data != nullptr) {
      SHEAF_TRY_ASSIGN(options.fallback_modified, time_argument(view(modified)));
    }
    auto batch = extractor->pool->make(html.size);  // text and JSON together are rarely larger
    add_page(*batch, extractor->extractor.extract_html(view(html), options).page, {});
    return batch;
  });
}

sheaf_batch* sheaf_extract_parts(sheaf_extractor* extractor, const char* html, size_t html_size,
                                 const char* url, size_t url_size, const char* content_type,
                                 size_t content_type_size, const char* modified, size_t modified_size,
                                 sheaf_error** error) {
  return sheaf_extract(extractor, {html, html_size}, {url, url_size}, {content_type, content_type_size},
                       {modified, modified_size}, error);
}

void sheaf_extractor_free(sheaf_extractor* extractor) { delete extractor; }

sheaf_string* sheaf_markdown(sheaf_text json, sheaf_error** error) {
  return guarded(error, [&]() -> Result<std::unique_ptr<sheaf_string>> {
    sheaf::PageParser parser;
    SHEAF_TRY_ASSIGN(const sheaf::Page* page, parser.parse(view(json)));
    return make_string(sheaf::page_markdown(*page));
  });
}
