#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/base/file.h"
#include "sheaf/publish/sources/given_fields.h"
#include "sheaf/publish/sources/source.h"
#include "sheaf/publish/sources/sql_rows.h"
#include "sheaf/visibility/page_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sheaf::publish {
namespace {

constexpr std::string_view kSqlite = "sqlite:";
constexpr std::size_t kMaxPasswordBytes = 4096;

enum class Column : std::uint8_t {
  url,
  title,
  description,
  author,
  published,
  modified,
  language,
  html,
  markdown,
  text
};
constexpr std::array<std::string_view, 10> kColumns = {
    "url", "title", "description", "author", "published", "modified", "language", "html", "markdown", "text"};
constexpr std::size_t kBodies = 3;  // number of body columns, which are the last ones

class SqlSource final : public Source {
 public:
  explicit SqlSource(SqlSourceOptions options) : options_(std::move(options)) {}

  /// The URL has no password: the configuration refuses one.
  [[nodiscard]] std::string name() const override { return options_.database; }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    SHEAF_TRY_ASSIGN(const auto rows, open_rows());
    SHEAF_TRY(map_columns(rows->columns()));
    for (std::uint64_t number = 1;; ++number) {
      SHEAF_TRY_ASSIGN(const bool more, rows->next());
      if (!more || !sink(make_item(*rows, number))) return {};
    }
  }

 private:
  base::Result<std::unique_ptr<SqlRows>> open_rows() const {
    SHEAF_TRY_ASSIGN(const auto* const databases, sql_databases());
    if (options_.mariadb) {
      SHEAF_TRY_ASSIGN(const auto password, read_password());
      return databases->mariadb(*options_.mariadb, password, options_.query);
    }
    return options_.database.starts_with(kSqlite)
               ? databases->sqlite(options_.database.substr(kSqlite.size()), options_.query)
               : databases->postgres(options_.database, options_.query);
  }

  /// The first line of the password file, if there is one.
  base::Result<std::optional<std::string>> read_password() const {
    if (options_.password_file.empty()) return std::nullopt;
    SHEAF_TRY_ASSIGN(const auto source, base::open_regular_file(options_.password_file.string()));
    SHEAF_TRY_ASSIGN(std::string text, base::read_up_to(*source, kMaxPasswordBytes));
    text.resize(std::min(text.find_first_of("\r\n"), text.size()));
    if (text.size() > kMaxPasswordBytes)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the first line of {} is too long for a password", source->name()));
    return text;
  }

  base::Result<void> map_columns(const std::vector<std::string>& columns) {
    places_.fill(std::nullopt);
    visibility_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_about_publication = visibility::is_about_publication(columns[i]);
      if (is_about_publication) visibility_.emplace_back(columns[i], i);
      const auto* found = std::ranges::find(kColumns, base::lower_text(columns[i]));
      if (found == kColumns.end() && is_about_publication) continue;
      if (found == kColumns.end())
        return wrong(fmt::format(
            "gives a column `{}`, which is not known; name it with AS, or leave it out. Known are: {}",
            columns[i], fmt::join(kColumns, ", ")));
      auto& place = places_[static_cast<std::size_t>(found - kColumns.begin())];
      if (place) return wrong(fmt::format("gives two columns `{}`", *found));
      place = i;
    }
    if (!place_of(Column::url)) return wrong("gives no column `url`: SELECT ... AS url");
    const auto bodies = std::count_if(places_.end() - kBodies, places_.end(),
                                      [](const auto& place) { return place.has_value(); });
    if (bodies != 1)
      return wrong(
          fmt::format("must give one column with the body: `html`, `markdown` or `text`; this one gives {}",
                      bodies == 0 ? "none" : "several"));
    return {};
  }

  [[nodiscard]] std::unexpected<base::Error> wrong(const std::string& what) const {
    return base::fail(base::Errc::invalid_argument, fmt::format("the query for {} {}", name(), what));
  }

  [[nodiscard]] std::optional<std::size_t> place_of(Column column) const {
    return places_[static_cast<std::size_t>(column)];
  }

  [[nodiscard]] std::string value(const SqlRows& rows, Column column) const {
    const auto place = place_of(column);
    return place ? std::string(rows.value(*place).value_or("")) : std::string();
  }

  [[nodiscard]] SourceItem make_item(const SqlRows& rows, std::uint64_t number) const {
    SourceItem item;
    const std::string address = value(rows, Column::url);
    const auto url = address.empty() ? std::nullopt : base::Url::parse(address, &options_.base);
    item.name = url ? std::string(url->href()) : fmt::format("{}, row {}", name(), number);
    if (!url) {
      item.trouble = address.empty() ? "it has no url" : fmt::format("its url is not a URL: {}", address);
      return item;
    }
    item.url = url->href();
    item.given.title = value(rows, Column::title);
    item.given.description = value(rows, Column::description);
    item.given.author = value(rows, Column::author);
    item.given.language = value(rows, Column::language);
    take_time(rows, Column::published, item.given.published, item);
    take_time(rows, Column::modified, item.given.modified, item);
    take_body(rows, item);
    judge(rows, item);
    return item;
  }

  /// Judges a column that says whether the page is public: `status`, `draft`, `password`, `expires`.
  void judge(const SqlRows& rows, SourceItem& item) const {
    for (const auto& [name, place] : visibility_) {
      const auto verdict = visibility::judge_setting(name, rows.value(place).value_or(""), sheaf::now());
      if (verdict.is_public()) continue;
      item.skip = reason_of(verdict.hold);
      item.trouble = verdict.detail;
      return;
    }
  }

  void take_time(const SqlRows& rows, Column column, std::optional<Instant>& time, SourceItem& item) const {
    take_time_text(kColumns[static_cast<std::size_t>(column)], value(rows, column), time, item);
  }

  void take_body(const SqlRows& rows, SourceItem& item) const {
    if (place_of(Column::text)) {
      set_body(item, BodyKind::text, value(rows, Column::text));
    } else if (place_of(Column::html)) {
      set_body(item, BodyKind::html, value(rows, Column::html));
    } else {
      set_body(item, BodyKind::markdown, value(rows, Column::markdown));
    }
    if (item.bytes.size() > options_.body_limit)
      item.trouble = fmt::format("its body is over the limit of {} bytes for a page", options_.body_limit);
  }

  SqlSourceOptions options_;
  std::array<std::optional<std::size_t>, kColumns.size()> places_;
  std::vector<std::pair<std::string, std::size_t>> visibility_;  ///< columns that decide about publication
};

}  // namespace

std::unique_ptr<Source> sql_source(SqlSourceOptions options) {
  return std::make_unique<SqlSource>(std::move(options));
}

}  // namespace sheaf::publish
