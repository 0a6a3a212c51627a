#include "sheaf/format/lines/line_splitter.h"

#include "sheaf/base/error.h"
#include "sheaf/base/free_memory.h"

#include <cstring>

namespace sheaf::format {
namespace {

/// Uses memrchr, which compares a vector at a time; std::string_view::rfind compares a byte at a time.
std::size_t bytes_behind_last_feed(std::string_view text) {
  const void* found = text.empty() ? nullptr : memrchr(text.data(), '\n', text.size());
  if (found == nullptr) return text.size();
  return static_cast<std::size_t>(text.data() + text.size() - static_cast<const char*>(found)) - 1;
}

}  // namespace

void LineSplitter::tee_to(HashStage& hash) {
  hash_ = &hash;
  if (chunk_ && !rest_.empty()) hash.add(chunk_, rest_);
}

/// Makes sure that rest_ is not empty. Returns false at the end of the file.
Read<bool> LineSplitter::ensure_input() {
  while (rest_.empty()) {
    chunk_ = nullptr;  // release it first: the next one may wait for its memory
    SHEAF_TRY_ASSIGN(chunk_, source_.next());
    if (!chunk_) return false;
    rest_ = chunk_->bytes();
    unfinished_ = bytes_behind_last_feed(rest_);
    if (hash_ != nullptr) hash_->add(chunk_, rest_);
  }
  return true;
}

void LineSplitter::collect(std::string_view piece) {
  if (too_large_) return;
  if (carry_.size() + piece.size() > line_limit_) {
    too_large_ = true;
    release_line();
    return;
  }
  if (!turn_ && carry_.size() + piece.size() > kLargeLineBytes) turn_.emplace();
  carry_ += piece;
}

/// The memory of a large line is freed at once.
void LineSplitter::release_line() {
  if (turn_) base::free_storage(carry_);
  carry_.clear();
  turn_.reset();
}

Read<std::optional<Line>> LineSplitter::next() {
  release_line();
  too_large_ = false;
  is_copy_ = false;
  Line line{{}, ++line_, offset_};
  bool begun = false;
  while (true) {
    SHEAF_TRY_ASSIGN(const bool more, ensure_input());
    if (!more) {
      if (!begun) return std::nullopt;
      line.has_line_feed = false;
      break;
    }
    const std::size_t end = rest_.find('\n');
    const bool complete = end != std::string_view::npos;
    const std::string_view piece = rest_.substr(0, end);
    const std::size_t taken = piece.size() + (complete ? 1 : 0);
    rest_.remove_prefix(taken);
    offset_ += taken;
    if (complete && !begun && piece.size() <= line_limit_) {
      line.text = piece;
      return line;
    }
    begun = true;
    collect(piece);
    if (complete) break;
  }
  is_copy_ = true;
  line.too_large = too_large_;
  const std::size_t size = carry_.size();
  carry_.append(kLinePadding, '\0');
  line.text = std::string_view(carry_).substr(0, size);
  return line;
}

}  // namespace sheaf::format
