#include "sheaf/grep/line_pattern.h"

#include "sheaf/grep/required_text.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <re2/stringpiece.h>

#include <utility>

namespace sheaf::grep {
namespace {

using base::Errc;
using base::fail;
using base::Result;

/// Memory for the automaton of one thread. If it is not enough, RE2 continues more slowly, still in linear
/// time.
constexpr std::int64_t kAutomatonBytes = std::int64_t{32} << 20;

RE2::Options engine_options(const PatternOptions& options) {
  RE2::Options engine;
  engine.set_literal(options.is_fixed);
  engine.set_case_sensitive(!options.ignores_case);
  engine.set_never_nl(true);
  engine.set_log_errors(false);
  engine.set_max_mem(kAutomatonBytes);
  return engine;
}

}  // namespace

struct LinePattern::Impl {
  /// RE2 reads (?m) only in a regular expression; a literal has no ^ and $.
  explicit Impl(PatternOptions given)
      : options(std::move(given)),
        expression(options.is_fixed ? options.text : "(?m)" + options.text, engine_options(options)) {}

  PatternOptions options;
  RE2 expression;
};

LinePattern::LinePattern(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LinePattern::~LinePattern() = default;
LinePattern::LinePattern(LinePattern&&) noexcept = default;
LinePattern& LinePattern::operator=(LinePattern&&) noexcept = default;

Result<LinePattern> LinePattern::compile(const PatternOptions& options) {
  if (options.text.find('\n') != std::string::npos)
    return fail(Errc::invalid_argument, "the pattern has a line feed, but lines are searched one by one");
  auto impl = std::make_unique<Impl>(options);
  if (!impl->expression.ok()) {
    const RE2 as_given(options.text, engine_options(options));  // its message does not mention (?m)
    const bool is_large = impl->expression.error_code() == RE2::ErrorPatternTooLarge;
    return fail(Errc::invalid_argument,
                fmt::format("the pattern is not a valid regular expression: {}{}",
                            as_given.ok() ? impl->expression.error() : as_given.error(),
                            is_large ? "" : "; -F searches for literal text"));
  }
  return LinePattern(std::move(impl));
}

std::optional<LinePattern::Found> LinePattern::find(std::string_view text, std::size_t from) const {
  re2::StringPiece match;
  const re2::StringPiece all(text.data(), text.size());
  if (!impl_->expression.Match(all, from, text.size(), RE2::UNANCHORED, &match, 1)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(match.data() - text.data());
  return Found{begin, begin + match.size()};
}

const PatternOptions& LinePattern::options() const { return impl_->options; }

text::LetterCase LinePattern::letters() const {
  return impl_->options.ignores_case ? text::LetterCase::ignore_ascii : text::LetterCase::exact;
}

std::vector<std::string> LinePattern::required() const {
  return impl_->options.is_fixed ? required_texts_of_literal(impl_->options.text, letters())
                                 : required_texts(impl_->options.text, letters());
}

}  // namespace sheaf::grep
