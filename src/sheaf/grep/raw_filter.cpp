#include "sheaf/grep/raw_filter.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/code_points.h"
#include "sheaf/base/hex.h"

#include <algorithm>

namespace sheaf::grep {
namespace {

constexpr std::size_t kEscapeBytes = 6;  // \u0041

}  // namespace

RawFilter::RawFilter(const std::vector<std::string>& texts, text::LetterCase letters) : letters_(letters) {
  for (const std::string& each : texts) {
    finders_.emplace_back(each, letters);
    note_characters(each);
  }
  std::ranges::sort(units_);
}

void RawFilter::note_characters(std::string_view text) {
  while (!text.empty()) {
    const char32_t c = base::take_code_point(text);
    if (c >= 0x10000) {
      units_.push_back(static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10U)));
      continue;
    }
    units_.push_back(static_cast<char16_t>(c));
    if (c < 0x80 && letters_ == text::LetterCase::ignore_ascii && base::is_letter(static_cast<char>(c)))
      units_.push_back(static_cast<char16_t>(c ^ 0x20U));
  }
}

/// Invalid escapes do not count: the page is invalid.
bool RawFilter::is_escape_of_ours(std::string_view escape) const {
  if (escape.size() < kEscapeBytes) return false;
  unsigned unit = 0;
  for (std::size_t i = 2; i < kEscapeBytes; ++i) {
    const int digit = base::hex_value(escape[i]);
    if (digit < 0) return false;
    unit = unit * 16 + static_cast<unsigned>(digit);
  }
  return std::ranges::binary_search(units_, static_cast<char16_t>(unit));
}

std::size_t RawFilter::find_escape(std::string_view json, std::size_t from) const {
  for (std::size_t at = escape_.find(json, from); at != std::string_view::npos;
       at = escape_.find(json, at + 2))
    if (is_escape_of_ours(json.substr(at, kEscapeBytes))) return at;
  return std::string_view::npos;
}

bool RawFilter::passes(std::string_view json) const {
  const auto is_in = [json](const text::TextFinder& finder) {
    return finder.find(json) != std::string_view::npos;
  };
  return passes_everything() || std::ranges::any_of(finders_, is_in) ||
         find_escape(json, 0) != std::string_view::npos;
}

RawFilter::Scan::Scan(const RawFilter& filter, std::string_view json) : filter_(&filter), json_(json) {
  for (const text::TextFinder& finder : filter.finders_) places_.push_back(finder.find(json));
  places_.push_back(filter.find_escape(json, 0));
}

std::size_t RawFilter::Scan::next(std::size_t from) {
  if (filter_->passes_everything()) return from < json_.size() ? from : std::string_view::npos;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] >= from) continue;
    places_[i] = i < filter_->finders_.size() ? filter_->finders_[i].find(json_, from)
                                              : filter_->find_escape(json_, from);
  }
  return std::ranges::min(places_);
}

}  // namespace sheaf::grep
