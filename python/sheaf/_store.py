"""The local copy of many sites."""
from __future__ import annotations

import dataclasses
import json
import os
from typing import Iterator, Optional

from ._library import call, library, path_bytes, take_string, text_of
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
    """A section of a site. `proven`: whether the pages add up to the state that the site declares, if it does."""
    site: str
    section: str
    from_html: bool
    generated: str
    pages: int
    bytes: int
    proven: Optional[bool]


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
    """A store, opened for reading, or with writable=True for pull(), which makes it where there is none."""

    def __init__(self, path: str | os.PathLike[str], *, writable: bool = False) -> None:
        self._handle: Optional[int] = None
        self._handle = call(library.sheaf_store_open, path_bytes(path), int(writable))

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the store. Iterations over its pages must have ended."""
        if self._handle is not None:
            library.sheaf_store_free(self._handle)
            self._handle = None

    @property
    def _open(self) -> int:
        if self._handle is None:
            raise ValueError("the store is closed")
        return self._handle

    def get(self, url: str) -> Optional[Page]:
        """The page with that URL, or None."""
        pages = Batch(call(library.sheaf_store_get, self._open, text_of(url))).pages()
        return pages[0] if pages else None

    def pages(self, *, site: Optional[str] = None, section: Optional[str] = None, url: Optional[str] = None) -> Cursor:
        """All pages, or those of a site ("https://example.com"), of a section, and of URLs that match a pattern with *."""
        return Cursor(call(library.sheaf_store_pages, self._open, text_of(site), text_of(section), text_of(url)), self)

    def changes(self, since: int | str = 0) -> Iterator[Change]:
        """The changes after `since`, oldest first: the number of a change, or a position. A shared store needs positions."""
        cursor = Cursor(call(library.sheaf_store_changes_after, self._open, text_of(str(since))), self)
        for page in cursor:
            change = page.data
            yield Change(change["sequence"], change["kind"], change["site"], change["section"], change["url"], change["oldModified"],
                         change["newModified"])

    def position(self) -> str:
        """The position after the newest change: take it when all changes were read, and give it to changes() next time."""
        return take_string(call(library.sheaf_store_position, self._open))

    def sections(self) -> list[Section]:
        found = json.loads(take_string(call(library.sheaf_store_sections, self._open)))
        return [Section(s["site"], s["section"], s["fromHtml"], s["generated"], s["pages"], s["bytes"], s["proven"]) for s in found]

    def refresh(self) -> None:
        """Shows what other processes wrote since the store was opened."""
        call(library.sheaf_store_refresh, self._open)


def pull(url: str, store: Store, *, user_agent: str = "sheaf-python", allow_private: bool = False) -> PullResult:
    """Brings a site's copy in a writable store up to date."""
    result = json.loads(take_string(call(library.sheaf_pull, store._open, text_of(url), text_of(user_agent), int(allow_private))))
    return PullResult(result["site"], result["ok"], result["code"], result["message"], result["fromHtml"], result["complete"], result["pages"],
                      result["added"], result["changed"], result["removed"], result["requests"], result["bytes"])
