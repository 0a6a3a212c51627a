"""Reads the reference for a documentation page from its HTML inside the generator's content element. The rules are those
of docs/extraction.md, implemented here a second time on purpose: both implementations must agree."""
import re
import unicodedata
from collections import Counter
from urllib.parse import urljoin

from tree import BLOCK, UNSEEN, Node, matches

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PAGE_LIKE = HEADINGS + ("pre", "blockquote", "figure", "iframe", "video", "form", "hr")


BASE = "https://docs.example/page.html"  # the URL under which pages are extracted
NO_LANGUAGE = {"", "default", "text", "none", "plaintext", "txt", "nohighlight"}
LANGUAGE_CLASS = re.compile(r"(?:language|lang|highlight|source)-(?!lines|lang\b)([a-z0-9+#-]+)")
SIGN = re.compile(r"[#\ufe0e\ufe0f\u00b6\u00a7\ue000-\uf8ff\u200b\u2190-\u21ff\U0001f517]*")

EDGE = "\x00"  # marks where a block begins or ends while a text is collected


def key(text):
    """Returns the key for comparing texts: their letters and digits. A text without any is its own key."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(c for c in folded if c.isalnum())
    return letters or re.sub(r"\s+", " ", folded).strip()


def words(text):
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())


class Truth:
    def __init__(self, root, content, drop, neutral):
        self.drop, self.neutral = drop, neutral
        self.code, self.headings, self.cells, self.items = Counter(), Counter(), Counter(), Counter()
        self.languages, self.images, self.links = Counter(), Counter(), Counter()
        self.words, self.neutral_words, self.neutral_links = Counter(), Counter(), Counter()
        self.content = content_elements(root, content.split(", "))
        for element in self.content:
            self.visit(element)
            self.words.update(words(self.text(element)))
            self.visit_embedded(element)
            for node in element.elements():
                if self.is_neutral(node):
                    self.neutral_words.update(words(self.text(node, inside_neutral=True)))
                    self.neutral_links.update(
                        address(n.attributes["href"]) + " " + key(self.text(n, inside_neutral=True))
                        for n in node.elements() if n.name == "a" and n.attributes.get("href"))

    def is_neutral(self, node):
        return any(matches(node, s) for s in self.neutral)

    def skipped(self, node):
        return node.name in UNSEEN or any(matches(node, s) for s in self.drop) or self.is_neutral(node)

    def text(self, node, verbatim=False, inside_neutral=False):
        """Returns the text of an element, with spaces between blocks."""
        parts = []
        stack = [node]
        while stack:
            at = stack.pop()
            if isinstance(at, str):
                parts.append(at)
                continue
            if at is not node and (self.skipped(at) if not inside_neutral else at.name in UNSEEN):
                continue
            if at.name == "br":
                parts.append("\n")
                continue
            edge = [EDGE] if at is not node and at.name in BLOCK else []
            stack.extend(edge + list(reversed(at.children)) + edge)
        text = "".join(parts)
        # Preformatted text goes on in a new line at the edge of a block, unless it is in one already.
        return re.sub(f"(^|\n)?{EDGE}+", lambda m: m[1] or ("" if m[1] == "" else "\n"), text) if verbatim \
            else text.replace(EDGE, " ")

    def visit(self, node):
        """Visits one element. Elements inside a data table, a heading or preformatted text are part of it."""
        if node not in self.content and self.skipped(node):
            return
        if node.name == "table" and (code_cell := listing_cell(node)) is not None:
            self.visit(code_cell)
            return
        if is_code(node):
            code = self.text(node, verbatim=True).rstrip("\n")
            if node.name == "div":  # the line feeds between the elements of lines are no lines
                code = code.replace("\n\n", "\n")
            if code.strip():
                self.code[code] += 1
                if language := language_of(node):
                    self.languages[language + " " + key(code)] += 1
            return
        if node.name in HEADINGS:
            if text := self.text(node).strip():
                self.headings[node.name[1] + key(text)] += 1
            return
        if node.name == "table" and is_data_table(node):
            self.visit_table(node)
            return
        if node.name == "li":
            self.visit_item(node)
        for child in node.children:
            if isinstance(child, Node):
                self.visit(child)

    def visit_embedded(self, node):
        """Images and links, wherever they are. A link to a place of a page whose text is a sign is not a link with text; one
        inside code is not one either."""
        for child in node.children:
            if not isinstance(child, Node) or self.skipped(child) or is_code(child):
                continue
            source = child.attributes.get("src") or ""
            if child.name == "img" and source and not source.startswith("data:"):
                self.images[urljoin(BASE, source)] = 1
            href = child.attributes.get("href")
            to_itself = href is not None and href.startswith("#") and any(a.name in HEADINGS for a in child.ancestors())
            if child.name == "a" and href is not None and not to_itself:
                said = self.text(child).strip()
                if said and not ("#" in href and SIGN.fullmatch(said)) and urljoin(BASE, href).startswith("http"):
                    self.links[address(href) + " " + key(said)] += 1
            self.visit_embedded(child)

    def visit_item(self, item):
        """An item's own text ends where a block of its own or a list begins. After a list its text goes on; after
        a block it is ordinary text."""
        text = []
        stack = list(reversed(item.children))

        def end():
            if said := key("".join(text)):
                self.items[said] += 1
            text.clear()

        while stack:
            node = stack.pop()
            if isinstance(node, str):
                text.append(node)
            elif self.skipped(node):
                continue
            elif node.name in ("ul", "ol", "menu"):
                end()
                if self.holds_block(node):
                    return
            elif self.is_block(node):
                end()
                return
            else:
                stack.extend(reversed(node.children))
        end()

    def is_block(self, node):
        return is_code(node) or node.name in ("blockquote",) + HEADINGS or (node.name == "table" and is_data_table(node))

    def holds_block(self, node):
        return any(self.is_block(n) and not any(self.skipped(a) for a in n.ancestors()) for n in node.elements())

    def visit_table(self, table):
        """Returns the cells row by row. A cell that spans rows is in each of them."""
        reach = []  # (column, rows left, key)
        group = None
        for row in (n for n in table.elements() if n.name == "tr"):
            if row.parent is not group:
                reach, group = [], row.parent
            filled = [k for _, k in reach]
            for cell in (c for c in row.children if isinstance(c, Node) and c.name in ("td", "th")):
                text = self.text(cell)
                filled.append(key(text) if len(text.strip()) > 0 else "")
                rows = number(cell.attributes.get("rowspan"))
                if rows > 1:
                    reach.append([rows, filled[-1]])
            self.cells.update(k for k in filled if k)
            reach = [[rows - 1, k] for rows, k in reach if rows > 1]


def address(href):
    """Returns a URL as a browser writes it: a host has a path."""
    url = urljoin(BASE, href.strip())
    return url + "/" if re.fullmatch(r"https?://[^/?#]+", url) else url


def content_elements(root, selectors):
    """All elements that a selector of a page's content finds, the outermost of those inside one another. The first
    selector is enough where it is the only one: then it is the first element."""
    found = [n for n in root.elements() if any(matches(n, s) for s in selectors)]
    if len(selectors) == 1:
        return found[:1]
    return [n for n in found if not any(a in found for a in n.ancestors())]


def number(text):
    return int(text) if text and text.strip().isdigit() else 1


def is_code(node):
    """Whether an element is preformatted text; Doxygen writes each line as an element."""
    return node.name == "pre" or (node.name == "div" and "fragment" in node.words())


def listing_cell(table):
    """Returns the cell with the code of a table that has line numbers in another cell."""
    cells = [n for n in table.elements() if n.name == "td"]
    if len(cells) != 2 or not {"highlighttable", "rouge-table", "lntable"} & set(table.words()):
        return None
    return cells[1]


def language_of(pre):
    """Returns the language that a highlighter wrote on the code, its pre or a wrapper."""
    if "rust" in pre.words():  # rustdoc
        return "rust"
    if pre.words()[:1] == ["code"] and len(pre.words()) > 1:  # DokuWiki
        return pre.words()[1]
    code = next((n for n in pre.elements() if n.name == "code"), pre)
    for node in [code, pre] + list(pre.ancestors())[:4]:
        said = node.attributes.get("data-language") or node.attributes.get("data-lang")
        found = LANGUAGE_CLASS.search(node.attributes.get("class") or "")
        if said or found:
            language = (said or found[1]).lower()
            return "" if language in NO_LANGUAGE else language
    return ""


def is_data_table(table):
    if table.attributes.get("role") in ("presentation", "none"):
        return False
    inside = list(table.elements())
    if any(n.name == "table" for n in inside):
        return False
    rows = [[c for c in n.children if isinstance(c, Node) and c.name in ("td", "th")] for n in inside if n.name == "tr"]
    rows = [r for r in rows if r]
    if max(map(len, rows), default=0) < 2:
        return False
    if any(n.name in ("th", "thead", "caption") for n in inside):
        return True
    cells = [shape(c) for r in rows for c in r]
    filled = [c for c in cells if c]
    return len(rows) > 1 and 2 * filled.count("page") < len(filled)


def shape(cell):
    """"page" for a cell that is a page of its own, "text" for another that says something, "" for an empty one."""
    inside = list(cell.elements())
    size = sum(len(c.strip().encode()) for n in [cell] + inside for c in n.children if isinstance(c, str))
    paragraphs = sum(n.name in ("p", "ul", "ol", "dl") for n in inside)
    if any(n.name in PAGE_LIKE for n in inside) or paragraphs > 2 or size > 1000:
        return "page"
    return "text" if size else ""
