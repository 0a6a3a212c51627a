#include "sheaf/visibility/folder_rules.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/wildcard.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace sheaf::visibility {
namespace {

/// The first word, without quotes around it; removes it from the text.
std::string take_word(std::string_view& text) {
  text = base::trim_space(text);
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  const std::size_t begin = quoted ? 1 : 0;
  std::size_t end = quoted ? text.find(text.front(), 1) : text.find_first_of(" \t");
  end = std::min(end, text.size());
  const std::string word(text.substr(begin, end - begin));
  text.remove_prefix(std::min(text.size(), end + begin));
  return word;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end + 1));
  return base::trim_space(line);
}

bool says_noindex(std::string_view text) {
  const std::string lower = base::lower_text(text);
  return lower.contains("noindex") || lower.contains("none");
}

/// Whether the methods of a <Limit> or <LimitExcept> leave GET as it is.
bool spares_get(std::string_view section, std::string_view methods) {
  const bool names_get = base::lower_text(methods).contains("get");
  return section == "limit" ? !names_get : names_get;
}

}  // namespace

/// Reads one file line by line. In doubt a directive guards the files.
class FolderRules::HtaccessReader {
 public:
  explicit HtaccessReader(std::vector<Rule>& rules) : rules_(rules), inherited_(rules.size()) {}

  void read(std::string_view text) {
    std::string joined;
    while (!text.empty()) {
      joined += take_line(text);
      if (joined.ends_with('\\')) {
        joined.back() = ' ';
        continue;
      }
      if (!joined.empty() && joined.front() != '#') take(joined);
      joined.clear();
    }
    if (!sections_.empty()) guard("a section that never ends");
    end_order();
  }

 private:
  struct Section {
    std::string name;
    std::string pattern;
    bool is_regex = false;
    bool is_spared = false;   ///< its directives do not concern the visitors of pages
    bool grants_all = false;  ///< of RequireAny: one that lets everybody in
    std::string doubt;        ///< of RequireAny: what else it asks for
  };

  void take(std::string_view line) {
    std::string_view rest = line;
    const std::string name = base::lower_text(take_word(rest));
    if (name.starts_with("</")) return end_section();
    if (name.starts_with('<')) return begin_section(name.substr(1), rest);
    if (std::ranges::any_of(sections_, &Section::is_spared)) return;
    if (name == "require") return take_require(rest, line);
    if (name == "authtype" || name == "authuserfile" || name == "satisfy" || name == "authbasicprovider")
      return guard(line);
    if (name == "order") order_ = base::lower_text(rest);
    if (name == "deny" || name == "allow") return take_access(name, rest, line);
    if (name == "rewritecond") has_condition_ = true;
    if (name == "rewriterule") return take_rewrite(rest, line);
    if (name == "redirect" || name == "redirectmatch") return take_redirect(name, rest, line);
    if (name == "header" && base::lower_text(rest).contains("x-robots-tag") && says_noindex(rest))
      add({Hold::noindex, ".htaccess sets X-Robots-Tag: noindex"});
  }

  void begin_section(const std::string& name, std::string_view rest) {
    if (rest.ends_with('>')) rest.remove_suffix(1);
    Section section;
    section.name = name.ends_with('>') ? name.substr(0, name.size() - 1) : name;
    if (name == "files" || name == "filesmatch") {
      end_order();
      section.pattern = take_word(rest);
      section.is_regex = name == "filesmatch";
      if (section.pattern == "~") {
        section.pattern = take_word(rest);
        section.is_regex = true;
      }
    }
    if (name == "limit" || name == "limitexcept") section.is_spared = spares_get(name, rest);
    if (section.name == "requirenone") section.is_spared = true;  // keeps single visitors out
    sections_.push_back(std::move(section));
  }

  void end_section() {
    if (sections_.empty()) return;
    if (sections_.back().name.starts_with("files")) end_order();
    const Section ended = std::move(sections_.back());
    sections_.pop_back();
    if (ended.name == "requireany" && !ended.grants_all && !ended.doubt.empty()) guard(ended.doubt);
  }

  void take_require(std::string_view rest, std::string_view line) {
    const std::string what = base::lower_text(base::trim_space(rest));
    Section* any = !sections_.empty() && sections_.back().name == "requireany" ? &sections_.back() : nullptr;
    if (what == "all granted") {
      if (any != nullptr) {
        any->grants_all = true;
      } else if (is_for_all_files()) {
        forget_inherited();
      }
      return;
    }
    // "Require not ip 203.0.113.7" keeps single visitors out.
    if ((what.starts_with("not ") && what != "not all granted") || what.starts_with("method ")) return;
    if (any != nullptr) {
      any->doubt = line;
    } else {
      guard(line);
    }
  }

  [[nodiscard]] bool is_for_all_files() const {
    return std::ranges::all_of(sections_, [](const Section& section) {
      return section.name.starts_with("if") || section.name == "requireall";
    });
  }

  /// What the folders above say about all files is replaced, what they say about some names is not.
  void forget_inherited() {
    const auto end = rules_.begin() + static_cast<std::ptrdiff_t>(inherited_);
    const auto kept = std::remove_if(rules_.begin(), end, [](const Rule& rule) {
      return rule.verdict.hold == Hold::guarded && rule.pattern.empty();
    });
    inherited_ = static_cast<std::size_t>(kept - rules_.begin());
    rules_.erase(kept, end);
  }

  void take_access(std::string_view name, std::string_view rest, std::string_view line) {
    take_word(rest);  // from
    if (base::lower_text(base::trim_space(rest)) != "all") return;
    (name == "deny" ? denies_all_ : allows_all_) = true;
    if (name == "deny") denial_ = line;
  }

  /// Judges Order, Allow and Deny of a section, or of the rest of the file, together.
  void end_order() {
    const bool last_is_deny = order_.contains("allow,deny") || order_.contains("mutual-failure");
    const bool held = last_is_deny ? denies_all_ || !allows_all_ : denies_all_ && !allows_all_;
    if (held && !(order_.empty() && !denies_all_)) guard(denial_.empty() ? "Order " + order_ : denial_);
    order_.clear();
    denial_.clear();
    denies_all_ = allows_all_ = false;
  }

  /// A rule that refuses every path.
  void take_rewrite(std::string_view rest, std::string_view line) {
    const bool conditional = std::exchange(has_condition_, false);
    const std::string pattern = take_word(rest);
    take_word(rest);
    const std::string flags = base::lower_text(base::trim_space(rest));
    const bool refuses = flags.contains("[f]") || flags.contains("[f,") || flags.contains(",f]") ||
                         flags.contains(",f,") || flags.contains("[g]") || flags.contains("forbidden");
    if (!refuses || conditional) return;
    if (pattern == "^" || pattern == ".*" || pattern == "^.*$" || pattern == "^(.*)$" || pattern == "(.*)" ||
        pattern == ".")
      return guard(line);
    rules_.push_back({"/" + pattern, true, {Hold::guarded, describe(line)}});
  }

  void take_redirect(std::string_view name, std::string_view rest, std::string_view line) {
    const std::string status = base::lower_text(take_word(rest));
    if (status != "gone" && !status.starts_with('4')) return;
    const std::string path = take_word(rest);
    if (name == "redirectmatch") {
      rules_.push_back({"/" + path, true, {Hold::guarded, describe(line)}});
    } else {
      rules_.push_back({path + "*", false, {Hold::guarded, describe(line)}});
    }
  }

  static std::string describe(std::string_view line) {
    return fmt::format(".htaccess: {}", line.substr(0, 80));
  }

  void guard(std::string_view line) { add({Hold::guarded, describe(line)}); }

  void add(Verdict verdict) {
    Rule rule;
    rule.verdict = std::move(verdict);
    for (const Section& section : sections_)
      if (!section.pattern.empty()) {
        rule.pattern = section.pattern;
        rule.is_regex = section.is_regex;
      }
    rules_.push_back(std::move(rule));
  }

  std::vector<Rule>& rules_;
  std::size_t inherited_;  ///< number of rules of the folders above
  std::vector<Section> sections_;
  std::string order_;
  std::string denial_;
  bool denies_all_ = false;
  bool allows_all_ = false;
  bool has_condition_ = false;
};

void FolderRules::add_htaccess(std::string_view text) { HtaccessReader(rules_).read(text); }

void FolderRules::add_headers(std::string_view text) {
  std::string path;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '/' || line.starts_with("http")) {
      const std::size_t host = line.find("://");
      path =
          line.substr(host == std::string_view::npos ? 0 : std::min(line.find('/', host + 3), line.size()));
      continue;
    }
    const std::string lower = base::lower_text(line);
    if (lower.starts_with("basic-auth"))
      rules_.push_back({path, false, {Hold::guarded, "_headers: Basic-Auth"}});
    if (lower.starts_with("x-robots-tag") && says_noindex(lower))
      rules_.push_back({path, false, {Hold::noindex, "_headers: X-Robots-Tag: noindex"}});
  }
}

void FolderRules::add_redirects(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string whole(line);
    const std::string path = take_word(line);
    if (!path.starts_with('/')) continue;
    // Only with `!` is the answer given although the file is there.
    const std::string lower = base::lower_text(line);
    const bool refuses = lower.contains(" 401!") || lower.contains(" 403!") || lower.contains(" 404!") ||
                         lower.contains(" 410!");
    if (refuses || lower.contains("role="))
      rules_.push_back({path, false, {Hold::guarded, fmt::format("_redirects: {}", whole.substr(0, 80))}});
  }
}

void FolderRules::add_unreadable(std::string_view name) {
  rules_.push_back({"", false, {Hold::guarded, fmt::format("{} cannot be read", name)}});
}

namespace {

/// `?` and placeholders such as `:name` stand for any text here: a little more is held.
std::string as_wildcard(std::string_view pattern) {
  std::string wild;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool is_placeholder = pattern[i] == ':' && i > 0 && pattern[i - 1] == '/';
    wild += is_placeholder || pattern[i] == '?' ? '*' : pattern[i];
    while (is_placeholder && i + 1 < pattern.size() && pattern[i + 1] != '/') ++i;
  }
  return wild;
}

}  // namespace

Verdict FolderRules::judge(std::string_view path) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string address = fmt::format("/{}", path);
  // The address of an index file is that of its folder, and generators drop extensions.
  std::string shown = address;
  if (name.starts_with("index.")) shown.resize(shown.size() - name.size());
  const std::string bare = shown.substr(0, shown.rfind('.'));
  for (const Rule& rule : rules_) {
    bool matches = rule.pattern.empty();
    const bool is_address = rule.pattern.starts_with('/');
    if (!matches && rule.is_regex) {
      constexpr std::size_t kMaxPattern = 512;
      const std::string pattern = is_address ? rule.pattern.substr(1) : rule.pattern;
      try {
        const std::regex regex(pattern, std::regex::ECMAScript);
        const std::string relative(path);
        matches = pattern.size() > kMaxPattern ||
                  std::regex_search(is_address ? address : std::string(name), regex) ||
                  (is_address && (std::regex_search(relative, regex) || std::regex_search(shown, regex)));
      } catch (const std::regex_error&) {
        matches = true;
      }
    } else if (!matches && is_address) {
      for (const std::string& each : {address, shown, bare})
        matches = matches || base::matches_wildcard(as_wildcard(rule.pattern), each);
    } else if (!matches) {
      matches = base::matches_wildcard(as_wildcard(rule.pattern), name);
    }
    if (matches) return rule.verdict;
  }
  return {};
}

}  // namespace sheaf::visibility
