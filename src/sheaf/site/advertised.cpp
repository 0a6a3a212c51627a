#include "sheaf/site/advertised.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace sheaf::site {
namespace {

struct Frequency {
  UpdateFreq freq;
  std::string_view name;
  std::int64_t seconds;
};

constexpr std::int64_t kDay = 86'400;
constexpr std::array kFrequencies = {
    Frequency{UpdateFreq::hourly, "hourly", 3600}, Frequency{UpdateFreq::daily, "daily", kDay},
    Frequency{UpdateFreq::weekly, "weekly", 7 * kDay}, Frequency{UpdateFreq::monthly, "monthly", 30 * kDay}};

const Frequency& entry_of(UpdateFreq freq) { return kFrequencies[static_cast<std::size_t>(freq)]; }

}  // namespace

std::int64_t seconds_of(UpdateFreq freq) noexcept { return entry_of(freq).seconds; }

std::optional<UpdateFreq> parse_update_freq(std::string_view text) noexcept {
  const auto* found = std::ranges::find(kFrequencies, text, &Frequency::name);
  if (found == kFrequencies.end()) return std::nullopt;
  return found->freq;
}

std::string cache_control_of(model::CollectionType type, UpdateFreq freq) {
  const std::int64_t period = seconds_of(freq);
  // A day gives the drafts' own examples: 86400 and 3600.
  const std::int64_t part = std::max<std::int64_t>(period / 24, 60);
  if (type == model::CollectionType::delta) return fmt::format("public, max-age={}, must-revalidate", part);
  return fmt::format("public, max-age={}, stale-while-revalidate={}", period, part);
}

std::string to_string(PageCount count) { return fmt::format("{}{}", count.estimate ? "~" : "", count.pages); }

std::optional<PageCount> parse_page_count(std::string_view text) noexcept {
  PageCount count;
  count.estimate = text.starts_with('~');
  if (count.estimate) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count.pages);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

}  // namespace sheaf::site

namespace sheaf {

std::string_view to_string(UpdateFreq freq) { return site::entry_of(freq).name; }

const AdvertisedSection* Advertised::find_section(std::string_view name) const {
  const auto found = std::ranges::find(sections, name, &AdvertisedSection::name);
  return found == sections.end() ? nullptr : &*found;
}

}  // namespace sheaf
