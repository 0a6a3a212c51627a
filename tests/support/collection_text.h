#pragma once

#include "sheaf/format/codecs/codec.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::test {

/// A metadata line without its line feed: {"collection":{...}}.
struct HeadText {
  std::string id = "c1";
  std::string section = "blog";
  std::string type = "snapshot";
  std::string generated = "2026-01-15T00:00:00Z";
  std::string since = {};  ///< left out when empty
  std::string more = {};   ///< further members as JSON text, with a leading comma

  [[nodiscard]] std::string str() const;
};

/// A page line without its line feed. Every member is JSON text except the plain strings.
struct PageText {
  std::string url = "https://example.com/a";
  std::string title = "A page";
  std::string modified = "2026-01-10T12:00:00Z";
  std::string language = "en";
  std::string content = R"([{"type":"text","text":"ok"}])";
  std::string more;  ///< further members as JSON text, with a leading comma

  [[nodiscard]] std::string str() const;
};

std::string page_with_block(std::string_view block);
std::string page_with(std::string_view members);

/// Lines with a line feed after each.
std::string join_lines(const std::vector<std::string>& lines);
/// A whole plain file: a plain head, then these pages.
std::string collection_text(const std::vector<std::string>& pages);
/// `text` with the right checksum put into its first line, as the first member.
std::string with_checksum(std::string_view text);

std::string compress(format::Codec codec, std::string_view plain, int level = 3);
/// Bytes that compress badly, the same for the same seed.
std::string noise(std::size_t size, unsigned seed = 1);

std::string sha256_hex(std::string_view bytes);

/// Every conformance vector: path and name.
std::vector<std::string> conformance_files();

}  // namespace sheaf::test
