#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::extract {

/// The kinds of page that the structured data and og:type declare, as bits: pages often declare several.
enum DeclaredKind : std::uint32_t {
  kDeclaredArticle = 1U << 0,   // Article, NewsArticle, BlogPosting
  kDeclaredProduct = 1U << 1,   // Product, Offer
  kDeclaredForum = 1U << 2,     // DiscussionForumPosting, QAPage, Question
  kDeclaredList = 1U << 3,      // ItemList, CollectionPage, Blog
  kDeclaredFaq = 1U << 4,       // FAQPage
  kDeclaredWork = 1U << 5,      // Recipe, Event, Course, Book
  kDeclaredBusiness = 1U << 6,  // LocalBusiness, Service, Organization
  kDeclaredPage = 1U << 7,      // WebPage
  kOpenGraphArticle = 1U << 8,
  kOpenGraphProduct = 1U << 9,
  kOpenGraphSite = 1U << 10,  // website
};
inline constexpr std::uint32_t kDeclaredKinds = 11;

/// The kind of a schema.org type; 0 if it is unknown.
std::uint32_t declared_kind(std::string_view type);
/// The kind of an og:type; 0 if it is unknown.
std::uint32_t open_graph_kind(std::string_view type);

/// Facts outside the page's tree that indicate its kind and its topic.
struct DeclaredPage {
  std::uint32_t kinds = 0;     ///< bits of DeclaredKind
  std::string_view path = {};  ///< of the page's URL
  std::string_view host = {};
  std::string_view site_name = {};
  std::string_view description = {};
};

}  // namespace sheaf::extract
