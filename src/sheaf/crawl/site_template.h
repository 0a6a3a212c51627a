#pragma once

#include "sheaf/extract/content/site_profile.h"
#include "sheaf/extract/extract.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace sheaf::crawl {

/// What the pages of a site have in common (navigation, footers): learned from the first pages of a crawl,
/// stored with its state, and used for the extraction of every page.
class SiteTemplate {
 public:
  explicit SiteTemplate(extract::SiteProfile profile);
  /// Returns null if the bytes are not those of a template.
  static std::shared_ptr<const SiteTemplate> load(std::string_view bytes);

  [[nodiscard]] const extract::SiteProfile& profile() const { return profile_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }  ///< equal templates have equal bytes
  /// A hash of the bytes. Identifies the template with which a page was extracted.
  [[nodiscard]] const std::string& id() const { return id_; }

 private:
  extract::SiteProfile profile_;
  std::string bytes_;
  std::string id_;
};

/// Learns a template from pages. `body_of(page)` and `type_of(page)` give each page's HTML and Content-Type;
/// pages with an empty body are skipped. The same page under several URLs (redirects, tracking parameters)
/// counts once, or its content would look like a template.
template <class Pages, class BodyOf, class TypeOf>
std::shared_ptr<const SiteTemplate> learn_template(extract::Extractor& extractor, const Pages& pages,
                                                   BodyOf body_of, TypeOf type_of) {
  extract::SiteProfile profile;
  std::unordered_set<std::string_view> bodies;
  for (const auto& page : pages)
    if (!body_of(page).empty() && bodies.insert(body_of(page)).second)
      extractor.learn(body_of(page), type_of(page), profile);
  return std::make_shared<const SiteTemplate>(std::move(profile));
}

/// A template that one thread learns and other threads use.
class SharedTemplate {
 public:
  [[nodiscard]] std::shared_ptr<const SiteTemplate> get() const {
    const std::lock_guard lock(mutex_);
    return template_;
  }
  void set(std::shared_ptr<const SiteTemplate> learned) {
    const std::lock_guard lock(mutex_);
    template_ = std::move(learned);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const SiteTemplate> template_;
};

}  // namespace sheaf::crawl
