#include "support/collection_text.h"

#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"
#include "sheaf/format/json/json_text.h"

#include <algorithm>
#include <filesystem>
#include <random>
#include <stdexcept>

namespace sheaf::test {
namespace {

std::string json_quote(std::string_view text) {
  std::string out;
  format::append_json_string(out, text);
  return out;
}

}  // namespace

std::string HeadText::str() const {
  std::string text = R"({"collection":{"id":)" + json_quote(id) + R"(,"section":)" + json_quote(section) +
                     R"(,"type":)" + json_quote(type) + R"(,"generated":)" + json_quote(generated);
  if (!since.empty()) text += R"(,"since":)" + json_quote(since);
  return text + R"(,"version":"0.1")" + more + "}}";
}

std::string PageText::str() const {
  return R"({"url":)" + json_quote(url) + R"(,"title":)" + json_quote(title) +
         R"(,"description":"About","modified":)" + json_quote(modified) + R"(,"language":)" +
         json_quote(language) + R"(,"content":)" + content + more + "}";
}

std::string page_with_block(std::string_view block) {
  PageText page;
  page.content = "[" + std::string(block) + "]";
  return page.str();
}

std::string page_with(std::string_view members) {
  PageText page;
  page.more = "," + std::string(members);
  return page.str();
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string collection_text(const std::vector<std::string>& pages) {
  return HeadText().str() + "\n" + join_lines(pages);
}

std::string with_checksum(std::string_view text) {
  constexpr std::string_view kOpening = R"({"collection":{)";
  if (!text.starts_with(kOpening))
    throw std::runtime_error("not a collection: " + std::string(text.substr(0, 40)));
  std::string result(text);
  result.insert(kOpening.size(), R"("checksum":"sha256:)" + sha256_hex(text) + R"(",)");
  return result;
}

std::string compress(format::Codec codec, std::string_view plain, int level) {
  std::string out;
  if (!format::make_encoder(codec, level)->encode(plain, format::Flush::end, out))
    throw std::runtime_error("cannot compress");
  return out;
}

std::string noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
  return bytes;
}

std::string sha256_hex(std::string_view bytes) { return base::to_hex(base::sha256(bytes)); }

std::vector<std::string> conformance_files() {
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(SHEAF_SOURCE_DIR) / "tests/data/conformance";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().string();
    if (format::codec_for_path(name)) files.push_back(name);
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace sheaf::test
