#include "sheaf/publish/catalog.h"
#include "sheaf/publish/catalog_internal.h"

namespace sheaf::publish {
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
