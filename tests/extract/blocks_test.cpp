// Small pages and the blocks they become, one line a block.
#include "sheaf/extract/blocks/blocks.h"

#include "extract/block_dump.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

struct Case {
  std::string_view name;
  std::string_view html;
  std::string_view blocks;
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

class SheafOnlyBlocks : public testing::TestWithParam<Case> {};

TEST_P(SheafOnlyBlocks, AreAsExpected) {
  EXPECT_EQ(dump_blocks(GetParam().html), GetParam().blocks) << GetParam().html;
}

std::string case_name(const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); }

INSTANTIATE_TEST_SUITE_P(
    Text, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Nothing", "", ""},
        {"Paragraph", "<p>One</p>", "text One\n"},
        {"TwoParagraphs", "<p>One<p>Two", "text One\ntext Two\n"},
        {"WhiteSpaceCollapses", "<p> a \t\n b  c </p>", "text a b c\n"},
        {"WhiteSpaceAcrossElements", "<p>a <b> b</b> <i>c </i> d</p>", "text a b c d\n"},
        {"NoSpaceInsideAWord", "<p>un<b>believ</b>able</p>", "text unbelievable\n"},
        {"LongRunOfWords", "<p>the quick brown fox jumps  over the lazy dog again and again.</p>",
         "text the quick brown fox jumps over the lazy dog again and again.\n"},
        {"SpaceAtEveryPlace", "<p>1234567  89abcdef g  hijklmn o</p>", "text 1234567 89abcdef g hijklmn o\n"},
        {"TabAfterEightBytes", "<p>12345678\t9</p>", "text 12345678 9\n"},
        {"Comment", "<p>a<!-- no -->b</p>", "text ab\n"},
        {"LooseText", "one<div>two</div>three", "text one\ntext two\ntext three\n"},
        {"DivsAreParagraphs", "<div>a<div>b</div>c</div>", "text a\ntext b\ntext c\n"},
        {"SpansAreNot", "<span>a</span><span>b</span>", "text ab\n"},
        {"CustomElementsAreNot", "<x-y>a</x-y><x-y>b</x-y>", "text ab\n"},
        {"OnlyNoBreakSpace", "<p>&nbsp;</p><p>&#8203;</p>", ""},
        {"OtherBlanks", "<p>\u3000\u2003a\u2028</p><p>\u2028</p>", "text a\n"},
        {"DashIsNoBlank", "<p>\u2013</p>", "text \u2013\n"},
        {"NoBreakSpaceInside", "<p>10&nbsp;km</p>", "text 10\u00A0km\n"},
        {"LineBreak", "<p>a<br>b</p>", "text a|b\n"},
        {"LineBreakEatsSpace", "<p>a <br> b</p>", "text a|b\n"},
        {"TwoBreaksPartParagraphs", "<p>a<br><br>b</p>", "text a\ntext b\n"},
        {"TwoBreaksWithSpaceBetween", "<p>a<br>\n <br>b</p>", "text a\ntext b\n"},
        {"BreaksAtTheEnds", "<p><br>a<br></p>", "text a\n"},
        {"RuleEndsAParagraph", "a<hr>b", "text a\ntext b\n"},
        {"ScriptAndStyle", "<p>a<script>x</script><style>y</style>b</p>", "text ab\n"},
        {"Template", "<template><p>no</template><p>yes", "text yes\n"},
        {"Details", "<details><summary>More</summary><p>Inside</p></details>", "text More\ntext Inside\n"},
        {"Quotation", "<p>He said <q>no</q>.</p>", "text He said \u201Cno\u201D.\n"},
        {"EmptyQuotation", "<p>a <q></q>b</p>", "text a b\n"},
        {"Ruby", "<ruby>kan<rp>(</rp><rt>reading</rt><rp>)</rp></ruby>", "text kan(reading)\n"},
        {"Deleted", "<p><del>old</del> new</p>", "text old new\n"},
        {"Buttons", "<p>a<button>b</button><button>c</button>d</p>", "text a b c d\n"},
        {"Select", "<p>a<select><option>x</select>b</p>", "text ab\n"},
        {"InputSaysNothing", "<p>a<input value=x>b</p>", "text ab\n"},
        {"Drawing", "<p>a<svg><text>x</text></svg>b</p>", "text ab\n"},
        {"Address", "<address>Street<br>Town</address>", "text Street|Town\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Scripts, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"RaisedNumber", "<p>x<sup>2</sup> y", "text x\u00B2 y\n"},
        {"RaisedMinus", "<p>10<sup>-3</sup>", "text 10\u207B\u00B3\n"},
        {"RaisedTypographicMinus", "<p>10<sup>\u22123</sup>", "text 10\u207B\u00B3\n"},
        {"RaisedN", "<p>x<sup>n</sup>", "text x\u207F\n"},
        {"RaisedFormula", "<p>2<sup>k-1</sup>", "text 2^(k-1)\n"},
        {"RaisedWord", "<p>1<sup>st</sup> of May", "text 1st of May\n"},
        {"RaisedProse", "<p>a<sup>not a formula at all</sup>", "text anot a formula at all\n"},
        {"LoweredNumber", "<p>H<sub>2</sub>O", "text H\u2082O\n"},
        {"LoweredWord", "<p>V<sub>max</sub>", "text V_max\n"},
        {"EmptyRaised", "<p>a<sup></sup>b", "text ab\n"},
        {"NoteReference", "<p>Word<sup><a href=#n1>1</a></sup> more", "text Word[1] more\n"},
        {"NoteReferenceInBrackets", "<p>Word<sup><a href=#n1>[1]</a></sup>", "text Word[1]\n"},
        {"RaisedLinkElsewhere", "<p>Word<sup><a href=/n>1</a></sup>", "text Word\u00B9\n"},
        {"NoteTextOfACaret", "<ol><li><b><a href=#r1>^</a></b> Source.</ol>", "ordered Source.\n"},
        {"NoteText", "<ol><li id=n1>Source. <a href=#r1>\u21A9</a></ol>", "ordered Source.\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Headings, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"AllLevels", "<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>",
         "h1 a\nh2 b\nh3 c\nh4 d\nh5 e\nh6 f\n"},
        {"Role", "<div role=heading aria-level=3>a</div>", "h3 a\n"},
        {"RoleWithoutLevel", "<div role=heading>a</div>", "h2 a\n"},
        {"RoleWithBadLevel", "<div role=heading aria-level=99>a</div>", "h2 a\n"},
        {"Empty", "<h1> </h1><p>a", "text a\n"},
        {"BreakIsSpace", "<h1>a<br>b</h1>", "h1 a b\n"},
        {"BlocksInside", "<h2><div>a</div><div>b</div></h2>", "h2 a b\n"},
        {"Permalink", "<h2>a<a href=#a>\u00B6</a></h2>", "h2 a\n"},
        {"PermalinkInFront", "<h2><a href=#a>#</a> a</h2>", "h2 a\n"},
        {"PermalinkPicture", "<h2>a <a href=#a>\U0001F517</a></h2>", "h2 a\n"},
        {"LinkWithText", "<h2><a href=#a>All of it</a></h2>", "h2 All of it\n"},
        {"SignThatIsNoPermalink", "<p>a <a href=/x>#</a>", "text a #\n"},
        {"LinkBackWithThePath", "<p>a <a href='/x#fnref-1'>\u21A9</a>", "text a\n"},
        {"ArrowToAnotherPage", "<p>a <a href='/x#b'>\u2192</a>", "text a \u2192\n"},
        {"LinkBackWithoutFragment", "<p>a <a href=/x>\u21A9</a>", "text a \u21A9\n"},
        {"InAList", "<ul><li><h3>a</h3>b</ul>", "h3 a\ntext b\n"},
        {"InASummary", "<details><summary><h3>a</h3></summary>b</details>", "h3 a\ntext b\n"},
        {"ImageInside", "<h1>a <img src=/i.png alt=x> b</h1>", "h1 a b\nimage https://e.org/i.png x\n"},
        {"CodeInside", "<h2>a<pre>x\n y</pre>b</h2>", "h2 a x y b\n"},
        {"Group", "<hgroup><h1>a</h1><p>b</p></hgroup>", "h1 a\ntext b\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Lists, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Unordered", "<ul><li>a<li>b</ul>", "list a / b\n"},
        {"Ordered", "<ol><li>a<li>b</ol>", "ordered a / b\n"},
        {"Menu", "<menu><li>a</menu>", "list a\n"},
        {"EmptyItems", "<ul><li><li> <li>a</ul>", "list a\n"},
        {"EmptyList", "<ul></ul><p>a", "text a\n"},
        {"TwoLists", "<ul><li>a</ul><ul><li>b</ul>", "list a\nlist b\n"},
        {"Nested", "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "list a /   - b /   - c / d\n"},
        {"NestedOrdered", "<ul><li>a<ol><li>b<li>c</ol></ul>", "list a /   1. b /   2. c\n"},
        {"NestedStart", "<ul><li>a<ol start=5><li>b<li value=9>c</ol></ul>", "list a /   5. b /   9. c\n"},
        {"NestedTwice", "<ul><li>a<ul><li>b<ul><li>c</ul></ul></ul>", "list a /   - b /     - c\n"},
        {"NestedWithoutItem", "<ul><li>a</li><ul><li>b</li></ul><li>c</ul>", "list a /   - b / c\n"},
        {"TextAfterNested", "<ul><li>a<ul><li>b</ul>tail<li>c</ul>", "list a /   - b /   tail / c\n"},
        {"Paragraphs", "<ul><li><p>a</p><p>b</p></ul>", "list a|b\n"},
        {"BreaksInside", "<ul><li>a<br><br>b</ul>", "list a|b\n"},
        {"CodeInside", "<ol><li>a<pre>x</pre>b<li>c</ol>", "ordered a\ncode x\ntext b\nordered c\n"},
        {"CodeInsideNested", "<ul><li>a<ul><li>b<pre>x</pre><li>c</ul><li>d</ul>",
         "list a /   - b\ncode x\nlist c\nlist d\n"},
        {"CodeOnly", "<ul><li><pre>x</pre></ul>", "code x\n"},
        {"ListAfterCode", "<ul><li>a<pre>x</pre><ul><li>b</ul></ul>", "list a\ncode x\nlist b\n"},
        {"QuoteInside", "<ul><li>a<blockquote>q</blockquote>b</ul>", "list a\nquote q\ntext b\n"},
        {"TableInside", "<ul><li>a<table><tr><th>h<th>i<tr><td>1<td>2</table></ul>",
         "list a\ntable h ; i / 1 ; 2\n"},
        {"ImageInside", "<ul><li>a<img src=/i.png><li>b</ul>",
         "list a\nimage https://e.org/i.png \nlist b\n"},
        {"ImagesOnly", "<ul><li><img src=/i.png><li><img src=/j.png></ul>",
         "image https://e.org/i.png \nimage https://e.org/j.png \n"},
        {"LinksStayItems", "<ul><li><a href=/a>a</a><li><a href=/b>b</a></ul>", "list a / b\n"},
        {"Orphans", "<div><li>a<li>b</div>", "list a / b\n"},
        {"TextInTheList", "<ul>a<li>b</ul>", "text a\nlist b\n"},
        {"Tasks", "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>",
         "list [x] a / [ ] b\n"},
        {"InAQuote", "<blockquote>a<ul><li>b</ul>c</blockquote>", "quote a\nlist b\nquote c\n"},
        {"BetweenParagraphs", "<p>a<ul><li>b</ul>c", "text a\nlist b\ntext c\n"},
        {"Definitions", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", "text a|b\ntext c|d\n"},
        {"DefinitionsWithParagraphs", "<dl><dt>a</dt><dd><p>b</p><p>c</p></dd></dl>", "text a|b\ntext c\n"},
        {"TwoTerms", "<dl><dt>a<dt>b<dd>c</dl>", "text a|b|c\n"},
        {"TermAlone", "<dl><dt>a</dl><p>b", "text a\ntext b\n"},
        {"DefinitionWithCode", "<dl><dt>a<dd><pre>x</pre></dl>", "text a\ncode x\n"},
        {"DefinitionsInDivs", "<dl><div><dt>a</dt><dd>b</dd></div></dl>", "text a|b\n"},
        {"DefinitionsInAnItem", "<ul><li>x<dl><dt>a<dd>b</dl></ul>", "list x|a|b\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Code, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Plain", "<pre>a\n  b\n\nc</pre>", "code a|  b||c\n"},
        {"FirstLineFeed", "<pre>\na\n</pre>", "code a\n"},
        {"Break", "<pre>a<br>b</pre>", "code a|b\n"},
        {"Tokens", "<pre><span class=k>int</span> <span class=n>x</span>;</pre>", "code int x;\n"},
        {"Empty", "<pre> \n </pre>", ""},
        {"Listing", "<listing>a\n b</listing>", "code a| b\n"},
        {"Example", "<xmp><b>a</b></xmp>", "code <b>a</b>\n"},
        {"ReadOnlyArea", "<textarea readonly>a\n b</textarea>", "code a| b\n"},
        {"OtherArea", "<textarea>a</textarea>", ""},
        {"LanguageOnCode", "<pre><code class='language-rust'>x</code></pre>", "code(rust) x\n"},
        {"LanguageOnPre", "<pre class='lang-js'>x</pre>", "code(js) x\n"},
        {"LanguageUnknownToUs", "<pre class='language-zig'>x</pre>", "code(zig) x\n"},
        {"LanguageWithLines", "<pre class='language-js{1,3}'>x</pre>", "code(js) x\n"},
        {"LanguageUpperCase", "<pre class='language-JSON'>x</pre>", "code(json) x\n"},
        {"LanguageNone", "<pre class='language-plaintext'>x</pre>", "code x\n"},
        {"Brush", "<pre class='brush: cpp; gutter: false'>x</pre>", "code(cpp) x\n"},
        {"Pandoc", "<div class=sourceCode><pre class='sourceCode haskell'><code>x</code></pre></div>",
         "code(haskell) x\n"},
        {"HighlightJs", "<pre><code class='hljs python'>x</code></pre>", "code(python) x\n"},
        {"Wrapper", "<div class='highlight-python notranslate'><div class=highlight><pre>x</pre></div></div>",
         "code(python) x\n"},
        {"WrapperDefault", "<div class=highlight-default><div class=highlight><pre>x</pre></div></div>",
         "code x\n"},
        {"GitHub", "<div class='highlight highlight-source-shell'><pre>x</pre></div>", "code(shell) x\n"},
        {"MediaWiki", "<div class='mw-highlight mw-highlight-lang-cpp'><pre>x</pre></div>", "code(cpp) x\n"},
        {"WrapperOfWords", "<div class='cpp source-cpp'><pre class=de1>x</pre></div>", "code(cpp) x\n"},
        {"NaturalLanguage", "<div class=lang-en><pre>x</pre></div>", "code x\n"},
        {"DataLang", "<pre data-lang=Ruby>x</pre>", "code(ruby) x\n"},
        {"BareWordOnAWrapper", "<div class='note go'><pre>x</pre></div>", "code x\n"},
        {"LineNumberSpans", "<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b</pre>",
         "code a|b\n"},
        {"CopyButton", "<pre><button>Copy</button>a</pre>", "code a\n"},
        {"LinesInDivs", "<pre><div>a</div><div>b</div></pre>", "code a|b\n"},
        {"NumberTable",
         "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td><td class=code>"
         "<div class='highlight'><pre>a\nb</pre></div></td></tr></table>",
         "code a|b\n"},
        {"NumberTableWithoutNames",
         "<table><tr><td><pre><code><span>9\n</span><span>10\n</span></code></pre></td>"
         "<td><pre><code class=language-go>a\nb\n</code></pre></td></tr></table>",
         "code(go) a|b\n"},
        {"NumbersThatDoNotCount", "<table><tr><td><pre>3\n7</pre></td><td><pre>a</pre></td></tr></table>",
         "code 3|7\ncode a\n"},
        {"NumbersThatAreContent", "<pre>1\n2</pre>", "code 1|2\n"},
        {"NumberTableInPre",
         "<pre><code><table><tr><td class=hljs-ln-numbers>1</td><td>a</td></tr><tr><td "
         "class=hljs-ln-numbers>2</td><td>b</td></tr></table></code></pre>",
         "code a|b\n"},
        {"InlineCode", "<p>Call <code>f( )</code> now", "text Call f( ) now\n"},
        {"InAQuote", "<blockquote>a<pre>x</pre>b</blockquote>", "quote a\ncode x\nquote b\n"},
        {"Entities", "<pre>&lt;a&gt; &amp;&amp; b</pre>", "code <a> && b\n"},
        {"Indented", "<pre>    four\n\ttab</pre>", "code     four|\ttab\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Tables, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Header", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", "table a ; b / 1 ; 2\n"},
        {"NoHeader", "<table><tr><td>a<td>b<tr><td>1<td>2</table>", "table a ; b / 1 ; 2\n"},
        {"Caption", "<table><caption>C</caption><tr><th>a<th>b</table>", "text C\ntable a ; b\n"},
        {"HeadLast", "<table><tbody><tr><td>1<td>2</tbody><thead><tr><th>a<th>b</thead></table>",
         "table a ; b / 1 ; 2\n"},
        {"FootFirst", "<table><tfoot><tr><td>s<td>t</tfoot><tbody><tr><td>1<td>2</tbody></table>",
         "table 1 ; 2 / s ; t\n"},
        {"ColumnSpan", "<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>",
         "table a ;  ; b / 1 ; 2 ; 3\n"},
        {"RowSpan", "<table><tr><th>k<th>v<tr><td rowspan=2>a<td>1<tr><td>2</table>",
         "table k ; v / a ; 1 / a ; 2\n"},
        {"RowSpanInTheMiddle", "<table><tr><th>a<th rowspan=2>b<th>c<tr><td>1<td>3</table>",
         "table a ; b ; c / 1 ; b ; 3\n"},
        {"RowSpanAtTheEnd", "<table><tr><th>a<th rowspan=2>b<tr><td>1</table>", "table a ; b / 1 ; b\n"},
        {"RowSpanZero", "<table><tr><th>a<th rowspan=0>b<tr><td>1<tr><td>2</table>",
         "table a ; b / 1 ; b / 2 ; b\n"},
        {"RowSpanEndsWithItsGroup",
         "<table><tbody><tr><th rowspan=9>a<th>b</tbody><tbody><tr><td>1<td>2</tbody></table>",
         "table a ; b / 1 ; 2\n"},
        {"BothSpans", "<table><tr><th rowspan=2 colspan=2>a<th>b<tr><td>1<tr><td>x<td>y<td>z</table>",
         "table a ;  ; b / a ;  ; 1 / x ; y ; z\n"},
        {"BadSpans", "<table><tr><th colspan=-3>a<th rowspan=x>b<tr><td>1<td>2</table>",
         "table a ; b / 1 ; 2\n"},
        {"SpanBeyondTheTable", "<table><tr><th colspan=100000>a<tr><td>1<td>2</table>",
         "table a ;  / 1 ; 2\n"},
        {"ShortRows", "<table><tr><th>a<th>b<tr><td>1</table>", "table a ; b / 1 ; \n"},
        {"EmptyRows", "<table><tr><th>a<th>b<tr><td><td><tr><td>1<td>2</table>", "table a ; b / 1 ; 2\n"},
        {"EmptyTable", "<table></table><p>a", "text a\n"},
        {"CellOfParagraphs", "<table><tr><th>a<th>b<tr><td><p>1</p><p>2</p><td>3</table>",
         "table a ; b / 1|2 ; 3\n"},
        {"CellWithAList", "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>3</table>",
         "table a ; b / x|y ; 3\n"},
        {"CellWithCode", "<table><tr><th>a<th>b<tr><td>see<pre>x\n  y</pre>end<td>3</table>",
         "table a ; b / see|x|  y|end ; 3\n"},
        {"CellWithHeading", "<table><tr><th>a<th>b<tr><td><h3>x</h3><td>3</table>", "table a ; b / x ; 3\n"},
        {"CellWithImage", "<table><tr><th>a<th>b<tr><td><img src=/i.png alt=z><td>3</table>",
         "table a ; b /  ; 3\nimage https://e.org/i.png z\n"},
        {"LayoutByRole", "<table role=presentation><tr><th>a<th>b<tr><td>1<td>2</table>",
         "text a\ntext b\ntext 1\ntext 2\n"},
        {"LayoutByOneColumn", "<table><tr><td>a<tr><td>b</table>", "text a\ntext b\n"},
        {"LayoutByOneRow", "<table><tr><td>a<td>b</table>", "text a\ntext b\n"},
        {"LayoutByTableInside", "<table><tr><td>a<td><table><tr><th>x<th>y<tr><td>1<td>2</table></table>",
         "text a\ntable x ; y / 1 ; 2\n"},
        {"LayoutByBlocks", "<table><tr><td><h2>a</h2><p>b</p><td><h2>c</h2><tr><td><pre>x</pre><td>d</table>",
         "h2 a\ntext b\nh2 c\ncode x\ntext d\n"},
        {"BetweenParagraphs", "<p>a<table><tr><th>h<th>i</table>b", "text a\ntable h ; i\ntext b\n"},
        {"NestedSpansOfRows",
         "<table><tr><th>a<th>b<th>c<tr><td rowspan=3>1<td rowspan=2>2<td>3<tr><td>4<tr><td>5<td>6</table>",
         "table a ; b ; c / 1 ; 2 ; 3 / 1 ; 2 ; 4 / 1 ; 5 ; 6\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Quotes, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Plain", "<blockquote>a</blockquote>", "quote a\n"},
        {"Paragraphs", "<blockquote><p>a</p><p>b</p></blockquote>", "quote a||b\n"},
        {"Footer", "<blockquote><p>a</p><footer>\u2014 Me</footer></blockquote>", "quote a -- Me\n"},
        {"FooterWithCite", "<blockquote>a<footer>Me, <cite>Work</cite></footer></blockquote>",
         "quote a -- Me, Work\n"},
        {"CiteAtTheEnd", "<blockquote><p>a</p><cite>Work</cite></blockquote>", "quote a -- Work\n"},
        {"CiteAfterADash", "<blockquote>a<p>\u2014 <cite>Me</cite></p></blockquote>", "quote a -- Me\n"},
        {"CiteInside", "<blockquote>In <cite>Work</cite> it says</blockquote>", "quote In Work it says\n"},
        {"CiteOnly", "<blockquote><cite>Work</cite></blockquote>", "quote Work\n"},
        {"Caption", "<figure><blockquote>a</blockquote><figcaption>Me</figcaption></figure>",
         "quote a -- Me\n"},
        {"Nested", "<blockquote>a<blockquote>b</blockquote></blockquote>", "quote a||b\n"},
        {"Empty", "<blockquote> </blockquote>", ""},
        {"Heading", "<blockquote><h3>a</h3>b</blockquote>", "h3 a\nquote b\n"},
        {"FooterElsewhere", "<article>a<footer>b</footer></article>", "text a\ntext b\n"},
        {"CitationAfterAnImage", "<blockquote>a <img src=/i.png> b<footer>Me</footer></blockquote>",
         "quote a b -- Me\nimage https://e.org/i.png \n"},
        {"CitationOfCodeOnly", "<blockquote><pre>x</pre><footer>Me</footer></blockquote>",
         "code x\ntext Me\n"},
        {"CitationAfterCode", "<blockquote>a<pre>x</pre>b<footer>Me</footer></blockquote>",
         "quote a\ncode x\nquote b -- Me\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Links, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Alone", "<p><a href=/x>a</a></p>", "link https://e.org/x a\n"},
        {"AloneInADiv", "<div> <a href=x>a <b>b</b></a> </div>", "link https://e.org/dir/x a b\n"},
        {"Rel", "<p><a href=/x rel='nofollow SPONSORED'>a</a>",
         "link https://e.org/x a [nofollow sponsored]\n"},
        {"InText", "<p>see <a href=/x>a</a></p>", "text see a\n"},
        {"Two", "<p><a href=/x>a</a> <a href=/y>b</a></p>", "text a b\n"},
        {"Mail", "<p><a href=mailto:a@b.c>a</a>", "text a\n"},
        {"Script", "<p><a href='javascript:x()'>a</a>", "text a\n"},
        {"WithoutAddress", "<p><a name=x>a</a>", "text a\n"},
        {"BadAddress", "<p><a href='http://['>a</a>", "text a\n"},
        {"Backslashes", "<p><a href='/a\\b?c\\d#e\\f'>a</a>", "link https://e.org/a/b?c%5Cd#e%5Cf a\n"},
        {"AroundBlocks", "<a href=/x><h3>a</h3><p>b</p><p>c</p></a>",
         "h3 a\nlink https://e.org/x b\ntext c\n"},
        {"AroundAnImage", "<a href=/x><img src=/i.png></a>", "image https://e.org/i.png \n"},
        {"Base", "<base href=/other/><p><a href=x>a</a>", "link https://e.org/other/x a\n"},
        {"BaseElsewhere", "<base href=https://cdn.org/><p><a href=x>a</a>", "link https://cdn.org/x a\n"},
        {"FirstBaseCounts", "<base target=x><base href=/a/><base href=/b/><p><a href=x>a</a>",
         "link https://e.org/a/x a\n"},
        {"BadBase", "<base href='data:x'><p><a href=x>a</a>", "link https://e.org/dir/x a\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Images, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Plain", "<img src=/i.png alt=' a  b '>", "image https://e.org/i.png a b\n"},
        {"WithoutAlt", "<img src=/i.png>", "image https://e.org/i.png \n"},
        {"InsideText", "<p>a <img src=/i.png alt=x> b</p>", "text a b\nimage https://e.org/i.png x\n"},
        {"BeforeText", "<p><img src=/i.png alt=x> b</p>", "image https://e.org/i.png x\ntext b\n"},
        {"Once", "<img src=/i.png><p>a<img src=/i.png>", "image https://e.org/i.png \ntext a\n"},
        {"Data", "<img src='data:image/png;base64,AA'>", ""},
        {"Lazy", "<img src='data:image/gif;base64,AA' data-src=/i.png>", "image https://e.org/i.png \n"},
        {"LazyOriginal", "<img src=/spacer.gif data-original=/i.png>", "image https://e.org/i.png \n"},
        {"LazyPlaceholder", "<img src=/real-looking.png data-lazy-src=/i.png>",
         "image https://e.org/i.png \n"},
        {"Set", "<img src=/s.png srcset='/a.png 480w, /b.png 1024w, /c.png 4096w'>",
         "image https://e.org/b.png \n"},
        {"SetOfDensities", "<img src=/s.png srcset='/a.png, /b.png 2x, /c.png 4x'>",
         "image https://e.org/b.png \n"},
        {"SetOfLargeOnes", "<img srcset='/c.png 4096w, /d.png 9000w'>", "image https://e.org/c.png \n"},
        {"SetWithCommasInside", "<img srcset='/a,b.png 480w, /c,d.png 800w'>",
         "image https://e.org/c,d.png \n"},
        {"SetOfNothing", "<img src=/s.png srcset=' , ,'>", "image https://e.org/s.png \n"},
        {"LazySet", "<img src='data:,' data-srcset='/a.png 1x'>", "image https://e.org/a.png \n"},
        {"Picture", "<picture><source srcset=/a.avif><img src=/a.png alt=x></picture>",
         "image https://e.org/a.png x\n"},
        {"PictureOnly", "<picture><source srcset='/a.webp 800w'><img alt=x></picture>",
         "image https://e.org/a.webp x\n"},
        {"Pixel", "<img src=/t.gif width=1 height=1>", ""},
        {"PixelByHeight", "<img src=/t.gif width=100% height=1>", ""},
        {"Icon", "<img src=/t.gif width=16 height=16px>", ""},
        {"Banner", "<img src=/t.gif width=728 height=32>", "image https://e.org/t.gif \n"},
        {"Spacer", "<img src=/img/spacer.gif?v=1>", ""},
        {"EmptySource", "<img src=''>", ""},
        {"Emoji", "<p>a <img class=emoji alt='\U0001F600' src=/e.png> b", "text a \U0001F600 b\n"},
        {"Noscript", "<img src='data:,' data-src=/i.png><noscript><img src=/i-full.png></noscript>",
         "image https://e.org/i.png \n"},
        {"NoscriptNeeded", "<img src='data:,'><noscript><img src=/i.png></noscript>",
         "image https://e.org/i.png \n"},
        {"Figure", "<figure><img src=/i.png alt=x><figcaption>C</figcaption></figure>",
         "image https://e.org/i.png x\ntext C\n"},
        {"CaptionIsAlt", "<figure><img src=/i.png alt='The  C'><figcaption>The C</figcaption></figure>",
         "image https://e.org/i.png The C\n"},
        {"FigureOfCode", "<figure><figcaption>C</figcaption><pre>x</pre></figure>", "text C\ncode x\n"},
        {"Amp", "<amp-img src=/i.png alt=x><noscript><img src=/i.png></noscript></amp-img>",
         "image https://e.org/i.png x\n"},
        {"Unsafe", "<img src='file:///etc/passwd'>", ""},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    MediaBlocks, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Video", "<video src=/v.mp4 title=T></video>", "video T https://e.org/v.mp4 video/mp4\n"},
        {"VideoSources",
         "<video title=T width=640 height=360 poster=/p.jpg><source src=/v.webm type='video/webm; codecs=x'>"
         "<source src=/v.mp4>Fallback</video>",
         "video T https://e.org/v.webm video/webm https://e.org/v.mp4 video/mp4 640x360 icon "
         "https://e.org/p.jpg\n"},
        {"Tracks",
         "<video title=T src=/v.mp4><track kind=captions srclang=en label=English src=/c.vtt>"
         "<track kind=metadata src=/m.vtt><track src=/s.vtt></video>",
         "video T https://e.org/v.mp4 video/mp4 captions en English https://e.org/c.vtt und und "
         "https://e.org/s.vtt\n"},
        {"VideoWithoutName", "<video src=/v.mp4></video>", ""},
        {"VideoWithoutAddress", "<video title=T></video>", ""},
        {"VideoUnsafe", "<video title=T src=blob:x></video>", ""},
        {"VideoInAFigure", "<figure><video src=/v.mp4></video><figcaption>The caption</figcaption></figure>",
         "video The caption https://e.org/v.mp4 video/mp4\n"},
        {"VideoWithNameInAFigure",
         "<figure><video title=T src=/v.mp4></video><figcaption>The caption</figcaption></figure>",
         "video T https://e.org/v.mp4 video/mp4\ntext The caption\n"},
        {"Audio", "<audio aria-label=T src=/a.mp3></audio>", "audio T https://e.org/a.mp3 audio/mpeg\n"},
        {"AudioHasNoSize", "<audio title=T width=5 src=/a.ogg></audio>",
         "audio T https://e.org/a.ogg audio/ogg\n"},
        {"YouTube", "<iframe title=T src='https://www.youtube.com/embed/abc_DEF-123?rel=0'></iframe>",
         "video T https://www.youtube.com/watch?v=abc_DEF-123 text/html\n"},
        {"YouTubeNoCookie", "<iframe title=T src='//www.youtube-nocookie.com/embed/abc'></iframe>",
         "video T https://www.youtube.com/watch?v=abc text/html\n"},
        {"YouTubeLazy", "<iframe title=T data-src='https://youtube.com/embed/abc' src=about:blank></iframe>",
         "video T https://www.youtube.com/watch?v=abc text/html\n"},
        {"YouTubeList", "<iframe title=T src='https://www.youtube.com/embed/videoseries?list=PL1'></iframe>",
         "video T https://www.youtube.com/embed/videoseries?list=PL1 text/html\n"},
        {"Vimeo", "<iframe title=T src='https://player.vimeo.com/video/123'></iframe>",
         "video T https://vimeo.com/123 text/html\n"},
        {"Dailymotion", "<iframe title=T src='https://www.dailymotion.com/embed/video/x1'></iframe>",
         "video T https://www.dailymotion.com/video/x1 text/html\n"},
        {"Ted", "<iframe title=T src='https://embed.ted.com/talks/a_b'></iframe>",
         "video T https://www.ted.com/talks/a_b text/html\n"},
        {"SoundCloud", "<iframe title=T src='https://w.soundcloud.com/player/?url=x'></iframe>",
         "audio T https://w.soundcloud.com/player/?url=x text/html\n"},
        {"Spotify", "<iframe title=T src='https://open.spotify.com/embed/episode/1'></iframe>",
         "audio T https://open.spotify.com/episode/1 text/html\n"},
        {"ApplePodcasts", "<iframe title=T src='https://embed.podcasts.apple.com/us/podcast/x/id1'></iframe>",
         "audio T https://podcasts.apple.com/us/podcast/x/id1 text/html\n"},
        {"PeerTube", "<iframe title=T src='https://tube.example/videos/embed/uuid'></iframe>",
         "video T https://tube.example/videos/embed/uuid text/html\n"},
        {"PlayersOwnName",
         "<figure><iframe title='YouTube video player' "
         "src='https://www.youtube.com/embed/abc'></iframe><figcaption>C</figcaption></figure>",
         "video C https://www.youtube.com/watch?v=abc text/html\n"},
        {"OtherFrame", "<iframe title=T src='https://ads.example/x'></iframe>", ""},
        {"LookAlikeHost", "<iframe title=T src='https://youtube.com.evil.example/embed/x'></iframe>", ""},
        {"Object", "<object data=/x.pdf>Read <a href=/x.pdf>it</a> here</object>", "text Read it here\n"},
        {"InText", "<p>a <video title=T src=/v.mp4></video> b</p>",
         "text a b\nvideo T https://e.org/v.mp4 video/mp4\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    CodeOfHighlighters, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"TableOfLines",
         "<table class=highlight><tr><td class='blob-num' data-line-number=1></td><td "
         "class='blob-code'>a</td></tr>"
         "<tr><td class='blob-num' data-line-number=2></td><td class='blob-code'></td></tr>"
         "<tr><td class='blob-num' data-line-number=3></td><td class='blob-code'>  b</td></tr></table>",
         "code a||  b\n"},
        {"TableOfNumbersAndValues",
         "<table><tr><td class=ln>1</td><td>a</td></tr><tr><td class=ln>2</td><td>b</td></tr></table>",
         "table 1 ; a / 2 ; b\n"},
        {"Editor",
         "<div class=cm-editor><div class='cm-gutters'><div>1</div><div>2</div></div><div class=cm-content>"
         "<div class=cm-line>a</div><div class=cm-line><br></div><div class=cm-line> b</div></div></div>",
         "code a|| b\n"},
        {"Fragment",
         "<div class=fragment><div class=line><span class=lineno>    1</span>&#160;int a;</div>\n"
         "<div class=line><span class=lineno>    2</span>&#160;  b;</div>\n</div>",
         "code int a;|  b;\n"},
        {"OtherFragment", "<div class=fragment><p>a</p></div>", "text a\n"},
        {"OtherContainer", "<div class=container><div class='line-up'><p>a</p></div></div>", "text a\n"},
        {"CodeInsideText", "<pre>a\n<code>b</code> c</pre>", "code a|b c\n"},
        {"OtherGutter", "<div class=gutter><p>12 apples</p></div>", "text 12 apples\n"},
        {"NumbersInText", "<pre><span class=linenr>1: </span>a\n<span class=linenr>2: </span>b</pre>",
         "code a|b\n"},
        {"ItemsAsLines", "<pre><ol><li>a</li><li></li><li>b</li></ol></pre>", "code a||b\n"},
        {"LabelInside",
         "<pre><div>python</div><div><button>Copy</button></div><div><code "
         "class=language-python>a</code></div></pre>",
         "code(python) a\n"},
        {"LabelBefore", "<div>Python</div><pre><code class=language-python>a</code></pre>",
         "code(python) a\n"},
        {"OtherTextBefore", "<p>In Python</p><pre><code class=language-python>a</code></pre>",
         "text In Python\ncode(python) a\n"},
        {"FileNameAbove",
         "<table class=highlighttable><tr><th colspan=2><span>a.py</span></th></tr><tr><td "
         "class=linenos><pre>1\n2</pre>"
         "</td><td class=code><pre>a\nb</pre></td></tr></table>",
         "text a.py\ncode a|b\n"},
        {"LanguageOfEnlighter", "<pre class=EnlighterJSRAW data-enlighter-language=python>a</pre>",
         "code(python) a\n"},
        {"LanguageAfterColon", "<pre class='lang:python decode:true'>a</pre>", "code(python) a\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Notes, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"LinkInRaised", "<p>a<sup><a href='#n'>1</a></sup> b", "text a[1] b\n"},
        {"RaisedInLink", "<p>a<a href='#n'><sup>1</sup></a> b", "text a[1] b\n"},
        {"HiddenWord", "<p>a<sup><a href='#n'><span>Footnote </span>1</a></sup>", "text a[1]\n"},
        {"LinkOnly", "<p>a<a class=footnote-anchor href='#footnote-1'>1</a> b", "text a[1] b\n"},
        {"Role", "<p>a<a role=doc-noteref href='#n'>1</a> b", "text a[1] b\n"},
        {"Brackets", "<p>a<a class=footnote href='#n'>[1]</a> b", "text a[1] b\n"},
        {"BackLink", "<p><a class=footnote-number href='#ref'>1</a> Note", "text 1 Note\n"},
        {"OtherLink", "<p>Room <a href='#r'>12</a> b", "text Room 12 b\n"},
        {"Exponent", "<p>m<sup>2</sup>", "text m\u00B2\n"},
        {"Sidenote",
         "<p>a<label class=sidenote-number></label><span class=sidenote>One <b>note</b></span> b"
         "<span class=marginnote>Two</span><p>c",
         "text a[1] b[2]\ntext c\nordered One note / Two\n"},
        {"Tooltip",
         "<p>a<sup class=modern-footnotes-footnote><a href='javascript:void(0)'>1</a></sup>"
         "<span class='modern-footnotes-footnote__note'>Note</span> b",
         "text a[1] b\nordered Note\n"},
        {"Distill", "<p>a<d-footnote>Note</d-footnote> b", "text a[1] b\nordered Note\n"},
        {"LaTeXML",
         "<p>a<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span>"
         "<span><sup class=ltx_note_mark>1</sup><span class='ltx_tag "
         "ltx_tag_note'>1</span>Note</span></span></span> b",
         "text a[1] b\nordered Note\n"},
    }),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Math, SheafOnlyBlocks,
    testing::ValuesIn(std::initializer_list<Case>{
        {"Annotation",
         "<p>a <math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation>"
         "</semantics></math> b",
         "text a $x^2$ b\n"},
        {"Display", "<math display=block alttext='x^2'><mi>x</mi></math>", "text $$x^2$$\n"},
        {"AltText", "<p><math alttext='\\frac{a}{b}'><mi>a</mi></math>", "text $\\frac{a}{b}$\n"},
        {"Converted", "<p><math><mi>a</mi><mo>+</mo><mi>b</mi></math>", "text $a+b$\n"},
        {"Signs",
         "<p><math><mi>\u03B1</mi><mo>\u2264</mo><mi>\U0001D431</mi><mo>\u2208</mo><mi>\u211D</mi></math>",
         "text $\\alpha\\leq\\mathbf{x}\\in\\mathbb{R}$\n"},
        {"Fraction",
         "<p><math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mi>c</mi></msqrt></mfrac></"
         "math>",
         "text $\\frac{a+b}{\\sqrt{c}}$\n"},
        {"Scripts",
         "<p><math><munderover><mo>\u2211</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></"
         "munderover>"
         "<msup><mi>i</mi><mn>10</mn></msup></math>",
         "text $\\sum_{i=1}^ni^{10}$\n"},
        {"Accent", "<p><math><mover><mi>x</mi><mo>^</mo></mover></math>", "text $\\hat{x}$\n"},
        {"Matrix",
         "<p><math><mrow><mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></"
         "mtable><mo>)</mo>"
         "</mrow></math>",
         "text $\\begin{pmatrix} a & b \\end{pmatrix}$\n"},
        {"Function", "<p><math><mi>sin</mi><mo>\u2061</mo><mi>x</mi></math>", "text $\\sin x$\n"},
        {"MathJax3Elements",
         "<p><mjx-container><mjx-math><mjx-msup><mjx-mi><mjx-c class='mjx-c1D465 TEX-I'></mjx-c></mjx-mi>"
         "<mjx-script><mjx-mn><mjx-c class=mjx-c32></mjx-c></mjx-mn></mjx-script></mjx-msup></mjx-math>"
         "</mjx-container>",
         "text $x^2$\n"},
        {"MathJax3Svg",
         "<p><mjx-container><svg><g data-mml-node=math><g data-mml-node=msup><g data-mml-node=mi>"
         "<use data-c=1D465></use></g><g data-mml-node=mn><use "
         "data-c=32></use></g></g></g></svg></mjx-container>",
         "text $x^2$\n"},
        {"MathJax3Assistive",
         "<p><mjx-container><svg></svg><mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml>"
         "</mjx-container>",
         "text $x$\n"},
        {"MathJax2",
         "<p>a <span class=MathJax_Preview>x2</span><span class=MathJax><span>x2</span></span>"
         "<script type='math/tex'>x^2</script> b",
         "text a $x^2$ b\n"},
        {"MathJax2WithoutScript", "<p><span class=MathJax data-mathml='<math><mi>x</mi></math>'>glyph</span>",
         "text $x$\n"},
        {"KatexWithoutSource",
         "<p><span class=katex><span class=katex-html><span class=base><span class=mord><span "
         "class=mord>x</span>"
         "<span class=msupsub><span class=vlist-t><span class=vlist-r><span class=vlist><span><span "
         "class=pstrut>"
         "</span><span class=mord>2</span></span></span></span></span></span></span></span></span></span>",
         "text $x^2$\n"},
        {"DataAttribute", "<p><span data-tex='x^2'>glyph</span>", "text $x^2$\n"},
        {"Quill", "<p><span class=ql-formula data-value='x^2'>glyph</span>", "text $x^2$\n"},
        {"GitLab", "<p><code class='code math js-render-math' data-math-style=inline>x^2</code>",
         "text $x^2$\n"},
        {"PandocKatex", "<p><span class='math inline'>x^2</span>", "text $x^2$\n"},
        {"InsideText", "<p>If \\(x^2\\) and \\(y\\) are", "text If $x^2$ and $y$ are\n"},
        {"NotInCode", "<pre>a \\(x\\)</pre>", "code a \\(x\\)\n"},
        {"ImageOfAlt", "<p><img src=img1.png alt='$x^2$'>", "text $x^2$\n"},
        {"ImageOfUrl", "<p><img src='https://latex.codecogs.com/gif.latex?%5Cinline%20x%5E2'>",
         "text $x^2$\n"},
        {"ImageOfParameter", "<p><img src='//s0.wp.com/latex.php?latex=x%5E2+y&bg=fff'>", "text $x^2 y$\n"},
        {"ImageOfAnotherUrl", "<p>a <img src='/chart?chl=x' alt=c>",
         "text a\nimage https://e.org/chart?chl=x c\n"},
        {"Script", "<p>a <script type='math/tex'>x_1</script>", "text a $x_1$\n"},
        {"ScriptDisplay", "<p><script type='math/tex; mode=display'>x_1</script>", "text $$x_1$$\n"},
        {"Image", "<p>a <img class=tex alt='x^2' src=/m.png>", "text a $x^2$\n"},
        {"MediaWiki",
         "<p>a <span><math alttext='{\\displaystyle x^{2}}'><mi>x</mi></math></span>"
         "<img class=mwe-math-fallback-image-inline alt='{\\displaystyle x^{2}}' src=/m.svg> b",
         "text a $x^{2}$ b\n"},
        {"KaTeX",
         "<p><span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation "
         "encoding='application/x-tex'>x</annotation></semantics></math></span><span class=katex-html "
         "aria-hidden=true>x</span></span>",
         "text $x$\n"},
        {"SameFormulaTwice", "<p><math alttext=x></math> and <math alttext=x></math>", "text $x$ and $x$\n"},
        {"Empty", "<p>a<math></math>b", "text ab\n"},
    }),
    case_name);

}  // namespace
}  // namespace sheaf::extract
