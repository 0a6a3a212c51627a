#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sheaf::html {

enum class TokenKind : std::uint8_t { text, null, start_tag, end_tag, comment, doctype, end_of_file };

/// Views are valid until the next token. A text may be split into several consecutive `text` tokens. `null`
/// is a U+0000 in data, which tree construction drops or replaces depending on the insertion mode.
struct Token {
  TokenKind kind = TokenKind::end_of_file;
  bool self_closing = false;
  bool force_quirks = false;
  Name name = Name::none;             // tags
  std::uint32_t offset = 0;           // offset in the input
  std::uint32_t attribute_begin = 0;  // tags: index in the document's attributes
  std::uint32_t attribute_count = 0;
  std::string_view text;  // text, comment; doctype: its name
  std::optional<std::string_view> public_id;
  std::optional<std::string_view> system_id;
};

/// How text is tokenized: the standard's content states, which tree construction selects.
enum class TextMode : std::uint8_t { data, rcdata, rawtext, script_data, plaintext, cdata };

/// The tokenization stage of the standard as a pull parser: tree construction requests a token, processes it
/// and may change the mode before the next request. Attributes are written directly into the document.
///
/// States of the standard are merged if only the input determines the transition between them. The end of raw
/// text or of a script is searched once, when the text begins. CR, NUL and references are handled when a scan
/// finds them.
class Tokenizer {
 public:
  /// Empties the document and makes `input` its input.
  Tokenizer(std::string_view input, Document& document, const ParseLimits& limits, LimitsHit& hit);

  void next(Token& token) {
    // Markup that gives no token, such as an empty CDATA section, is skipped in a loop, not by recursion.
    while (!(mode_ == TextMode::data ? next_in_data(token) : next_in_raw(token))) {
    }
  }

  /// Sets the mode for the following input. A matching end tag resets it to `data`.
  void set_mode(TextMode mode);
  /// Sets the name of the end tag that ends raw text. Every start tag sets it too.
  void set_last_start_tag(std::string_view name) { last_start_tag_ = document_.names_.intern(name); }
  /// Sets whether `<![CDATA[` opens a section: it does if the adjusted current node is not an HTML element.
  void set_cdata_allowed(bool allowed) { cdata_allowed_ = allowed; }
  /// The attributes of the current tag.
  [[nodiscard]] std::span<const Attribute> attributes(const Token& token) const {
    return {document_.attributes_.data() + token.attribute_begin, token.attribute_count};
  }
  /// Keeps the attributes of the current token, because they now belong to an element. Otherwise the next tag
  /// overwrites them.
  void keep_attributes() { kept_attributes_ = document_.attributes_.size(); }

 private:
  bool next_in_data(Token& token);
  bool next_in_raw(Token& token);

  // The result of reading from a `<`: a token, plain text, or nothing (consumed without a token, such as
  // `</>`).
  enum class Markup : std::uint8_t { token, text, nothing };
  Markup read_markup(Token& token, const char* open);
  Markup read_end_markup(Token& token, const char* open);
  Markup read_declaration(Token& token, const char* open);
  bool emit_text(Token& token, const char* from, std::string_view text, const char* to);
  bool emit_end(Token& token);

  // Tags. These functions return the position after the parsed part, or nullptr if the input ends inside it.
  Markup read_tag(Token& token, const char* open, const char* name, TokenKind kind);
  const char* read_attributes(Token& token, const char* p);
  const char* read_attribute(Token& token, const char* p, std::uint32_t serial);
  const char* read_value(const char* p, TextRef& value);
  TextRef keep_changed(const char* begin, const char* end);
  Name lower_name(const char* begin, const char* end);

  void read_comment(Token& token, const char* open, const char* data);
  void read_bogus_comment(Token& token, const char* open, const char* data);
  void emit_comment(Token& token, const char* open, const char* begin, const char* end, const char* after);
  void read_doctype(Token& token, const char* open, const char* p);
  const char* read_doctype_ids(Token& token, const char* p);
  const char* read_doctype_id(Token& token, const char* p, std::optional<std::string_view>& id,
                              std::string& buffer);
  const char* skip_bogus_doctype(const char* p) const;

  [[nodiscard]] const char* find_raw_end(const char* p) const;
  [[nodiscard]] const char* find_script_end(const char* p) const;
  [[nodiscard]] bool is_end_tag(const char* open, std::string_view name) const;
  [[nodiscard]] std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - begin_); }

  Document& document_;
  const ParseLimits& limits_;
  LimitsHit& hit_;
  const char* begin_;
  const char* end_;
  const char* p_;                  // the next byte to read
  const char* raw_end_ = nullptr;  // where the current raw text ends
  TextMode mode_ = TextMode::data;
  bool cdata_allowed_ = false;
  std::size_t kept_attributes_ = 0;
  Name last_start_tag_ = Name::none;
  std::array<char, 4> reference_{};
  std::string buffer_;
  std::string public_buffer_;
  std::string system_buffer_;
};

}  // namespace sheaf::html
