#pragma once

#include "sheaf/settings/settings.h"
#include <sheaf/arena.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::settings {

inline constexpr std::size_t kMaxDepth = 64;  // maximum nesting of maps and lists

/// The name of the current value: the keys of the enclosing maps, joined by dots. Lists are not part of it.
class SettingPath {
 public:
  void enter(std::string_view name) {
    ends_.push_back(text_.size());
    if (ignored_ > 0 || ends_.size() > kMaxLevels || text_.size() + name.size() > kMaxBytes) {
      ++ignored_;
      return;
    }
    if (!text_.empty()) text_ += '.';
    text_ += name;
  }
  void leave() {
    if (ignored_ > 0) --ignored_;
    text_.resize(ends_.back());
    ends_.pop_back();
  }
  /// Whether the name can be looked up. False if it has too many levels or is too long.
  [[nodiscard]] bool is_usable() const { return ignored_ == 0 && !text_.empty(); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t kMaxLevels = 3;  // for example params.authors.name
  static constexpr std::size_t kMaxBytes = 128;

  std::string text_;
  std::vector<std::size_t> ends_;  // sizes of `text_` before each enclosing key
  std::size_t ignored_ = 0;
};

/// Collects the settings that one of the three readers finds.
class SettingList {
 public:
  explicit SettingList(Arena& arena) : arena_(arena) {}

  SettingPath path;

  /// Adds a value with the current path as its name. Returns false if the list is full.
  bool add(std::string_view value, bool is_alias = false) {
    if (!path.is_usable()) return true;
    if (settings_.size() == kMaxSettings) return false;
    settings_.push_back({arena_.copy(path.text()), arena_.copy(value), is_alias});
    return true;
  }
  std::vector<Setting> take() { return std::move(settings_); }

 private:
  static constexpr std::size_t kMaxSettings = 4096;

  Arena& arena_;
  std::vector<Setting> settings_;
};

inline Problem invalid(std::size_t line, std::string what) {
  return {Problem::Kind::invalid, line, std::move(what)};
}
inline Problem too_many_settings() { return {Problem::Kind::too_many, 0, "over 4096 settings"}; }

std::optional<Problem> read_yaml(std::string_view text, SettingList& out);
std::optional<Problem> read_toml(std::string_view text, SettingList& out);
std::optional<Problem> read_json(std::string_view text, SettingList& out);

}  // namespace sheaf::settings
