#include "sheaf/cli/commands/page_differences.h"

#include "sheaf/base/code_points.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/deltas/page_diff.h"
#include "sheaf/model/plain_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace sheaf::cli {
namespace {

using base::Result;
using format::BlockEdit;
using format::DiffOp;
using format::PageDifference;
using format::PageDiffKind;

constexpr std::size_t kShownBytes = 100;

std::string_view name_of(PageDiffKind fate) {
  switch (fate) {
    case PageDiffKind::added: return "added";
    case PageDiffKind::removed: return "removed";
    case PageDiffKind::changed: break;
  }
  return "changed";
}

std::string text_of(const BlockEdit& edit) {
  std::string text;
  model::append_block_text(text, *edit.block);
  return text;
}

void print_json(const PageDifference& difference) {
  JsonOutput out;
  out.begin_report().string("kind", name_of(difference.fate)).string("url", difference.url);
  if (difference.fate == PageDiffKind::changed) {
    out.begin_array("blocks");
    for (const BlockEdit& edit : difference.edits)
      out.begin_object()
          .string("op", edit.op == DiffOp::add ? "add" : "remove")
          .number("position", edit.position)
          .string("type", type_name(*edit.block))
          .string("text", text_of(edit))
          .end_object();
    out.end_array();
  }
  out.end_object();
  print_json_line(out.text());
}

void print_page(const PageDifference& difference) {
  print_text("{} {}\n", name_of(difference.fate), printable(difference.url, Lines::join));
  if (difference.fate != PageDiffKind::changed) return;
  if (difference.edits.empty()) print_text("  only its metadata\n");
  for (const BlockEdit& edit : difference.edits) {
    const std::string text = text_of(edit);
    const std::string_view shown = base::cut_utf8(text, kShownBytes);
    print_text("  {} {} {}: {}{}\n", edit.op == DiffOp::add ? '+' : '-', type_name(*edit.block),
               edit.position, printable(shown, Lines::join), shown.size() < text.size() ? "..." : "");
  }
}

}  // namespace

Result<void> show_page_differences(const std::string& older, const std::string& newer,
                                   const DeltaCommandOptions& options) {
  SHEAF_TRY(check_standard_input({older, newer}));
  const format::DeltaOptions& library = options.library;
  SHEAF_TRY_ASSIGN(const auto old_source,
                   format::reopenable_source(older, library.temporary_folder, library.limits));
  SHEAF_TRY_ASSIGN(const auto new_source,
                   format::reopenable_source(newer, library.temporary_folder, library.limits));
  SHEAF_TRY_ASSIGN(const auto summary,
                   format::diff_pages(old_source, new_source, library,
                                      [&](const PageDifference& difference) -> Result<void> {
                                        options.json ? print_json(difference) : print_page(difference);
                                        return {};
                                      }));
  if (!options.json)
    print_text("{} added, {} changed, {} removed, {} unchanged\n", human_count(summary.added),
               human_count(summary.changed), human_count(summary.removed), human_count(summary.unchanged));
  return {};
}

}  // namespace sheaf::cli
