"""Read, write, check, extract and pull collections of the Site Content Protocol.

    import sheaf

    for page in sheaf.read("monday.scp"):
        print(page.url, page.title)

The work is done by the sheaf library (C++), through its C interface. The interpreter lock is released during every call, so
threads run in parallel. docs/python.md is the manual.
"""
from ._library import SheafError
from ._pages import Collection, Page, extract, read, to_markdown, validate, write
from ._store import Change, IndexUpdate, PullResult, SearchHit, SearchResults, Section, Store, pull

__all__ = ["Change", "Collection", "IndexUpdate", "Page", "PullResult", "SearchHit", "SearchResults", "Section", "SheafError", "Store",
           "extract", "pull", "read", "to_markdown", "validate", "write"]
__version__ = "0.1.0"
