#include "sheaf/objects/s3_protocol.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/url.h"

#include <fmt/format.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace sheaf::objects {
namespace {

// Responses nest four levels deep and use about twenty names. libxml2 compares each attribute of a tag with
// every other, and each new name with all others, so these limits also bound its time.
constexpr std::size_t kDepthMax = 16;
constexpr std::size_t kTagBytesMax = 1024;
constexpr int kNamesMax = 256;

using Path = std::span<const std::string>;

bool is(Path path, std::initializer_list<std::string_view> names) {
  return std::equal(path.begin(), path.end(), names.begin(), names.end());
}

/// Whether the path equals `names` or ends with them: some stores wrap errors in another element.
bool ends_with(Path path, std::initializer_list<std::string_view> names) {
  return path.size() >= names.size() && is(path.last(names.size()), names);
}

/// Whether a tag is longer than kTagBytesMax, or does not end.
bool has_long_tag(std::string_view xml) {
  for (std::size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at)) {
    const std::size_t end = xml.substr(at, kTagBytesMax).find('>');
    if (end == std::string_view::npos) return true;
    at += end;
  }
  return false;
}

/// Calls `on_end` at the end of each element, with its path of local names and its own text.
class ElementReader {
 public:
  using OnEnd = std::function<void(Path path, const std::string& text)>;

  explicit ElementReader(OnEnd on_end) : on_end_(std::move(on_end)) {}

  /// Returns false if the response is too large or not well-formed. Elements before the fault are reported.
  bool read(std::string_view xml) {
    if (xml.empty() || xml.size() > kResponseBytes || has_long_tag(xml)) return false;
    static const bool initialized = (xmlInitParser(), true);
    static_cast<void>(initialized);
    const std::unique_ptr<xmlParserCtxt, FreeContext> context(
        xmlCreateMemoryParserCtxt(xml.data(), static_cast<int>(xml.size())));
    if (!context) throw std::bad_alloc();
    context_ = context.get();
    *context_->sax = callbacks();
    context_->userData = this;
    // Without XML_PARSE_NOENT and with no_entity, only the five predefined entities are expanded. Without
    // XML_PARSE_HUGE, the library's own limits apply.
    xmlCtxtUseOptions(context_, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    // Responses are UTF-8. The XML declaration cannot select another encoding.
    xmlSwitchEncoding(context_, XML_CHAR_ENCODING_UTF8);
    xmlParseDocument(context_);
    return context_->wellFormed == 1 && !stopped_;
  }

 private:
  struct FreeContext {
    void operator()(xmlParserCtxtPtr context) const {
      xmlFreeDoc(context->myDoc);  // libxml2 builds one to hold a declaration
      xmlFreeParserCtxt(context);
    }
  };

  static ElementReader& self(void* user) { return *static_cast<ElementReader*>(user); }

  static xmlSAXHandler callbacks() {
    xmlSAXHandler sax{};
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = on_start;
    sax.endElementNs = on_end;
    sax.characters = on_text;
    sax.cdataBlock = on_text;
    sax.internalSubset = on_document_type;
    sax.getEntity = no_entity;
    sax.processingInstruction = on_instruction;
    // Stop at a fault, or the parser would continue without events. `auto` because it depends on the version
    // of libxml2 whether the parameter is const.
    sax.serror = [](void* user, auto* error) {
      if (error->level == XML_ERR_FATAL) self(user).stop();
    };
    return sax;
  }

  static void on_start(void* user, const xmlChar* local, const xmlChar* /*prefix*/, const xmlChar* /*uri*/,
                       int /*namespaces*/, const xmlChar** /*namespace_list*/, int /*attributes*/,
                       int /*defaulted*/, const xmlChar** /*attribute_list*/) {
    ElementReader& reader = self(user);
    if (reader.stopped_) return;
    if (reader.path_.size() == kDepthMax || xmlDictSize(reader.context_->dict) > kNamesMax)
      return reader.stop();
    reader.path_.emplace_back(reinterpret_cast<const char*>(local));
    reader.texts_.emplace_back();
  }

  static void on_end(void* user, const xmlChar* /*local*/, const xmlChar* /*prefix*/,
                     const xmlChar* /*uri*/) {
    ElementReader& reader = self(user);
    if (reader.stopped_ || reader.path_.empty()) return;
    reader.on_end_(reader.path_, reader.texts_.back());
    reader.path_.pop_back();
    reader.texts_.pop_back();
  }

  static void on_text(void* user, const xmlChar* text, int size) {
    ElementReader& reader = self(user);
    if (reader.stopped_ || reader.texts_.empty()) return;
    reader.texts_.back().append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  }

  static void on_document_type(void* user, const xmlChar* /*name*/, const xmlChar* /*external*/,
                               const xmlChar* /*system*/) {
    self(user).stop();
  }

  static void on_instruction(void* user, const xmlChar* /*target*/, const xmlChar* /*data*/) {
    self(user).stop();
  }

  static xmlEntityPtr no_entity(void* /*user*/, const xmlChar* /*name*/) { return nullptr; }

  void stop() {
    stopped_ = true;
    xmlStopParser(context_);
  }

  OnEnd on_end_;
  xmlParserCtxtPtr context_ = nullptr;
  std::vector<std::string> path_;
  std::vector<std::string> texts_;
  bool stopped_ = false;
};

}  // namespace

std::optional<S3Error> parse_s3_error(std::string_view body) {
  std::optional<S3Error> error;
  const auto field = [&error]() -> S3Error& { return error ? *error : error.emplace(); };
  ElementReader reader([&](Path path, const std::string& text) {
    if (ends_with(path, {"Error", "Code"})) field().code = text;
    if (ends_with(path, {"Error", "Message"})) field().message = text;
    if (ends_with(path, {"Error"})) field();
  });
  reader.read(body);
  return error;
}

std::optional<std::string> parse_upload_id(std::string_view body) {
  std::optional<std::string> id;
  ElementReader reader([&](Path path, const std::string& text) {
    if (is(path, {"InitiateMultipartUploadResult", "UploadId"})) id = text;
  });
  return reader.read(body) && id && !id->empty() ? id : std::nullopt;
}

base::Result<S3Listing> parse_listing(std::string_view body) {
  constexpr std::string_view kRoot = "ListBucketResult";
  S3Listing listing;
  ObjectInfo object;
  bool is_listing = false;
  bool is_truncated = false;
  bool is_valid = true;
  ElementReader reader([&](Path path, const std::string& text) {
    if (is(path, {kRoot})) is_listing = true;
    if (is(path, {kRoot, "IsTruncated"})) is_truncated = text == "true";
    if (is(path, {kRoot, "NextContinuationToken"})) listing.next = text;
    if (is(path, {kRoot, "Contents", "Key"})) object.name = text;
    if (is(path, {kRoot, "Contents", "ETag"})) object.etag = text;
    if (is(path, {kRoot, "Contents", "Size"})) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), object.size);
      is_valid = is_valid && error == std::errc() && end == text.data() + text.size();
    }
    if (is(path, {kRoot, "Contents"})) {
      is_valid = is_valid && !object.name.empty();
      listing.objects.push_back(std::exchange(object, {}));
    }
  });
  if (!reader.read(body) || !is_listing || !is_valid)
    return base::fail(base::Errc::invalid_data, "the answer is not a list of objects");
  if (is_truncated && listing.next.empty())
    return base::fail(base::Errc::invalid_data, "the list of objects is truncated");
  if (!is_truncated) listing.next.clear();
  return listing;
}

namespace {

constexpr std::uint64_t kMaxParts = 10'000;
constexpr std::size_t kRefusalBytes = 500;

std::string encode(std::string_view text, bool keep_slashes) {
  std::string result;
  for (const char c : text) {
    const bool plain = base::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~' ||
                       (c == '/' && keep_slashes);
    if (plain) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

void redact(std::string& text, const std::string& secret) {
  if (secret.empty()) return;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
    text.replace(at, secret.size(), "***");
}

}  // namespace

std::optional<std::string> bucket_url(const S3Settings& settings, const S3Account& account) {
  const bool aws = account.endpoint.empty();
  // A bucket name with a dot does not match the certificate's *.s3.amazonaws.com.
  const bool in_path = settings.path_style.value_or(!aws || settings.bucket.find('.') != std::string::npos);
  const auto endpoint =
      base::Url::parse(aws ? fmt::format("https://s3.{}.amazonaws.com", account.region) : account.endpoint);
  if (!endpoint || endpoint->has_query() || endpoint->has_fragment() || !endpoint->username().empty())
    return std::nullopt;
  std::string path(endpoint->path());
  if (!path.ends_with('/')) path += '/';
  if (in_path) return endpoint->origin() + path + encode_key(settings.bucket) + "/";
  const auto port = endpoint->port();
  return fmt::format("{}://{}.{}{}{}", endpoint->scheme(), settings.bucket, endpoint->host(),
                     port ? fmt::format(":{}", *port) : "", path);
}

std::string encode_key(std::string_view key) { return encode(key, true); }
std::string encode_query_value(std::string_view value) { return encode(value, false); }

bool is_object_name(std::string_view name) {
  if (name.empty()) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view segment = name.substr(begin, end - begin);
    if (segment == "." || segment == "..") return false;
    begin = end + 1;
  }
  return true;
}

std::string describe_refusal(int status, std::string_view body, const S3Account& account) {
  std::string text = std::to_string(status);
  if (const auto error = parse_s3_error(body)) {
    if (!error->code.empty()) text += " " + error->code;
    if (!error->message.empty()) text += ": " + error->message;
  }
  // A server may echo the keys, so remove them. This comes before shortening, or half a key could remain.
  for (const std::string* secret : {&account.secret_key, &account.session_token, &account.access_key})
    redact(text, *secret);
  if (text.size() > kRefusalBytes) text.resize(kRefusalBytes);
  return text;
}

std::string complete_upload_body(const std::vector<std::string>& etags) {
  std::string body = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (std::size_t i = 0; i < etags.size(); ++i) {
    std::string etag;
    for (const char c : etags[i]) etag += c == '<' || c == '&' ? '_' : c;
    body += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", i + 1, etag);
  }
  return body + "</CompleteMultipartUpload>";
}

std::uint64_t part_size_for(std::uint64_t file_size, std::uint64_t wished) {
  return std::max(wished, (file_size + kMaxParts - 1) / kMaxParts);
}

}  // namespace sheaf::objects
