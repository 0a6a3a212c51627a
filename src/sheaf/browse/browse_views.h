#pragma once

#include "sheaf/base/error.h"
#include "sheaf/browse/browsed_store.h"
#include "sheaf/browse/page_frame.h"
#include "sheaf/browse/request_values.h"
#include "sheaf/http/server/server.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

// The pages of the app, one function each. A view gets the values of a request and returns a document.
namespace sheaf::browse {

class CrawlerLogs;
class Inspections;
class PublishPreview;

/// Who may name a file or URL that the inspector opens.
enum class OpenByName : std::uint8_t {
  nobody,   ///< the app can be reached from other machines: only uploads
  machine,  ///< all users of this machine
};

/// What the app shows. Parts that do not exist are null.
struct ViewContext {
  BrowsedStore* store = nullptr;
  Inspections* inspections = nullptr;
  PublishPreview* preview = nullptr;
  const CrawlerLogs* logs = nullptr;
  OpenByName open_by_name = OpenByName::nobody;
  std::atomic<int>* streams = nullptr;  ///< number of open feeds

  [[nodiscard]] AppParts parts() const { return {store != nullptr, preview != nullptr, logs != nullptr}; }
};

struct ViewReply {
  unsigned status = 200;
  std::string body = {};
  std::string content_type = "text/html; charset=utf-8";
  std::optional<markup::OwnPath> redirect = {};
  std::shared_ptr<http::server::BodyStream> stream = {};
  bool is_foreign = false;  ///< a document of a publisher's site, shown in a frame without rights
};

using View = base::Result<ViewReply> (*)(const ViewContext& context, const RequestValues& values);

base::Result<ViewReply> overview_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> sites_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> site_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> pages_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> page_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> search_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> search_json(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> changes_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> changes_stream(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> crawlers_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> inspect_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> inspection_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> inspected_page_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> publish_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> publish_again(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> published_page_view(const ViewContext& context, const RequestValues& values);
base::Result<ViewReply> published_original(const ViewContext& context, const RequestValues& values);

// Shared by several views.

/// The path of a page of the store.
markup::OwnPath page_path(std::string_view site, std::string_view section, std::string_view url);
/// A table of sections with freshness and proof.
void write_sections(markup::HtmlWriter& out, const std::vector<const store::SectionState*>& sections,
                    Instant now, bool with_site);
/// A table of sites that fail, with reason and next attempt.
void write_failures(markup::HtmlWriter& out, const std::vector<const SiteSummary*>& sites, Instant now);
/// Parses a time of a filter: 2026-01-31, or with a time of day. Errors name the field.
base::Result<std::optional<Instant>> parse_time_value(std::string_view text, std::string_view field);

}  // namespace sheaf::browse
