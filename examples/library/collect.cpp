// Keeps a copy of sites, and prints what changed since it last ran: what a search index has to do.
//
//   collect [--allow-private] STORE SITE...
//
//   new      https://example.com/a  Its title
//   changed  https://example.com/b  Its title
//   gone     https://example.com/c
//
// How far it has come is kept in the file STORE.seen, written when everything before it has been printed. A
// run that is killed therefore prints some changes again, and never passes any over.
#include "sheaf/base/file.h"
#include "sheaf/base/url.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/stored_page_decoder.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using namespace sheaf;

namespace {

/// False if a site could not be brought up to date. An error is one of the disk: nothing can go on.
base::Result<bool> pull_sites(store::PageStore& store, const std::filesystem::path& folder,
                              const std::vector<base::Url>& sites, const pull::PullOptions& options) {
  bool all_ok = true;
  for (const base::Url& site : sites) {
    const auto downloads = pull::folder_of_site(folder / "downloads", site);
    SHEAF_TRY_ASSIGN(const pull::PullReport report, pull::pull_site(store, site, downloads, options));
    if (!report.ok) std::cerr << report.site << ": " << report.failure.message << '\n';
    for (const std::string& note : report.notes) std::cerr << report.site << ": " << note << '\n';
    all_ok = all_ok && report.ok;
  }
  return all_ok;
}

/// A page may have changed again or gone since; then the feed has another entry for it further on.
base::Result<std::string> title_of(const store::PageStore& store, const store::Change& change) {
  SHEAF_TRY_ASSIGN(const auto stored, store.get(change.site, change.section, change.url));
  if (!stored) return "";
  store::StoredPageDecoder decode(format::Detail::checks);
  const auto page = decode(stored->json);
  if (!page) return base::fail(base::Errc::invalid_data, change.url + ": " + page.error());
  return std::string((*page)->title);
}

/// Prints the changes after `since`; the number of the last one.
base::Result<std::uint64_t> print_changes(const store::PageStore& store, std::uint64_t since) {
  std::uint64_t last = since;
  base::Result<void> printed;
  SHEAF_TRY(store.changes(since, [&](const store::Change& change) {
    if (change.kind == store::ChangeKind::remove) {
      std::cout << "gone     " << change.url << '\n';
    } else {
      const auto title = title_of(store, change);
      if (!title) printed = std::unexpected(title.error());
      if (!title) return false;
      std::cout << (change.old_modified.empty() ? "new      " : "changed  ") << change.url << "  " << *title
                << '\n';
    }
    last = change.sequence;
    return true;
  }));
  SHEAF_TRY(printed);
  if (!std::cout.flush()) return base::fail(base::Errc::io, "cannot write to standard output");
  return last;
}

base::Result<void> remember(const std::filesystem::path& file, std::uint64_t sequence) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(std::to_string(sequence) + "\n"));
  return out.commit();
}

base::Result<bool> run(const std::filesystem::path& folder, const std::vector<base::Url>& sites,
                       bool allow_private) {
  SHEAF_TRY_ASSIGN(auto store, store::PageStore::open(folder, store::Access::write));
  pull::PullOptions options;
  options.fetch.user_agent =
      "collect/1.0 (+https://example.com/collect)";  // who you are, for robots.txt and logs
  options.fetch.allow_private = allow_private;
  SHEAF_TRY_ASSIGN(const bool all_ok, pull_sites(store, folder, sites, options));

  const std::filesystem::path seen = folder.string() + ".seen";
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
  std::vector<base::Url> sites;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const auto site = base::Url::parse(arguments[i]);
    if (!site) return std::cerr << arguments[i] << " is no http address\n", 2;
    sites.push_back(*site);
  }
  if (sites.empty()) return std::cerr << "usage: collect [--allow-private] STORE SITE...\n", 2;

  const auto done = run(arguments.front(), sites, allow_private);
  if (!done) return std::cerr << "collect: " << done.error().message << '\n', 2;
  return *done ? 0 : 1;
}
