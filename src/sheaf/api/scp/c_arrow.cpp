#include "sheaf/api/scp/c_inside.h"
#include <sheaf/time.h>

#include <array>
#include <cerrno>
#include <cstring>

// The Arrow C data and stream interfaces: structs that are laid down by Arrow's specification, so that two
// libraries in one process can hand over tables without copying and without knowing each other. The names of
// structs and members are the specification's.
// NOLINTBEGIN(readability-identifier-naming)
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
// NOLINTEND(readability-identifier-naming)

namespace sheaf::c_api {
namespace {

constexpr std::int64_t kNullable = 2;

struct ArrowColumn {
  const char* name;
  sheaf_field field;
  bool is_time;
};

constexpr std::array<ArrowColumn, 11> kArrowColumns = {{
    {"url", SHEAF_URL, false},
    {"title", SHEAF_TITLE, false},
    {"description", SHEAF_DESCRIPTION, false},
    {"author", SHEAF_AUTHOR, false},
    {"published", SHEAF_PUBLISHED, true},
    {"modified", SHEAF_MODIFIED, true},
    {"language", SHEAF_LANGUAGE, false},
    {"canonical", SHEAF_CANONICAL, false},
    {"text", SHEAF_CONTENT_TEXT, false},
    {"site", SHEAF_SITE, false},
    {"section", SHEAF_SECTION, false},
}};
constexpr std::size_t kColumns = kArrowColumns.size();

/// The schema and its children in one allocation.
struct OwnedSchema {
  std::array<ArrowSchema, kColumns> columns{};
  std::array<ArrowSchema*, kColumns> pointers{};
};

/// A consumer may move a child out and release it apart: that takes only the mark, the memory is the
/// parent's.
void release_child_schema(ArrowSchema* schema) { schema->release = nullptr; }

void release_schema(ArrowSchema* schema) {
  delete static_cast<OwnedSchema*>(schema->private_data);
  schema->release = nullptr;
}

void fill_schema(ArrowSchema* out) {
  auto owned = std::make_unique<OwnedSchema>();
  for (std::size_t i = 0; i < kColumns; ++i) {
    const bool is_time = kArrowColumns[i].is_time;
    owned->columns[i] = {is_time ? "tsu:UTC" : "U",
                         kArrowColumns[i].name,
                         nullptr,
                         kNullable,
                         0,
                         nullptr,
                         nullptr,
                         release_child_schema,
                         nullptr};
    owned->pointers[i] = &owned->columns[i];
  }
  ArrowSchema** children = owned->pointers.data();
  *out = {"+s", "", nullptr, 0, std::int64_t{kColumns}, children, nullptr, release_schema, owned.release()};
}

/// One column of a batch: bits for what is there, offsets and bytes of texts, or times.
struct OwnedColumn {
  std::vector<std::uint8_t> valid;
  std::vector<std::int64_t> numbers;  ///< offsets or times
  std::string bytes;
  std::array<const void*, 3> buffers{};
};

struct OwnedBatch {
  std::array<std::shared_ptr<OwnedColumn>, kColumns> columns;
  std::array<ArrowArray, kColumns> arrays{};
  std::array<ArrowArray*, kColumns> pointers{};
  std::array<const void*, 1> buffers{};  ///< a struct has one, and none of its values is null
};

/// Each child owns its column, so that a consumer can keep one and release the rest.
void release_child_array(ArrowArray* array) {
  delete static_cast<std::shared_ptr<OwnedColumn>*>(array->private_data);
  array->release = nullptr;
}

void release_array(ArrowArray* array) {
  for (std::int64_t i = 0; i < array->n_children; ++i)
    if (array->children[i]->release != nullptr) array->children[i]->release(array->children[i]);
  delete static_cast<OwnedBatch*>(array->private_data);
  array->release = nullptr;
}

std::optional<std::int64_t> microseconds_of(std::string_view time) {
  const auto parsed =
      parse_time(time.size() == std::string_view("2026-01-31").size() ? std::string(time) + "T00:00:00Z"
                                                                      : std::string(time));
  if (!parsed) return std::nullopt;
  return parsed->instant.seconds * 1'000'000 + parsed->instant.nanoseconds / 1'000;
}

std::int64_t fill_column(const sheaf_batch& batch, const ArrowColumn& column, OwnedColumn& out) {
  const std::size_t rows = batch.count();
  std::int64_t nulls = 0;
  out.valid.resize((rows + 7) / 8);
  if (!column.is_time) out.numbers.push_back(0);
  for (std::size_t row = 0; row < rows; ++row) {
    const sheaf_text text = sheaf_batch_field(&batch, row, column.field);
    const auto time = column.is_time && text.data != nullptr ? microseconds_of(view(text)) : std::nullopt;
    const bool is_there = column.is_time ? time.has_value() : text.data != nullptr;
    if (is_there) {
      out.valid[row / 8] = static_cast<std::uint8_t>(out.valid[row / 8] | 1U << (row % 8));
    } else {
      ++nulls;
    }
    if (column.is_time) {
      out.numbers.push_back(time.value_or(0));
    } else {
      out.bytes += view(text);
      out.numbers.push_back(static_cast<std::int64_t>(out.bytes.size()));
    }
  }
  out.buffers = {out.valid.data(), out.numbers.data(), out.bytes.data()};
  return nulls;
}

void fill_array(const sheaf_batch& batch, ArrowArray* out) {
  auto owned = std::make_unique<OwnedBatch>();
  const auto rows = static_cast<std::int64_t>(batch.count());
  for (std::size_t i = 0; i < kColumns; ++i) {
    auto column = std::make_shared<OwnedColumn>();
    const std::int64_t nulls = fill_column(batch, kArrowColumns[i], *column);
    const std::int64_t buffers = kArrowColumns[i].is_time ? 2 : 3;
    const void** pointers = column->buffers.data();
    owned->arrays[i] = {rows,
                        nulls,
                        0,
                        buffers,
                        0,
                        pointers,
                        nullptr,
                        nullptr,
                        release_child_array,
                        new std::shared_ptr<OwnedColumn>(std::move(column))};
    owned->pointers[i] = &owned->arrays[i];
  }
  const void** buffers = owned->buffers.data();
  ArrowArray** children = owned->pointers.data();
  *out = {rows, 0, 0, 1, std::int64_t{kColumns}, buffers, children, nullptr, release_array, owned.release()};
}

struct OwnedStream {
  std::unique_ptr<sheaf_cursor> cursor;
  std::string error;
};

OwnedStream& inside(ArrowArrayStream* stream) { return *static_cast<OwnedStream*>(stream->private_data); }

int next_array(ArrowArrayStream* stream, ArrowArray* out) {
  OwnedStream& owned = inside(stream);
  try {
    auto batch = owned.cursor->next();
    if (!batch) {
      owned.error = batch.error().message;
      return EIO;
    }
    *out = {};
    if (*batch) fill_array(**batch, out);
    return 0;
  } catch (const std::exception& exception) {
    owned.error = exception.what();
    return ENOMEM;
  }
}

int stream_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  try {
    fill_schema(out);
    return 0;
  } catch (const std::exception& exception) {
    inside(stream).error = exception.what();
    return ENOMEM;
  }
}

const char* stream_error(ArrowArrayStream* stream) {
  return inside(stream).error.empty() ? nullptr : inside(stream).error.c_str();
}

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<OwnedStream*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace
}  // namespace sheaf::c_api

int sheaf_cursor_arrow(sheaf_cursor* cursor, void* stream, sheaf_error** error) {
  using namespace sheaf::c_api;  // NOLINT(google-build-using-namespace): the function is in no namespace
  if (error != nullptr) *error = nullptr;
  try {
    auto owned = std::make_unique<OwnedStream>();
    owned->cursor.reset(cursor);
    const ArrowArrayStream made{stream_schema, next_array, stream_error, release_stream, owned.release()};
    std::memcpy(stream, &made, sizeof(made));
    return 1;
  } catch (...) {
    set_exception(error);
    return 0;
  }
}
