#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace sheaf::store {

/// One lock per section, so that this process runs one operation on a section at a time.
class SectionLocks {
 public:
  [[nodiscard]] std::unique_lock<std::mutex> lock(std::string_view site, std::string_view section) {
    std::string name(site);
    name += '\0';
    name += section;
    std::mutex* found = nullptr;
    {
      const std::lock_guard guard(mutex_);
      auto& slot = locks_[name];
      if (!slot) slot = std::make_unique<std::mutex>();
      found = slot.get();
    }
    return std::unique_lock(*found);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<std::mutex>, std::less<>> locks_;
};

}  // namespace sheaf::store
