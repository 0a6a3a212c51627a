#include "sheaf/pull/control_message.h"

#include "sheaf/base/record.h"

#include <fmt/format.h>

namespace sheaf::pull {
namespace {

using base::Errc;
using base::RecordReader;
using base::RecordWriter;

constexpr std::uint64_t kVersion = 1;
enum class Kind : std::uint8_t { progress = 1, note, report, refusal };

void put_texts(RecordWriter& record, const std::vector<std::string>& texts) {
  record.number(texts.size());
  for (const std::string& text : texts) record.text(text);
}

/// Reads texts. If the count is wrong, reading ends at the first missing text.
std::vector<std::string> take_texts(RecordReader& record) {
  std::vector<std::string> texts;
  const std::uint64_t count = record.number();
  for (std::uint64_t i = 0; i < count && record.good_so_far(); ++i) texts.emplace_back(record.text());
  return texts;
}

base::Result<void> check_version(RecordReader& record) {
  const std::uint64_t version = record.number();
  if (version == kVersion) return {};
  return base::fail(Errc::invalid_data,
                    "the process that holds the store is another version of sheaf; restart it with this one");
}

}  // namespace

std::string encode(const ControlRequest& request) {
  RecordWriter record;
  record.number(kVersion).text(request.site).text(request.html);
  record.number(request.allow_shrink ? 1 : 0).number(request.json ? 1 : 0);
  put_texts(record, request.sections);
  record.number(request.same.size());
  for (const auto& [name, values] : request.same) {
    record.text(name);
    put_texts(record, values);
  }
  return record.bytes();
}

base::Result<ControlRequest> decode_control_request(std::string_view bytes) {
  RecordReader record(bytes);
  SHEAF_TRY(check_version(record));
  ControlRequest request;
  request.site = record.text();
  request.html = record.text();
  request.allow_shrink = record.number() != 0;
  request.json = record.number() != 0;
  request.sections = take_texts(record);
  const std::uint64_t count = record.number();
  for (std::uint64_t i = 0; i < count && record.good_so_far(); ++i) {
    std::string name(record.text());
    request.same.emplace_back(std::move(name), take_texts(record));
  }
  if (!record.good()) return base::fail(Errc::invalid_data, "the request cannot be read");
  return request;
}

std::string encode(const ControlResponse& answer) {
  RecordWriter record;
  record.number(kVersion);
  if (const auto* progress = std::get_if<ControlProgress>(&answer)) {
    record.number(static_cast<std::uint64_t>(Kind::progress)).text(progress->what).text(progress->name);
    record.number(progress->bytes).number(progress->pages).number(progress->total);
  } else if (const auto* note = std::get_if<ControlNote>(&answer)) {
    record.number(static_cast<std::uint64_t>(Kind::note)).text(note->text);
  } else if (const auto* report = std::get_if<ControlReport>(&answer)) {
    record.number(static_cast<std::uint64_t>(Kind::report)).number(report->ok ? 1 : 0).text(report->text);
  } else if (const auto* refusal = std::get_if<ControlRefusal>(&answer)) {
    record.number(static_cast<std::uint64_t>(Kind::refusal)).text(refusal->message);
  }
  return record.bytes();
}

base::Result<ControlResponse> decode_control_response(std::string_view bytes) {
  RecordReader record(bytes);
  SHEAF_TRY(check_version(record));
  ControlResponse answer;
  const std::uint64_t kind = record.number();
  if (kind == static_cast<std::uint64_t>(Kind::progress)) {
    ControlProgress progress;
    progress.what = record.text();
    progress.name = record.text();
    progress.bytes = record.number();
    progress.pages = record.number();
    progress.total = record.number();
    answer = std::move(progress);
  } else if (kind == static_cast<std::uint64_t>(Kind::note)) {
    answer = ControlNote{std::string(record.text())};
  } else if (kind == static_cast<std::uint64_t>(Kind::report)) {
    const bool ok = record.number() != 0;
    answer = ControlReport{ok, std::string(record.text())};
  } else if (kind == static_cast<std::uint64_t>(Kind::refusal)) {
    answer = ControlRefusal{std::string(record.text())};
  } else {
    return base::fail(Errc::invalid_data, fmt::format("an answer of unknown kind {}", kind));
  }
  if (!record.good()) return base::fail(Errc::invalid_data, "the answer cannot be read");
  return answer;
}

}  // namespace sheaf::pull
