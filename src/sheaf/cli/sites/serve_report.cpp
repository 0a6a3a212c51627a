#include "sheaf/cli/sites/serve_report.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <iterator>

namespace sheaf::cli {

std::string describe_serving(const std::string& folder, const std::vector<std::string>& addresses,
                             const std::string& user, const serve::StartReport& report) {
  std::string out;
  const auto append = std::back_inserter(out);
  fmt::format_to(append, "{}: {}, {} of them {}, {}\n", printable(folder, Lines::join),
                 counted(report.files, "file", "files"), human_count(report.collections),
                 report.collections == 1 ? "a collection" : "collections", human_size(report.bytes));
  for (const auto& section : report.sections)
    fmt::format_to(append, "  section {} ({}): {}, {}, {}\n", printable(section.name, Lines::join),
                   section.update_freq ? site::to_string(*section.update_freq) : "no updateFreq",
                   counted(section.snapshots, "snapshot", "snapshots"),
                   counted(section.deltas, "delta", "deltas"), human_size(section.bytes));
  for (const std::string& problem : report.problems)
    fmt::format_to(append, "  {} {}\n", coloured(Colour::yellow, "!"), printable(problem, Lines::join));
  for (const std::string& address : addresses)
    fmt::format_to(append, "{}\n", coloured(Colour::bold, address));
  if (!user.empty()) fmt::format_to(append, "as user {}\n", user);
  return out;
}

std::string serving_as_json(const std::string& folder, const serve::StartReport& report) {
  JsonOutput out;
  out.begin_report()
      .string("folder", folder)
      .number("files", report.files)
      .number("collections", report.collections)
      .number("bytes", report.bytes)
      .begin_array("sections");
  for (const auto& section : report.sections) {
    out.begin_object().string("name", section.name);
    if (section.update_freq)
      out.string("updateFreq", site::to_string(*section.update_freq));
    else
      out.null("updateFreq");
    out.number("snapshots", section.snapshots)
        .number("deltas", section.deltas)
        .number("bytes", section.bytes)
        .end_object();
  }
  out.end_array().begin_array("problems");
  for (const std::string& problem : report.problems) out.element(problem);
  out.end_array().end_object();
  return out.text();
}

}  // namespace sheaf::cli
