#include "sheaf/export/chunk_export.h"

#include "sheaf/export/changed_pages.h"
#include "sheaf/export/chunk_state.h"
#include "sheaf/export/selected_pages.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace sheaf::exporting {
namespace {

using base::Result;
using store::PageStore;
using store::StoredPage;

class ChunkFeed {
 public:
  ChunkFeed(const PageStore& store, ChunkState& state, const ChunkRules& rules, const Sink& sink)
      : store_(store), state_(state), rules_(rules), sink_(sink) {}

  Result<ChunkChanges> run() {
    if (state_.is_new()) {
      SHEAF_TRY_ASSIGN(changes_.cursor, store_.newest_change());
      SHEAF_TRY(
          walk_pages(store_, {}, format::Detail::checks, [this](const StoredPage& stored, const Page* page) {
            return compare(stored.site, stored.section, stored.url, page);
          }));
    } else {
      SHEAF_TRY_ASSIGN(const Summary walked,
                       walk_changed_pages(store_, {}, state_.cursor(),
                                          [this](const store::StoreChange& change, const StoredPage* stored) {
                                            return compare_changed(change, stored);
                                          }));
      changes_.cursor = walked.cursor;
    }
    SHEAF_TRY(state_.commit(changes_.cursor));
    return changes_;
  }

 private:
  Result<void> compare_changed(const store::StoreChange& change, const StoredPage* stored) {
    if (stored == nullptr) return compare(change.site, change.section, change.url, nullptr);
    const auto page = decoder_(stored->json);
    if (!page)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the store's page {} cannot be read: {}; `sheaf verify` gives details",
                                    stored->url, page.error()));
    return compare(stored->site, stored->section, stored->url, *page);
  }

  /// `page` is null if it was removed.
  Result<void> compare(std::string_view site, std::string_view section, std::string_view url,
                       const Page* page) {
    ++changes_.pages;
    SHEAF_TRY_ASSIGN(std::vector<ChunkId> before, state_.ids_of(site, url));
    std::ranges::sort(before);
    std::vector<ChunkId> now;
    const std::vector<PageChunk> chunks =
        page == nullptr ? std::vector<PageChunk>() : chunk_page(site, *page, rules_);
    now.reserve(chunks.size());
    for (const PageChunk& chunk : chunks) now.push_back(chunk.id);
    for (const PageChunk& chunk : chunks)
      if (std::ranges::binary_search(before, chunk.id)) {
        ++changes_.kept;
      } else {
        SHEAF_TRY(report_added(chunk, {site, section}, *page));
      }
    SHEAF_TRY(state_.replace(site, url, now));
    std::ranges::sort(now);
    for (const ChunkId& id : before)
      if (!std::ranges::binary_search(now, id)) SHEAF_TRY(report_removed(id, url));
    return {};
  }

  Result<void> report_added(const PageChunk& chunk, const ChunkPlace& place, const Page& page) {
    ++changes_.added;
    line_.clear();
    append_chunk_json(line_, chunk, place, page, rules_);
    line_.insert(1, R"("op":"add",)");
    line_ += '\n';
    return sink_(line_);
  }

  Result<void> report_removed(const ChunkId& id, std::string_view url) {
    ++changes_.removed;
    line_ = fmt::format(R"({{"op":"remove","id":"{}","url":)", chunk_id_text(id));
    format::append_json_string(line_, url);
    line_ += "}\n";
    return sink_(line_);
  }

  const PageStore& store_;
  ChunkState& state_;
  const ChunkRules& rules_;
  const Sink& sink_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
  std::string line_;
  ChunkChanges changes_;
};

}  // namespace

Result<Summary> export_chunks(const PageStore& store, const Options& options, const ChunkRules& rules,
                              const Sink& sink) {
  std::string line;
  return walk_pages(store, options, format::Detail::checks,
                    [&](const StoredPage& stored, const Page* page) -> Result<void> {
                      for (const PageChunk& chunk : chunk_page(stored.site, *page, rules)) {
                        line.clear();
                        append_chunk_json(line, chunk, {stored.site, stored.section}, *page, rules);
                        line += '\n';
                        SHEAF_TRY(sink(line));
                      }
                      return {};
                    });
}

Result<ChunkChanges> export_chunk_changes(const PageStore& store, std::string_view store_id,
                                          const std::filesystem::path& state_file, const ChunkRules& rules,
                                          const Sink& sink) {
  SHEAF_TRY_ASSIGN(auto state, ChunkState::open(state_file, rules, store_id));
  return ChunkFeed(store, state, rules, sink).run();
}

}  // namespace sheaf::exporting
