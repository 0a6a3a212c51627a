/* sheaf/sheaf_c.h - the library for C, and for every language that can call C
 *
 * Pages come in batches: one block of memory with the fields of many pages, so that a caller in another
 * language pays for one call per batch and not per field.
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
/* Handles are opaque. Whoever gets one frees it with the function of its type; NULL may be freed.
 *
 * Errors: a function that can fail returns NULL (or 0) and sets *error, unless `error` is NULL. No C++
 * exception leaves the library.
 *
 * Texts are UTF-8 with a size, without a zero at the end; those that are handed in may contain anything.
 * Paths end with a zero.
 *
 * Threads: a handle belongs to one thread at a time; a sheaf_store may be used by several.
 *
 * Versions: sheaf_c_api_version() gives SHEAF_C_API_VERSION of the library. Within a version functions are
 * only added.
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

/** The version of this interface that the library has. */
SHEAF_C_EXPORT int sheaf_c_api_version(void);

/** A text in memory of the library or of the caller. `data` is NULL for a text that is absent. */
typedef struct sheaf_text {
  const char* data;
  size_t size;
} sheaf_text;

/** Why something failed, and where. */
typedef struct sheaf_error sheaf_error;
/** A fixed name: "not-found", "io", or of a collection that is refused the finding: "checksum-mismatch". */
SHEAF_C_EXPORT const char* sheaf_error_code(const sheaf_error* error);
/** One sentence for a person. */
SHEAF_C_EXPORT const char* sheaf_error_message(const sheaf_error* error);
/** The line of the file, from 1; 0 if the error is not about one. */
SHEAF_C_EXPORT uint64_t sheaf_error_line(const sheaf_error* error);
/** Bytes into the uncompressed file. */
SHEAF_C_EXPORT uint64_t sheaf_error_offset(const sheaf_error* error);
SHEAF_C_EXPORT void sheaf_error_free(sheaf_error* error);

/** A text that the library made. */
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
  SHEAF_JSON = 9,         /**< the whole page; of a change all that is known of it */
  SHEAF_SITE = 10,        /**< of pages of a store */
  SHEAF_SECTION = 11,     /**< of pages of a store */
  SHEAF_FIELDS = 12
};

/** Some pages, or changes of a store. */
typedef struct sheaf_batch sheaf_batch;
SHEAF_C_EXPORT size_t sheaf_batch_count(const sheaf_batch* batch);
SHEAF_C_EXPORT sheaf_text sheaf_batch_field(const sheaf_batch* batch, size_t page, enum sheaf_field field);
/** All texts of the batch, one after another. */
SHEAF_C_EXPORT sheaf_text sheaf_batch_data(const sheaf_batch* batch);
/** For each page SHEAF_FIELDS pairs of offset and size in that data; an offset of UINT64_MAX: absent. */
SHEAF_C_EXPORT const uint64_t* sheaf_batch_table(const sheaf_batch* batch);
/** These three in one call, for languages in which a call takes long. Valid as long as the batch. */
typedef struct sheaf_batch_view {
  size_t count;
  sheaf_text data;
  const uint64_t* table;
} sheaf_batch_view;
SHEAF_C_EXPORT sheaf_batch_view sheaf_batch_contents(const sheaf_batch* batch);
SHEAF_C_EXPORT void sheaf_batch_free(sheaf_batch* batch);

/** Hands out batches. */
typedef struct sheaf_cursor sheaf_cursor;
/** The next batch; NULL at the end, without an error, and on errors. */
SHEAF_C_EXPORT sheaf_batch* sheaf_next(sheaf_cursor* cursor, sheaf_error** error);
SHEAF_C_EXPORT void sheaf_cursor_free(sheaf_cursor* cursor);

/** Reads a collection; "-" is standard input. With several `threads`, so many decode pages (not more than
 * there are processors) and another one decompresses, ahead of the caller. What a rule skips is skipped. The
 * checksum is verified at the end: only when sheaf_next() has returned NULL without an error is the file
 * known to be whole. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_read(const char* path, unsigned threads, sheaf_error** error);
/** The same with some fields only: bits 1 << SHEAF_URL and so on. The others are absent from the batches and
 * cost nothing; the JSON text, which is rarely needed, is more than half of a batch. Every page is checked
 * all the same. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_read_fields(const char* path, unsigned threads, uint32_t fields,
                                               sheaf_error** error);
/** The metadata line of the collection that a cursor of sheaf_read() reads, as JSON. */
SHEAF_C_EXPORT sheaf_string* sheaf_read_head(const sheaf_cursor* cursor, sheaf_error** error);

/** Writes a collection. */
typedef struct sheaf_writer sheaf_writer;
/** The extension of the path tells the codec. `generated` is an RFC 3339 time; the current one if NULL. */
SHEAF_C_EXPORT sheaf_writer* sheaf_writer_create(const char* path, const char* section, const char* id,
                                                 const char* generated, sheaf_error** error);
/** Adds a page given as one JSON object. 0 where it is refused: the writer can go on without it. */
SHEAF_C_EXPORT int sheaf_writer_add(sheaf_writer* writer, sheaf_text json, sheaf_error** error);
/** Completes the file; until then there is none. Returns the number of pages as JSON: {"pages":2,...}. */
SHEAF_C_EXPORT sheaf_string* sheaf_writer_finish(sheaf_writer* writer, sheaf_error** error);
/** Discards the file if it was not finished. */
SHEAF_C_EXPORT void sheaf_writer_free(sheaf_writer* writer);

/** Checks a collection. Returns a report as JSON: valid, strict, pages, checksum, findings. */
SHEAF_C_EXPORT sheaf_string* sheaf_validate(const char* path, unsigned threads, sheaf_error** error);

/** Makes pages of HTML. Keep one per thread: it reuses its memory. */
typedef struct sheaf_extractor sheaf_extractor;
SHEAF_C_EXPORT sheaf_extractor* sheaf_extractor_create(sheaf_error** error);
/** A batch of one page. `url` and `content_type` may be absent. `modified` is the RFC 3339 time of a page
 * that names no date; the current time if absent. */
SHEAF_C_EXPORT sheaf_batch* sheaf_extract(sheaf_extractor* extractor, sheaf_text html, sheaf_text url,
                                          sheaf_text content_type, sheaf_text modified, sheaf_error** error);
/** The same with data and sizes apart, for languages in which handing over a struct takes long. */
SHEAF_C_EXPORT sheaf_batch* sheaf_extract_parts(sheaf_extractor* extractor, const char* html,
                                                size_t html_size, const char* url, size_t url_size,
                                                const char* content_type, size_t content_type_size,
                                                const char* modified, size_t modified_size,
                                                sheaf_error** error);
SHEAF_C_EXPORT void sheaf_extractor_free(sheaf_extractor* extractor);

/** A page, given as JSON, as Markdown. */
SHEAF_C_EXPORT sheaf_string* sheaf_markdown(sheaf_text json, sheaf_error** error);

/** The copy of many sites. */
typedef struct sheaf_store sheaf_store;
/** With `writable` the store is made if there is none, and one process may have it at a time. */
SHEAF_C_EXPORT sheaf_store* sheaf_store_open(const char* path, int writable, sheaf_error** error);
/** A batch with the page, or an empty one. */
SHEAF_C_EXPORT sheaf_batch* sheaf_store_get(const sheaf_store* store, sheaf_text url, sheaf_error** error);
/** All pages, or those of a site, a section and of URLs that match a pattern with `*`. The store must outlive
 * the cursor. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_store_pages(const sheaf_store* store, sheaf_text site, sheaf_text section,
                                               sheaf_text url, sheaf_error** error);
/** The changes after change number `since`, each as JSON: sequence, kind, site, section, url, oldModified,
 * newModified. The store must outlive the cursor. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_store_changes(const sheaf_store* store, uint64_t since,
                                                 sheaf_error** error);
/** The same after a position that sheaf_store_position() gave; "0" is before the first change. The feed of a
 * shared store has several parts with numbers of their own, so it needs positions. */
SHEAF_C_EXPORT sheaf_cursor* sheaf_store_changes_after(const sheaf_store* store, sheaf_text position,
                                                       sheaf_error** error);
/** The position after the newest change: take it when all changes were read. */
SHEAF_C_EXPORT sheaf_string* sheaf_store_position(const sheaf_store* store, sheaf_error** error);
/** Its sections as a JSON array. */
SHEAF_C_EXPORT sheaf_string* sheaf_store_sections(const sheaf_store* store, sheaf_error** error);
/** Shows what other processes wrote since it was opened. Not beside other calls. */
SHEAF_C_EXPORT int sheaf_store_refresh(sheaf_store* store, sheaf_error** error);
SHEAF_C_EXPORT void sheaf_store_free(sheaf_store* store);

/** Pulls a site into a writable store; `allow_private` also from hosts of private networks. Returns what was
 * done as JSON: ok, code, message, pages, requests, bytes. */
SHEAF_C_EXPORT sheaf_string* sheaf_pull(sheaf_store* store, sheaf_text url, sheaf_text user_agent,
                                        int allow_private, sheaf_error** error);

/** Turns a cursor over pages into an Arrow C stream (struct ArrowArrayStream, which `stream` must point to)
 * with the columns url, title, description, author, published, modified, language, canonical, text. The
 * stream takes the cursor over. */
SHEAF_C_EXPORT int sheaf_cursor_arrow(sheaf_cursor* cursor, void* stream, sheaf_error** error);

#ifdef __cplusplus
}
#endif
