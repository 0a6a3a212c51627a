#include "sheaf/extract/outline/hint_words.h"

#include "sheaf/text/text_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sheaf::extract {
namespace {

struct HintWords {
  std::uint32_t hints;
  std::string_view words;  // separated by spaces
};

// Words of class names and ids. English ones are used on sites in any language.
constexpr HintWords kNameWords[] = {
    {kHintContent,
     "article articles articlebody articlecontent articletext artikel artikeltext beitrag blogpost body "
     "bodytext "
     "content contenido contents contentbody copytext detail doc docs document documentation entry "
     "entrycontent "
     "entrytext hentry inhalt inhaltstext itembody leaf maincontent maintext markdown md mw news newsarticle "
     "newstext page paragraph post postbody postcontent posting posttext prose publication recipe richtext "
     "single "
     "singlepost story storybody storycontent storytext text texte texto textbody topic treść wiki wysiwyg "
     "rte "
     "cuerpo noticia nota contenu conteudo materia corpo artykul tekst tresc copy blocks blocktext"},
    {kHintContent, "main primary center middle central"},
    {kHintComment,
     "comment comments commentlist commentaires comentarios kommentar kommentare disqus reply replies "
     "respond "
     "response responses discussion discuss komentarze trackback pingback reactions leserbriefe feedback "
     "fb_comments "
     "livefyre forum guestbook"},
    {kHintShare,
     "share sharing sharebar sharebuttons sharethis sharedaddy shariff social socialmedia socials "
     "sociallinks facebook "
     "twitter tweet whatsapp telegram linkedin pinterest instagram addthis addtoany follow followus teilen "
     "compartir "
     "partager like likes fb jp sd print drucken email mail bookmark synved heateor ssba essb"},
    {kHintRelated,
     "related relatedposts relatedarticles recommend recommended recommendation recommendations similar "
     "teaser teasers "
     "promo promos promoted popular trending latest recent mostread meistgelesen also suggest suggested "
     "suggestion "
     "suggestions outbrain taboola plista ligatus zergnet verwandte verwandt weitere next prev previous "
     "nextprev crosslink "
     "relacionadas relacionados yarpp jp-relatedposts upnext discover readalso inread linkbox seealso top "
     "headlines feed "
     "newsfeed ticker thumb thumbs thumbnails cards related-content inline-related"},
    {kHintNavigation,
     "nav navi navbar navbars navigation navlink navlinks subnav topnav mainnav sitenav menu menus menubar "
     "mainmenu submenu "
     "megamenu dropdown breadcrumb breadcrumbs crumb crumbs brotkrumen pager pagination paging paginator "
     "pagenav tabs tab "
     "skip skiplink toc tableofcontents sitemap hamburger language lang languages langs switcher toolbar "
     "actions "
     "wayfinding pn postnav prevnext pagenavi sphinxsidebar jumplinks anchor backtotop totop navheader "
     "navfooter"},
    {kHintFooter,
     "footer footers foot fuss bottom colophon copyright imprint impressum legal disclaimer sitefooter "
     "pagefooter "
     "subfooter postfooter credits backlink siteinfo"},
    {kHintHeader,
     "header head kopf masthead logo brand branding topbar siteheader pageheader sitetitle tagline hero "
     "banner stage"},
    {kHintSidebar,
     "sidebar sidebars sidebox aside side widget widgets widgetarea rail rightrail leftrail secondary "
     "tertiary complementary "
     "marginal seitenleiste randspalte rightcol leftcol right left rightcolumn leftcolumn colright colleft "
     "infobox "
     "supplement portlet module modules box addon extra extras"},
    {kHintAdvert,
     "ad ads adv advert adverts advertisement advertising advertorial adsense adslot adbox adblock adwrapper "
     "adcontainer "
     "anzeige anzeigen werbung publicidad publicite pub reklama reklam sponsor sponsored sponsors affiliate "
     "dfp gpt "
     "doubleclick googlead banner banners billboard skyscraper leaderboard commercial shop donate donation "
     "support "
     "spenden patreon offer offers cta buy purchase"},
    {kHintNotice,
     "cookie cookies consent gdpr dsgvo privacy datenschutz newsletter subscribe subscription signup abo "
     "abonnieren login "
     "signin logout register registration account paywall premium plus modal popup overlay lightbox dialog "
     "alert notice "
     "notification message warning info hint hinweis hinweise toast noscript upgrade unsupported browser "
     "error loading "
     "optin mailchimp lead-form push appbanner"},
    {kHintByline,
     "byline author authors autor autoren author-name date datum dateline time timestamp published pubdate "
     "posted postmeta "
     "postinfo entrymeta meta metadata metas metainfo submitted updated created by articlemeta dachzeile "
     "publish reading "
     "readingtime minutes views infoline articleinfo source"},
    {kHintTags,
     "tag tags taglist tagcloud tagged category categories cat cats cat-links kategorie kategorien label "
     "labels keyword keywords "
     "schlagworte schlagwort topics themen thema etiquetas rubrik section-name filed taxonomy terms"},
    {kHintCaption,
     "caption captions credit bildunterschrift bildunterzeile photocredit imagecaption figcaption wp-caption "
     "legend "
     "copyrights subtitle-image bu foto fotos photo photographer img image images picture media"},
    {kHintHidden,
     "hidden hide invisible sr sronly visuallyhidden screenreader offscreen printonly noprint onlyprint "
     "tooltip collapse "
     "collapsed accessibility a11y assistive element-invisible nojs js-hidden"},
    {kHintForm,
     "form forms search searchbox searchform suche suchen input field fields select button buttons btn "
     "filter filters "
     "sort contact kontakt poll survey quiz vote voting rating ratings stars calculator"},
    {kHintGallery,
     "gallery galleries galerie slider slideshow slides slide carousel swiper slick owl bildergalerie "
     "lightgallery "
     "video videos player audio podcast map"},
    {kHintLead,
     "lead lede leadtext intro introduction einleitung standfirst abstract summary excerpt dek deck vorspann "
     "teasertext "
     "description desc subtitle subheading subheadline subhead subline kicker entradilla chapo sommario "
     "bajada lid zajawka "
     "perex preamble"},
    {kHintTitle,
     "title titles headline heading titre titel titulo ueberschrift pagetitle entrytitle posttitle "
     "articletitle h1 "
     "storytitle name"},
    {kHintAbout,
     "bio biography about aboutauthor authorbox authorinfo authorbio profile avatar gravatar contributor "
     "user vcard "
     "authordescription autorenbox ueber team"},
    {kHintList,
     "list lists listing listings item items grid card archive archives overview index blogroll loop row "
     "rows block views "
     "view result results tile tiles collection masonry"},
    {kHintReference,
     "reference references reflist citation citations footnote footnotes endnotes sources quellen fussnoten "
     "bibliography notes literatur"},
    {kHintFootnotes, "footnote footnotes endnotes fussnoten"},
    {kHintTooltip | kHintHidden, "tooltip tooltips tooltiptext tooltipcontent popover"},
    {kHintManual,
     "rustdoc docutils sphinx sphinxsidebar documentwrapper bodywrapper mediawiki docblock refentry refsect "
     "refnamediv sect manpage asciidoc toctree headerlink doxygen docbook mdbook docusaurus mkdocs gitbook "
     "javadoc "
     "memitem memproto memdecls verseblock navheader apidoc"},
    {kHintMore,
     "more readmore mehr weiterlesen morelink continue expand showmore weiter seemore viewmore plus"},
    {kHintProduct,
     "product products produkt produkte producto produit pdp price prices preis prix precio pricing sku cart "
     "basket "
     "warenkorb checkout woocommerce shopify variant variants swatch swatches specs spec specification "
     "specifications "
     "technical stock availability shipping addtocart quantity qty"},
    {kHintPost,
     "thread threads topic topics message messages messagebody postbody postbit posttext postcontent "
     "viewtopic showthread phpbb vbulletin xenforo xf discourse vanilla smf mybb invision ipb ips bbp "
     "bbpress "
     "forum forums board answer answers question questions qa poster postprofile cooked signature quote"},
    {kHintArchive,
     "archive archives category categories results searchresults listing listings catalog catalogue blog "
     "index feed "
     "collection collections loop hfeed plp browse directory"},
    {kHintReview,
     "review reviews reviewbody reviewlist reviewer rating ratings stars bewertung bewertungen avis "
     "opiniones "
     "recensioni yotpo bazaarvoice bv trustpilot judgeme jdgm okendo stamped powerreviews ugc loox "
     "testimonial "
     "testimonials"},
    {kHintConsent,
     "cookie cookies consent gdpr dsgvo onetrust ot optanon didomi qc cmp usercentrics cookiebot cybot "
     "trustarc "
     "truste osano iubenda borlabs cookieyes cky termly fc quantcast sourcepoint tcf ccpa klaro"},
    {kHintPanel,
     "tabpanel tabpanels tabcontent tabpane panel panels pane accordion accordions collapse collapsible "
     "toggle faq faqs "
     "details expandable expander disclosure reveal"},
    {kHintSection,
     "section sections hero feature features benefit benefits testimonial testimonials service services "
     "solution "
     "solutions elementor wpb vc fusion divi et columns column col container wrapper module widget block "
     "textblock cta"},
};

// First words of texts around the content, in the web's most common languages.
constexpr HintWords kTextWords[] = {
    {kHintComment,
     "comment comments commented kommentar kommentare kommentieren commentaires commentaire comentario "
     "comentarios commenti "
     "komentarze komentarz reactie reacties reply antworten répondre responder комментарии says sagt schrieb "
     "wrote permalink "
     "leserbrief discussion diskussion"},
    {kHintShare,
     "share shares teilen compartir partager condividi compartilhar udostępnij delen paylaş facebook twitter "
     "whatsapp tweet follow "
     "folgen folge followers instagram linkedin pinterest telegram youtube drucken print pinnen twittern "
     "merken поделиться "
     "síguenos sigue suivez seguici obserwuj like likes feed rss podcast spotify itunes app"},
    {kHintRelated,
     "related similar recommended recommendation trending popular latest verwandte ähnliche ähnlich weitere "
     "empfohlen "
     "meistgelesen auch interessieren also lea lee relacionadas relacionados relacionado artículos lire "
     "aussi leggi anche zobacz "
     "czytaj przeczytaj też lees ook siehe empfehlungen empfehlung próximo anterior vorheriger nächster "
     "nächste previous next artikel "
     "beitrag beiträge también interesar sie lesen tipp tipps mehr zum thema themen siehe watch read vidéo "
     "video sehen polecamy"},
    {kHintNavigation,
     "home startseite menu menü navigation inicio accueil skip zum seitenanfang nach oben top back zurück "
     "search suche inhalt "
     "inhaltsverzeichnis contents overview übersicht archiv archive sitemap kontakt contact seite page"},
    {kHintFooter,
     "copyright rights reserved vorbehalten rechte impressum imprint datenschutz privacy agb terms "
     "conditions reservados "
     "réservés derechos droits powered policy disclaimer datenschutzerklärung nutzungsbedingungen license "
     "lizenz licensed creative "
     "commons theme wordpress isbn issn"},
    {kHintAdvert,
     "advertisement anzeige anzeigen werbung publicidad publicité reklama sponsored sponsor advertorial ad "
     "ads affiliate advertisers "
     "werbeanzeige amazon provision commission disclosure kaufen shop bestellen rabatt deal angebot spenden "
     "spende donate donation "
     "support unterstützen unterstütze support patreon paypal offer offers werbelinks affiliatelinks "
     "partnerlinks kooperation"},
    {kHintNotice,
     "cookie cookies newsletter subscribe subscriber subscribers subscription abonnieren abonnement abonnent "
     "abonnenten abo "
     "suscríbete suscripción login log anmelden registrieren register registrierung browser javascript "
     "consent einwilligung "
     "zustimmung sign password passwort email mail adresse inbox posteingang account konto premium "
     "mitglied werden "
     "notifications adblocker flash plugin enable aktivieren error"},
    {kHintByline,
     "by von par por di autor author posted published veröffentlicht publié publicado geschrieben written "
     "updated aktualisiert "
     "stand uhr redaktion dodano autorka door am on erstellt datum date views min minuten lesezeit read "
     "reading hace ago vor"},
    {kHintTags,
     "tags tag kategorie kategorien category categories schlagworte schlagwörter themen filed etiquetas "
     "tagged abgelegt labels "
     "keywords tagi stichworte stichwörter topics temas rubrik under"},
    {kHintCaption,
     "foto fotos photo photos bild bilder image images credit quelle source fotografie picture getty dpa "
     "reuters afp ap imago "
     "shutterstock symbolbild symbolfoto bildquelle fotocredit archivo archivbild archivfoto istock unsplash "
     "flickr screenshot "
     "epa apa keystone fotolia pixabay alamy crédito imagen zdjęcie fot abb fig figure"},
    {kHintMore,
     "more mehr weiterlesen read lesen leer plus suite continue continuar więcej ver weiter details hier "
     "click klicken here "
     "klick download herunterladen pdf"},
    {kHintReference,
     "references quellen literatur sources einzelnachweise fußnoten notes quelle weblinks external links "
     "weiterführende bibliografie"},
    {kHintDate,
     "jan january januar janvier feb february februar février mar march märz mars apr april avril may mai "
     "jun june juni juin jul july juli juillet aug august août sep sept september septembre oct october okt "
     "oktober octobre nov november novembre dec december dez dezember décembre enero febrero marzo abril "
     "mayo "
     "junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio ago yesterday today "
     "yesterday gestern heute hier ayer monday tuesday wednesday thursday friday saturday sunday"},
    {kHintPost,
     "joined posts reply replies quote member posted message thread topic reputation likes liked answered "
     "asked beiträge registriert mitglied zitat zitieren location wrote accepted upvote upvotes votes"},
    {kHintReview,
     "review reviews reviewer rating ratings stars star bewertung bewertungen verified helpful recommend"},
    {kHintConsent,
     "cookie cookies consent vendors partners personal data advertising preferences einwilligung "
     "identifiers"},
    {kHintProduct,
     "price cart add buy stock shipping delivery free sku quantity reviews review size color colour sale "
     "preis lieferung versand warenkorb precio prix details specifications rating ratings"},
    {kHintAbout,
     "author autorin journalist journalistin redakteur redakteurin editor writer reporter reporterin autor "
     "geboren founder gründer "
     "gründerin schreibt arbeitet lebt studierte born professor director contributor volontär volontärin "
     "blogger bloggerin ich"},
};

// First words of boxes inside articles.
constexpr HintWords kBoxWords[] = {
    {kBoxNewsletter,
     "newsletter newsletters inbox posteingang nieuwsbrief boletín boletin infolettre nyhedsbrev nyhetsbrev "
     "uutiskirje "
     "hírlevél bülten рассылка рассылку розсилка ενημερωτικό neuigkeiten mailing"},
    {kBoxRequest,
     "subscribe subscription subscriptions subscribers subscriber subscribed signup sign register log login "
     "account "
     "donate donation donations gift support member membership premium unlimited app download vote poll "
     "follow join "
     "abonnieren abonnement abonnent abonnenten abo anmelden registrieren spenden spende unterstützen "
     "suscríbete suscribirse suscripción regístrate dona abonnez inscrivez don soutenez adhérez iscriviti "
     "abbonati "
     "assine inscreva doe subskrybuj zapisz zaloguj prenumerata wesprzyj подпишитесь подписаться подписка "
     "prenumerera abonner tilaa abone üye feliratkozás odebírat předplatné abonați εγγραφή підпишіться"},
    {kBoxConsent, "cookie cookies consent einwilligung tracking gdpr dsgvo"},
    {kBoxRelated,
     "related recommended recommendation recommendations similar trending popular latest stories read also "
     "more next "
     "watch articles headlines verwandte ähnliche weitere empfohlen empfehlungen meistgelesen auch lesen "
     "mehr "
     "relacionadas relacionados relacionado noticias lea lee más lire aussi articles leggi anche correlati "
     "zobacz "
     "czytaj przeczytaj też podobne najczęściej lees ook meer læs også läs också les lue myös veja também "
     "leia mais "
     "читайте также материалы теме похожие ещё популярное читати схожі διαβάστε επίσης σχετικά devamı ilgili "
     "olvassa "
     "kapcsolódó čtěte související citește și baca juga đọc thêm liên"},
    {kBoxShare,
     "share sharing teilen compartir comparte partager condividi compartilhar udostępnij delen dela del "
     "paylaş jaa "
     "поделиться поширити sdílet megosztás κοινοποίηση facebook twitter tweet whatsapp linkedin pinterest "
     "telegram"},
    {kBoxAdvert,
     "advertisement advertisements advertising sponsored promoted anzeige anzeigen werbung publicidad "
     "anuncio publicité "
     "pubblicità publicidade reklama reklam annons annonse annonce mainos реклама advertentie διαφήμιση "
     "hirdetés"},
    {kBoxComment,
     "comment comments reply replies says kommentar kommentare kommentarer commentaire commentaires "
     "comentario "
     "comentarios comentários commenti commento komentarze komentarz reacties комментарии комментарий "
     "ответить "
     "коментарі σχόλια yorum yorumlar komentáře hozzászólás kommentit"},
    {kBoxAuthor, "author authors autor autorin autorka auteur autore автор verfasser bio writer"},
    {kBoxTags,
     "tags tag tagged topics filed keywords schlagworte schlagwörter themen etiquetas temas tagi теги метки"},
};

template <class Use>
constexpr void each_listed(std::string_view words, Use use) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    use(word);
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
}

// Maps hashes of words to hints; built at compile time. Open addressing with a low load factor.
class HintTable {
 public:
  template <std::size_t Count>
  constexpr explicit HintTable(const HintWords (&list)[Count]) {
    for (const HintWords& entry : list)
      each_listed(entry.words, [&](std::string_view word) { add(text::hash_text_word(word), entry.hints); });
  }

  [[nodiscard]] constexpr std::uint32_t find(std::uint32_t hash) const {
    for (std::size_t at = slot_of(hash); slots_[at].hints != 0; at = (at + 1) % kSlots)
      if (slots_[at].hash == hash) return slots_[at].hints;
    return 0;
  }

 private:
  static constexpr std::size_t kSlots = 4096;
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t hints = 0;
  };

  static constexpr std::size_t slot_of(std::uint32_t hash) { return (hash ^ (hash >> 15U)) % kSlots; }

  constexpr void add(std::uint32_t hash, std::uint32_t hints) {
    std::size_t at = slot_of(hash);
    while (slots_[at].hints != 0 && slots_[at].hash != hash) at = (at + 1) % kSlots;
    slots_[at].hash = hash;
    slots_[at].hints |= hints;
  }

  std::array<Slot, kSlots> slots_{};
};

constexpr HintTable kNames(kNameWords);
constexpr HintTable kTexts(kTextWords);
constexpr HintTable kBoxes(kBoxWords);

/// One bit per word, indexed by the low bits of its hash.
using HintFilter = std::array<std::uint64_t, kTextFilterBits / 64>;

template <std::size_t Count>
constexpr HintFilter make_filter(const HintWords (&list)[Count]) {
  HintFilter filter{};
  for (const HintWords& entry : list)
    each_listed(entry.words, [&filter](std::string_view word) {
      const std::uint32_t bit = text::hash_text_word(word) % kTextFilterBits;
      filter[bit / 64] |= std::uint64_t{1} << (bit % 64);
    });
  return filter;
}

constexpr HintFilter kNameFilter = make_filter(kNameWords);

}  // namespace

constexpr std::array<std::uint64_t, kTextFilterBits / 64> kTextFilter = make_filter(kTextWords);

std::uint32_t name_hints(text::PaddedText attribute) {
  std::uint32_t hints = 0;
  text::each_name_word<text::words::Beyond::letters>(attribute, [&](text::PaddedText word) {
    const std::uint32_t hash = text::words::hash_of(word);
    const std::uint32_t bit = hash % kTextFilterBits;
    if (((kNameFilter[bit / 64] >> (bit % 64)) & 1U) != 0) hints |= kNames.find(hash);
  });
  return hints;
}

std::uint32_t box_words(std::uint32_t word_hash) { return kBoxes.find(word_hash); }

std::uint32_t text_hints(std::uint32_t word_hash) { return kTexts.find(word_hash); }

}  // namespace sheaf::extract
