#include "sheaf/publish/catalog.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/record.h"
#include "sheaf/publish/catalog_internal.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::publish {
namespace {

using base::RecordReader;
using base::RecordWriter;

// From this number of changes on, they are ingested as sorted files. That is faster, because the database
// need not sort and compress them again.
constexpr std::size_t kManyChanges = 20'000;
constexpr std::uint64_t kFileBytes = std::uint64_t{64} << 20;
constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kMaxNameLength = 256;  // in a key; the end of a longer name is replaced by a hash

/// Section names have no NUL, so the keys of one section are never a prefix of another's.
std::string prefix_of(char kind, std::string_view section) {
  std::string key(1, kind);
  key += section;
  key += '\0';
  return key;
}

std::string id_of(std::string_view name) {
  const base::Digest digest = base::sha256(name);
  return {reinterpret_cast<const char*>(digest.data()), kIdBytes};
}

/// Keys contain names and URLs, so that pages that a source lists one after another are neighbours in the
/// database too. With hashed keys, each lookup would read another block, and a catalog is larger than the
/// cache.
std::string key_of(char kind, std::string_view section, std::string_view name) {
  std::string key = prefix_of(kind, section);
  if (name.size() <= kMaxNameLength) return key += name;
  key += name.substr(0, kMaxNameLength);
  return key += id_of(name);
}

/// The id of an item, from the last part of its key.
std::string id_in_key(std::string_view name) {
  return name.size() <= kMaxNameLength ? id_of(name) : std::string(name.substr(kMaxNameLength));
}

std::string section_key(std::string_view name) { return kSections + std::string(name); }

std::string template_key(std::string_view section, std::size_t source) {
  return prefix_of(kTemplates, section) + fmt::format("{}", source);
}

std::unexpected<base::Error> damaged(std::string_view what) {
  return base::fail(
      base::Errc::invalid_data,
      fmt::format("the catalog's record of {} cannot be read: it was damaged, or written by a newer sheaf; "
                  "move the state folder away to start again from what is published",
                  what));
}

std::string encode(const CatalogEntry& page) {
  return RecordWriter()
      .text(page.url)
      .digest(page.fingerprint)
      .text(page.modified)
      .time(page.modified_at)
      .optional_time(page.removed_at)
      .bytes();
}

std::optional<CatalogEntry> decode_page(std::string_view bytes) {
  RecordReader in(bytes);
  CatalogEntry page;
  page.url = in.text();
  page.fingerprint = in.digest<16>();
  page.modified = in.text();
  page.modified_at = in.time();
  page.removed_at = in.optional_time();
  return in.good() ? std::optional(std::move(page)) : std::nullopt;
}

std::string encode(const ItemRecord& item) {
  return RecordWriter()
      .digest(item.bytes)
      .number(static_cast<std::uint64_t>(item.skip))
      .text(item.detail)
      .text(item.url)
      .bytes();
}

std::optional<ItemRecord> decode_item(std::string_view bytes) {
  RecordReader in(bytes);
  ItemRecord item;
  item.bytes = in.digest<16>();
  const std::uint64_t skipped = in.number();
  item.detail = in.text();
  item.url = in.text();
  if (!in.good() || skipped > static_cast<std::uint64_t>(kLastSkipReason)) return std::nullopt;
  item.skip = static_cast<SkipReason>(skipped);
  return item;
}

std::string encode(const CatalogSection& state) {
  RecordWriter out;
  out.time(state.generated).optional_time(state.snapshot);
  out.digest(state.state).number(state.pages).number(state.files.size());
  for (const PublishedFile& file : state.files) {
    out.text(to_string(file.name)).number(file.bytes).number(file.pages);
    out.optional_time(file.since).text(file.checksum);
  }
  return out.bytes();
}

std::optional<CatalogSection> decode_section(std::string_view bytes) {
  RecordReader in(bytes);
  CatalogSection state;
  state.generated = in.time();
  state.snapshot = in.optional_time();
  state.state = in.digest<32>();
  state.pages = in.number();
  const std::uint64_t files = in.number();
  for (std::uint64_t i = 0; i < files && in.good_so_far(); ++i) {
    PublishedFile file;
    const auto name = parse_collection_name(in.text());
    if (!name) return std::nullopt;
    file.name = *name;
    file.bytes = in.number();
    file.pages = in.number();
    file.since = in.optional_time();
    file.checksum = in.text();
    state.files.push_back(std::move(file));
  }
  return in.good() ? std::optional(std::move(state)) : std::nullopt;
}

}  // namespace

base::Result<Catalog> Catalog::open(const std::filesystem::path& folder) {
  SHEAF_TRY_ASSIGN(auto database, database::Database::open(folder));
  Catalog catalog(folder, std::move(database));
  SHEAF_TRY_ASSIGN(const auto prepared, catalog.database_.get(std::string(1, kPrepared)));
  catalog.prepared_ = prepared.has_value();
  SHEAF_TRY(catalog.check_format());
  return catalog;
}

base::Result<Catalog> Catalog::create_in_memory() {
  SHEAF_TRY_ASSIGN(auto database, database::Database::create_in_memory());
  return Catalog({}, std::move(database));
}

base::Result<void> Catalog::check_format() {
  SHEAF_TRY_ASSIGN(const auto format, database_.get(std::string(1, kFormat)));
  if (format == kCurrentFormat) return {};
  if (format)
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("the catalog in {} has format {}: it was written by a newer sheaf; update this one",
                    folder_.string(), *format));
  // Taken for an empty one, it would be taken for a site without pages too.
  auto records = database_.scan({});
  const bool is_new = !records.valid();
  SHEAF_TRY(records.check());
  if (!is_new)
    return base::fail(
        base::Errc::invalid_data,
        fmt::format("the catalog in {} has no format: it was written by an older sheaf; move the "
                    "state folder away to start again from what is published",
                    folder_.string()));
  batch_.put(std::string(1, kFormat), kCurrentFormat);
  return flush(database::Durability::synced);
}

base::Result<std::optional<std::string>> Catalog::owner() const {
  return database_.get(std::string(1, kOwner));
}

base::Result<void> Catalog::set_owner(std::string_view base_url) {
  database::Database::Batch batch;
  batch.put(std::string(1, kOwner), base_url);
  return database_.write(batch, database::Durability::synced);
}

base::Result<std::optional<CatalogEntry>> Catalog::page(std::string_view section,
                                                        std::string_view url) const {
  SHEAF_TRY_ASSIGN(const auto bytes, database_.get(key_of(kPages, section, url)));
  if (!bytes) return std::nullopt;
  auto page = decode_page(*bytes);
  if (!page) return damaged(url);
  // Two long URLs could have the same key by chance; then the record belongs to the other one.
  if (page->url != url) return std::nullopt;
  return page;
}

base::Result<std::optional<ItemRecord>> Catalog::item(std::string_view section, std::string_view name) const {
  SHEAF_TRY_ASSIGN(const auto bytes, database_.get(key_of(kItems, section, name)));
  if (!bytes) return std::nullopt;
  auto item = decode_item(*bytes);
  if (!item) return damaged(name);
  return item;
}

base::Result<std::optional<CatalogSection>> Catalog::section(std::string_view name) const {
  SHEAF_TRY_ASSIGN(const auto bytes, database_.get(section_key(name)));
  if (!bytes) return std::nullopt;
  auto state = decode_section(*bytes);
  if (!state) return damaged(fmt::format("section {}", name));
  return state;
}

base::Result<std::optional<crawl::LearnedTemplate>> Catalog::site_template(std::string_view section,
                                                                           std::size_t source) const {
  SHEAF_TRY_ASSIGN(const auto bytes, database_.get(template_key(section, source)));
  return bytes ? crawl::LearnedTemplate::load(*bytes) : std::nullopt;
}

base::Result<std::optional<CatalogSection>> Catalog::staged_section(std::string_view name) const {
  SHEAF_TRY_ASSIGN(const auto bytes, database_.get(kStaged + section_key(name)));
  if (!bytes) return section(name);
  auto state = bytes->starts_with(kPut) ? decode_section(std::string_view(*bytes).substr(1)) : std::nullopt;
  if (!state) return damaged(fmt::format("section {}", name));
  return state;
}

base::Result<std::vector<std::string>> Catalog::sections() const {
  std::vector<std::string> names;
  auto cursor = database_.scan(std::string(1, kSections));
  for (; cursor.valid(); cursor.next()) names.emplace_back(cursor.key().substr(1));
  SHEAF_TRY(cursor.check());
  return names;
}

base::Result<void> Catalog::each_page(
    std::string_view section, const std::function<base::Result<void>(const CatalogEntry&)>& use) const {
  auto cursor = database_.scan(prefix_of(kPages, section));
  for (; cursor.valid(); cursor.next()) {
    const auto page = decode_page(cursor.value());
    if (!page) return damaged(fmt::format("a page of section {}", section));
    SHEAF_TRY(use(*page));
  }
  return cursor.check();
}

base::Result<void> Catalog::each_staged_page(
    std::string_view section, const std::function<base::Result<void>(const CatalogEntry&)>& use) const {
  const std::string prefix = prefix_of(kPages, section);
  auto committed = database_.scan(prefix);
  auto staged = database_.scan(kStaged + prefix);
  const auto pass = [&](std::string_view bytes) -> base::Result<void> {
    const auto page = decode_page(bytes);
    if (!page) return damaged(fmt::format("a page of section {}", section));
    return use(*page);
  };
  while (committed.valid() || staged.valid()) {
    const std::string_view key = staged.valid() ? staged.key().substr(1) : std::string_view();
    if (!staged.valid() || (committed.valid() && committed.key() < key)) {
      SHEAF_TRY(pass(committed.value()));
      committed.next();
      continue;
    }
    if (staged.value().starts_with(kPut)) SHEAF_TRY(pass(staged.value().substr(1)));
    if (committed.valid() && committed.key() == key) committed.next();
    staged.next();
  }
  SHEAF_TRY(committed.check());
  return staged.check();
}

base::Result<void> Catalog::put(const std::string& key, std::string_view value) {
  std::string staged(kPut);
  staged += value;
  batch_.put(kStaged + key, staged);
  return batch_.bytes() < kBatchBytes ? base::Result<void>() : flush(database::Durability::buffered);
}

base::Result<void> Catalog::flush(database::Durability durability) {
  if (batch_.empty()) return {};
  return database_.write(batch_, durability);
}

base::Result<void> Catalog::stage(std::string_view section, const CatalogEntry& page) {
  return put(key_of(kPages, section, page.url), encode(page));
}

base::Result<void> Catalog::stage(std::string_view section, std::string_view item_name,
                                  const ItemRecord& item) {
  return put(key_of(kItems, section, item_name), encode(item));
}

base::Result<void> Catalog::stage(std::string_view section, const CatalogSection& state) {
  return put(section_key(section), encode(state));
}

base::Result<void> Catalog::stage_template(std::string_view section, std::size_t source,
                                           const crawl::LearnedTemplate& learned) {
  return put(template_key(section, source), learned.save());
}

base::Result<void> Catalog::stage_forget(std::string_view section, std::string_view url) {
  batch_.put(kStaged + key_of(kPages, section, url), kForget);
  return {};
}

std::string Catalog::item_id(std::string_view name) { return id_of(name); }

base::Result<void> Catalog::stage_forget_items(std::string_view section,
                                               const std::function<bool(std::string_view id)>& is_there) {
  const std::string prefix = prefix_of(kItems, section);
  auto cursor = database_.scan(prefix);
  for (; cursor.valid(); cursor.next()) {
    if (is_there(id_in_key(cursor.key().substr(prefix.size())))) continue;
    batch_.put(kStaged + std::string(cursor.key()), kForget);
    if (batch_.bytes() >= kBatchBytes) SHEAF_TRY(flush(database::Durability::buffered));
  }
  return cursor.check();
}

base::Result<void> Catalog::announce(const std::vector<std::string>& file_names) {
  for (const std::string& name : file_names) batch_.put(kAnnounced + name, "");
  return flush(database::Durability::synced);
}

base::Result<std::vector<std::string>> Catalog::announced() const {
  std::vector<std::string> names;
  auto cursor = database_.scan(std::string(1, kAnnounced));
  for (; cursor.valid(); cursor.next()) names.emplace_back(cursor.key().substr(1));
  SHEAF_TRY(cursor.check());
  return names;
}

base::Result<void> Catalog::prepare() {
  batch_.put(std::string(1, kPrepared), "");
  SHEAF_TRY(flush(database::Durability::synced));
  prepared_ = true;
  return {};
}

base::Result<void> Catalog::commit() {
  SHEAF_TRY(flush(database::Durability::buffered));
  SHEAF_TRY_ASSIGN(const bool many, has_many_staged());
  if (many) {
    SHEAF_TRY(commit_by_files());
  } else {
    SHEAF_TRY(commit_by_batch());
  }
  return end_stage();
}

base::Result<bool> Catalog::has_many_staged() const {
  auto cursor = database_.scan(std::string(1, kStaged));
  std::size_t count = 0;
  for (; cursor.valid() && count < kManyChanges; cursor.next()) ++count;
  SHEAF_TRY(cursor.check());
  return count == kManyChanges;
}

/// Writes sorted files directly, because staged keys have the order of the final keys.
base::Result<void> Catalog::commit_by_files() {
  std::vector<database::Database::SortedFile> files;
  auto cursor = database_.scan(std::string(1, kStaged));
  for (; cursor.valid(); cursor.next()) {
    if (files.empty() || files.back().bytes() >= kFileBytes) {
      if (!files.empty()) SHEAF_TRY(files.back().finish());
      // File names are fixed, so that the next run overwrites the files of a killed one.
      SHEAF_TRY_ASSIGN(auto file, database::Database::SortedFile::create(
                                      database_, database::Table::main,
                                      folder_ / fmt::format("commit-{}.incoming", files.size())));
      files.push_back(std::move(file));
    }
    const std::string_view key = cursor.key().substr(1);
    SHEAF_TRY(cursor.value().starts_with(kPut) ? files.back().put(key, cursor.value().substr(1))
                                               : files.back().remove(key));
  }
  SHEAF_TRY(cursor.check());
  SHEAF_TRY(files.back().finish());
  return database_.ingest(files);
}

base::Result<void> Catalog::commit_by_batch() {
  auto cursor = database_.scan(std::string(1, kStaged));
  for (; cursor.valid(); cursor.next()) {
    const std::string_view key = cursor.key().substr(1);
    if (cursor.value().starts_with(kPut)) {
      batch_.put(key, cursor.value().substr(1));
    } else {
      batch_.remove(key);
    }
    if (batch_.bytes() >= kBatchBytes) SHEAF_TRY(flush(database::Durability::buffered));
  }
  return cursor.check();
}

base::Result<void> Catalog::discard() {
  batch_.clear();
  return end_stage();
}

/// Deletes the stage, in one step with the changes in the batch.
base::Result<void> Catalog::end_stage() {
  batch_.remove_prefix(std::string(1, kStaged));
  batch_.remove_prefix(std::string(1, kAnnounced));
  batch_.remove(std::string(1, kPrepared));
  SHEAF_TRY(flush(database::Durability::synced));
  prepared_ = false;
  return {};
}

namespace {

std::string note_key(std::string_view key) { return kNotes + std::string(key); }

}  // namespace

base::Result<std::optional<std::string>> Catalog::note(std::string_view key) const {
  return database_.get(note_key(key));
}

base::Result<std::optional<std::string>> Catalog::staged_note(std::string_view key) const {
  SHEAF_TRY_ASSIGN(auto staged, database_.get(kStaged + note_key(key)));
  if (!staged) return note(key);
  if (staged->starts_with(kPut)) return staged->substr(1);
  return std::nullopt;
}

base::Result<void> Catalog::stage_note(std::string_view key, std::string_view value) {
  return put(note_key(key), value);
}

base::Result<void> Catalog::stage_forget_note(std::string_view key) {
  batch_.put(kStaged + note_key(key), kForget);
  return batch_.bytes() < kBatchBytes ? base::Result<void>() : flush(database::Durability::buffered);
}

base::Result<void> Catalog::each_note(
    std::string_view prefix,
    const std::function<base::Result<void>(std::string_view, std::string_view)>& use) {
  SHEAF_TRY(flush(database::Durability::buffered));
  auto committed = database_.scan(note_key(prefix));
  auto staged = database_.scan(kStaged + note_key(prefix));
  while (committed.valid() || staged.valid()) {
    const std::string_view key = staged.valid() ? staged.key().substr(1) : std::string_view();
    if (!staged.valid() || (committed.valid() && committed.key() < key)) {
      SHEAF_TRY(use(committed.key().substr(1), committed.value()));
      committed.next();
      continue;
    }
    if (staged.value().starts_with(kPut)) SHEAF_TRY(use(key.substr(1), staged.value().substr(1)));
    if (committed.valid() && committed.key() == key) committed.next();
    staged.next();
  }
  SHEAF_TRY(committed.check());
  return staged.check();
}

base::Result<void> Catalog::each_staged_note(
    std::string_view prefix,
    const std::function<base::Result<void>(std::string_view, std::optional<std::string_view>)>& use) {
  SHEAF_TRY(flush(database::Durability::buffered));
  auto staged = database_.scan(kStaged + note_key(prefix));
  for (; staged.valid(); staged.next()) {
    const std::string_view key = staged.key().substr(2);
    SHEAF_TRY(staged.value().starts_with(kPut) ? use(key, staged.value().substr(1)) : use(key, std::nullopt));
  }
  return staged.check();
}

}  // namespace sheaf::publish
