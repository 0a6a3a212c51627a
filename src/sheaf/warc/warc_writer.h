#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/warc/warc_record.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::warc {

enum class RecordCoding : std::uint8_t { plain, gzip };

/// Appends a record: its head, its block, and the two line ends after it. With gzip each record is a separate
/// member, so that tools can seek to it.
base::Result<void> append_record(std::string& out, const RecordFields& fields, std::string_view block,
                                 RecordCoding coding);

/// Appends the warcinfo record, which comes first in a file. `software` is the name and version of the
/// program.
base::Result<void> append_warcinfo(std::string& out, std::string_view software, Instant now,
                                   RecordCoding coding);

/// Writes HTTP exchanges to WARC files in a folder. A file is complete when it has `file_bytes` or more; the
/// next record goes to a new file. The name of an incomplete file ends in ".open", so that nothing mistakes
/// it for a complete one.
class WarcFolder final : public http::fetch::ExchangeRecorder {
 public:
  /// A size that tools and file systems handle well, and that most archives use.
  static constexpr std::uint64_t kFileBytes = 1'000'000'000;

  /// Creates the folder if it does not exist. A file is created when its first record is written.
  static base::Result<std::unique_ptr<WarcFolder>> open(std::filesystem::path folder, std::string software,
                                                        std::uint64_t file_bytes = kFileBytes);
  ~WarcFolder() override;

  /// Writes a response record and a request record. Thread-safe.
  base::Result<void> record(const http::fetch::Exchange& exchange) override;
  /// Completes the current file. The destructor does the same, but cannot report errors.
  base::Result<void> finish();

 private:
  WarcFolder(std::filesystem::path folder, std::string software, std::uint64_t file_bytes)
      : folder_(std::move(folder)), software_(std::move(software)), file_bytes_(file_bytes) {}
  base::Result<void> begin_file();
  base::Result<void> end_file();

  std::filesystem::path folder_;
  std::string software_;
  std::uint64_t file_bytes_;
  std::mutex mutex_;
  base::FileDescriptor file_;
  std::filesystem::path path_;  ///< final path of the current file
  std::uint64_t written_ = 0;
  unsigned number_ = 0;
};

}  // namespace sheaf::warc
