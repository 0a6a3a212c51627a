#include "sheaf/store/page_store.h"

#include "sheaf/base/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace sheaf {

std::string_view to_string(Origin origin) { return origin == Origin::html ? "html" : "collections"; }

std::string_view to_string(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::added: return "added";
    case ChangeKind::changed: return "changed";
    case ChangeKind::removed: return "removed";
  }
  return "";
}

std::string_view to_string(ApplyOutcome outcome) {
  switch (outcome) {
    case ApplyOutcome::applied: return "applied";
    case ApplyOutcome::older: return "older";
    case ApplyOutcome::gap: return "gap";
    case ApplyOutcome::losses_held: return "losses-held";
    case ApplyOutcome::shrink_held: return "shrink-held";
    case ApplyOutcome::out_of_order: return "out-of-order";
    case ApplyOutcome::other_checksum: return "other-checksum";
  }
  return "";
}

namespace {

constexpr std::string_view kTokenDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char kTokenMark = 'c';
constexpr unsigned kBitsPerDigit = 6;
constexpr std::uint64_t kCheckModulus = 65'521;

/// A checksum that detects truncated and mistyped tokens. It need not prevent forgery: clients may choose any
/// position.
std::uint64_t check_of(const std::vector<std::uint64_t>& parts) {
  std::uint64_t check = 1;
  for (const std::uint64_t part : parts) check = (check * 31 + part % kCheckModulus + 7) % kCheckModulus;
  return check;
}

std::string to_digits(std::string_view bytes) {
  std::string text;
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char byte : bytes) {
    held = held << 8U | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= kBitsPerDigit; bits -= kBitsPerDigit)
      text += kTokenDigits[held >> (bits - kBitsPerDigit) & 63U];
  }
  if (bits > 0) text += kTokenDigits[held << (kBitsPerDigit - bits) & 63U];
  return text;
}

/// Returns nullopt if `text` has a character that is not in kTokenDigits.
std::optional<std::string> from_digits(std::string_view text) {
  std::string bytes;
  std::uint32_t held = 0;
  unsigned bits = 0;
  for (const char digit : text) {
    const std::size_t value = kTokenDigits.find(digit);
    if (value == std::string_view::npos) return std::nullopt;
    held = held << kBitsPerDigit | static_cast<std::uint32_t>(value);
    bits += kBitsPerDigit;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 255U);
  }
  return bytes;
}

/// In a small store, most parts have no changes. So a run of zeros is written as a zero and its length.
std::string encode_parts(const std::vector<std::uint64_t>& parts) {
  base::RecordWriter record;
  record.number(parts.size()).number(check_of(parts));
  for (std::size_t i = 0; i < parts.size();) {
    record.number(parts[i]);
    if (parts[i] != 0) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < parts.size() && parts[end] == 0) ++end;
    record.number(end - i);
    i = end;
  }
  return record.bytes();
}

std::optional<std::vector<std::uint64_t>> decode_parts(std::string_view bytes) {
  base::RecordReader record(bytes);
  const std::uint64_t count = record.number();
  const std::uint64_t check = record.number();
  if (count < 2 || count > FeedCursor::kMaxParts) return std::nullopt;
  std::vector<std::uint64_t> parts;
  while (parts.size() < count && record.good_so_far()) {
    const std::uint64_t number = record.number();
    const std::uint64_t times = number == 0 ? record.number() : 1;
    if (times == 0 || times > count - parts.size()) return std::nullopt;
    parts.insert(parts.end(), times, number);
  }
  if (!record.good() || check_of(parts) != check) return std::nullopt;
  return parts;
}

}  // namespace

FeedCursor::FeedCursor(std::vector<std::uint64_t> parts) : parts_(std::move(parts)) {
  if (parts_.empty()) parts_ = {0};
}

bool FeedCursor::is_start() const {
  return std::ranges::all_of(parts_, [](std::uint64_t part) { return part == 0; });
}

std::uint64_t FeedCursor::total() const {
  return std::accumulate(parts_.begin(), parts_.end(), std::uint64_t{0});
}

void FeedCursor::advance(std::size_t part, std::uint64_t number, std::size_t parts) {
  parts_.resize(std::max({parts_.size(), parts, part + 1}));
  parts_[part] = std::max(parts_[part], number);
}

std::string FeedCursor::text() const {
  if (parts_.size() == 1) return fmt::format("{}", parts_[0]);
  return kTokenMark + to_digits(encode_parts(parts_));
}

std::string FeedCursor::json() const { return parts_.size() == 1 ? text() : fmt::format("\"{}\"", text()); }

Result<FeedCursor> FeedCursor::parse(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return FeedCursor(number);
  if (text.starts_with(kTokenMark))
    if (const auto bytes = from_digits(text.substr(1)))
      if (auto parts = decode_parts(*bytes)) return FeedCursor(std::move(*parts));
  return fail(Errc::invalid_argument,
              fmt::format("\"{}\" is not a position in a change feed: give the number of a change, or for a "
                          "shared store the whole cursor that was printed",
                          text.substr(0, 80)));
}

}  // namespace sheaf

namespace sheaf::store {

void SectionEdit::put_page(std::string_view url, std::string_view modified, std::string_view json,
                           Instant as_of) {
  bytes_ += url.size() + modified.size() + json.size();
  pages_.insert_or_assign(std::string(url), Page{std::string(modified), std::string(json), as_of});
}

void SectionEdit::remove_page(std::string_view url) {
  bytes_ += url.size();
  pages_.insert_or_assign(std::string(url), std::nullopt);
}

void SectionEdit::put_note(std::string_view name, std::string_view value) {
  bytes_ += name.size() + value.size();
  notes_.push_back({std::string(name), std::string(value), false});
}

void SectionEdit::remove_note(std::string_view name) {
  bytes_ += name.size();
  notes_.push_back({std::string(name), std::nullopt, false});
}

void SectionEdit::remove_notes(std::string_view prefix) {
  bytes_ += prefix.size();
  notes_.push_back({std::string(prefix), std::nullopt, true});
}

void SectionEdit::clear() {
  pages_.clear();
  notes_.clear();
  bytes_ = 0;
}

std::string unreadable_prefix(std::string_view section) { return "unreadable/" + std::string(section) + "/"; }

base::Result<UnreadablePages> read_unreadable(const PageStore& store, std::string_view site,
                                              std::string_view section) {
  UnreadablePages pages;
  const std::string prefix = unreadable_prefix(section);
  SHEAF_TRY(store.each_note(site, prefix, [&](std::string_view name, std::string_view value) {
    const std::string_view url = name.substr(prefix.size());
    base::RecordReader record(value);
    const Instant generated = record.time();
    // A section whose name goes on with a slash has notes with the same prefix.
    if (record.good() && (url.empty() || url.starts_with("http"))) pages.emplace(url, generated);
    return true;
  }));
  return pages;
}

ChangeKind kind_of_change(bool is_removal, std::string_view old_modified) {
  if (is_removal) return ChangeKind::removed;
  return old_modified.empty() ? ChangeKind::added : ChangeKind::changed;
}

base::Result<std::vector<std::optional<std::string>>> PageStore::notes(std::span<const std::string> sites,
                                                                       std::string_view name) const {
  std::vector<std::optional<std::string>> values;
  values.reserve(sites.size());
  for (const std::string& site : sites) {
    SHEAF_TRY_ASSIGN(auto value, note(site, name));
    values.push_back(std::move(value));
  }
  return values;
}

std::unique_ptr<PageRanges> PageStore::page_ranges(const PageFilter& filter, unsigned /*threads*/) const {
  return section_ranges(*this, filter);
}

namespace {

using base::Result;

class SectionRange final : public PageRange {
 public:
  SectionRange(const PageStore& store, PageFilter filter) : store_(store), filter_(std::move(filter)) {}

  Result<void> read(const std::function<Result<void>(const StoredPage&)>& use,
                    const std::function<void(const std::string&)>& on_damage) const override {
    PageFilter filter = filter_;
    filter.on_damage = on_damage;
    return store_.each_page(filter, [&](const StoredPage& page) -> Result<bool> {
      SHEAF_TRY(use(page));
      return true;
    });
  }

 private:
  const PageStore& store_;
  PageFilter filter_;
};

class SectionRanges final : public PageRanges {
 public:
  SectionRanges(const PageStore& store, PageFilter filter) : store_(store), filter_(std::move(filter)) {}

  Result<std::unique_ptr<PageRange>> next() override {
    if (!sections_) {
      SHEAF_TRY_ASSIGN(sections_, store_.sections(filter_.site));
    }
    while (next_ < sections_->size()) {
      const SectionState& section = (*sections_)[next_++];
      if (!filter_.section.empty() && filter_.section != section.section) continue;
      PageFilter filter = filter_;
      filter.site = section.site;
      filter.section = section.section;
      return std::make_unique<SectionRange>(store_, std::move(filter));
    }
    return nullptr;
  }

 private:
  const PageStore& store_;
  PageFilter filter_;
  std::optional<std::vector<SectionState>> sections_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<PageRanges> section_ranges(const PageStore& store, const PageFilter& filter) {
  return std::make_unique<SectionRanges>(store, filter);
}

}  // namespace sheaf::store
