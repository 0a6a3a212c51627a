#include "sheaf/store/local/page_cursor.h"

#include "sheaf/base/free_memory.h"

#include <fmt/format.h>

namespace sheaf::store::local {
namespace {

// The size comes from disk and may be wrong. For larger pages, memory is therefore allocated as their parts
// are read.
constexpr std::uint64_t kTrusted = std::uint64_t{1} << 30;

}  // namespace

using base::Errc;
using base::fail;
using base::Result;

/// Nearby pages are reached by stepping, others by a seek.
Result<PageData> PageCursor::read_record(const Place& place) {
  constexpr int kSteps = 8;
  const std::string key = data_key(place);
  for (int i = 0; i < kSteps && cursor_.valid() && cursor_.key() < key; ++i) cursor_.next();
  if (!cursor_.valid() || cursor_.key() != key) cursor_.seek(key);
  if (!cursor_.valid()) {  // a cursor that points to an entry has no error
    const auto result = cursor_.check();
    if (!result) return fail(result.error().code, fmt::format("cannot be read: {}", result.error().message));
  }
  if (!cursor_.valid() || cursor_.key() != key) return fail(Errc::invalid_data, "is missing");
  const auto data = decode_data(cursor_.value());
  if (!data) return fail(Errc::invalid_data, "cannot be read");
  return *data;
}

Result<PageData> PageCursor::read(const Place& place, std::uint64_t json_bytes) {
  SHEAF_TRY_ASSIGN(PageData page, read_record(place));
  const std::uint64_t parts = part_count(json_bytes);
  if (parts > 1) {
    url_ = page.url;
    modified_ = page.modified;
    json_ = page.json;
    if (json_bytes < kTrusted) json_.reserve(json_bytes + format::kLinePadding);
    for (std::uint64_t part = 1; part < parts; ++part) {
      SHEAF_TRY_ASSIGN(const PageData more, read_record({place.run, place.number + part}));
      if (!more.url.empty()) return fail(Errc::invalid_data, "does not match its entry");
      json_ += more.json;
    }
    page.url = url_;
    page.modified = modified_;
    json_.append(format::kLinePadding, '\0');
    page.json = std::string_view(json_).substr(0, json_.size() - format::kLinePadding);
  }
  if (page.json.size() != json_bytes) return fail(Errc::invalid_data, "does not match its entry");
  if (parts == 1 && json_.capacity() > 2 * kPartBytes) base::free_storage(json_);
  return page;
}

std::expected<const Page*, std::string> PageCursor::decode(const PageData& page,
                                                           format::StoredPageDecoder& decoder) const {
  return page.json.data() == json_.data() ? decoder.decode(page.json) : decoder(page.json);
}

}  // namespace sheaf::store::local
