#include "sheaf/extract/outline/language_guess.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

struct LanguageCase {
  std::string_view tag;
  std::string_view text;
};

// Plain sentences as a page might begin with.
constexpr LanguageCase kByWords[] = {
    {"en",
     "The museum was opened in 1887 and is one of the oldest in the region. It has a garden that is free for "
     "visitors."},
    {"de",
     "Das Museum wurde im Jahr 1887 eröffnet und ist eines der ältesten in der Region. Der Eintritt ist für "
     "Kinder frei."},
    {"fr",
     "Le musée est ouvert depuis 1887 et c'est un des plus anciens de la région. Les enfants entrent avec "
     "leurs parents pour rien."},
    {"es",
     "El museo fue abierto en 1887 y es uno de los más antiguos de la región. También se puede visitar el "
     "jardín con los niños."},
    {"it",
     "Il museo è stato aperto nel 1887 ed è uno dei più antichi della regione. Per i bambini l'ingresso non "
     "si paga, anche nel giardino."},
    {"pt",
     "O museu foi aberto em 1887 e é um dos mais antigos da região. As crianças não pagam e também podem ver "
     "o jardim com os pais."},
    {"nl",
     "Het museum is in 1887 geopend en is een van de oudste in de streek. Kinderen hoeven niet te betalen "
     "voor de tuin, die er ook bij hoort."},
    {"pl",
     "Muzeum zostało otwarte w 1887 roku i jest jednym z najstarszych w regionie. Dzieci nie płacą za wstęp, "
     "a ogród jest dla wszystkich, którzy się zapisali."},
    {"cs",
     "Muzeum bylo otevřeno v roce 1887 a je jedním z nejstarších, které se v kraji nacházejí. Děti také "
     "neplatí, nebo jen za zahradu při domě."},
    {"sk",
     "Múzeum bolo otvorené v roku 1887 a je jedným z najstarších, ktoré sa v kraji nachádzajú. Deti tiež "
     "neplatia, alebo len za záhradu pri dome, ako aj pre školy sú zľavy."},
    {"sv",
     "Museet öppnades 1887 och är ett av de äldsta i trakten. Det är inte dyrt att besöka trädgården som "
     "ligger på en höjd, och barn har fri entré till den."},
    {"da",
     "Museet blev åbnet i 1887 og er et af de ældste på egnen. Børn skal ikke betale, og haven, der ligger "
     "på en høj, er også en del af det."},
    {"nb",
     "Museet ble åpnet i 1887 og er et av de eldste på stedet. Barn skal ikke betale, og hagen som ligger på "
     "en høyde er også en del av det etter ombyggingen."},
    {"fi",
     "Museo avattiin vuonna 1887 ja se on yksi alueen vanhimmista. Lapset eivät maksa, mutta myös puutarha "
     "on avoinna, kun sää sallii sekä jos henkilökuntaa on niin paljon että se voi olla auki."},
    {"hu",
     "A múzeum 1887-ben nyílt meg, és az egyik legrégebbi a környéken. A gyerekeknek nem kell fizetni, de ez "
     "csak akkor van így, ha már jelentkeztek, vagy a kert is nyitva van."},
    {"ro",
     "Muzeul a fost deschis în 1887 și este unul din cele mai vechi din regiune. Copiii nu plătesc, iar "
     "grădina, care este pe deal, poate fi văzută după program pentru că sunt mulți vizitatori."},
    {"tr",
     "Müze 1887 yılında açıldı ve bölgedeki en eski müzelerden biri. Çocuklar için giriş ücretsiz, bahçe de "
     "çok güzel ve bu kadar büyük bir yer olarak daha sonra genişletildi."},
    {"hr",
     "Muzej je otvoren 1887. godine i jedan je od najstarijih u kraju. Djeca ne plaćaju, a vrt koji se "
     "nalazi iza kuće može se vidjeti kao što su ga ostavili, ili nije otvoren."},
    {"sl",
     "Muzej je bil odprt leta 1887 in je eden najstarejših v pokrajini. Otroci ne plačajo, tudi vrt pa si "
     "lahko ogledajo, ki je še odprt ali pri hiši, kot so ga pustili."},
    {"lt",
     "Muziejus buvo atidarytas 1887 metais ir yra vienas seniausių. Vaikai nemoka, bet tai tik su tėvais, "
     "kaip ir apie sodą, kuris yra prie namo, nuo pavasario iš karto."},
    {"lv",
     "Muzejs tika atvērts 1887. gadā un ir viens no vecākajiem. Bērni nemaksā, bet arī dārzs, kas atrodas "
     "pie mājas, ir atvērts tāpat kā pēc remonta, un tiek rādīts līdz rudenim."},
    {"et",
     "Muuseum avati 1887. aastal ja see on üks vanemaid. Lapsed ei maksa, aga ka aed on avatud, kui ilm "
     "lubab, ning see oli oma aja kohta suur, mis on pärast remonti või varem teada."},
    {"vi",
     "Bảo tàng được mở cửa năm 1887 và là một trong những bảo tàng lâu đời của vùng. Trẻ em không phải trả "
     "tiền khi đến với cha mẹ, và khu vườn đã có từ đó."},
    {"id",
     "Museum ini dibuka pada tahun 1887 dan adalah salah satu yang tertua di daerah itu. Anak-anak tidak "
     "membayar untuk masuk, dan taman juga akan dibuka dengan pemandu dari kota."},
    {"ca",
     "El museu es va obrir el 1887 i és un dels més antics de la regió. Els nens no paguen amb els pares, i "
     "també és obert el jardí, que és com aquest, per als veïns."},
    {"ru",
     "Музей был открыт в 1887 году, и это один из старейших в области. Дети не платят за вход, но для сада "
     "нужен билет, а он так же дешёв."},
    {"uk",
     "Музей був відкритий у 1887 році, і це один із найстаріших в області. Діти не платять за вхід, але для "
     "саду потрібен квиток, та він також дешевий."},
    {"bg",
     "Музеят е открит през 1887 година и е един от най-старите в областта. Децата не плащат за вход, но това "
     "не е така за градината, която ще се отвори или ще си остане."},
    {"sr",
     "Музеј је отворен 1887. и један је од најстаријих у крају. Деца не плаћају, али за врт који се налази "
     "иза куће треба карта, као што су сви са села знали."},
    {"ar",
     "افتتح المتحف في عام 1887 وهو من أقدم المتاحف في هذه المنطقة التي كان الناس يأتون إلى حدائقها من كل "
     "مكان بعد الحرب مع أن الدخول لا يكلف ما يذكر."},
    {"fa",
     "این موزه در سال ۱۸۸۷ باز شد و یکی از قدیمی ترین موزه های منطقه است که برای کودکان رایگان "
     "است و آن را با باغ خود به شهر داده است تا هم دیده شود."},
    {"ur",
     "یہ عجائب گھر 1887 میں کھولا گیا تھا اور علاقے کے سب سے پرانے عجائب گھروں میں سے ہے۔ بچوں کو فیس نہیں "
     "دینی پڑتی اور باغ بھی اس کی ملکیت ہے۔"},
};

constexpr LanguageCase kByScript[] = {
    {"el", "Το μουσείο άνοιξε το 1887 και είναι ένα από τα παλαιότερα της περιοχής."},
    {"hy", "Թանգարանը բացվել է 1887 թվականին և հնագույններից մեկն է։"},
    {"he", "המוזיאון נפתח בשנת 1887 והוא אחד הוותיקים באזור כולו."},
    {"hi", "यह संग्रहालय 1887 में खोला गया था और इस क्षेत्र के सबसे पुराने संग्रहालयों में से एक है।"},
    {"bn", "জাদুঘরটি ১৮৮৭ সালে খোলা হয়েছিল এবং এটি অঞ্চলের প্রাচীনতম।"},
    {"pa", "ਇਹ ਅਜਾਇਬ ਘਰ 1887 ਵਿੱਚ ਖੋਲ੍ਹਿਆ ਗਿਆ ਸੀ ਅਤੇ ਸਭ ਤੋਂ ਪੁਰਾਣਾ ਹੈ।"},
    {"gu", "આ સંગ્રહાલય 1887 માં ખોલવામાં આવ્યું હતું અને સૌથી જૂનું છે."},
    {"ta", "இந்த அருங்காட்சியகம் 1887 இல் திறக்கப்பட்டது, இது மிகப் பழமையானது."},
    {"te", "ఈ మ్యూజియం 1887లో ప్రారంభించబడింది మరియు ఇది పురాతనమైనది."},
    {"kn", "ಈ ವಸ್ತುಸಂಗ್ರಹಾಲಯವನ್ನು 1887 ರಲ್ಲಿ ತೆರೆಯಲಾಯಿತು."},
    {"ml", "ഈ മ്യൂസിയം 1887-ൽ തുറന്നു, ഇത് ഏറ്റവും പഴയ ഒന്നാണ്."},
    {"si", "මෙම කෞතුකාගාරය 1887 දී විවෘත කරන ලද අතර එය පැරණිතම එකකි."},
    {"th", "พิพิธภัณฑ์แห่งนี้เปิดในปี 1887 และเป็นหนึ่งในพิพิธภัณฑ์ที่เก่าแก่ที่สุด"},
    {"lo", "ພິພິທະພັນແຫ່ງນີ້ເປີດໃນປີ 1887 ແລະເປັນໜຶ່ງໃນບັນດາທີ່ເກົ່າແກ່ທີ່ສຸດ"},
    {"my", "ပြတိုက်ကို ၁၈၈၇ ခုနှစ်တွင် ဖွင့်လှစ်ခဲ့ပြီး ရှေးအကျဆုံး ဖြစ်သည်။"},
    {"ka", "მუზეუმი გაიხსნა 1887 წელს და ერთ-ერთი უძველესია რეგიონში."},
    {"am", "ሙዚየሙ በ1887 ዓ.ም. ተከፈተ እናም በአካባቢው ካሉት ጥንታዊ ሙዚየሞች አንዱ ነው።"},
    {"km", "សារមន្ទីរនេះបានបើកនៅឆ្នាំ 1887 ហើយជាសារមន្ទីរចាស់ជាងគេ។"},
    {"ja", "この博物館は1887年に開館し、地域で最も古いものの一つです。"},
    {"zh", "该博物馆于一八八七年开放，是该地区最古老的博物馆之一，儿童免费参观。"},
    {"ko", "이 박물관은 1887년에 문을 열었으며 지역에서 가장 오래된 곳입니다."},
};

TEST(SheafOnlyLanguageGuess, ByItsSmallWords) {
  for (const LanguageCase& each : kByWords) EXPECT_EQ(guess_language(each.text), each.tag) << each.text;
}

TEST(SheafOnlyLanguageGuess, ByItsScript) {
  for (const LanguageCase& each : kByScript) EXPECT_EQ(guess_language(each.text), each.tag) << each.text;
}

TEST(SheafOnlyLanguageGuess, CapitalsDoNotMatter) {
  EXPECT_EQ(guess_language("THE MUSEUM IS OPEN AND THE GARDEN IS NOT FOR YOU."), "en");
  EXPECT_EQ(guess_language("\u042D\u0422\u041E \u041D\u0415 \u0414\u041B\u042F \u0412\u0421\u0415, \u0418 "
                           "\u041E\u041D \u0422\u0410\u041A \u0416\u0415 \u0411\u042B\u041B \u041D\u0410 "
                           "\u041E\u0411\u0415\u0414."),
            "ru");
}

TEST(SheafOnlyLanguageGuess, JapaneseWithManyChineseCharacters) {
  EXPECT_EQ(guess_language("東京都立図書館利用案内。開館時間午前九時から午後五時まで。休館日毎週月曜日。"),
            "ja");
}

TEST(SheafOnlyLanguageGuess, ForeignNamesDoNotTurnAText) {
  EXPECT_EQ(
      guess_language(
          "The writer (\u039D\u03AF\u03BA\u03BF\u03C2 "
          "\u039A\u03B1\u03B6\u03B1\u03BD\u03C4\u03B6\u03AC\u03BA\u03B7\u03C2 \u039A\u03C1\u03AE\u03C4\u03B7 "
          "\u0391\u03B8\u03AE\u03BD\u03B1) was one of the most read of his time, and it is "
          "said that he was not easy to live with."),
      "en");
}

TEST(SheafOnlyLanguageGuess, TooLittleToTell) {
  for (const std::string_view text : {"", " ", "Home", "Contact us", "404 Not Found", "OK", "\u6587",
                                      "12 345,67", "\xFF\xFE\x80", "\xF0", "Lorem ipsum dolor sit amet"})
    EXPECT_EQ(guess_language(text), "") << text;
}

TEST(SheafOnlyLanguageGuess, CodeDoesNotCountForTheLanguage) {
  EXPECT_EQ(guess_language("int main(int argc, char** argv) { return run(argc, argv) ? 0 : 1; } static const "
                           "size_t kMax = 12;"),
            "");
  EXPECT_EQ(guess_language("SELECT id, name FROM users LEFT JOIN orders USING (user_id) GROUP BY id;"), "");
}

TEST(SheafOnlyLanguageGuess, AnEvenMixtureIsNone) {
  EXPECT_EQ(guess_language(
                "The house and the garden. Das Haus und der Garten. The sea is that. Die See ist nicht das."),
            "");
}

TEST(SheafOnlyLanguageGuess, LongTextsAreJudgedByTheirStart) {
  const std::string english = "The museum is one of the oldest in the region and it was built for the city. ";
  std::string text;
  while (text.size() < 4'000) text += english;
  while (text.size() < 100'000) text += "Das Haus und der Garten ist nicht die See. ";
  EXPECT_EQ(guess_language(text), "en");
}

}  // namespace
}  // namespace sheaf::extract
