// Features of a run's words. They are computed only for runs whose form leaves a doubt.
#include "sheaf/extract/content/content_features.h"
#include "sheaf/text/text_words.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::size_t kTailBytes = 120;  // size of the last words of a run
constexpr std::size_t kMaxSiteWords = 16;
constexpr std::size_t kMinSiteWordLength = 3;  // bytes; skips words like "of"
constexpr std::string_view kCopyright = "\xC2\xA9";

/// The label of a host that names the site: "example" in "www.example.co.uk". It is the last label before the
/// top-level domain and short second-level labels.
std::string_view main_label(std::string_view host) {
  constexpr std::size_t kMaxSuffixLength = 3;
  std::string_view label;
  while (!host.empty()) {
    const std::size_t dot = host.rfind('.');
    const std::string_view last = host.substr(dot + 1);  // npos becomes 0
    host = dot == std::string_view::npos ? std::string_view() : host.substr(0, dot);
    const bool is_suffix = label.empty() || label.size() <= kMaxSuffixLength;
    if (!is_suffix || last == "www") break;
    label = last;
  }
  return label;
}

/// The last kTailBytes of a text, from the beginning of a word on.
std::string_view tail_of(std::string_view text) {
  if (text.size() <= kTailBytes) return text;
  const std::string_view tail = text.substr(text.size() - kTailBytes);
  return tail.substr(std::min(tail.find(' ') + 1, tail.size()));  // without a space, all of it
}

}  // namespace

/// Reads the words of the site's name: texts that contain it are often about the site.
void FeatureExtractor::read_names(const DeclaredPage& page) {
  description_.read(page.description);
  site_words_.clear();
  for (const std::string_view name : {main_label(page.host), page.site_name})
    text::each_word_text<text::words::Digits::in_words>(text::PaddedText(name),
                                                        [this](text::PaddedText word) {
                                                          if (word.size() >= kMinSiteWordLength)
                                                            site_words_.push_back(text::words::hash_of(word));
                                                          return site_words_.size() < kMaxSiteWords;
                                                        });
  std::ranges::sort(site_words_);
}

void FeatureExtractor::add_words(std::uint32_t index) {
  const TextRun& run = outline_->runs()[index];
  const RunWords words = outline_->words(run);
  set_bits(kFirstOfWords, kTextHints, words.hints);
  features_[kTitleShare] = words.title_share;
  const text::PaddedText text = outline_->padded(run);
  features_[kBodyShare] = declared_->empty() ? 0.5F : declared_->share_of(text);
  features_[kDescriptionShare] = description_.empty() ? 0.5F : description_.share_of(text);
  set_tail(run);
}

void FeatureExtractor::set_tail(const TextRun& run) {
  const std::string_view tail = tail_of(run.text);
  std::uint32_t hints = 0;
  std::uint32_t of_site = 0;
  const text::PaddedText text = outline_->padded(run);
  text::each_word(text.from(tail.data()), [&](std::uint32_t word) {
    if (may_have_text_hints(word)) hints |= text_hints(word);
    if (std::ranges::binary_search(site_words_, word)) ++of_site;
    return true;
  });
  set_bits(kFirstTailHint, kTailHints, hints);
  features_[kSiteWords] = static_cast<float>(of_site);
  const std::size_t credit = run.text.rfind(kCopyright);
  features_[kAfterCredit] =
      credit == std::string_view::npos ? -1.0F : static_cast<float>(run.text.size() - credit);
}

}  // namespace sheaf::extract
