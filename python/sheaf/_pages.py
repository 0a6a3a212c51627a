"""Pages, and where they come from besides a store."""
from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import threading
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Optional

from ._library import (ABSENT, AUTHOR, CANONICAL, DESCRIPTION, FIELD_NAMES, FIELDS, JSON, LANGUAGE, MODIFIED, PUBLISHED, SECTION, SITE, TEXT, TITLE, URL,
                       Handle, SheafError, c_string, call, library, path_bytes, take_string, text_of, utf8)


# A view of memory. An array type of ctypes for each size would cost more than the whole call, and stay for ever.
_view = ctypes.pythonapi.PyMemoryView_FromMemory
_view.restype, _view.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int]
_READ_ONLY = 0x100
_NOTHING = memoryview(b"")


class Batch:
    """The texts of many pages in memory of the library, which lives as long as a page of it does."""

    __slots__ = ("_handle", "data", "table", "count", "fields")

    def __init__(self, handle: int, fields: Optional[frozenset[str]] = None) -> None:
        self._handle = handle
        self.fields = fields  # those that were asked for; None: all
        view = library.sheaf_batch_contents(handle)
        self.count: int = view.count
        self.data = _view(view.data, view.size, _READ_ONLY) if view.size else _NOTHING
        self.table = _view(view.table, 8 * 2 * FIELDS * view.count, _READ_ONLY).cast("Q") if view.count else None

    def __del__(self) -> None:
        library.sheaf_batch_free(self._handle)

    def check_was_read(self, number: int) -> None:
        """Raises AttributeError for a field that read() was not asked for."""
        name = FIELD_NAMES[number]
        if self.fields is not None and name not in self.fields:
            raise AttributeError(f"{name} was not read: read(..., fields=...) names only {', '.join(sorted(self.fields))}")

    def pages(self) -> list["Page"]:
        return [Page(self, row) for row in range(0, self.count * FIELDS * 2, FIELDS * 2)]


def _field(number: int, doc: str) -> property:
    at = 2 * number

    def get(self: "Page") -> Optional[str]:
        batch = self._batch
        table = batch.table
        place = self._row + at
        start = table[place]
        if start == ABSENT:
            batch.check_was_read(number)
            return None
        return str(batch.data[start:start + table[place + 1]], "utf-8")

    return property(get, doc=doc)


class Page:
    """A page. Attributes are decoded when they are read; None if the page does not have the field."""

    __slots__ = ("_batch", "_row", "_parsed")

    def __init__(self, batch: Batch, row: int) -> None:
        self._batch = batch
        self._row = row
        self._parsed: Optional[dict[str, Any]] = None

    if TYPE_CHECKING:
        url: str
        title: Optional[str]
        description: Optional[str]
        author: Optional[str]
        published: Optional[str]
        modified: str
        language: Optional[str]
        canonical: Optional[str]
        text: str
        json: str
        site: Optional[str]
        section: Optional[str]
    else:
        url = _field(URL, "absolute, http or https")
        title = _field(TITLE, "")
        description = _field(DESCRIPTION, "can be empty")
        author = _field(AUTHOR, "")
        published = _field(PUBLISHED, "as the page has it")
        modified = _field(MODIFIED, "RFC 3339")
        language = _field(LANGUAGE, "BCP 47: en, de-CH")
        canonical = _field(CANONICAL, "")
        text = _field(TEXT, "the texts of all blocks, separated by an empty line")
        json = _field(JSON, "the whole page as JSON text")
        site = _field(SITE, "of a page of a store: the origin of its site")
        section = _field(SECTION, "of a page of a store")

    @property
    def data(self) -> dict[str, Any]:
        """The whole page as a dict."""
        if self._parsed is None:
            self._parsed = json.loads(self.json)
        return self._parsed

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """The content blocks as dicts, as docs/format.md describes them."""
        content: list[dict[str, Any]] = self.data["content"]
        return content

    def __repr__(self) -> str:
        has_url = self._batch.fields is None or "url" in self._batch.fields
        return f"<sheaf.Page {self.url}>" if has_url else "<sheaf.Page>"


class Cursor:
    """Iterates over pages, and is an Arrow stream of them. Can be used once."""

    def __init__(self, pointer: int, fields: Optional[frozenset[str]] = None) -> None:
        self._handle: Optional[Handle] = Handle(pointer, library.sheaf_cursor_free)
        self._fields = fields
        self._in_use = threading.Lock()

    def close(self) -> None:
        self._handle = None

    def batches(self) -> Iterator[Batch]:
        while (batch := self._next()) is not None:
            yield Batch(batch, self._fields)
        self.close()

    def _next(self) -> Optional[int]:
        handle = self._handle
        if handle is None:
            return None
        with self._exclusive():
            batch: Optional[int] = call(library.sheaf_next, handle.checked())
        return batch

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        if not self._in_use.acquire(blocking=False):
            raise SheafError("in-use", "another thread is reading these pages; open them once per thread")
        try:
            yield
        finally:
            self._in_use.release()

    def __iter__(self) -> Iterator[Page]:
        for batch in self.batches():
            yield from batch.pages()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """An Arrow C stream in a capsule, for polars, pyarrow, DuckDB and others. It owns the cursor."""
        handle = self._handle
        if handle is None:
            raise ValueError("the pages were read already")
        with self._exclusive():
            stream = ctypes.create_string_buffer(5 * ctypes.sizeof(ctypes.c_void_p))
            call(library.sheaf_cursor_arrow, handle.checked(), ctypes.addressof(stream))
            handle.give_away()
            self._handle = None
        return _capsule(stream)


_streams: dict[int, Any] = {}  # by address: the memory of streams whose capsule exists
_STREAM_NAME = b"arrow_array_stream"


def _release_stream(address: int) -> None:
    # The fourth member is the function that frees the stream; null if the consumer has taken the stream.
    release = ctypes.c_void_p.from_address(address + 3 * ctypes.sizeof(ctypes.c_void_p)).value
    if release:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)(address)


def _free_stream(capsule: int) -> None:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
    address = get(capsule, _STREAM_NAME)
    _release_stream(address)
    _streams.pop(address, None)


_DESTRUCTOR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_FREE_STREAM = _DESTRUCTOR(_free_stream)


@atexit.register
def _release_streams() -> None:
    for address in list(_streams):
        _release_stream(address)


def _capsule(stream: Any) -> object:
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, _DESTRUCTOR]
    address = ctypes.addressof(stream)
    _streams[address] = stream
    return make(address, _STREAM_NAME, _FREE_STREAM)


class Collection(Cursor):
    """A collection that is being read. `head` is its metadata line."""

    @property
    def head(self) -> dict[str, Any]:
        return self._head

    def __init__(self, path: str | os.PathLike[str], threads: int, fields: Optional[Iterable[str]] = None) -> None:
        wanted = frozenset(FIELD_NAMES if fields is None else fields)
        if not wanted:
            raise ValueError(f"name at least one field: {', '.join(FIELD_NAMES)}")
        if unknown := wanted.difference(FIELD_NAMES):
            raise ValueError(f"a page has no field {', '.join(sorted(unknown))}; the fields are {', '.join(FIELD_NAMES)}")
        bits = sum(1 << FIELD_NAMES.index(name) for name in wanted)
        super().__init__(call(library.sheaf_read_fields, path_bytes(path), threads, bits), fields=None if fields is None else wanted)
        self._head: dict[str, Any] = json.loads(take_string(call(library.sheaf_read_head, self._handle)))


def read(path: str | os.PathLike[str], *, threads: int = 3, fields: Optional[Iterable[str]] = None) -> Collection:
    """Opens a collection; iterate over it for its pages.

    `fields` names the attributes that will be read, such as ("url", "title", "text"): the others cost nothing then, and reading one of
    them raises AttributeError. `data` and `blocks` need "json". In an Arrow stream, columns that are not named are null.

    The checksum is verified at the end: until the iteration has ended without an exception, do not take the pages for the
    file's content for good.
    """
    return Collection(path, threads, fields)


def write(path: str | os.PathLike[str], pages: Iterable[Page | Mapping[str, Any] | str], *, section: str = "all", id: Optional[str] = None,
          generated: Optional[str] = None) -> dict[str, Any]:
    """Writes a snapshot; the extension tells the codec (.scp, .scp.gz, .scp.zst). Pages are Page objects, dicts or JSON texts.

    The file appears whole or not at all. A page that a reader would not accept raises SheafError, and nothing is written.
    """
    writer = call(library.sheaf_writer_create, path_bytes(path), c_string(section), None if id is None else c_string(id),
                  None if generated is None else c_string(generated))
    try:
        for page in pages:
            text = page.json if isinstance(page, Page) else page if isinstance(page, str) else json.dumps(page, ensure_ascii=False)
            call(library.sheaf_writer_add, writer, text_of(text))
        summary: dict[str, Any] = json.loads(take_string(call(library.sheaf_writer_finish, writer)))
        return summary
    finally:
        library.sheaf_writer_free(writer)


def validate(path: str | os.PathLike[str], *, threads: int = 2) -> dict[str, Any]:
    """Checks a collection: a dict with valid, strict, pages, skipped, checksum, fatal and findings."""
    report: dict[str, Any] = json.loads(take_string(call(library.sheaf_validate, path_bytes(path), threads)))
    return report


class _Extractor:
    def __init__(self) -> None:
        self.handle = call(library.sheaf_extractor_create)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            library.sheaf_extractor_free(self.handle)


_local = threading.local()


def extract(html: bytes | str, *, url: Optional[str] = None, content_type: Optional[str] = None, modified: Optional[str] = None) -> Page:
    """Makes a page of HTML. Bytes may be in any encoding; a str is UTF-8.

    `modified` is for a page that names no date itself; the current time unless given.
    """
    extractor = getattr(_local, "extractor", None)
    if extractor is None:
        extractor = _local.extractor = _Extractor()
    if isinstance(html, str):
        content_type = content_type or "text/html; charset=utf-8"
    # Bytes and their sizes: making a structure of ctypes for each text takes longer than all the rest here.
    page, address, media = utf8(html), utf8(url or b""), utf8(content_type or b"")
    time = None if modified is None else utf8(modified)
    return Page(Batch(call(library.sheaf_extract_parts, extractor.handle, page, len(page), address, len(address), media, len(media),
                           time, len(time or b""))), 0)


def to_markdown(page: Page | Mapping[str, Any] | str) -> str:
    """A page as Markdown."""
    text = page.json if isinstance(page, Page) else page if isinstance(page, str) else json.dumps(page, ensure_ascii=False)
    return take_string(call(library.sheaf_markdown, text_of(text)))
