#include <sheaf/page.h>

#include <array>

namespace sheaf {
namespace {

/// Copies views to an arena, with one overload per type. Lists are copied element by element.
class Copier {
 public:
  explicit Copier(Arena& arena) : arena_(arena) {}

  Text operator()(Text text) { return arena_.copy(text); }
  Member operator()(const Member& member) { return {(*this)(member.key), (*this)(member.value)}; }
  std::uint64_t operator()(std::uint64_t value) { return value; }

  template <class T>
  std::optional<T> operator()(const std::optional<T>& value) {
    return value ? std::optional<T>((*this)(*value)) : std::nullopt;
  }

  template <class T>
  List<T> operator()(const List<T>& values) {
    const auto copies = arena_.array<T>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) copies[i] = (*this)(values[i]);
    return List<T>(copies);
  }

  MediaLink operator()(const MediaLink& link) {
    return {(*this)(link.href), (*this)(link.media_type), (*this)(link.rel), (*this)(link.extra)};
  }
  Caption operator()(const Caption& caption) {
    return {(*this)(caption.language), (*this)(caption.url), (*this)(caption.label), (*this)(caption.extra)};
  }
  Chapter operator()(const Chapter& chapter) {
    return {chapter.time, (*this)(chapter.title), (*this)(chapter.extra)};
  }
  MediaUrl operator()(const MediaUrl& url) {
    return std::visit([this](const auto& value) { return MediaUrl((*this)(value)); }, url);
  }

  const Media* operator()(const Media* media) {
    Media& copied = arena_.make<Media>(*media);
    copied.name = (*this)(media->name);
    copied.url = (*this)(media->url);
    copied.icon_extra = (*this)(media->icon_extra);
    for (const auto field : {&Media::duration, &Media::icon_url, &Media::summary, &Media::attributed_to,
                             &Media::part_of, &Media::transcript})
      copied.*field = (*this)(media->*field);
    copied.captions = (*this)(media->captions);
    copied.chapters = (*this)(media->chapters);
    return &copied;
  }

  Inline operator()(const Inline& range) { return {range.from, range.to, range.kind, (*this)(range.url)}; }

  TextBlock operator()(const TextBlock& block) { return {(*this)(block.text)}; }
  HeadingBlock operator()(const HeadingBlock& block) { return {block.level, (*this)(block.text)}; }
  LinkBlock operator()(const LinkBlock& block) {
    return {(*this)(block.url), (*this)(block.text), (*this)(block.rel)};
  }
  ImageBlock operator()(const ImageBlock& block) { return {(*this)(block.url), (*this)(block.alt)}; }
  ListBlock operator()(const ListBlock& block) { return {block.ordered, (*this)(block.items), block.start}; }
  CodeBlock operator()(const CodeBlock& block) { return {(*this)(block.language), (*this)(block.code)}; }
  TableBlock operator()(const TableBlock& block) { return {(*this)(block.rows)}; }
  QuoteBlock operator()(const QuoteBlock& block) { return {(*this)(block.text), (*this)(block.citation)}; }
  VideoBlock operator()(const VideoBlock& block) { return {(*this)(block.media)}; }
  AudioBlock operator()(const AudioBlock& block) { return {(*this)(block.media)}; }
  StructuredBlock operator()(const StructuredBlock& block) {
    return {(*this)(block.format), (*this)(block.data)};
  }
  UnknownBlock operator()(const UnknownBlock& block) { return {(*this)(block.type), (*this)(block.json)}; }

  Block operator()(const Block& block) {
    return {std::visit([this](const auto& kind) { return BlockKind((*this)(kind)); }, block.kind),
            (*this)(block.extra), (*this)(block.inlines)};
  }

 private:
  Arena& arena_;
};

}  // namespace

Text type_name(const Block& block) {
  constexpr std::array<Text, 11> kNames = {"text",  "heading", "link",  "image", "list",      "code",
                                           "table", "quote",   "video", "audio", "structured"};
  if (const auto* unknown = std::get_if<UnknownBlock>(&block.kind)) return unknown->type;
  return kNames[block.kind.index()];
}

Page copy(const Page& page, Arena& arena) {
  Copier copier(arena);
  Page copied = page;
  for (const auto field : {&Page::url, &Page::title, &Page::description, &Page::modified, &Page::language})
    copied.*field = copier(page.*field);
  for (const auto field : {&Page::author, &Page::published, &Page::canonical, &Page::schema})
    copied.*field = copier(page.*field);
  copied.content = copier(page.content);
  copied.robots = copier(page.robots);
  copied.extra = copier(page.extra);
  return copied;
}

}  // namespace sheaf
