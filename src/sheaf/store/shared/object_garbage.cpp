#include "sheaf/store/shared/object_garbage.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Result;

constexpr int kNamesAtOnce = 5'000;

/// The objects that packs refer to, sorted by name.
class ReferencedObjects {
 public:
  explicit ReferencedObjects(SharedView& view) : view_(view) {}

  /// Whether a pack refers to this object. Must be called with ascending names.
  Result<bool> has(const std::string& name) {
    if (cursor_.empty()) {
      cursor_ = view_.new_cursor();
      SHEAF_TRY(view_.query(
          fmt::format("DECLARE {} NO SCROLL CURSOR FOR SELECT object FROM sheaf.pack WHERE object "
                      "IS NOT NULL ORDER BY object COLLATE \"C\"",
                      cursor_)));
      SHEAF_TRY(fetch());
    }
    while (!rows_->empty() && rows_->text(at_, 0) < name) {
      if (++at_ < rows_->size()) continue;
      SHEAF_TRY(fetch());
    }
    return !rows_->empty() && rows_->text(at_, 0) == name;
  }

 private:
  Result<void> fetch() {
    SHEAF_TRY_ASSIGN(rows_, view_.query(fmt::format("FETCH FORWARD {} FROM {}", kNamesAtOnce, cursor_)));
    at_ = 0;
    return {};
  }

  SharedView& view_;
  std::string cursor_;
  std::optional<PgRows> rows_;
  int at_ = 0;
};

}  // namespace

Result<void> each_unreferenced(SharedView& view, PackObjects& objects,
                               const std::function<Result<void>(const std::string& name)>& use) {
  ReferencedObjects referenced(view);
  return objects.each([&](const std::string& name) -> Result<void> {
    SHEAF_TRY_ASSIGN(const bool known, referenced.has(name));
    return known ? Result<void>() : use(name);
  });
}

Result<std::uint64_t> collect_objects(SharedCore& core) {
  if (core.meta().objects.empty()) return 0;
  SHEAF_TRY_ASSIGN(const auto objects, core.open_objects());
  SHEAF_TRY_ASSIGN(const ViewPtr view, core.view());
  const auto note = [&](const std::string& name) -> Result<void> {
    SHEAF_TRY(
        core.database().query("INSERT INTO sheaf.garbage (object, since) VALUES ($1, now()) ON CONFLICT "
                              "(object) DO NOTHING",
                              {name}));
    return {};
  };
  SHEAF_TRY(each_unreferenced(*view, *objects, note));
  SHEAF_TRY_ASSIGN(
      const auto old,
      core.database().query("SELECT g.object FROM sheaf.garbage g WHERE g.since < now() - interval '1 "
                            "day' AND NOT EXISTS (SELECT 1 FROM sheaf.pack p WHERE p.object = "
                            "g.object)"));
  for (int i = 0; i < old.size(); ++i) {
    const std::string name(old.text(i, 0));
    SHEAF_TRY(objects->remove(name));
    SHEAF_TRY(core.database().query("DELETE FROM sheaf.garbage WHERE object = $1", {name}));
  }
  return static_cast<std::uint64_t>(old.size());
}

}  // namespace sheaf::store::shared
