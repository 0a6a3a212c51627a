"""The shared library, its functions and their types."""
from __future__ import annotations

import ctypes
import os
import pathlib
import re
import subprocess
from typing import Any, Callable

API_VERSION = 1
FIELDS = 12
URL, TITLE, DESCRIPTION, AUTHOR, PUBLISHED, MODIFIED, LANGUAGE, CANONICAL, TEXT, JSON, SITE, SECTION = range(FIELDS)
FIELD_NAMES = ("url", "title", "description", "author", "published", "modified", "language", "canonical", "text", "json", "site", "section")
ABSENT = 0xFFFF_FFFF_FFFF_FFFF

class SheafError(Exception):
    """Something failed.

    `code` is a fixed name: "not-found", "io", or for a refused collection the finding, such as "checksum-mismatch".
    `line` and `offset` are the place in the uncompressed file; both are 0 if the error does not concern a place.
    """

    def __init__(self, code: str, message: str, line: int = 0, offset: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.offset = offset

    def __str__(self) -> str:
        place = f" (line {self.line}, byte {self.offset})" if self.line else ""
        return f"{self.code}: {self.message}{place}"


class Text(ctypes.Structure):
    """A text returned by the library."""

    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class BatchView(ctypes.Structure):
    """Where the texts of a batch are."""

    _fields_ = [("count", ctypes.c_size_t), ("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("table", ctypes.c_void_p)]


class Argument(ctypes.Structure):
    """A text for the library. Unlike Text, it keeps the bytes alive."""

    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class SearchRequest(ctypes.Structure):
    """What to search for."""

    _fields_ = [(name, Argument) for name in ("query", "site", "section", "language", "since", "cursor")] + [("limit", ctypes.c_size_t), ("title_only", ctypes.c_int)]


ABSENT_ARGUMENT = Argument(None, 0)


def missing_libraries(path: pathlib.Path) -> str:
    """A sentence that names the libraries that the dynamic linker does not find, and their packages; empty if it finds all."""
    try:
        listing = subprocess.run(["ldd", str(path)], capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""
    names = re.findall(r"(\S+) => not found", listing)
    if not names:
        return ""
    return f"missing libraries: {', '.join(names)}{packages_of(names)}"


def packages_of(names: list[str]) -> str:
    """Where a wheel was built, it noted the packages of its libraries (tools/make_wheel)."""
    try:
        from . import _packages
    except ImportError:
        return ""
    packages = sorted({_packages.PACKAGES[name] for name in names if name in _packages.PACKAGES})
    return f"; on {_packages.DISTRIBUTION}: apt-get install {' '.join(packages)}" if packages else ""


def find_library() -> pathlib.Path:
    named = os.environ.get("SHEAF_LIBRARY")
    return pathlib.Path(named) if named else pathlib.Path(__file__).with_name("libsheaf_c.so")


def load() -> ctypes.CDLL:
    path = find_library()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        why = missing_libraries(path) or str(error)
        raise ImportError(f"cannot load {path}: {why}") from error
    version = library.sheaf_c_api_version()
    if version != API_VERSION:
        raise ImportError(f"{path} has version {version} of the C interface, and this package needs {API_VERSION}")
    return library


# ctypes.CDLL releases the interpreter lock during each call.
library = load()

POINTER = ctypes.c_void_p
ERROR = ctypes.POINTER(ctypes.c_void_p)
STRING = ctypes.c_char_p
SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "sheaf_error_code": (STRING, [POINTER]),
    "sheaf_error_message": (STRING, [POINTER]),
    "sheaf_error_line": (ctypes.c_uint64, [POINTER]),
    "sheaf_error_offset": (ctypes.c_uint64, [POINTER]),
    "sheaf_error_free": (None, [POINTER]),
    "sheaf_string_text": (Text, [POINTER]),
    "sheaf_string_free": (None, [POINTER]),
    "sheaf_batch_contents": (BatchView, [POINTER]),
    "sheaf_batch_free": (None, [POINTER]),
    "sheaf_next": (POINTER, [POINTER, ERROR]),
    "sheaf_cursor_free": (None, [POINTER]),
    "sheaf_cursor_arrow": (ctypes.c_int, [POINTER, POINTER, ERROR]),
    "sheaf_read": (POINTER, [STRING, ctypes.c_uint, ERROR]),
    "sheaf_read_fields": (POINTER, [STRING, ctypes.c_uint, ctypes.c_uint32, ERROR]),
    "sheaf_read_head": (POINTER, [POINTER, ERROR]),
    "sheaf_writer_create": (POINTER, [STRING, STRING, STRING, STRING, ERROR]),
    "sheaf_writer_add": (ctypes.c_int, [POINTER, Argument, ERROR]),
    "sheaf_writer_finish": (POINTER, [POINTER, ERROR]),
    "sheaf_writer_free": (None, [POINTER]),
    "sheaf_validate": (POINTER, [STRING, ctypes.c_uint, ERROR]),
    "sheaf_extractor_create": (POINTER, [ERROR]),
    "sheaf_extract_parts": (POINTER, [POINTER] + 4 * [STRING, ctypes.c_size_t] + [ERROR]),
    "sheaf_extractor_free": (None, [POINTER]),
    "sheaf_markdown": (POINTER, [Argument, ERROR]),
    "sheaf_store_open": (POINTER, [STRING, ctypes.c_int, ERROR]),
    "sheaf_store_get": (POINTER, [POINTER, Argument, ERROR]),
    "sheaf_store_pages": (POINTER, [POINTER, Argument, Argument, Argument, ERROR]),
    "sheaf_store_changes": (POINTER, [POINTER, ctypes.c_uint64, ERROR]),
    "sheaf_store_changes_after": (POINTER, [POINTER, Argument, ERROR]),
    "sheaf_store_position": (POINTER, [POINTER, ERROR]),
    "sheaf_store_sections": (POINTER, [POINTER, ERROR]),
    "sheaf_store_search": (POINTER, [POINTER, ctypes.POINTER(SearchRequest), ERROR]),
    "sheaf_store_update_index": (POINTER, [POINTER, ctypes.c_int, ERROR]),
    "sheaf_store_refresh": (ctypes.c_int, [POINTER, ERROR]),
    "sheaf_store_free": (None, [POINTER]),
    "sheaf_pull": (POINTER, [POINTER, Argument, Argument, ctypes.c_int, ERROR]),
}
for _name, (_result, _arguments) in SIGNATURES.items():
    _function = getattr(library, _name)
    _function.restype = _result
    _function.argtypes = _arguments


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function whose last argument is the error. Raises SheafError if it failed."""
    error = ctypes.c_void_p()
    result = function(*arguments, ctypes.byref(error))
    if error:
        try:
            raise SheafError(library.sheaf_error_code(error).decode(), library.sheaf_error_message(error).decode("utf-8", "replace"),
                             library.sheaf_error_line(error), library.sheaf_error_offset(error))
        finally:
            library.sheaf_error_free(error)
    return result


def utf8(value: bytes | str) -> bytes:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else bytes(value)


def text_of(value: bytes | str | None) -> Argument:
    """A text argument. The bytes live as long as the structure."""
    if value is None:
        return ABSENT_ARGUMENT
    data = utf8(value)
    return Argument(data, len(data))


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    data = os.fsencode(path)
    if b"\0" in data:
        raise ValueError("a path cannot contain a zero byte")
    return data


def take_string(handle: int) -> str:
    """Returns the text of a string of the library, and frees the string."""
    try:
        text = library.sheaf_string_text(handle)
        return ctypes.string_at(text.data, text.size).decode()
    finally:
        library.sheaf_string_free(handle)
