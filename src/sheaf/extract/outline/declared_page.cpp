#include "sheaf/extract/outline/declared_page.h"

#include <algorithm>
#include <iterator>

namespace sheaf::extract {
namespace {

struct NamedKind {
  std::string_view name;
  std::uint32_t kind;
};

constexpr NamedKind kKinds[] = {
    {"Report", kDeclaredArticle},
    {"TechArticle", kDeclaredArticle},
    {"Product", kDeclaredProduct},
    {"ProductGroup", kDeclaredProduct},
    {"IndividualProduct", kDeclaredProduct},
    {"Offer", kDeclaredProduct},
    {"DiscussionForumPosting", kDeclaredForum},
    {"QAPage", kDeclaredForum},
    {"Question", kDeclaredForum},
    {"ItemList", kDeclaredList},
    {"CollectionPage", kDeclaredList},
    {"SearchResultsPage", kDeclaredList},
    {"Blog", kDeclaredList},
    {"FAQPage", kDeclaredFaq},
    {"Recipe", kDeclaredWork},
    {"Event", kDeclaredWork},
    {"Course", kDeclaredWork},
    {"Book", kDeclaredWork},
    {"HowTo", kDeclaredWork},
    {"JobPosting", kDeclaredWork},
    {"SoftwareApplication", kDeclaredWork},
    {"Service", kDeclaredBusiness},
    {"Organization", kDeclaredBusiness},
    {"LocalBusiness", kDeclaredBusiness},
    {"Corporation", kDeclaredBusiness},
    {"WebPage", kDeclaredPage},
};

}  // namespace

std::uint32_t declared_kind(std::string_view type) {
  const auto* const found = std::ranges::find(kKinds, type, &NamedKind::name);
  if (found != std::end(kKinds)) return found->kind;
  if (type.ends_with("Article") || type.ends_with("Posting")) return kDeclaredArticle;
  if (type.ends_with("Event")) return kDeclaredWork;
  if (type.ends_with("Business") || type.ends_with("Service")) return kDeclaredBusiness;
  return 0;
}

std::uint32_t open_graph_kind(std::string_view type) {
  if (type == "article") return kOpenGraphArticle;
  if (type.starts_with("product") || type == "og:product") return kOpenGraphProduct;
  if (type == "website") return kOpenGraphSite;
  return 0;
}

}  // namespace sheaf::extract
