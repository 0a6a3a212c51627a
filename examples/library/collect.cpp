// Keeps a copy of sites, and prints what changed since it last ran: what a search index has to do.
//
//   collect [--allow-private] STORE SITE...
//
//   added    https://example.com/a  Its title
//   changed  https://example.com/b  Its title
//   removed  https://example.com/c
//
// How far it has come is kept in the file STORE.seen, written when everything before it has been printed. A
// run that is killed therefore prints some changes again, and never skips any.
#include <sheaf/sheaf.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

using sheaf::Result;

/// False if a site could not be brought up to date. An error is one of the disk: nothing can go on.
Result<bool> pull_sites(sheaf::Store& store, const std::vector<std::string>& sites, bool allow_private) {
  sheaf::RequestOptions requests;
  requests.user_agent = "collect/1.0 (+https://example.com/collect)";  // who you are, for robots.txt and logs
  requests.allow_private = allow_private;
  bool all_ok = true;
  for (const std::string& site : sites) {
    SHEAF_TRY_ASSIGN(const sheaf::PullReport result, sheaf::pull_site(store, site, requests));
    if (!result.ok) std::cerr << result.site << ": " << result.failure.message << '\n';
    for (const std::string& note : result.notes) std::cerr << result.site << ": " << note << '\n';
    all_ok = all_ok && result.ok;
  }
  return all_ok;
}

/// Empty for a page that has gone since: then the feed has another entry for it further on.
Result<std::string> title_of(const sheaf::Store& store, const std::string& url) {
  SHEAF_TRY_ASSIGN(const auto entry, store.get(url));
  if (!entry) return "";
  sheaf::PageParser parser;
  SHEAF_TRY_ASSIGN(const sheaf::Page* page, parser.parse(entry->json));
  return std::string(page->title);
}

/// Prints the changes after `since`; the number of the last one.
Result<std::uint64_t> print_changes(const sheaf::Store& store, std::uint64_t since) {
  std::uint64_t last = since;
  SHEAF_TRY(store.changes(since, [&](const sheaf::StoreChange& change) -> Result<bool> {
    std::string kind(to_string(change.kind));
    kind.resize(9, ' ');
    std::cout << kind << change.url;
    if (change.kind != sheaf::ChangeKind::removed) {
      SHEAF_TRY_ASSIGN(const std::string title, title_of(store, change.url));
      std::cout << "  " << title;
    }
    std::cout << '\n';
    last = change.sequence;
    return true;
  }));
  if (!std::cout.flush()) return sheaf::fail(sheaf::Errc::io, "cannot write to standard output");
  return last;
}

/// The file has the old number or the new one, whatever happens.
Result<void> remember(const std::filesystem::path& file, std::uint64_t sequence) {
  const std::filesystem::path temporary = file.string() + ".tmp";
  std::ofstream out(temporary);
  out << sequence << '\n';
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(temporary, file, error);
  if (!out || error) return sheaf::fail(sheaf::Errc::io, "cannot write " + file.string());
  return {};
}

Result<bool> run(const std::string& folder, const std::vector<std::string>& sites, bool allow_private) {
  SHEAF_TRY_ASSIGN(sheaf::Store store, sheaf::Store::open(folder, sheaf::StoreAccess::write));
  SHEAF_TRY_ASSIGN(const bool all_ok, pull_sites(store, sites, allow_private));

  const std::filesystem::path seen = folder + ".seen";
  std::uint64_t since = 0;  // without the file: everything
  std::ifstream(seen) >> since;
  SHEAF_TRY_ASSIGN(const std::uint64_t last, print_changes(store, since));
  SHEAF_TRY(remember(seen, last));
  return all_ok;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool allow_private = !arguments.empty() && arguments.front() == "--allow-private";
  if (allow_private) arguments.erase(arguments.begin());
  if (arguments.size() < 2) return std::cerr << "usage: collect [--allow-private] STORE SITE...\n", 2;
  const std::string folder = arguments.front();
  arguments.erase(arguments.begin());

  const auto done = run(folder, arguments, allow_private);
  if (!done) return std::cerr << "collect: " << done.error().message << '\n', 2;
  return *done ? 0 : 1;
}
