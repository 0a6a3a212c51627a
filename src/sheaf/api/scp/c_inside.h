#pragma once

#include <sheaf/error.h>
#include <sheaf/page.h>
#include <sheaf/sheaf_c.h>
#include <sheaf/time.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What is behind the handles of sheaf_c.h.

struct sheaf_error {
  std::string code;
  std::string message;
  std::uint64_t line = 0;
  std::uint64_t offset = 0;
};

struct sheaf_string {
  std::string text;
};

namespace sheaf::c_api {
class BatchPool;
}

struct sheaf_batch {
  std::string data;
  std::vector<std::uint64_t> table;
  std::shared_ptr<sheaf::c_api::BatchPool> pool;  ///< that gets the memory when the batch is freed, if any

  [[nodiscard]] std::size_t count() const { return table.size() / (std::size_t{2} * SHEAF_FIELDS); }
  /// A row whose fields are all absent.
  void add_row() { table.resize(table.size() + std::size_t{2} * SHEAF_FIELDS, UINT64_MAX); }
  /// Sets a field of the last row.
  void put(sheaf_field field, std::string_view text) { end_field(field, begin_field(text)); }

  /// Appends a text and says where it begins.
  std::size_t begin_field(std::string_view text) {
    const std::size_t start = data.size();
    data += text;
    return start;
  }
  /// The field is everything from `start` on.
  void end_field(sheaf_field field, std::size_t start) {
    std::uint64_t* row = table.data() + table.size() - std::size_t{2} * SHEAF_FIELDS;
    const std::size_t place = std::size_t{2} * field;
    row[place] = start;
    row[place + 1] = data.size() - start;
  }
};

struct sheaf_cursor {
  /// The next batch; null at the end.
  std::function<sheaf::Result<std::unique_ptr<sheaf_batch>>()> next;
  std::string head;  ///< of a collection, as JSON
  /// More of an error than its code: set by a reader before it fails.
  std::shared_ptr<sheaf_error> place = std::make_shared<sheaf_error>();
};

namespace sheaf::c_api {

/// A batch is handed out when it has so many bytes or pages.
inline constexpr std::size_t kBatchBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kBatchPages = 512;

inline std::string_view view(sheaf_text text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}

/// Parses an RFC 3339 time that the caller passed.
Result<Instant> time_argument(std::string_view text);

void set_error(sheaf_error** error, const Error& failure, const sheaf_error* place = nullptr);
void set_exception(sheaf_error** error);

/// Calls `work`, which gives a Result with a pointer; an error or exception becomes a null pointer.
template <class Work>
auto guarded(sheaf_error** error, const Work& work, const sheaf_error* place = nullptr)
    -> decltype(work()->release()) {
  if (error != nullptr) *error = nullptr;
  try {
    auto result = work();
    if (result) return result->release();
    set_error(error, result.error(), place);
  } catch (...) {
    set_exception(error);
  }
  return nullptr;
}

/// Every bit of sheaf_read_fields().
inline constexpr std::uint32_t kAllFields = (std::uint32_t{1} << SHEAF_FIELDS) - 1;

/// Adds a page as a row; `json` may be empty, then it is made from the page. Only fields whose bit is set.
void add_page(sheaf_batch& batch, const Page& page, std::string_view json, std::uint32_t fields = kAllFields);

inline std::unique_ptr<sheaf_string> make_string(std::string text) {
  return std::unique_ptr<sheaf_string>(new sheaf_string{std::move(text)});
}

}  // namespace sheaf::c_api
