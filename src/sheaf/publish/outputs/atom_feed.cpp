#include "sheaf/publish/outputs/atom_feed.h"

#include "sheaf/publish/outputs/markdown_file.h"
#include "sheaf/site/scp_markup.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::publish {
namespace {

using site::escape_xml;

std::string entry_of(const OutputPage& page) {
  std::string entry = fmt::format(
      "  <entry>\n    <id>{0}</id>\n    <title>{1}</title>\n    <link href=\"{0}\"/>\n    "
      "<updated>{2}</updated>\n",
      escape_xml(page.url), escape_xml(page.title.empty() ? page.url : page.title),
      escape_xml(page.modified));
  if (!page.description.empty())
    entry += fmt::format("    <summary>{}</summary>\n", escape_xml(page.description));
  return entry + "  </entry>\n";
}

}  // namespace

std::string write_atom_feed(const AtomHead& head, const std::vector<OutputPage>& pages,
                            const std::vector<RemovedPage>& removed) {
  Instant newest{0, 0};
  for (const OutputPage& page : pages)
    if (const auto time = parse_time(page.modified)) newest = std::max(newest, time->instant);
  for (const RemovedPage& page : removed) newest = std::max(newest, page.removed_at);
  std::string feed = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{0}\n<feed xmlns=\"http://www.w3.org/2005/Atom\" "
      "xmlns:at=\"http://purl.org/atompub/tombstones/1.0\">\n  <id>{1}</id>\n  <title>{2}</title>\n"
      "  <author><name>{2}</name></author>\n  <link href=\"{3}\"/>\n  <link rel=\"self\" "
      "type=\"application/atom+xml\" href=\"{1}\"/>\n  <updated>{4}</updated>\n",
      kOutputMark, escape_xml(head.feed_url), escape_xml(head.title), escape_xml(head.site_url),
      format_time(newest));
  for (const OutputPage& page : pages) feed += entry_of(page);
  for (const RemovedPage& page : removed)
    feed += fmt::format("  <at:deleted-entry ref=\"{}\" when=\"{}\"/>\n", escape_xml(page.url),
                        format_time(page.removed_at));
  return feed + "</feed>\n";
}

}  // namespace sheaf::publish
