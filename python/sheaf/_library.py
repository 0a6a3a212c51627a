"""The shared library, its functions and their types."""
from __future__ import annotations

import atexit
import ctypes
import os
import pathlib
import weakref
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

    def __reduce__(self) -> Any:
        return SheafError, (self.code, self.message, self.line, self.offset)  # process pools pickle exceptions

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

    _fields_ = [
        ("size", ctypes.c_size_t),
        *((name, Argument) for name in ("query", "site", "section", "language", "since", "cursor")),
        ("limit", ctypes.c_size_t),
        ("title_only", ctypes.c_int),
    ]


ABSENT_ARGUMENT = Argument(None, 0)


class Library:
    """The functions of the C interface. Those for stores are in libsheaf.so, which is loaded when the first of them is used; all others are
    in libscp.so. ctypes releases the interpreter lock during each call.
    """

    def __init__(self) -> None:
        self._folder = find_folder()
        self._core = load(self._folder / "libscp.so")
        version = self._core.sheaf_c_api_version()
        if version != API_VERSION:
            raise ImportError(f"{self._folder / 'libscp.so'} has version {version} of the C interface, and this package needs {API_VERSION}")
        self._stores: ctypes.CDLL | None = None

    def __getattr__(self, name: str) -> Any:
        if name not in SIGNATURES:
            raise AttributeError(name)
        library = self._core
        if name.startswith(("sheaf_store_", "sheaf_pull")):
            if self._stores is None:
                self._stores = load(self._folder / "libsheaf.so")
            library = self._stores
        function = getattr(library, name)
        function.restype, function.argtypes = SIGNATURES[name]
        setattr(self, name, function)
        return function


def find_folder() -> pathlib.Path:
    """The folder with libscp.so: SHEAF_LIBRARIES, `lib` in a wheel, or where the Debian package `sheaf` has it."""
    named = os.environ.get("SHEAF_LIBRARIES")
    if named:
        return pathlib.Path(named)
    package = pathlib.Path(__file__).resolve().parent
    installed = [] if (package / "lib").exists() else sorted(package.parents[2].glob("*/sheaf/libscp.so"))
    return installed[0].parent if installed else package / "lib"


def load(path: pathlib.Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"cannot load {path}: {error}") from error


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

library = Library()


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


class Handle:
    """A handle of the library, to be passed to its functions. It is freed when nothing refers to it any more. The arguments of a call refer
    to it too, so closing an object never frees memory that a call in another thread is using."""

    __slots__ = ("_as_parameter_", "_free", "_process", "__weakref__")

    def __init__(self, pointer: int, free: Callable[[int], None]) -> None:
        self._as_parameter_ = pointer
        self._free = free
        self._process = os.getpid()
        _handles.add(self)

    def checked(self) -> "Handle":
        """Raises SheafError in the child of a fork, where the threads behind the handle do not exist."""
        if self._process != os.getpid():
            raise SheafError("invalid-argument", "this object was made before the process was forked: open it again in the child")
        return self

    def give_away(self) -> None:
        """Something else frees the handle from now on."""
        self._process = 0
        _handles.discard(self)

    def __del__(self) -> None:
        # In the child of a fork the threads behind a handle do not exist: waiting for them would never end.
        if self._process == os.getpid():
            self._free(self._as_parameter_)


_handles: "weakref.WeakSet[Handle]" = weakref.WeakSet()


@atexit.register
def _free_handles() -> None:
    """At exit the interpreter does not delete every object. Threads of the library must not run while the process ends."""
    for handle in list(_handles):
        if handle._process == os.getpid():
            handle.give_away()
            handle._free(handle._as_parameter_)


def utf8(value: bytes | str) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"expected str or bytes, got {type(value).__name__}")


def required_text(value: bytes | str) -> Argument:
    """A text argument that cannot be absent. The bytes live as long as the structure."""
    data = utf8(value)
    return Argument(data, len(data))


def text_of(value: bytes | str | None) -> Argument:
    """A text argument. The bytes live as long as the structure."""
    return ABSENT_ARGUMENT if value is None else required_text(value)


def c_string(value: str) -> bytes:
    """A zero-terminated argument."""
    data = utf8(value)
    if b"\0" in data:
        raise ValueError(f"{value!r} contains a zero byte")
    return data


def path_bytes(path: str | os.PathLike[str]) -> bytes:
    data = os.fsencode(path)
    if not data:
        raise ValueError("the path is empty")
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
