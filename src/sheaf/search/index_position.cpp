#include "sheaf/search/index_position.h"

#include "sheaf/base/record.h"

namespace sheaf::search {
namespace {

// How a position is encoded: absent, as a number, or, if it has several parts, as text.
constexpr std::uint64_t kAbsent = 0;
constexpr std::uint64_t kNumber = 1;
constexpr std::uint64_t kText = 2;

void write_optional(base::RecordWriter& out, const std::optional<store::FeedCursor>& cursor) {
  if (!cursor) {
    out.number(kAbsent).number(0);
  } else if (cursor->parts() == 1) {
    out.number(kNumber).number(cursor->total());
  } else {
    out.number(kText).text(cursor->text());
  }
}

std::optional<store::FeedCursor> read_optional(base::RecordReader& in) {
  const std::uint64_t kind = in.number();
  if (kind == kText) {
    auto cursor = store::FeedCursor::parse(in.text());
    return cursor ? std::optional(std::move(*cursor)) : std::nullopt;
  }
  const std::uint64_t number = in.number();
  return kind == kNumber ? std::optional(store::FeedCursor(number)) : std::nullopt;
}

}  // namespace

std::string encode(const IndexPosition& position) {
  base::RecordWriter out;
  out.number(position.version);
  write_optional(out, position.sequence);
  write_optional(out, position.rebuilding);
  return out.bytes();
}

IndexPosition decode_index_position(std::string_view bytes) {
  base::RecordReader in(bytes);
  IndexPosition position;
  position.version = in.number();
  position.sequence = read_optional(in);
  position.rebuilding = read_optional(in);
  return in.good() ? position : IndexPosition{};
}

}  // namespace sheaf::search
