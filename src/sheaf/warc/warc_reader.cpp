#include "sheaf/warc/warc_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::warc {
namespace {

using base::Result;

constexpr std::string_view kStart = "WARC/";
constexpr std::size_t kWindow = std::size_t{64} << 10U;
constexpr std::size_t kVersionLine = 16;  // longer than any version line
// Maximum number of line-end characters after a block. Two line ends are correct; some writers add more.
constexpr std::size_t kLineEnds = 64;

bool is_line_end(char c) { return c == '\r' || c == '\n'; }

/// Whether a record begins here. A version line that the end of `text` cuts off does not count.
bool is_record_start(std::string_view text) {
  std::string_view line = text.substr(0, std::min(text.substr(0, kVersionLine).find('\n'), text.size()));
  if (line.size() == text.size()) return false;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return is_version_line(line);
}

/// The number of line ends at the front. More than kLineEnds are not counted.
std::size_t count_line_ends(std::string_view text) {
  text = text.substr(0, kLineEnds);
  return std::min(text.find_first_not_of("\r\n"), text.size());
}

/// Whether the block is followed by line ends and another record, or by the end of the file.
bool is_right_end(std::string_view buffered, std::size_t length) {
  if (buffered.size() < length) return false;
  const std::string_view rest = buffered.substr(length);
  const std::size_t blank = count_line_ends(rest);
  return blank == rest.size() || blank == kLineEnds || is_record_start(rest.substr(blank));
}

/// The size of a record's head, with and without the empty line that ends it. If it has no end, because the
/// next record begins before, both are the size up to there.
struct HeadSize {
  std::size_t with_end = 0;
  std::size_t text = 0;
  bool has_end = true;
};

/// Nullopt if the head goes on after `text`. A line that begins a record cannot be a field of a head. If it
/// did not count, a file of nothing but such lines would be searched to its end for each.
std::optional<HeadSize> measure_head(std::string_view text) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', end + 1)) {
    const std::string_view rest = text.substr(end + 1);
    if (rest.starts_with('\n')) return HeadSize{end + 2, end + 1};
    if (rest.starts_with("\r\n")) return HeadSize{end + 3, end + 1};
    if (is_record_start(rest)) return HeadSize{end + 1, end + 1, false};
  }
  return std::nullopt;
}

}  // namespace

WarcReader::WarcReader(base::ByteSource& source, FaultSink on_fault, WarcLimits limits)
    : on_fault_([this, sink = std::move(on_fault)](const WarcFault& fault) {
        ++faults_;
        if (sink) sink(fault);
      }),
      limits_(limits),
      stream_(source, on_fault_, limits.threads) {}

void WarcReader::report(std::string message) { on_fault_({stream_.offset(), std::move(message)}); }

Result<const RecordHead*> WarcReader::next() {
  if (std::exchange(in_record_, false)) SHEAF_TRY(end_record());
  while (true) {
    SHEAF_TRY_ASSIGN(const bool found, find_record());
    if (!found) return nullptr;
    SHEAF_TRY_ASSIGN(in_record_, read_head());
    if (!in_record_) continue;
    ++records_;
    return &head_;
  }
}

/// Moves to the start of a record. Returns false at the end of the file.
Result<bool> WarcReader::find_record() {
  while (true) {
    SHEAF_TRY_ASSIGN(const std::string_view buffered, stream_.peek(kVersionLine));
    if (buffered.empty()) return false;
    const std::size_t blank = std::min(buffered.find_first_not_of("\r\n"), buffered.size());
    if (blank > 0) {
      stream_.skip(blank);
      continue;
    }
    if (is_record_start(buffered)) return true;
    report(records_ == 0 && faults_ == 0 ? "the file does not begin with a WARC record"
                                         : "there are bytes between two records that belong to neither");
    SHEAF_TRY(search(1));
    SHEAF_TRY_ASSIGN(const std::string_view rest, stream_.peek(1));
    if (rest.empty()) return false;
  }
}

/// Returns where the next record begins: at the start of a line or of a member, at or after `from`. A damaged
/// member may end within a line.
std::optional<std::size_t> WarcReader::find_start(std::string_view buffered, std::size_t from) const {
  const auto may_begin = [&](std::size_t at) {
    return at == 0 || is_line_end(buffered[at - 1]) || stream_.member_end(at - 1) == at;
  };
  for (std::size_t at = buffered.find(kStart, from); at != std::string_view::npos;
       at = buffered.find(kStart, at + 1))
    if (may_begin(at) && is_record_start(buffered.substr(at))) return at;
  return std::nullopt;
}

/// Moves to the next start of a record that is at least `from` bytes away, or to the end of the file.
Result<void> WarcReader::search(std::size_t from) {
  while (true) {
    SHEAF_TRY_ASSIGN(const std::string_view buffered, stream_.peek(from + kWindow));
    if (const auto found = find_start(buffered, from)) {
      stream_.skip(*found);
      return {};
    }
    const bool at_end = buffered.size() < from + kWindow;
    // The end of the window may cut off a version line. One more byte is kept, because it shows whether the
    // version line begins a line.
    const std::size_t kept = at_end ? 0 : kVersionLine + 1;
    stream_.skip(buffered.size() - kept);
    if (at_end) return {};
    from = 1;
  }
}

/// Reads a head. Returns false if it is invalid; the stream is then at the next record, or at the end of the
/// file.
Result<bool> WarcReader::read_head() {
  std::string_view buffered;
  std::optional<HeadSize> size;
  std::optional<std::size_t> cut;
  for (std::size_t wanted = 4096;; wanted *= 4) {
    SHEAF_TRY_ASSIGN(const std::string_view all, stream_.peek(std::min(wanted, limits_.head_bytes)));
    buffered = all.substr(0, limits_.head_bytes);
    // The head of a damaged member must not take the head of the next record as its rest.
    cut = cut_at(buffered, buffered.size());
    size = measure_head(buffered.substr(0, cut.value_or(buffered.size())));
    if (size || cut || all.size() < wanted || wanted >= limits_.head_bytes) break;
  }
  if (!size && cut) {
    report("a member ends within the head of a record");
    stream_.skip(*cut);
    return false;
  }
  if (!size) {
    report("the head of a record does not end");
    SHEAF_TRY(search(1));
    return false;
  }
  if (!size->has_end) {
    report("the head of a record does not end");
    stream_.skip(size->with_end);
    return false;
  }
  auto head = parse_record_head(buffered.substr(0, size->text));
  if (!head) {
    report(head.error().message);
    SHEAF_TRY(search(1));
    return false;
  }
  head_ = std::move(*head);
  record_offset_ = stream_.offset();
  stream_.skip(size->with_end);
  return true;
}

/// If the block is shorter than its head says, returns its real end: a member ends there and a record begins.
std::optional<std::size_t> WarcReader::cut_at(std::string_view buffered, std::uint64_t length) {
  const std::size_t within = std::min<std::uint64_t>(length, buffered.size());
  // Wrong lengths of many records may span the same members, so members that begin no record are remembered.
  const std::uint64_t offset = stream_.offset();
  const std::size_t from =
      no_start_before_ > offset ? static_cast<std::size_t>(no_start_before_ - offset) : 0;
  for (auto end = stream_.member_end(from); end && *end < within; end = stream_.member_end(*end)) {
    const std::string_view rest = buffered.substr(*end);
    if (is_record_start(rest.substr(count_line_ends(rest)))) return end;
    // Fewer bytes may cut off a version line.
    if (rest.size() >= kLineEnds + kVersionLine) no_start_before_ = offset + *end;
  }
  return std::nullopt;
}

Result<RecordBlock> WarcReader::block() {
  if (!in_record_) return RecordBlock{};
  if (head_.length > limits_.block_bytes) return RecordBlock{{}, false, true};
  const auto length = static_cast<std::size_t>(head_.length);
  SHEAF_TRY_ASSIGN(std::string_view buffered, stream_.peek(length));
  if (member_end_behind(buffered, length)) return RecordBlock{buffered.substr(0, length), false, false};
  SHEAF_TRY_ASSIGN(buffered, stream_.peek(length + kLineEnds + kVersionLine));
  const std::size_t have = block_length(buffered, length);
  return RecordBlock{buffered.substr(0, have), have < length, false};
}

/// The real length of a block. If its head is wrong, the block ends where the next record begins: callers
/// would otherwise read the same bytes once for each of many wrong heads.
std::size_t WarcReader::block_length(std::string_view buffered, std::size_t length) {
  if (const auto cut = cut_at(buffered, length)) return *cut;
  if (is_right_end(buffered, length)) return length;
  const std::string_view within = buffered.substr(0, length);
  return find_start(within, 0).value_or(within.size());
}

/// Returns where the record's member ends, if nothing but line ends comes between the block and that place,
/// as usual. Then the bytes after it need not be decoded yet, and nothing has to be copied behind the block.
std::optional<std::size_t> WarcReader::member_end_behind(std::string_view buffered,
                                                         std::size_t length) const {
  const auto end = stream_.member_end(0);
  if (!end || *end < length || *end > length + kLineEnds) return std::nullopt;
  return std::ranges::all_of(buffered.substr(length, *end - length), is_line_end) ? end : std::nullopt;
}

/// Moves past the record.
Result<void> WarcReader::end_record() {
  if (head_.length > limits_.block_bytes) return skip_large();
  const auto length = static_cast<std::size_t>(head_.length);
  SHEAF_TRY_ASSIGN(const std::string_view block, stream_.peek(length));
  if (const auto end = member_end_behind(block, length)) {
    stream_.skip(*end);
    return {};
  }
  SHEAF_TRY_ASSIGN(const std::string_view buffered, stream_.peek(length + kLineEnds + kVersionLine));
  if (const auto cut = cut_at(buffered, length)) {
    report(fmt::format("a record has {} bytes, and its Content-Length is {}", *cut, length));
    stream_.skip(*cut);
    return {};
  }
  if (buffered.size() >= length) {
    if (is_right_end(buffered, length)) {
      stream_.skip(length);
      return {};
    }
    report(fmt::format("the Content-Length {} of a record does not lead to the next record", length));
  } else {
    report(fmt::format("the file ends {} bytes before the end of a record of {}", length - buffered.size(),
                       length));
  }
  return search(0);
}

/// Skips a block that is too large to be kept. Only in a plain file of known size can a wrong length be
/// detected before bytes are dropped.
Result<void> WarcReader::skip_large() {
  if (const auto left = stream_.bytes_left(); left && head_.length > *left) {
    report(fmt::format("the Content-Length {} of a record is more than the rest of the file", head_.length));
    return search(0);
  }
  std::uint64_t left = head_.length;
  while (left > 0) {
    SHEAF_TRY_ASSIGN(const std::string_view buffered, stream_.peek(kWindow));
    if (buffered.empty()) {
      report(fmt::format("the file ends {} bytes before the end of a record of {}", left, head_.length));
      return {};
    }
    if (const auto cut = cut_at(buffered, left)) {
      report(fmt::format("a record is {} bytes shorter than its Content-Length", left - *cut));
      stream_.skip(*cut);
      return {};
    }
    // If a member ends near the end of the window, what follows it is visible only in the next window.
    const std::size_t kept = buffered.size() > kVersionLine + kLineEnds ? kVersionLine + kLineEnds : 0;
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffered.size() - kept));
    stream_.skip(count);
    left -= count;
  }
  return {};
}

}  // namespace sheaf::warc
