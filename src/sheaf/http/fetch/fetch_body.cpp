#include "sheaf/http/fetch/fetch_body.h"

#include "sheaf/http/message/conditional.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/message/message_body.h"

#include <fmt/format.h>

#include <sheaf/time.h>

#include <algorithm>
#include <limits>

namespace sheaf::http::fetch {
namespace {

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_usable_etag(std::string_view text) {
  return text.size() <= kEntityTagBytes && is_printable(text) && message::parse_entity_tag(text).has_value();
}

}  // namespace

Validators::Validators(std::string_view etag, std::string_view last_modified) {
  if (is_usable_etag(etag)) etag_ = etag;
  if (message::parse_http_date(last_modified, sheaf::now().seconds)) last_modified_ = last_modified;
}

Validators::Validators(const FetchHead& head)
    : Validators(head.header("etag"), head.header("last-modified")) {}

void Validators::add_conditions(std::vector<std::pair<std::string, std::string>>& headers) const {
  if (!etag_.empty()) headers.emplace_back("If-None-Match", etag_);
  if (!last_modified_.empty()) headers.emplace_back("If-Modified-Since", last_modified_);
}

namespace {

class PrefixSink final : public FetchSink {
 public:
  explicit PrefixSink(std::size_t bytes) : bytes_(bytes) {}

  base::Result<void> begin(const FetchHead& head) override {
    text.head = head;
    text.body.clear();
    return {};
  }
  base::Result<void> take(std::string_view piece) override {
    text.body += piece.substr(0, bytes_ - std::min(bytes_, text.body.size()));
    if (text.body.size() < bytes_) return {};
    full = true;
    return base::fail(base::Errc::refused, "enough");  // ends the transfer; never reported
  }

  Fetcher::Text text;
  bool full = false;

 private:
  std::size_t bytes_;
};

class SpoolSink final : public FetchSink {
 public:
  explicit SpoolSink(const std::filesystem::path& folder) : folder_(folder) {}

  base::Result<void> begin(const FetchHead& head) override {
    file.reset();
    if (head.status < 200 || head.status > 299) return {};
    SHEAF_TRY_ASSIGN(auto created, base::SpoolFile::create(folder_));
    file = std::make_shared<base::SpoolFile>(std::move(created));
    return {};
  }
  base::Result<void> take(std::string_view piece) override {
    return file ? file->append(piece) : base::Result<void>();
  }

  std::shared_ptr<base::SpoolFile> file;

 private:
  const std::filesystem::path& folder_;
};

}  // namespace

base::Result<Fetcher::Text> fetch_prefix(Fetcher& fetcher, FetchRequest request, std::size_t bytes) {
  request.limit = std::numeric_limits<std::uint64_t>::max();
  PrefixSink sink(bytes);
  auto head = fetcher.fetch(request, sink);
  if (!head && !sink.full) return std::unexpected(std::move(head.error()));
  if (head) sink.text.head = std::move(*head);  // a redirect that is not followed does not reach the sink
  const std::string_view coding = sink.text.head.header("content-encoding");
  auto body = message::decode_content_prefix(std::move(sink.text.body), coding, bytes, sink.full);
  if (!body)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{}: {}", sink.text.head.url, body.error().message));
  sink.text.body = std::move(*body);
  return std::move(sink.text);
}

base::Result<Fetcher::Text> fetch_robots_file(Fetcher& fetcher, std::string_view url, std::size_t bytes,
                                              const Validators& copy, unsigned most_tries) {
  FetchRequest request{.url = std::string(url)};
  request.headers.emplace_back("Accept-Encoding", "identity");
  copy.add_conditions(request.headers);
  request.most_tries = most_tries;
  request.may_follow = [](std::string_view) { return false; };
  return fetch_prefix(fetcher, std::move(request), bytes);
}

base::Result<SpooledBody> fetch_to_spool(Fetcher& fetcher, const FetchRequest& request,
                                         const std::filesystem::path& folder) {
  SpoolSink sink(folder);
  SHEAF_TRY_ASSIGN(FetchHead head, fetcher.fetch(request, sink));
  return SpooledBody{std::move(head), std::move(sink.file)};
}

}  // namespace sheaf::http::fetch
