#include "sheaf/extract/blocks/block_media.h"

#include "sheaf/extract/blocks/block_text.h"
#include "sheaf/model/field_values.h"
#include "sheaf/text/text_compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace sheaf::extract {
namespace {

/// The player of a host: frames whose URL has this host and begins with this path show a video or a
/// recording. What follows the path is its id. Appended to `page`, it gives the URL of the public page; if
/// `page` is empty, the URL of the frame is used.
struct Player {
  std::string_view host;  // without "www."; empty for self-hosted software, which may be on any host
  std::string_view path;
  bool audio = false;
  std::string_view page;
};

constexpr std::array<Player, 27> kPlayers = {{
    {"youtube.com", "/embed/videoseries", false, ""},
    {"youtube.com", "/embed/", false, "https://www.youtube.com/watch?v="},
    {"youtube-nocookie.com", "/embed/videoseries", false, ""},
    {"youtube-nocookie.com", "/embed/", false, "https://www.youtube.com/watch?v="},
    {"player.vimeo.com", "/video/", false, "https://vimeo.com/"},
    {"dailymotion.com", "/embed/video/", false, "https://www.dailymotion.com/video/"},
    {"geo.dailymotion.com", "/player", false, ""},
    {"embed.ted.com", "/talks/", false, "https://www.ted.com/talks/"},
    {"player.twitch.tv", "/", false, ""},
    {"fast.wistia.net", "/embed/iframe/", false, ""},
    {"fast.wistia.com", "/embed/iframe/", false, ""},
    {"players.brightcove.net", "/", false, ""},
    {"player.bilibili.com", "/", false, ""},
    {"rutube.ru", "/play/embed/", false, "https://rutube.ru/video/"},
    {"streamable.com", "/e/", false, "https://streamable.com/"},
    {"loom.com", "/embed/", false, "https://www.loom.com/share/"},
    {"facebook.com", "/plugins/video.php", false, ""},
    {"archive.org", "/embed/", false, "https://archive.org/details/"},
    {"w.soundcloud.com", "/player", true, ""},
    {"open.spotify.com", "/embed/", true, "https://open.spotify.com/"},
    {"open.spotify.com", "/embed-podcast/", true, "https://open.spotify.com/"},
    {"embed.podcasts.apple.com", "/", true, "https://podcasts.apple.com/"},
    {"embed.music.apple.com", "/", true, "https://music.apple.com/"},
    {"bandcamp.com", "/EmbeddedPlayer", true, ""},
    {"mixcloud.com", "/widget/iframe/", true, ""},
    {"", "/videos/embed/", false, ""},           // PeerTube
    {"", "/video-playlists/embed/", false, ""},  // PeerTube
}};

// Titles of players, which do not name what they play.
constexpr std::array<std::string_view, 8> kPlayerNames = {
    "youtube video player", "youtube video",  "vimeo video player", "vimeo player",
    "video player",         "embedded video", "audio player",       "dailymotion video player"};

constexpr std::size_t kMaxObjects = 64;  // bounds the work: every video is compared with every object
constexpr std::size_t kMinIdLength = 6;  // a shorter id may be part of unrelated URLs

const Player* find_player(const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with("www.")) host.remove_prefix(4);
  const auto* found = std::ranges::find_if(kPlayers, [&](const Player& player) {
    return (player.host.empty() || player.host == host) && url.path().starts_with(player.path);
  });
  return found == kPlayers.end() ? nullptr : found;
}

bool is_player_name(std::string_view name) {
  return std::ranges::any_of(kPlayerNames, [name](std::string_view known) {
    return text::equal_text(name, known, text::TextCase::ignore);
  });
}

std::optional<std::uint64_t> whole_number(std::optional<std::string_view> value) {
  if (!value) return std::nullopt;
  const std::string_view text = text::trim_space(*value);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

void MediaReader::add_source(std::string_view reference, std::string_view type, Kind kind) {
  if (text::trim_space(reference).empty()) return;
  const auto url = links_->resolve(reference);
  if (!url || std::ranges::find(sources_, *url, &MediaLink::href) != sources_.end()) return;
  type = text::trim_space(type.substr(0, type.find(';')));
  const std::string_view family = kind == Kind::video ? "video" : "audio";
  // No real page has thousands of sources; without a limit the search above would be quadratic.
  constexpr std::size_t kMaxSources = 32;
  if (sources_.size() < kMaxSources)
    sources_.push_back({*url, arena_->copy(model::media_type(type, *url, family)), std::nullopt, {}});
}

void MediaReader::add_caption(html::NodeId track) {
  const std::string_view kind = document_->attribute(track, "kind").value_or("subtitles");
  if (!text::equal_text(kind, "captions", text::TextCase::ignore) &&
      !text::equal_text(kind, "subtitles", text::TextCase::ignore))
    return;
  const auto src = document_->attribute(track, html::Name::src);
  const auto url = src ? links_->resolve(*src) : std::nullopt;
  if (!url) return;
  std::string_view language = text::trim_space(document_->attribute(track, "srclang").value_or(""));
  if (language.empty()) language = "und";
  std::string_view label = text::trim_space(document_->attribute(track, "label").value_or(""));
  if (label.empty()) label = language;
  captions_.push_back({language, *url, label, {}});
}

void MediaReader::read_children(html::NodeId element, Kind kind) {
  for (html::NodeId child = document_->first_child(element); child != html::kNoNode;
       child = document_->next(child)) {
    if (document_->is_html(child, html::Name::track)) add_caption(child);
    if (!document_->is_html(child, html::Name::source)) continue;
    for (const html::Name name : {html::Name::src, html::Name::data_src})
      if (const auto src = document_->attribute(child, name))
        add_source(*src, document_->attribute(child, html::Name::type).value_or(""), kind);
  }
}

/// The structured data about a video or recording: the object with its URL or with the host's id in a URL. If
/// there is none, the only object of its kind, which is used once.
const MediaObject* MediaReader::find_object(Kind kind, std::string_view address, std::string_view id) {
  const auto wanted = kind == Kind::video ? MediaObject::Kind::video : MediaObject::Kind::audio;
  const MediaObject* only = nullptr;
  std::size_t count = 0;
  for (const MediaObject& object : metadata_->media.first(std::min(metadata_->media.size(), kMaxObjects))) {
    if (object.kind != wanted) continue;
    only = &object;
    ++count;
    for (const OptionalText& url : {object.content_url, object.embed_url})
      if (url && (*url == address || (id.size() >= kMinIdLength && url->find(id) != Text::npos)))
        return &object;
  }
  bool& used = used_only_object_[kind == Kind::video ? 0 : 1];
  if (count != 1 || used) return nullptr;
  used = true;
  return only;
}

/// The name in the structured data; else the element's title or label, the caption, or the page's title. The
/// generic title of a player is the last resort.
Text MediaReader::choose_name(html::NodeId element, const MediaObject* object, std::string_view caption) {
  std::string name;
  std::string_view player_name;
  if (object != nullptr && object->name) collapse_space(*object->name, name);
  for (const html::Name attribute : {html::Name::title, html::Name::aria_label}) {
    if (!name.empty()) break;
    collapse_space(document_->attribute(element, attribute).value_or(""), name);
    if (!is_player_name(name)) continue;
    player_name = arena_->copy(name);
    name.clear();
  }
  if (name.empty() && !caption.empty()) {
    name = caption;
    used_caption_ = true;
  }
  if (name.empty()) collapse_space(metadata_->title.value_or(""), name);
  return name.empty() ? player_name : arena_->copy(name);
}

void MediaReader::describe(html::NodeId element, const MediaObject* object, Media& media) {
  media.width = whole_number(document_->attribute(element, html::Name::width));
  media.height = whole_number(document_->attribute(element, html::Name::height));
  if (const auto poster = document_->attribute(element, html::Name::poster);
      poster && !text::trim_space(*poster).empty())
    media.icon_url = links_->resolve(*poster);
  if (!captions_.empty()) media.captions = arena_->copy(std::span<const Caption>(captions_));
  if (object == nullptr) return;
  if (object->duration && model::is_duration(*object->duration)) media.duration = object->duration;
  if (!media.icon_url && object->thumbnail_url) media.icon_url = links_->resolve(*object->thumbnail_url);
  if (object->transcript && !text::trim_space(*object->transcript).empty())
    media.transcript = object->transcript;
  if (object->description && !text::trim_space(*object->description).empty())
    media.summary = object->description;
}

std::optional<BlockKind> MediaReader::finish(html::NodeId element, Kind kind, const MediaObject* object,
                                             std::string_view caption) {
  used_caption_ = false;
  if (object != nullptr && object->content_url) add_source(*object->content_url, "", kind);
  if (sources_.empty()) return std::nullopt;
  const Text name = choose_name(element, object, caption);
  if (name.empty()) return std::nullopt;
  Media& media = arena_->make<Media>();
  media.name = name;
  media.url = List<MediaLink>(arena_->copy(std::span<const MediaLink>(sources_)));
  describe(element, object, media);
  if (kind == Kind::video) return VideoBlock{&media};
  // The drafts define neither size nor captions for recordings.
  media.width.reset();
  media.height.reset();
  media.captions.reset();
  return AudioBlock{&media};
}

std::optional<BlockKind> MediaReader::read_element(html::NodeId element, std::string_view caption) {
  sources_.clear();
  captions_.clear();
  const Kind kind = document_->is_html(element, html::Name::audio) ? Kind::audio : Kind::video;
  for (const html::Name name : {html::Name::src, html::Name::data_src})
    if (const auto src = document_->attribute(element, name)) add_source(*src, "", kind);
  read_children(element, kind);
  if (sources_.empty()) return std::nullopt;
  return finish(element, kind, find_object(kind, sources_.front().href, ""), caption);
}

std::optional<BlockKind> MediaReader::read_frame(html::NodeId frame, std::string_view caption) {
  sources_.clear();
  captions_.clear();
  for (const std::string_view name : {"data-src", "data-lazy-src", "src", "data"}) {
    const auto src = document_->attribute(frame, name);
    const auto url = src ? links_->parse(*src) : std::nullopt;
    const Player* player = url ? find_player(*url) : nullptr;
    if (player == nullptr) continue;
    const Kind kind = player->audio ? Kind::audio : Kind::video;
    const std::string_view id = url->path().substr(player->path.size());
    std::string page(player->page);
    page += id;
    const std::string_view address = player->page.empty() || id.empty() ? url->href() : page;
    sources_.push_back({links_->keep(address), "text/html", std::nullopt, {}});
    return finish(frame, kind, find_object(kind, url->href(), id), caption);
  }
  return std::nullopt;
}

}  // namespace sheaf::extract
