// Whatever the inputs have that readers accept but `validate --strict` rejects: what convert, merge and diff
// write passes it.
#include "sheaf/format/collections/validator.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "support/collection_text.h"
#include "support/page_generator.h"
#include "support/reading.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

namespace sheaf::format {
namespace {

using test::HeadText;
using test::PageText;
using test::read_text;
using test::TempDir;

SourceOpener open_text(std::string text) {
  auto shared = std::make_shared<std::string>(std::move(text));
  return [shared] {
    return base::Result<std::unique_ptr<base::ByteSource>>(base::buffer_source(*shared, "input"));
  };
}

ValidationReport strict_report(std::string_view bytes) {
  return validate(base::buffer_source(std::string(bytes), "written"), {});
}

/// Why `validate --strict` rejects these bytes; empty if it does not.
std::string strict_faults(std::string_view bytes) {
  const ValidationReport report = strict_report(bytes);
  std::string faults = report.fatal ? test::describe(*report.fatal) + "\n" : "";
  for (const Finding& finding : report.findings) faults += test::describe(finding) + "\n";
  return faults;
}

struct Written {
  base::Error error{};
  std::string bytes;
  std::vector<std::string> repairs;
  std::uint64_t without_content = 0;
};

/// Runs `write` with targets and options.
template <class Write>
Written write_with(Write write) {
  const TempDir folder;
  Written written;
  DeltaOptions options;
  options.shrink = Shrink::allow;
  options.stale = Stale::leave_out;
  options.temporary_folder = folder.path();
  options.repaired = [&](std::string_view url, std::string_view repair) {
    written.repairs.push_back(std::string(url) + ": " + std::string(repair));
  };
  const auto summary = write(std::vector<WriterTarget>{{folder / "out.scp", Codec::plain, {}}}, options);
  if (!summary) {
    written.error = summary.error();
    return written;
  }
  written.bytes = test::read_file(folder / "out.scp");
  written.without_content = summary->without_content;
  return written;
}

Written convert_text(const std::string& text) {
  return write_with([&](auto targets, const DeltaOptions& options) {
    return convert_collection(open_text(text), targets, options);
  });
}

Written merge_texts(const std::string& first, const std::vector<std::string>& deltas) {
  return write_with([&](auto targets, const DeltaOptions& options) {
    std::vector<SourceOpener> openers;
    for (const std::string& delta : deltas) openers.push_back(open_text(delta));
    return merge_collections(open_text(first), openers, targets, options);
  });
}

Written diff_texts(const std::string& older, const std::string& newer) {
  return write_with([&](auto targets, const DeltaOptions& options) {
    return diff_collections(open_text(older), open_text(newer), targets, options);
  });
}

/// Random pages with flaws that readers accept or skip.
class FlawedPages {
 public:
  explicit FlawedPages(std::uint64_t seed) : random_(seed), generator_(seed) {}

  std::string snapshot(std::int64_t generated) { return head("snapshot", 0, generated) + pages(generated); }
  std::string delta(std::int64_t since, std::int64_t generated) {
    return head("delta", since, generated) + pages(generated);
  }

 private:
  template <std::size_t N>
  std::string any(const std::array<std::string_view, N>& choices) {
    return std::string(choices[random_() % N]);
  }

  /// A time in one of the forms that are read.
  std::string time(std::int64_t seconds) {
    std::string text = test::time_text(seconds);
    text.pop_back();
    return text + any(std::array<std::string_view, 6>{"Z", "", "", "z", "+02:00", ".5"});
  }

  std::string head(const std::string& type, std::int64_t since, std::int64_t generated) {
    HeadText head;
    head.type = type;
    head.generated = naive(generated);
    if (type == "delta") head.since = naive(since);
    head.more = any(std::array<std::string_view, 4>{"", R"(,"note":"x")",
                                                    R"(,"home":{"url":"javascript:alert","n":1.50})",
                                                    R"(,"see":"data:text/html,x")"});
    if (type == "snapshot" && random_() % 4 == 0)
      head.more += R"(,"state":"sum256:)" + std::string(64, '1') + '"';
    return head.str() + "\n";
  }

  std::string naive(std::int64_t seconds) {
    std::string text = test::time_text(seconds);
    if (random_() % 2 == 0) text.pop_back();
    return text;
  }

  std::string pages(std::int64_t generated) {
    std::string text;
    for (std::uint64_t i = random_() % 12; i > 0; --i) {
      const std::string url = "https://example.com/" + std::to_string(random_() % 20);
      text += (random_() % 3 == 0 ? generator_.page(url, naive(generated - 1)) : page(url, generated)) + "\n";
      if (random_() % 10 == 0) text += " \n";
    }
    return text;
  }

  std::string page(const std::string& url, std::int64_t generated) {
    PageText text;
    text.url = random_() % 12 == 0 ? "ftp://example.com/" : url;
    text.modified =
        random_() % 12 == 0 ? "yesterday" : time(generated - static_cast<std::int64_t>(random_() % 99));
    text.language = any(std::array<std::string_view, 9>{"en", "en_US", "EN-us", "de_DE.UTF-8", "",
                                                        "nonsense text", "x", "zh_hans_cn", "pt-BR"});
    text.content = content();
    text.more = members(generated);
    return text.str();
  }

  std::string content() {
    constexpr std::array<std::string_view, 17> kBlocks = {
        R"({"type":"text","text":"Hello"})",
        R"({"type":"text","text":"Hello","x":["javascript:a","https://example.com/"]})",
        R"({"type":"heading","level":9,"text":"Deep"})",
        R"({"type":"heading","text":"No level"})",
        R"({"type":"poll","question":"Unknown?"})",
        R"({"type":"poll","url":" JavaScript:a"})",
        R"({"type":"link","url":"javascript:alert","text":"x"})",
        R"({"type":"image","url":"data:image/png;base64,AA","alt":"x"})",
        R"({"type":"structured","format":"json-ld","data":{"url":"vbscript:x"}})",
        R"({"type":"video","title":"V","sources":[{"url":"https://e.com/v.mp4","format":"mp4"}]})",
        R"({"type":"audio","name":"A","url":"https://e.com/a.mp3","attributedTo":{"name":"P","url":"javascript:x"}})",
        R"({"type":"audio","name":"A","url":"https://e.com/a.mp3","attributedTo":"data:text/html,x","partOf":7})",
        R"({"type":"audio","title":"A","sources":[{"url":"https://e.com/a.mp3","x":"blob:x"}],"artist":"javascript:a"})",
        R"({"type":"audio","name":"A","url":"https://e.com/a","chapters":[{"time":1,"title":"c","href":"data:,"}],"icon":{"type":"Image","url":"https://e.com/i","x":"blob:x"}})",
        R"({"type":"video","name":"V","url":[{"href":"https://e.com/v","mediaType":"video/mp4","x":{"src":"data:"}}],"captions":[{"language":"en","url":"https://e.com/c","label":"l","y":["file:///x"]}]})",
        R"({"type":"list","ordered":false,"items":["a"],"inline":7})",
        R"(17)"};
    std::string blocks;
    for (std::uint64_t i = random_() % 4; i > 0; --i) blocks += (blocks.empty() ? "" : ",") + any(kBlocks);
    return "[" + blocks + "]";
  }

  std::string members(std::int64_t generated) {
    constexpr std::array<std::string_view, 14> kMembers = {
        R"("robots":["noarchive","max-image-preview:large"])",
        R"("robots":["NoSnippet","nosnippet"])",
        R"("robots":["noindex"])",
        R"("robots":"nofollow")",
        R"("schema":{"@type":"Article","url":"javascript:x","image":["data:image/gif,x","https://e.com/i"]})",
        R"("schema":[1])",
        R"("author":7)",
        R"("canonical":"/relative")",
        R"("more":{"deep":[[{"href":"\u006aavascript:x"}]],"n":12345678901234567890123})",
        R"("link":"file:///etc/passwd")",
        R"("\u0075rl-\u00e9-\u0075rl":[ "data:x",{"a" : "blob:x"} ])",
        R"("headline":"JavaScript: The Good Parts")",
        R"("description":"twice")",
        R"("x":"\ud83d")"};
    std::string text;
    for (std::uint64_t i = random_() % 3; i > 0; --i) text += "," + any(kMembers);
    if (random_() % 3 == 0) text += R"(,"published":")" + time(generated - 200) + '"';
    return text;
  }

  std::mt19937_64 random_;
  test::PageGenerator generator_;
};

TEST(SheafOnlyStrictOutput, WhateverTheInputsHave) {
  std::set<std::string> flaws;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    FlawedPages pages(seed);
    const std::string older = pages.snapshot(1'000);
    const std::string newer = pages.snapshot(2'000);
    const std::string first = pages.delta(1'000, 1'500);
    const std::string second = pages.delta(1'500, 2'000);
    for (const std::string* text : {&older, &first}) {
      const ValidationReport report = strict_report(*text);
      ASSERT_FALSE(report.fatal) << *text;
      for (const Finding& finding : report.findings) flaws.insert(std::string(to_string(finding.code)));
    }
    for (const Written& written :
         {convert_text(older), convert_text(first), merge_texts(older, {}),
          merge_texts(older, {first, second}), merge_texts(first, {second}), diff_texts(older, newer)}) {
      ASSERT_EQ(written.error.message, "") << "seed " << seed;
      ASSERT_EQ(strict_faults(written.bytes), "") << "seed " << seed << "\n" << written.bytes;
      // Writing it again changes nothing.
      ASSERT_EQ(convert_text(written.bytes).bytes, written.bytes) << "seed " << seed;
    }
  }
  // The inputs had everything that a strict reader may find on a page, and in a metadata line that is valid.
  for (const char* code :
       {"naive-time", "invalid-language", "empty-content", "unknown-block", "unsafe-url", "unsafe-url-kept",
        "invalid-field", "legacy-block", "heading-clamped", "malformed-block", "blank-line", "duplicate-url",
        "state-mismatch", "invalid-url", "invalid-modified", "noindex"})
    EXPECT_TRUE(flaws.contains(code)) << code;
}

std::string first_page(const std::string& bytes) {
  const auto reading = read_text(bytes);
  return reading.raw.empty() ? std::string() : reading.raw.front();
}

TEST(SheafOnlyStrictOutput, RepairsKeepTheMeaning) {
  PageText page;
  page.modified = "2026-01-10T12:00:00";
  page.language = "en_US";
  page.more = R"(,"published":"2026-01-09T01:02:03.5")";
  const Written written = convert_text(test::collection_text({page.str()}));
  const std::string line = first_page(written.bytes);
  EXPECT_TRUE(line.contains(R"("modified":"2026-01-10T12:00:00Z","language":"en-US")")) << line;
  EXPECT_TRUE(line.contains(R"("published":"2026-01-09T01:02:03.5Z")")) << line;
  EXPECT_EQ(written.repairs.size(), 2U);
}

TEST(SheafOnlyStrictOutput, PagesWithoutContentAreLeftOutAndNamed) {
  PageText empty;
  empty.url = "https://example.com/empty";
  empty.content = "[]";
  const Written written = convert_text(test::collection_text({empty.str(), PageText().str()}));
  EXPECT_EQ(read_text(written.bytes).urls, std::vector<std::string>{"https://example.com/a"});
  EXPECT_EQ(written.without_content, 1U);
  EXPECT_EQ(written.repairs,
            std::vector<std::string>{"https://example.com/empty: the page has no content; it was left out"});
}

// The digest of a section covers the text of `modified`, and only a part of the section is in a delta.
TEST(SheafOnlyStrictOutput, ADeltaWhoseTimesWereRepairedStatesNoDigest) {
  HeadText head;
  head.type = "delta";
  head.since = "2026-01-14T00:00:00Z";
  head.more = R"(,"state":"sum256:)" + std::string(64, '1') + '"';
  PageText page;
  EXPECT_TRUE(read_text(convert_text(head.str() + "\n" + page.str() + "\n").bytes).head->state);
  page.modified.pop_back();
  EXPECT_FALSE(read_text(convert_text(head.str() + "\n" + page.str() + "\n").bytes).head->state);
}

// The pages are compared with the delta's digest as they came.
TEST(SheafOnlyStrictOutput, MergeComparesTheDigestBeforeRepairs) {
  PageText page;
  page.modified.pop_back();
  StateDigest state;
  state.add(page.url, page.modified);
  HeadText head;
  head.type = "delta";
  head.since = "2026-01-15T00:00:00Z";
  head.generated = "2026-01-16T00:00:00Z";
  head.more = R"(,"state":")" + state.to_string() + '"';
  const Written merged = merge_texts(test::collection_text({page.str()}), {head.str() + "\n"});
  EXPECT_EQ(merged.error.message, "");
  EXPECT_EQ(strict_faults(merged.bytes), "");
}

// A repair is not a change: else a page would be stale, because its `modified` is the same.
TEST(SheafOnlyStrictOutput, DiffIgnoresRepairs) {
  PageText naive;
  naive.modified.pop_back();
  naive.language = "en_US";
  PageText repaired;
  repaired.language = "en-US";
  HeadText newer;
  newer.generated = "2026-01-16T00:00:00Z";
  const Written delta =
      diff_texts(test::collection_text({naive.str()}), newer.str() + "\n" + repaired.str() + "\n");
  EXPECT_EQ(delta.error.message, "");
  EXPECT_TRUE(read_text(delta.bytes).urls.empty());
}

// Since which state such a delta continues is unknown, and must not be invented.
TEST(SheafOnlyStrictOutput, ADeltaThatBeginsAfterItsEndIsRefused) {
  HeadText head;
  head.type = "delta";
  head.since = "2026-01-16T00:00:00Z";
  const std::string text = head.str() + "\n" + PageText().str() + "\n";
  EXPECT_TRUE(strict_faults(text).contains("invalid-field"));
  EXPECT_EQ(convert_text(text).error.code, base::Errc::refused);
  head.since = head.generated;
  EXPECT_EQ(strict_faults(head.str() + "\n" + PageText().str() + "\n"), "");
}

}  // namespace
}  // namespace sheaf::format
