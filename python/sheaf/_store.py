"""The local copy of many sites."""
from __future__ import annotations

import ctypes
import dataclasses
import json
import os
from typing import Any, Iterator, Optional

from ._library import Handle, SearchRequest, call, library, path_bytes, required_text, take_string, text_of
from ._pages import Batch, Cursor, Page


@dataclasses.dataclass(frozen=True)
class Change:
    """An entry of the change feed. `kind` is "added", "changed" or "removed"."""
    sequence: int
    kind: str
    site: str
    section: str
    url: str
    old_modified: str
    new_modified: str


@dataclasses.dataclass(frozen=True)
class Section:
    """A section of a site. `proven`: whether the pages add up to the state digest that the site declares; None if it declares none."""
    site: str
    section: str
    from_html: bool
    generated: str
    pages: int
    bytes: int
    proven: Optional[bool]


@dataclasses.dataclass(frozen=True)
class SearchHit:
    """A page that matches. `headings` are those above the best match, outermost first; `snippet` is a line of text around it, and
    `matches` are the ranges of the snippet, as (start, end), that match the query."""
    url: str
    title: str
    site: str
    section: str
    modified: str
    language: str
    score: float
    headings: tuple[str, ...]
    snippet: str
    matches: tuple[tuple[int, int], ...]


@dataclasses.dataclass(frozen=True)
class SearchResults:
    """The results of a search, best first. Iterate over it for the hits.

    `total` is the number of matching pages (an estimate if `is_estimate`). Pass `next` to the following search as its cursor; None: there
    are no more results. `suggestion` is a similar query with words of the index, if nothing matched. `behind` is the number of changes of
    the store that are not in the index yet.
    """
    hits: tuple[SearchHit, ...]
    total: int
    is_estimate: bool
    next: Optional[str]
    suggestion: Optional[str]
    behind: int

    def __iter__(self) -> Iterator[SearchHit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclasses.dataclass(frozen=True)
class IndexUpdate:
    """What an update of the search index did. `pages` is the number of pages in it now, `unreadable` that of damaged pages of the store."""
    indexed: int
    removed: int
    unreadable: int
    pages: int


def _hit(found: dict[str, Any]) -> SearchHit:
    snippet, matches = "", []
    for part in found["snippet"]:
        if part["match"]:
            matches.append((len(snippet), len(snippet) + len(part["text"])))
        snippet += part["text"]
    return SearchHit(found["url"], found["title"], found["site"], found["section"], found["modified"], found["language"], found["score"],
                     tuple(found["headings"]), snippet, tuple(matches))


@dataclasses.dataclass(frozen=True)
class PullResult:
    """What a pull did. `code` and `message` say why `ok` is false."""
    site: str
    ok: bool
    code: str
    message: str
    from_html: bool
    complete: bool
    pages: int
    added: int
    changed: int
    removed: int
    requests: int
    bytes: int


class Store:
    """A store: a folder, or the URL of a shared store (postgresql://...). Opened for reading, or with writable=True for pull(), which
    creates it if it does not exist."""

    def __init__(self, path: str | os.PathLike[str], *, writable: bool = False) -> None:
        self._handle: Optional[Handle] = Handle(call(library.sheaf_store_open, path_bytes(path), int(writable)), library.sheaf_store_free)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the store, as soon as calls in other threads and iterations over its pages have ended."""
        self._handle = None

    @property
    def _open(self) -> Handle:
        if self._handle is None:
            raise ValueError("the store is closed")
        return self._handle.checked()

    def get(self, url: str) -> Optional[Page]:
        """The page with that URL, or None."""
        pages = Batch(call(library.sheaf_store_get, self._open, required_text(url))).pages()
        return pages[0] if pages else None

    def pages(self, *, site: Optional[str] = None, section: Optional[str] = None, url: Optional[str] = None) -> Cursor:
        """All pages, or those of a site ("https://example.com"), of a section, or with URLs that match a pattern with *."""
        site = site.removesuffix("/") if site else site
        return Cursor(call(library.sheaf_store_pages, self._open, text_of(site), text_of(section), text_of(url)))

    def changes(self, since: int | str = 0) -> Iterator[Change]:
        """The changes after `since`, oldest first: the number of a change, or a position(). Use positions with a shared store."""
        cursor = Cursor(call(library.sheaf_store_changes_after, self._open, text_of(str(since))))
        for page in cursor:
            change = page.data
            yield Change(change["sequence"], change["kind"], change["site"], change["section"], change["url"], change["oldModified"],
                         change["newModified"])

    def position(self) -> str:
        """The position after the newest change. Ask for it after reading all changes, and pass it to changes() the next time."""
        return take_string(call(library.sheaf_store_position, self._open))

    def sections(self) -> list[Section]:
        found = json.loads(take_string(call(library.sheaf_store_sections, self._open)))
        return [Section(s["site"], s["section"], s["fromHtml"], s["generated"], s["pages"], s["bytes"], s["proven"]) for s in found]

    def search(self, query: str, *, site: Optional[str] = None, section: Optional[str] = None, lang: Optional[str] = None,
               since: Optional[str] = None, title: bool = False, limit: int = 10, cursor: Optional[str] = None) -> SearchResults:
        """Finds pages by their text: words, "phrases", -excluded, one OR other, prefix*, site:HOST, lang:TAG, title:WORD.

        The other arguments restrict the search as the options of `sheaf search` do: `since` is an RFC 3339 time, with `title` only titles
        are searched, and `limit` is at most 100. Needs an index: update_index(), `sheaf index` or `sheaf pull --index`.
        """
        if not 1 <= limit <= 100:
            raise ValueError(f"limit must be from 1 to 100, not {limit}")
        texts = map(text_of, (site, section, lang, since, cursor))
        request = SearchRequest(ctypes.sizeof(SearchRequest), required_text(query), *texts, limit, int(title))
        found = json.loads(take_string(call(library.sheaf_store_search, self._open, ctypes.byref(request))))
        return SearchResults(tuple(map(_hit, found["results"])), found["total"], found["estimated"], found["next"], found["suggestion"],
                             found["behind"])

    def update_index(self, *, rebuild: bool = False) -> IndexUpdate:
        """Builds the search index of the store, or brings it up to date with what was pulled since."""
        done = json.loads(take_string(call(library.sheaf_store_update_index, self._open, int(rebuild))))
        return IndexUpdate(done["indexed"], done["removed"], done["unreadable"], done["pages"])

    def refresh(self) -> None:
        """Shows what other processes wrote since the store was opened."""
        call(library.sheaf_store_refresh, self._open)


def pull(url: str, store: Store | str | os.PathLike[str], *, user_agent: str = "sheaf-python", allow_private: bool = False) -> PullResult:
    """Brings the copy of a site up to date in a store: one that is open for writing, or a path or URL, which is opened and closed again."""
    if not isinstance(store, Store):
        with Store(store, writable=True) as opened:
            return pull(url, opened, user_agent=user_agent, allow_private=allow_private)
    result = json.loads(take_string(call(library.sheaf_pull, store._open, required_text(url), required_text(user_agent), int(allow_private))))
    return PullResult(result["site"], result["ok"], result["code"], result["message"], result["fromHtml"], result["complete"], result["pages"],
                      result["added"], result["changed"], result["removed"], result["requests"], result["bytes"])
