// Decodes video and audio blocks: the form of drafts 2 and 3, and that of draft 1, which is converted to it.
#include "sheaf/base/url.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/pages/block_decoder_internal.h"
#include "sheaf/model/field_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::format {

namespace {

std::string duration_from_seconds(std::uint64_t seconds) {
  std::string text = "PT";
  if (const auto hours = seconds / 3600; hours > 0) text += fmt::format("{}H", hours);
  if (const auto minutes = seconds / 60 % 60; minutes > 0) text += fmt::format("{}M", minutes);
  if (seconds % 60 > 0 || seconds == 0) text += fmt::format("{}S", seconds % 60);
  return text;
}

bool get_string(dom::object object, std::string_view key, Text& value) {
  bool found = false;
  for (const auto [name, element] : object)
    if (name == key) found = element.get_string().get(value) == simdjson::SUCCESS;
  return found;
}

/// Iterates over an array of objects and its raw text. If `raw` is empty, the raw text of each element is
/// too.
template <class Visit>
bool for_each_object(dom::array values, std::string_view raw, Visit visit) {
  RawArray elements(raw.empty() ? std::string_view("[]") : raw);
  for (const auto value : values) {
    std::string_view element_raw;
    elements.next(element_raw);
    dom::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS || !visit(object, element_raw)) return false;
  }
  return true;
}

template <class T>
List<T> to_list(Arena& arena, const std::vector<T>& values) {
  return arena.copy(std::span<const T>(values));
}

}  // namespace

/// Members of `object` other than the named ones, as raw JSON. Duplicate names are reported as a change,
/// because the raw line must not be passed on with a value that was not checked.
Members BlockDecoder::rest(dom::object object, std::string_view raw,
                           std::initializer_list<std::string_view> named) {
  for (const std::string_view wanted : named) {
    const auto times =
        std::count_if(object.begin(), object.end(), [&](const auto& member) { return member.key == wanted; });
    if (times > 1)
      context_.change(Code::invalid_field,
                      fmt::format("block {}: {} appears twice; the last one counts", number_, wanted));
  }
  std::vector<Member> found;
  RawObject members(raw.empty() ? std::string_view("{}") : raw);
  for (const auto [name, value] : object) {
    RawMember member;
    members.next(member);
    if (std::ranges::find(named, name) == named.end()) keep(name, value, {member.key, member.value}, found);
  }
  return arena_.copy(std::span<const Member>(found));
}

const Media* BlockDecoder::modern_media(const Fields& fields, std::string_view raw) {
  Media& media = arena_.make<Media>();
  if (!required_string(fields, Key::name, media.name)) return nullptr;
  const dom::element* url = fields.find(Key::url);
  if (url == nullptr) {
    drop(Code::malformed_block, "url is missing");
    return nullptr;
  }
  dom::array entries;
  if (url->get_array().get(entries) == simdjson::SUCCESS) {
    if (!media_links(entries, raw_value(fields.object(), raw, "url"), media)) return nullptr;
  } else {
    Text address;
    if (!required_url(fields, Key::url, address)) return nullptr;
    media.url = address;
  }
  if (const auto duration = optional_string(fields, Key::duration)) {
    if (model::is_duration(*duration)) {
      media.duration = duration;
    } else {
      drop_field("duration", fmt::format("{} is not an ISO 8601 duration like PT5M20S", excerpt(*duration)));
    }
  }
  if (const dom::element* element = fields.find(Key::icon))
    icon(*element, raw_value(fields.object(), raw, "icon"), media);
  media.summary = optional_string(fields, Key::summary);
  media.attributed_to = string_or_object(fields, Key::attributed_to);
  media.part_of = string_or_object(fields, Key::part_of);
  shared_media(fields, raw, media);
  return &media;
}

// If a block mixes both forms, the newer member is preferred and the older one is the fallback.
const Media* BlockDecoder::legacy_media(const Fields& fields, std::string_view raw, std::string_view family) {
  Media& media = arena_.make<Media>();
  if (!required_string(fields, fields.has(Key::name) ? Key::name : Key::title, media.name)) return nullptr;
  if (!legacy_links(fields, raw, family, media)) return nullptr;
  if (const auto seconds = optional_count(fields, Key::duration))
    media.duration = arena_.copy(duration_from_seconds(*seconds));
  if (const dom::element* element = fields.find(Key::icon))
    icon(*element, raw_value(fields.object(), raw, "icon"), media);
  if (!media.icon_url) icon_from_string(fields, family == "video" ? Key::poster : Key::cover_art, media);
  media.summary = optional_string(fields, fields.has(Key::summary) ? Key::summary : Key::description);
  media.attributed_to = fields.has(Key::attributed_to) ? string_or_object(fields, Key::attributed_to)
                                                       : name_text(fields, Key::artist);
  media.part_of =
      fields.has(Key::part_of) ? string_or_object(fields, Key::part_of) : name_text(fields, Key::album);
  shared_media(fields, raw, media);
  context_.change(
      Code::legacy_block,
      fmt::format("block {}: a draft-1 {} (sources, title); read in the newer form", number_, family));
  return &media;
}

bool BlockDecoder::media_links(dom::array entries, std::string_view raw, Media& media) {
  std::vector<MediaLink> links;
  std::size_t unsafe = 0;
  std::string_view unsafe_example;
  const bool well_formed = for_each_object(entries, raw, [&](dom::object object, std::string_view text) {
    MediaLink link;
    if (!get_string(object, "href", link.href) || !get_string(object, "mediaType", link.media_type))
      return false;
    if (!base::is_http_url(link.href)) {
      ++unsafe;
      unsafe_example = link.href;
      return true;
    }
    Text rel;
    bool has_rel = false;
    for (const auto [name, value] : object) has_rel |= name == "rel";
    if (get_string(object, "rel", rel)) {
      link.rel = rel;
    } else if (has_rel) {
      drop_field("rel", "must be a string");
    }
    link.extra = rest(object, text, {"href", "mediaType", "rel"});
    links.push_back(link);
    return true;
  });
  if (!well_formed || (links.empty() && unsafe == 0)) {
    drop(Code::malformed_block, "url must be a URL or a list of at least one {href, mediaType}");
    return false;
  }
  if (unsafe > 0 && links.empty()) {
    drop(Code::unsafe_url, fmt::format("href {} is not an http or https URL", excerpt(unsafe_example)));
    return false;
  }
  if (unsafe > 0)
    context_.change(Code::unsafe_url,
                    fmt::format("block {}: href {} is not an http or https URL; that entry was dropped",
                                number_, excerpt(unsafe_example)));
  media.url = to_list(arena_, links);
  return true;
}

/// Reads members of a draft-1 source that belong to the newer form of a link: they must not be written twice.
void BlockDecoder::newer_members(dom::object source, MediaLink& link) {
  for (const auto [name, value] : source) {
    Text text;
    const bool is_string = value.get_string().get(text) == simdjson::SUCCESS;
    if (name == "href") {
      drop_field("href", "conflicts with the url of a draft-1 source");
    } else if ((name == "mediaType" || name == "rel") && !is_string) {
      drop_field(name, "must be a string");
    } else if (name == "mediaType") {
      link.media_type = text;
    } else if (name == "rel") {
      link.rel = text;
    }
  }
}

bool BlockDecoder::legacy_links(const Fields& fields, std::string_view raw, std::string_view family,
                                Media& media) {
  dom::array entries;
  if (fields.find(Key::sources)->get_array().get(entries) != simdjson::SUCCESS) {
    drop(Code::malformed_block, "sources must be an array");
    return false;
  }
  std::vector<MediaLink> links;
  std::string_view unsafe;
  const bool well_formed = for_each_object(
      entries, raw_value(fields.object(), raw, "sources"), [&](dom::object object, std::string_view text) {
        MediaLink link;
        if (!get_string(object, "url", link.href)) return false;
        Text format;
        get_string(object, "format", format);
        newer_members(object, link);
        if (link.media_type.empty())
          link.media_type = arena_.copy(model::media_type(format, link.href, family));
        link.extra = rest(object, text, {"url", "format", "href", "mediaType", "rel"});
        if (base::is_http_url(link.href)) {
          links.push_back(link);
        } else {
          unsafe = link.href;
        }
        return true;
      });
  if (const auto embed = optional_string(fields, Key::embed)) {
    if (base::is_http_url(*embed)) {
      links.push_back({*embed, "text/html", "alternate", {}});
    } else {
      unsafe = *embed;
    }
  }
  if (!well_formed || (links.empty() && unsafe.data() == nullptr)) {
    drop(Code::malformed_block, "sources must be a list of at least one {url}");
    return false;
  }
  if (links.empty()) {
    drop(Code::unsafe_url, fmt::format("source {} is not an http or https URL", excerpt(unsafe)));
    return false;
  }
  if (unsafe.data() != nullptr)
    context_.change(Code::unsafe_url,
                    fmt::format("block {}: source {} is not an http or https URL; that entry was dropped",
                                number_, excerpt(unsafe)));
  media.url = to_list(arena_, links);
  return true;
}

void BlockDecoder::shared_media(const Fields& fields, std::string_view raw, Media& media) {
  media.width = optional_count(fields, Key::width);
  media.height = optional_count(fields, Key::height);
  media.transcript = optional_string(fields, Key::transcript);
  if (const dom::element* element = fields.find(Key::captions))
    media.captions = captions(*element, raw_value(fields.object(), raw, "captions"));
  if (const dom::element* element = fields.find(Key::chapters))
    media.chapters = chapters(*element, raw_value(fields.object(), raw, "chapters"));
}

void BlockDecoder::icon(dom::element element, std::string_view raw, Media& media) {
  dom::object object;
  if (element.get_object().get(object) != simdjson::SUCCESS)
    return drop_field("icon", fmt::format("must be an object, found {}", describe(element)));
  OptionalText url;
  for (const auto [name, value] : object) {
    Text text;
    const bool is_string = value.get_string().get(text) == simdjson::SUCCESS;
    if (name == "type" && (!is_string || text != "Image"))
      return drop_field("icon", "must have the type Image");
    if (name != "url") continue;
    if (!is_string) return drop_field("icon", "must have a string as url");
    if (!base::is_http_url(text)) {
      context_.change(Code::unsafe_url,
                      fmt::format("block {}: icon {} is not an http or https URL; the icon was dropped",
                                  number_, excerpt(text)));
      return;
    }
    url = text;
  }
  media.icon_url = url;  // set last: a fault above drops the whole icon
  media.icon_extra = rest(object, raw, {"type", "url"});
}

void BlockDecoder::icon_from_string(const Fields& fields, Key key, Media& media) {
  const auto url = optional_string(fields, key);
  if (!url) return;
  if (base::is_http_url(*url)) {
    media.icon_url = url;
  } else {
    context_.change(Code::unsafe_url,
                    fmt::format("block {}: {} {} is not an http or https URL; it was dropped", number_,
                                key_name(key), excerpt(*url)));
  }
}

std::optional<List<Caption>> BlockDecoder::captions(dom::element element, std::string_view raw) {
  std::vector<Caption> found;
  dom::array entries;
  const bool well_formed =
      element.get_array().get(entries) == simdjson::SUCCESS &&
      for_each_object(entries, raw, [&](dom::object object, std::string_view text) {
        Caption caption;
        if (!get_string(object, "language", caption.language) || !get_string(object, "url", caption.url) ||
            !get_string(object, "label", caption.label))
          return false;
        if (base::is_http_url(caption.url)) {
          caption.extra = rest(object, text, {"language", "url", "label"});
          found.push_back(caption);
        } else {
          context_.change(
              Code::unsafe_url,
              fmt::format("block {}: caption {} is not an http or https URL; that entry was dropped", number_,
                          excerpt(caption.url)));
        }
        return true;
      });
  if (!well_formed) {
    drop_field("captions", "must be a list of {language, url, label}");
    return std::nullopt;
  }
  return to_list(arena_, found);
}

std::optional<List<Chapter>> BlockDecoder::chapters(dom::element element, std::string_view raw) {
  std::vector<Chapter> found;
  dom::array entries;
  const bool well_formed = element.get_array().get(entries) == simdjson::SUCCESS &&
                           for_each_object(entries, raw, [&](dom::object object, std::string_view text) {
                             Chapter chapter;
                             std::optional<std::int64_t> time;
                             for (const auto [name, value] : object)
                               if (name == "time") time = whole_number(value);
                             if (!time || *time < 0 || !get_string(object, "title", chapter.title))
                               return false;
                             chapter.time = static_cast<std::uint64_t>(*time);
                             chapter.extra = rest(object, text, {"time", "title"});
                             found.push_back(chapter);
                             return true;
                           });
  if (!well_formed) {
    drop_field("chapters", "must be a list of {time, title}");
    return std::nullopt;
  }
  return to_list(arena_, found);
}

}  // namespace sheaf::format
