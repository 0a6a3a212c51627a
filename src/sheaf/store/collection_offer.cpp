#include "sheaf/store/collection_offer.h"

#include "sheaf/format/limits.h"

namespace sheaf::store {
namespace {

using base::Result;

// About as much as for sorting the records: the text of a record is about as long as the record.
constexpr std::size_t kTextMemory = 16 * format::kMiB;
constexpr std::size_t kSmallText = 64 * format::kKiB;

}  // namespace

Result<std::uint64_t> TextSpool::append(std::string_view a, std::string_view b) {
  const std::uint64_t at = written_ + tail_.size();
  // Reserved memory costs nothing until it is used, and growing would hold the text twice. ExternalSort does
  // the same.
  if (tail_.size() > kSmallText) tail_.reserve(kTextMemory + kSmallText);
  tail_ += a;
  tail_ += b;
  if (tail_.size() > kTextMemory) SHEAF_TRY(flush());
  return at;
}

Result<std::string_view> TextSpool::read(std::uint64_t at, std::size_t size) {
  if (at >= written_) return std::string_view(tail_).substr(at - written_, size);
  text_.resize(size);
  SHEAF_TRY(file_->read_at(at, text_));
  return text_;
}

Result<void> TextSpool::flush() {
  if (!file_) {
    SHEAF_TRY_ASSIGN(auto file, base::SpoolFile::create(folder_));
    file_ = std::move(file);
  }
  SHEAF_TRY(file_->append(tail_));
  written_ += tail_.size();
  tail_.clear();
  return {};
}

}  // namespace sheaf::store
