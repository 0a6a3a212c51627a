#include "sheaf/base/ascii.h"
#include "sheaf/base/byte_source.h"
#include "sheaf/publish/sources/given_fields.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace sheaf::publish {
namespace {

/// Splits bytes into lines, and passes on each line as an item.
class LineItems {
 public:
  LineItems(std::string name, std::uint64_t limit, const std::function<bool(SourceItem)>& sink)
      : name_(std::move(name)), limit_(limit), sink_(sink) {}

  base::Result<void> read(base::ByteSource& source) {
    std::string buffer(std::size_t{1} << 18U, '\0');
    while (wanted_) {
      SHEAF_TRY_ASSIGN(const std::size_t count, source.read(buffer));
      if (count == 0) break;
      std::string_view rest(buffer.data(), count);
      for (std::size_t end = rest.find('\n'); end != std::string_view::npos && wanted_;
           end = rest.find('\n')) {
        append(rest.substr(0, end));
        hand_over();
        rest.remove_prefix(end + 1);
      }
      append(rest);
    }
    if (wanted_ && (!line_.empty() || too_long_)) hand_over();
    return {};
  }

 private:
  void append(std::string_view piece) {
    if (too_long_ || line_.size() + piece.size() > limit_) {
      too_long_ = true;
      line_.clear();
    } else {
      line_ += piece;
    }
  }

  void hand_over() {
    ++number_;
    SourceItem item;
    item.name = fmt::format("{}:{}", name_, number_);
    item.kind = ItemKind::page;
    if (too_long_) item.trouble = fmt::format("the line is over the limit of {} bytes for a page", limit_);
    item.bytes = std::move(line_);
    const bool blank = !too_long_ && base::trim_xml_space(item.bytes).empty();
    line_.clear();
    too_long_ = false;
    // Nearly every page that was made with sheaf has `content`, so only the others are parsed here.
    if (!blank && item.bytes.find("\"content\"") == std::string::npos) take_body_line(item);
    if (!blank) wanted_ = sink_(std::move(item));
  }

  std::string name_;
  std::uint64_t limit_;
  const std::function<bool(SourceItem)>& sink_;
  std::string line_;
  std::uint64_t number_ = 0;
  bool too_long_ = false;
  bool wanted_ = true;
};

class JsonlSource final : public Source {
 public:
  JsonlSource(std::string path, std::uint64_t limit) : path_(std::move(path)), limit_(limit) {}

  [[nodiscard]] std::string name() const override { return path_ == "-" ? "standard input" : path_; }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    SHEAF_TRY_ASSIGN(const auto source, base::open_source(path_));
    return LineItems(name(), limit_, sink).read(*source);
  }

 private:
  std::string path_;
  std::uint64_t limit_;
};

class CommandSource final : public Source {
 public:
  CommandSource(std::string command, std::uint64_t limit) : command_(std::move(command)), limit_(limit) {}

  [[nodiscard]] std::string name() const override { return fmt::format("what `{}` prints", command_); }

  base::Result<void> read(const std::function<bool(SourceItem)>& sink) override {
    // The command comes from the user's own configuration, and is expected to run in a shell.
    FILE* pipe = popen(command_.c_str(), "re");  // NOLINT(cert-env33-c)
    if (pipe == nullptr)
      return std::unexpected(base::system_error(errno, fmt::format("cannot run `{}`", command_)));
    const auto source = base::descriptor_source(fileno(pipe), name());
    bool wanted = true;
    const auto done = LineItems("command", limit_, [&](SourceItem item) {
                        wanted = sink(std::move(item));
                        return wanted;
                      }).read(*source);
    const int status = pclose(pipe);
    SHEAF_TRY(done);
    // The status is ignored if we stopped the command early.
    if (wanted && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
      return base::fail(
          base::Errc::invalid_data,
          fmt::format("`{}` failed with status {}: nothing of what it printed is published", command_,
                      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)));
    return {};
  }

 private:
  std::string command_;
  std::uint64_t limit_;
};

}  // namespace

std::unique_ptr<Source> jsonl_source(std::string path, std::uint64_t line_limit) {
  return std::make_unique<JsonlSource>(std::move(path), line_limit);
}

std::unique_ptr<Source> command_source(std::string command, std::uint64_t line_limit) {
  return std::make_unique<CommandSource>(std::move(command), line_limit);
}

}  // namespace sheaf::publish
