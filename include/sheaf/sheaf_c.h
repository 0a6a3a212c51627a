/* sheaf/sheaf_c.h - the library for C, and for every language that can call C
 *
 * Pages are returned in batches: one block of memory with the fields of many pages. A caller in another
 * language pays for one call per batch, not for one per field.
 */
//     #include <sheaf/sheaf_c.h>
//
//     #include <stdio.h>
//
//     int main() {
//       sheaf_error* error = NULL;
//       sheaf_cursor* cursor = sheaf_read("monday.scp", 1, &error);
//       sheaf_batch* batch = NULL;
//       while (cursor != NULL && (batch = sheaf_next(cursor, &error)) != NULL) {
//         for (size_t i = 0; i < sheaf_batch_count(batch); ++i) {
//           const sheaf_text url = sheaf_batch_field(batch, i, SHEAF_URL);
//           fwrite(url.data, 1, url.size, stdout);
//           puts("");
//         }
//         sheaf_batch_free(batch);
//       }
//       sheaf_cursor_free(cursor);
//       if (error == NULL) return 0;
//       fprintf(stderr, "%s: %s\n", sheaf_error_code(error), sheaf_error_message(error));
//       sheaf_error_free(error);
//       return 1;
//     }
//
/* Handles are opaque. The caller owns each handle that a function returns and frees it with the `_free`
 * function of its type. NULL may be freed.
 *
 * Errors: a function that can fail returns NULL (or 0) and sets *error, unless `error` is NULL. No C++
 * exception leaves the library.
 *
 * Texts are UTF-8 with a size and are not terminated by a zero. Texts passed to a function may contain any
 * bytes. Paths are zero-terminated.
 *
 * Threads: one thread at a time may use a handle, except that several may use a sheaf_store.
 *
 * Versions: sheaf_c_api_version() returns the SHEAF_C_API_VERSION of the library. Functions are only added
 * within a version, never changed or removed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SHEAF_C_EXPORT __attribute__((visibility("default")))
#else
#define SHEAF_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SHEAF_C_API_VERSION 1

/** The version of this interface that the library implements. */
SHEAF_C_EXPORT int sheaf_c_api_version(void);

/** A text, in memory of the library or of the caller. `data` is NULL if the text is absent. */
typedef struct sheaf_text {
  const char* data;
  size_t size;
} sheaf_text;

/** Why something failed, and where. */
typedef struct sheaf_error sheaf_error;
/** A fixed name: "not-found", "io"; for a refused collection the finding: "checksum-mismatch". */
SHEAF_C_EXPORT const char* sheaf_error_code(const sheaf_error* error);
/** One sentence for people. */
SHEAF_C_EXPORT const char* sheaf_error_message(const sheaf_error* error);
/** The line of the file, from 1; 0 if the error does not concern a line. */
SHEAF_C_EXPORT uint64_t sheaf_error_line(const sheaf_error* error);
/** The offset in the uncompressed file, in bytes. */
SHEAF_C_EXPORT uint64_t sheaf_error_offset(const sheaf_error* error);
SHEAF_C_EXPORT void sheaf_error_free(sheaf_error* error);

/** A text that the library allocated. */
typedef struct sheaf_string sheaf_string;
SHEAF_C_EXPORT sheaf_text sheaf_string_text(const sheaf_string* string);
SHEAF_C_EXPORT void sheaf_string_free(sheaf_string* string);

/** The fields of a page in a batch. */
enum sheaf_field {
  SHEAF_URL = 0,
  SHEAF_TITLE = 1,
  SHEAF_DESCRIPTION = 2,
  SHEAF_AUTHOR = 3,
  SHEAF_PUBLISHED = 4,
  SHEAF_MODIFIED = 5,
  SHEAF_LANGUAGE = 6,
  SHEAF_CANONICAL = 7,
  SHEAF_CONTENT_TEXT = 8, /**< the texts of all blocks, separated by an empty line */
  SHEAF_JSON = 9,         /**< the whole page, or the whole change */
  SHEAF_SITE = 10,        /**< only in pages of a store */
  SHEAF_SECTION = 11,     /**< only in pages of a store */
  SHEAF_FIELDS = 12
};

/** A number of pages, or of changes of a store. */
typedef struct sheaf_batch sheaf_batch;
SHEAF_C_EXPORT size_t sheaf_batch_count(const sheaf_batch* batch);
SHEAF_C_EXPORT sheaf_text sheaf_batch_field(const sheaf_batch* batch, size_t page, enum sheaf_field field);
/** All texts of the batch, one after another. */
SHEAF_C_EXPORT sheaf_text sheaf_batch_data(const sheaf_batch* batch);
/** For each page, SHEAF_FIELDS pairs of offset and size in that data. The offset of an absent field is
 * UINT64_MAX. */
SHEAF_C_EXPORT const uint64_t* sheaf_batch_table(const sheaf_batch* batch);
/** Count, data and table in one call, for languages in which a call is slow. Valid until the batch is freed.
 */
typedef struct sheaf_batch_view {
  size_t count;
  sheaf_text data;
  const uint64_t* table;
} sheaf_batch_view;
SHEAF_C_EXPORT sheaf_batch_view sheaf_batch_contents(const sheaf_batch* batch);
SHEAF_C_EXPORT void sheaf_batch_free(sheaf_batch* batch);

/** Returns batches, one after another. */
typedef struct sheaf_cursor sheaf_cursor;
/** Returns the next batch. NULL without an error: the end. */
SHEAF_C_EXPORT sheaf_batch* sheaf_next(sheaf_cursor* cursor, sheaf_error** error);
SHEAF_C_EXPORT void sheaf_cursor_free(sheaf_cursor* cursor);

/** Reads a collection; "-" is standard input. If `threads` is greater than 1, that many threads (but at most
 * one per processor) decode pages and one more decompresses, all ahead of the caller. Pages that the protocol
 * tells readers to skip are left out. The checksum is verified at the end: the file is known to be complete
 * only when sheaf_next() has returned NULL without an error. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_read(const char* path, unsigned threads, sheaf_error** error);
/** Like sheaf_read(), with some fields only: bits 1 << SHEAF_URL and so on. The other fields are absent from
 * the batches and cost nothing. The JSON text, which is rarely needed, is more than half of a batch. Every
 * page is still checked as a whole. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_read_fields(const char* path, unsigned threads, uint32_t fields,
                                               sheaf_error** error);
/** The metadata of the collection that a cursor of sheaf_read() reads, as JSON: id, section, type, generated,
 * version, since, state, checksum, removed, extra (members that no draft names). */
SHEAF_C_EXPORT sheaf_string* sheaf_read_head(const sheaf_cursor* cursor, sheaf_error** error);

/** Writes a collection. */
typedef struct sheaf_writer sheaf_writer;
/** The extension of the path selects the codec. `generated` is an RFC 3339 time; NULL: the current time. */
SHEAF_C_EXPORT sheaf_writer* sheaf_writer_create(const char* path, const char* section, const char* id,
                                                 const char* generated, sheaf_error** error);
/** Adds a page, given as one JSON object. Returns 0 if the page is refused; the writer remains usable. */
SHEAF_C_EXPORT int sheaf_writer_add(sheaf_writer* writer, sheaf_text json, sheaf_error** error);
/** Completes the file, which does not exist before. Returns JSON: pages, plainBytes, bytes. */
SHEAF_C_EXPORT sheaf_string* sheaf_writer_finish(sheaf_writer* writer, sheaf_error** error);
/** Discards the file unless sheaf_writer_finish() succeeded. */
SHEAF_C_EXPORT void sheaf_writer_free(sheaf_writer* writer);

/** Checks a collection. Returns a report as JSON: valid, strict, pages, skipped, checksum, fatal, findings.
 */
SHEAF_C_EXPORT sheaf_string* sheaf_validate(const char* path, unsigned threads, sheaf_error** error);

/** Extracts pages from HTML. Keep one extractor per thread: it reuses its memory. */
typedef struct sheaf_extractor sheaf_extractor;
SHEAF_C_EXPORT sheaf_extractor* sheaf_extractor_create(sheaf_error** error);
/** Returns a batch of one page. `url` and `content_type` may be absent. `modified` is an RFC 3339 time for a
 * page that states no date; absent: the current time. */
SHEAF_C_EXPORT sheaf_batch* sheaf_extract(sheaf_extractor* extractor, sheaf_text html, sheaf_text url,
                                          sheaf_text content_type, sheaf_text modified, sheaf_error** error);
/** Like sheaf_extract(), with separate data and sizes, for languages in which passing a struct is slow. */
SHEAF_C_EXPORT sheaf_batch* sheaf_extract_parts(sheaf_extractor* extractor, const char* html,
                                                size_t html_size, const char* url, size_t url_size,
                                                const char* content_type, size_t content_type_size,
                                                const char* modified, size_t modified_size,
                                                sheaf_error** error);
SHEAF_C_EXPORT void sheaf_extractor_free(sheaf_extractor* extractor);

/** Renders a page, given as JSON, as Markdown. */
SHEAF_C_EXPORT sheaf_string* sheaf_markdown(sheaf_text json, sheaf_error** error);

/** The copy of many sites. */
typedef struct sheaf_store sheaf_store;
/** Opens a store: a folder, or the URL of a shared store (postgresql://...). If `writable`, creates the store
 * if it does not exist; one process at a time may have a store open for writing. */
SHEAF_C_EXPORT sheaf_store* sheaf_store_open(const char* path, int writable, sheaf_error** error);
/** Returns a batch with the page, or an empty batch if the store does not have it. */
SHEAF_C_EXPORT sheaf_batch* sheaf_store_get(const sheaf_store* store, sheaf_text url, sheaf_error** error);
/** All pages, or those of a site, of a section, or with URLs that match a pattern with `*`. The store may be
 * freed before its cursors; it stays open until the last of them is freed. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_store_pages(const sheaf_store* store, sheaf_text site, sheaf_text section,
                                               sheaf_text url, sheaf_error** error);
/** The changes after change number `since`, each as JSON: sequence, kind, site, section, url, oldModified,
 * newModified. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_store_changes(const sheaf_store* store, uint64_t since,
                                                 sheaf_error** error);
/** The changes after a position that sheaf_store_position() returned; "0" is before the first change. Use
 * positions with a shared store: its feed has several parts, each with its own numbers. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_store_changes_after(const sheaf_store* store, sheaf_text position,
                                                       sheaf_error** error);
/** The position after the newest change. Ask for it after reading all changes. */
SHEAF_C_EXPORT sheaf_string* sheaf_store_position(const sheaf_store* store, sheaf_error** error);
/** The sections as a JSON array: site, section, fromHtml, generated, pages, bytes, proven. */
SHEAF_C_EXPORT sheaf_string* sheaf_store_sections(const sheaf_store* store, sheaf_error** error);
/** What to search for. Absent texts do not restrict the search; docs/search.md describes queries. */
typedef struct sheaf_search_request {
  size_t size; /**< sizeof(sheaf_search_request) of the caller: later versions may add fields at the end */
  sheaf_text query;
  sheaf_text site;
  sheaf_text section;
  sheaf_text language;
  sheaf_text since;  /**< an RFC 3339 time */
  sheaf_text cursor; /**< `next` of the previous results */
  size_t limit;      /**< 1 to 100; 0: ten */
  int title_only;
} sheaf_search_request;
/** Returns the best matches as JSON, as `sheaf search --json` prints them: total, estimated, results, next,
 * suggestion, cut, behind. Fails with "not-found" if the store has no index, or if the index has no page of
 * the requested site, section or language. */
SHEAF_C_EXPORT sheaf_string* sheaf_store_search(const sheaf_store* store, const sheaf_search_request* request,
                                                sheaf_error** error);
/** Builds the search index, or brings it up to date. If `rebuild`, deletes it first. Returns JSON: indexed,
 * removed, unreadable, pages, everyPage. */
SHEAF_C_EXPORT sheaf_string* sheaf_store_update_index(const sheaf_store* store, int rebuild,
                                                      sheaf_error** error);
/** Shows what other processes wrote since the store was opened. Waits for calls of other threads. Fails with
 * "in-use" if a cursor of the store is open. */
SHEAF_C_EXPORT int sheaf_store_refresh(sheaf_store* store, sheaf_error** error);
SHEAF_C_EXPORT void sheaf_store_free(sheaf_store* store);

/** Pulls a site into a writable store; if `allow_private`, also from hosts in private networks. Returns JSON:
 * site, ok, code, message, fromHtml, complete, pages, added, changed, removed, requests, bytes. */
SHEAF_C_EXPORT sheaf_string* sheaf_pull(sheaf_store* store, sheaf_text url, sheaf_text user_agent,
                                        int allow_private, sheaf_error** error);

/** Turns a cursor over pages into an Arrow C stream (struct ArrowArrayStream, which `stream` must point to)
 * with the columns url, title, description, author, published, modified, language, canonical, text, site and
 * section; the last two are null for pages of a collection. The stream then owns the cursor. */
SHEAF_C_EXPORT int sheaf_cursor_arrow(sheaf_cursor* cursor, void* stream, sheaf_error** error);

#ifdef __cplusplus
}
#endif
