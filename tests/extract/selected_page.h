#pragma once

#include "sheaf/extract/content/content_select.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::test {

/// A page with its selected content.
class Selected {
 public:
  explicit Selected(std::string html, const extract::SelectOptions& options = {}) : html_(std::move(html)) {
    html::parse(html_, {}, document_);
    outline_.build(document_);
    const extract::ContentMap& content = selector_.select(document_, outline_, options);
    for (const html::NodeId node : html::Descendants(document_, document_.root()))
      if (document_.kind(node) == html::NodeKind::text)
        (content.kept(node) ? kept_ : dropped_) += document_.text(node);
  }

  /// Whether every text is on the page and is content.
  void expect_kept(std::initializer_list<std::string_view> texts) const { expect(texts, kept_, dropped_); }
  void expect_dropped(std::initializer_list<std::string_view> texts) const { expect(texts, dropped_, kept_); }
  [[nodiscard]] const std::string& kept() const { return kept_; }
  [[nodiscard]] const extract::ContentSelector& selector() const { return selector_; }

 private:
  static void expect(std::initializer_list<std::string_view> texts, const std::string& in,
                     const std::string& not_in) {
    for (const std::string_view text : texts) {
      EXPECT_NE(in.find(text), std::string::npos) << text;
      EXPECT_EQ(not_in.find(text), std::string::npos) << text;
    }
  }

  std::string html_;
  html::Document document_;
  extract::PageOutline outline_;
  extract::ContentSelector selector_;
  std::string kept_;
  std::string dropped_;
};

}  // namespace sheaf::test
