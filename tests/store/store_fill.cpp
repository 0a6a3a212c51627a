// Applies collections or edits to a store, for tests of its readers and of what remains when a writer is
// killed.
//
//   store_fill STORE SITE WHAT...
//
//   [--allow-shrink] [--resynchronise] [--pack] FILE...   apply the collections in order
//   --edit SECTION COUNT TEXT                             put COUNT pages, remove as many others
//   --history DAYS                                        as if it had been pulled every day
//   --drop SECTION                                        delete the section
//   --damage KIND                                         page, json, count, feed, entry or format
//
// Prints a line for each. Exit status 1 when something was not applied, 2 on errors.
#include "sheaf/base/byte_source.h"
#include "sheaf/database/database.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/pull/pull_history.h"
#include "sheaf/store/local/store_records.h"
#include "sheaf/store/open/open_store.h"
#include <sheaf/time.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace sheaf;  // NOLINT(google-build-using-namespace): a program of its own

[[noreturn]] void die(const std::string& message) {
  std::fprintf(stderr, "store_fill: %s\n", message.c_str());
  std::exit(2);
}

template <class T>
T need(base::Result<T> result) {
  if (!result) die(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::string section_of(const std::string& path) {
  auto reader = format::CollectionReader::open(need(base::open_source(path)), {}, {});
  if (!reader) die(reader.error().message);
  return reader->head().section;
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

int apply(store::PageStore& store, const std::string& site, const std::vector<std::string>& arguments) {
  store::ApplyOptions options;
  options.now = sheaf::now();
  options.threads = 2;
  options.vouch = [](const base::Url&) { return true; };  // whose pages they are is not what is tested here
  int status = 0;
  for (const std::string& argument : arguments) {
    if (argument == "--allow-shrink") {
      options.shrink = format::Shrink::allow;
    } else if (argument == "--resynchronise") {
      options.resynchronise = true;
    } else if (argument == "--pack") {
      options.pack_threads = 2;
    } else {
      const auto summary =
          need(store.apply(site, section_of(argument), need(base::open_source(argument)), options));
      std::printf("%s: %s, %llu added, %llu changed, %llu unchanged, %llu removed\n", argument.c_str(),
                  std::string(to_string(summary.outcome)).c_str(),
                  static_cast<unsigned long long>(summary.added),
                  static_cast<unsigned long long>(summary.changed),
                  static_cast<unsigned long long>(summary.unchanged),
                  static_cast<unsigned long long>(summary.removed));
      if (summary.outcome != store::ApplyOutcome::applied) status = 1;
    }
  }
  if (options.pack_threads > 0) need(store.pack(store::kWorthPacking, options.pack_threads));
  return status;
}

int edit(store::PageStore& store, const std::string& site, const std::string& section, int count,
         const std::string& text) {
  store::SectionEdit edit(site, section);
  for (int i = 0; i < count; ++i) {
    const std::string url = site + "/edited/" + std::to_string(i);
    const std::string json = R"({"url":")" + url +
                             R"(","title":"T","description":"D","modified":"2026-01-01T00:00:00Z",)"
                             R"("language":"en","content":[{"type":"text","text":")" +
                             text + R"("}]})";
    edit.put_page(url, "2026-01-01T00:00:00Z", json, sheaf::now());
    edit.remove_page(site + "/edited/" + std::to_string(count + i));
  }
  edit.put_note("text", text);
  const auto summary = need(store.commit(edit));
  std::printf(
      "edited: %llu added, %llu changed, %llu removed\n", static_cast<unsigned long long>(summary.added),
      static_cast<unsigned long long>(summary.changed), static_cast<unsigned long long>(summary.removed));
  return 0;
}

int add_history(store::PageStore& store, const std::string& site, int days) {
  const auto sections = need(store.sections(site));
  std::uint64_t pages = 0;
  for (const auto& section : sections) pages += section.pages;
  pull::PullHistory history;
  for (int day = days - 1; day >= 0; --day) {
    const auto number = static_cast<std::uint64_t>(day);
    pull::PullReport report;
    report.site = site;
    report.ok = day != 11;
    report.began = {sheaf::now().seconds - std::int64_t{86'400} * day, 0};
    report.sections.emplace_back();
    report.sections[0].added = number % 7 == 0 ? 3 : number % 3;
    report.sections[0].changed = (number * 5) % 9;
    report.sections[0].removed = number % 10 == 4 ? 2 : 0;
    report.bytes = 6'000 + (number * 7'919) % 30'000;
    report.crawl_bytes = 160'000 + (number * 104'729) % 40'000;
    pull::add_pull(history, report, pages > number ? pages - number : pages);
  }
  store::SectionEdit edit(site, pull::kHtmlSection);
  edit.put_note(store::kHistoryNote, store::encode(history));
  need(store.commit(edit));
  std::printf("history: %d days\n", days);
  return 0;
}

int damage(const std::string& folder, const std::string& kind) {
  auto database = need(database::Database::open(folder + "/pages", database::Tables::main_and_data));
  database::Database::Batch batch(database);
  if (kind == "page") {
    batch.remove(database.scan("", database::Table::data).key(), database::Table::data);
  } else if (kind == "json") {
    auto cursor = database.scan("", database::Table::data);
    std::string value(cursor.value());
    value[value.find('{')] = '[';
    batch.put(cursor.key(), value, database::Table::data);
  } else if (kind == "count") {
    auto cursor = database.scan(store::local::kSections);
    auto record = store::local::decode_section(cursor.value()).value();
    ++record.pages;
    batch.put(cursor.key(), encode(record));
  } else if (kind == "feed") {
    batch.remove(store::local::feed_key(2));
  } else if (kind == "entry") {
    batch.put(database.scan(store::local::kIndex).key(), "nonsense");
  } else if (kind == "format") {
    store::local::Meta meta;
    meta.format = store::local::Meta::kFormat + 1;
    batch.put(store::local::kMetaKey, encode(meta));
  } else {
    die("no damage " + kind);
  }
  need(database.write(batch, database::Durability::synced));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) die("usage: store_fill STORE SITE WHAT...");
  const std::string& what = arguments[2];
  if (what == "--damage") return damage(arguments[0], arguments.at(3));
  const auto opened = need(store::open_store(arguments[0], StoreAccess::write, environment_variable));
  store::PageStore& store = *opened;
  if (what == "--edit")
    return edit(store, arguments[1], arguments.at(3), std::stoi(arguments.at(4)), arguments.at(5));
  if (what == "--history") return add_history(store, arguments[1], std::stoi(arguments.at(3)));
  if (what == "--drop") {
    std::printf("dropped: %llu pages\n", static_cast<unsigned long long>(need(store.drop_section(
                                             arguments[1], arguments.at(3), sheaf::now()))));
    return 0;
  }
  return apply(store, arguments[1], {arguments.begin() + 2, arguments.end()});
}
