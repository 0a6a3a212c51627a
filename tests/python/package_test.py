#!/usr/bin/env python3
"""The Python package: every function, errors, threads, memory, Arrow streams, and the examples of docs/python.md.

usage: package_test.py --libraries FOLDER --fill STORE_FILL
"""
import argparse
import concurrent.futures
import ctypes
import gc
import json
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HTML = "<html><head><title>T\u00f6ne</title></head><body><main><h1>T\u00f6ne</h1><p>Some words of a page about \u4e2d\u6587.</p></main></body></html>"
SITE = "https://shop.example"


class PackageCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, True)
        for name in ("monday.scp", "tuesday.scp"):
            shutil.copy(ROOT / "examples" / name, self.folder)
        self.monday = self.folder / "monday.scp"
        self.lines = [json.loads(line) for line in self.monday.read_text().splitlines()[1:]]

    def fill_store(self):
        subprocess.run([ARGUMENTS.fill, self.folder / "copy", SITE, self.monday], check=True, capture_output=True)
        return sheaf.Store(self.folder / "copy")


class Reading(PackageCase):
    def test_pages_are_those_of_the_file(self):
        collection = sheaf.read(self.monday)
        self.assertEqual(collection.head["section"], "all")
        self.assertEqual(collection.head["type"], "snapshot")
        pages = list(collection)
        self.assertEqual([page.url for page in pages], [line["url"] for line in self.lines])
        for page, line in zip(pages, self.lines):
            for name in ("title", "description", "author", "published", "modified", "language", "canonical"):
                self.assertEqual(getattr(page, name), line.get(name))
            self.assertEqual(page.data, line)
            self.assertEqual(page.blocks, line["content"])
            self.assertIsNone(page.site)
            self.assertIn(page.url, repr(page))
        self.assertEqual(list(collection), [])

    def test_a_page_outlives_its_batch_and_its_collection(self):
        page = next(iter(sheaf.read(self.monday)))
        gc.collect()
        self.assertEqual(page.url, self.lines[0]["url"])

    def test_only_the_fields_that_are_named(self):
        for threads in (1, 3):
            pages = list(sheaf.read(self.monday, threads=threads, fields=("url", "text", "author")))
            whole = list(sheaf.read(self.monday))
            self.assertEqual([(page.url, page.text, page.author) for page in pages], [(page.url, page.text, page.author) for page in whole])
            self.assertIn(None, [page.author for page in pages])  # named, and the page has none
            for name in ("title", "json", "data", "blocks", "site"):
                with self.assertRaisesRegex(AttributeError, "was not read.*author, text, url"):
                    getattr(pages[0], name)
        with self.assertRaisesRegex(ValueError, "no field headline; the fields are url, title"):
            sheaf.read(self.monday, fields=("headline",))

    def test_errors_have_code_and_place(self):
        with self.assertRaises(sheaf.SheafError) as caught:
            sheaf.read(self.folder / "nothing.scp")
        self.assertEqual(caught.exception.code, "not-found")
        broken = self.folder / "broken.scp"
        broken.write_text(self.monday.read_text() + "{\n")
        with self.assertRaises(sheaf.SheafError) as caught:
            list(sheaf.read(broken))
        self.assertEqual(caught.exception.code, "invalid-json")
        self.assertEqual(caught.exception.line, len(self.lines) + 2)
        self.assertIn("line", str(caught.exception))
        with self.assertRaises(ValueError):
            sheaf.read("a\0b")

    def test_validate(self):
        report = sheaf.validate(self.monday)
        self.assertTrue(report["valid"])
        self.assertEqual(report["pages"], len(self.lines))
        bad = self.folder / "bad.scp"
        bad.write_text("nothing\n")
        self.assertFalse(sheaf.validate(bad)["valid"])
        self.assertIsNotNone(sheaf.validate(bad)["fatal"]["code"])


class Writing(PackageCase):
    def test_what_is_written_is_read_again(self):
        out = self.folder / "out.scp.zst"
        summary = sheaf.write(out, sheaf.read(self.monday), section="all", generated="2026-03-02T22:00:00Z")
        self.assertEqual(summary["pages"], len(self.lines))
        self.assertEqual([page.data for page in sheaf.read(out)], self.lines)
        sheaf.write(self.folder / "dicts.scp", self.lines)
        self.assertEqual([page.data for page in sheaf.read(self.folder / "dicts.scp")], self.lines)

    def test_a_refused_page_leaves_no_file(self):
        out = self.folder / "out.scp"
        with self.assertRaises(sheaf.SheafError):
            sheaf.write(out, [{"url": "not a url"}])
        self.assertFalse(out.exists())
        with self.assertRaises(sheaf.SheafError) as caught:
            sheaf.write(self.folder / "out.txt", [])
        self.assertEqual(caught.exception.code, "invalid-argument")


class Extracting(PackageCase):
    def test_html_becomes_a_page(self):
        page = sheaf.extract(HTML, url=SITE + "/1")
        self.assertEqual(page.title, "T\u00f6ne")
        self.assertIn("\u4e2d\u6587", page.text)
        self.assertIn("Some words", sheaf.to_markdown(page))
        latin = sheaf.extract(HTML.replace("\u4e2d\u6587", "").encode("latin-1"), url=SITE + "/1", content_type="text/html; charset=iso-8859-1")
        self.assertEqual(latin.title, "T\u00f6ne")

    def test_the_time_of_a_page_without_a_date(self):
        self.assertEqual(sheaf.extract(HTML, url=SITE, modified="2026-01-01T00:00:00Z").modified, "2026-01-01T00:00:00Z")
        with self.assertRaises(sheaf.SheafError) as caught:
            sheaf.extract(HTML, url=SITE, modified="yesterday")
        self.assertEqual(caught.exception.code, "invalid-argument")

    def test_threads(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            titles = set(pool.map(lambda n: sheaf.extract(HTML, url=f"{SITE}/{n}").title, range(200)))
        self.assertEqual(titles, {"T\u00f6ne"})

    def test_markdown_of_what_is_not_a_page(self):
        with self.assertRaises(sheaf.SheafError) as caught:
            sheaf.to_markdown("{}")
        self.assertEqual(caught.exception.code, "invalid-data")


class Storing(PackageCase):
    def test_store(self):
        with self.fill_store() as store:
            page = store.get(self.lines[2]["url"])
            self.assertEqual(page.data, self.lines[2])
            self.assertEqual((page.site, page.section), (SITE, "all"))
            self.assertIsNone(store.get(SITE + "/nothing"))
            self.assertEqual(sorted(p.url for p in store.pages()), sorted(line["url"] for line in self.lines))
            self.assertEqual(len(list(store.pages(url="*pricing*"))), 1)
            self.assertEqual(list(store.pages(site="https://other.example")), [])
            changes = list(store.changes())
            self.assertEqual([change.sequence for change in changes], list(range(1, len(self.lines) + 1)))
            self.assertEqual({change.kind for change in changes}, {"added"})
            self.assertEqual(list(store.changes(len(self.lines))), [])
            self.assertEqual(store.sections()[0].pages, len(self.lines))
            store.refresh()
            with self.assertRaises(sheaf.SheafError) as caught:
                list(store.changes(10_000))
            self.assertEqual(caught.exception.code, "refused")
        with self.assertRaises(ValueError):
            store.get(SITE)

    def test_the_feed_is_followed_by_positions(self):
        with self.fill_store() as store:
            self.assertEqual(len(list(store.changes("0"))), len(self.lines))
            self.assertEqual(list(store.changes(store.position())), [])
            with self.assertRaises(sheaf.SheafError) as caught:
                list(store.changes("no position"))
            self.assertEqual(caught.exception.code, "invalid-argument")

    def test_search(self):
        with self.fill_store() as store:
            with self.assertRaises(sheaf.SheafError) as caught:
                store.search("enamel")
            self.assertEqual(caught.exception.code, "not-found")
            done = store.update_index()
            self.assertEqual((done.indexed, done.removed, done.unreadable, done.pages), (len(self.lines), 0, 0, len(self.lines)))
            self.assertEqual(store.update_index().indexed, 0)
            self.assertEqual(store.update_index(rebuild=True).indexed, len(self.lines))
            results = store.search("enamel")
            self.assertEqual(len(results), results.total)
            urls = [hit.url for hit in results]
            self.assertIn(SITE + "/pricing", urls)
            for hit in results:
                page = store.get(hit.url)
                self.assertEqual((hit.title, hit.site, hit.section, hit.modified), (page.title, page.site, page.section, page.modified))
                self.assertTrue(all(hit.snippet[start:end].lower().startswith("enamel") for start, end in hit.matches))
            self.assertTrue(any(hit.matches for hit in results))
            self.assertEqual(results.behind, 0)
            first = store.search("enamel", limit=1)
            self.assertEqual([first.hits[0].url, store.search("enamel", limit=1, cursor=first.next).hits[0].url], urls[:2])
            self.assertIsNone(store.search("enamel", limit=100).next)
            for nowhere in ({"since": "2099-01-01T00:00:00Z"}, {"title": True}):
                self.assertEqual(store.search("enamel", **nowhere).hits, (), nowhere)
            for unknown in ({"site": "other.example"}, {"section": "news"}, {"lang": "de"}):
                with self.assertRaisesRegex(sheaf.SheafError, "no page of the .*" + next(iter(unknown.values()))) as caught:
                    store.search("enamel", **unknown)
                self.assertEqual(caught.exception.code, "not-found")
            for bad in ({"query": '"enamel'}, {"query": "enamel", "since": "yesterday"}, {"query": "enamel", "cursor": "none"}):
                with self.assertRaises(sheaf.SheafError) as caught:
                    store.search(**bad)
                self.assertEqual(caught.exception.code, "invalid-argument")
            for limit in (0, 101, -1):
                with self.assertRaisesRegex(ValueError, "limit"):
                    store.search("enamel", limit=limit)
            self.assertEqual(store.search("enamml").suggestion, "enamel")

    def test_threads_search_one_store(self):
        with self.fill_store() as store, concurrent.futures.ThreadPoolExecutor(4) as pool:
            store.update_index()
            found = set(pool.map(lambda _: tuple(hit.url for hit in store.search("enamel")), range(50)))
        self.assertEqual(len(found), 1)

    def test_an_iteration_that_is_given_up_ends_its_thread(self):
        with self.fill_store() as store:
            iterator = iter(store.pages())
            next(iterator)
            before = threading.active_count()
            del iterator
            gc.collect()
            self.assertLessEqual(threading.active_count(), before)

    def test_no_store(self):
        with self.assertRaises(sheaf.SheafError) as caught:
            sheaf.Store(self.folder / "nothing")
        self.assertEqual(caught.exception.code, "not-found")

    def test_pull_opens_a_store_by_its_path(self):
        result = sheaf.pull("http://127.0.0.1:1", self.folder / "new", allow_private=True)
        self.assertFalse(result.ok)
        with sheaf.Store(self.folder / "new", writable=True) as store:  # it was closed again
            self.assertEqual(store.sections(), [])

    def test_pull_refuses_what_is_not_a_site(self):
        with sheaf.Store(self.folder / "new", writable=True) as store:
            try:
                self.assertFalse(sheaf.pull("http://127.0.0.1:1/", store).ok)
            except sheaf.SheafError as error:
                self.assertTrue(error.code)


# What a program may do with a store that is being read. Each runs in a process of its own: a mistake would be a crash.
LIFETIMES = {
    "close with an open iterator": """
        with sheaf.Store("copy") as store:
            pages = iter(store.pages())
            next(pages)
        assert len(list(pages)) == NUMBER - 1
        """,
    "an exception in the loop": """
        try:
            with sheaf.Store("copy") as store:
                for page in store.pages():
                    raise KeyError(page.url)
        except KeyError:
            pass
        """,
    "exit with an open iterator": """
        store = sheaf.Store("copy")
        pages = iter(store.pages())
        next(pages)
        """,
    "exit with an open stream": """
        stream = sheaf.Store("copy").pages().__arrow_c_stream__()
        """,
    "a cycle of a store and its cursor": """
        class Node: pass
        node = Node()
        node.store = sheaf.Store("copy")
        node.pages = node.store.pages()
        node.itself = node
        next(iter(node.pages))
        del node
        gc.collect()
        """,
    "close while other threads read": """
        store = sheaf.Store("copy")
        def read(number):
            try:
                for page in store.pages():
                    store.get(page.url)
            except ValueError as error:
                assert "closed" in str(error), error
        threads = [threading.Thread(target=read, args=(n,)) for n in range(6)]
        for thread in threads: thread.start()
        for thread in [threading.Thread(target=store.close) for _ in range(4)]: thread.start()
        for thread in threads: thread.join()
        """,
    "a fork": """
        store = sheaf.Store("copy")
        pages = iter(store.pages())
        next(pages)
        child = os.fork()
        if child == 0:
            try:
                next(pages) and [page for page in pages]
                store.get("x")
            except sheaf.SheafError as error:
                assert "fork" in str(error), error
                del pages, store
                gc.collect()
                assert sheaf.extract("<p>Words of a page.</p>").text
                os._exit(7)  # as multiprocessing does; exit() would wait for threads of the parent
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert len(list(pages)) == NUMBER - 1
        """,
    "a cursor in two threads": """
        pages = sheaf.Store("copy").pages()
        refused = []
        def read():
            try:
                for page in pages: pass
            except sheaf.SheafError as error:
                assert error.code == "in-use", error
                refused.append(error)
        threads = [threading.Thread(target=read) for n in range(4)]
        for thread in threads: thread.start()
        pages.close()
        for thread in threads: thread.join()
        """,
    "refresh with an open iterator": """
        store = sheaf.Store("copy")
        pages = iter(store.pages())
        next(pages)
        try:
            store.refresh()
            raise AssertionError("it was not refused")
        except sheaf.SheafError as error:
            assert error.code == "in-use", error
        del pages
        gc.collect()
        store.refresh()
        """,
    "a stream that its consumer moved": """
        stream = sheaf.Store("copy").pages().__arrow_c_stream__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        address = get(stream, b"arrow_array_stream")
        moved = ctypes.create_string_buffer(ctypes.string_at(address, 40), 40)
        ctypes.memset(address + 24, 0, 8)
        del stream
        gc.collect()
        release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(ctypes.c_void_p.from_address(ctypes.addressof(moved) + 24).value)
        array = ctypes.create_string_buffer(80)
        get_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(ctypes.c_void_p.from_address(ctypes.addressof(moved) + 8).value)
        assert get_next(ctypes.addressof(moved), ctypes.addressof(array)) == 0
        assert ctypes.c_int64.from_buffer(array).value > 0
        release(ctypes.addressof(moved))
        """,
}
NUMBER = 20_000


class Lifetimes(PackageCase):
    def test_no_order_of_closing_crashes(self):
        page = '{"url":"%s/%d","title":"T","description":"","modified":"2026-01-01T00:00:00Z","language":"en","content":[{"type":"text","text":"%s"}]}\n'
        lines = self.folder / "many.scp"
        with open(lines, "w") as out:
            out.write(self.monday.read_text().splitlines()[0] + "\n")
            out.writelines(page % (SITE, number, "words " * 40) for number in range(NUMBER))
        subprocess.run([ARGUMENTS.fill, self.folder / "copy", SITE, lines], check=True, capture_output=True)
        for name, program in LIFETIMES.items():
            with self.subTest(name):
                script = "import ctypes, gc, os, sys, threading\nimport sheaf\n" + f"NUMBER = {NUMBER}\n" + textwrap.dedent(program)
                # Python 3.12 and newer warn of any fork in a process with threads.
                done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", script], cwd=self.folder, capture_output=True,
                                      text=True, timeout=120,
                                      env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_errors_pass_through_process_pools(self):
        error = pickle.loads(pickle.dumps(sheaf.SheafError("not-found", "nothing", 3, 7)))
        self.assertEqual((error.code, error.message, error.line, error.offset), ("not-found", "nothing", 3, 7))
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            with self.assertRaises(sheaf.SheafError) as caught:
                pool.submit(sheaf.read, str(self.folder / "nothing.scp")).result(timeout=60)
        self.assertEqual(caught.exception.code, "not-found")

    def test_wrong_arguments(self):
        with self.fill_store() as store:
            for wrong in (5, None, ["x"], 1.5):
                with self.assertRaises(TypeError):
                    store.get(wrong)
                with self.assertRaises(TypeError):
                    sheaf.extract(wrong)
                with self.assertRaises(TypeError):
                    sheaf.pull(wrong, store)
                with self.assertRaises(TypeError):
                    store.search(wrong)
        for arguments in ({"section": "a\0b"}, {"id": "a\0b"}, {"generated": "2026-01-01T00:00:00Z\0"}):
            with self.assertRaisesRegex(ValueError, "zero byte"):
                sheaf.write(self.folder / "out.scp", [], **arguments)
        with self.assertRaisesRegex(ValueError, "empty"):
            sheaf.read("")
        with self.assertRaisesRegex(ValueError, "at least one field"):
            sheaf.read(self.monday, fields=())
        self.assertEqual(repr(next(iter(sheaf.read(self.monday, fields=("title",))))), "<sheaf.Page>")

    def test_pages_of_a_site_with_a_slash(self):
        with self.fill_store() as store:
            self.assertEqual(len(list(store.pages(site=SITE + "/"))), len(self.lines))

    def test_types(self):
        if not shutil.which("mypy"):
            self.skipTest("mypy is not installed")
        subprocess.run(["mypy", "--strict", "--cache-dir", self.folder / "cache", ROOT / "python/sheaf"], check=True, capture_output=True)


class ArrowSchema(ctypes.Structure):
    pass


ArrowSchema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
                        ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))), ("dictionary", ctypes.c_void_p),
                        ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))), ("private_data", ctypes.c_void_p)]


class ArrowArray(ctypes.Structure):
    pass


ArrowArray._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                       ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                       ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))), ("dictionary", ctypes.c_void_p),
                       ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))), ("private_data", ctypes.c_void_p)]


class ArrowStream(ctypes.Structure):
    pass


ArrowStream._fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowStream), ctypes.POINTER(ArrowSchema))),
                        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowStream), ctypes.POINTER(ArrowArray))),
                        ("get_last_error", ctypes.c_void_p), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class Arrow(PackageCase):
    """A consumer written by the specification of the Arrow C stream interface."""

    def open(self, pages):
        capsule = pages.__arrow_c_stream__()
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        return capsule, ArrowStream.from_address(get(capsule, b"arrow_array_stream"))

    def test_columns(self):
        capsule, stream = self.open(sheaf.read(self.monday))
        schema = ArrowSchema()
        self.assertEqual(stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)), 0)
        self.assertEqual(schema.format, b"+s")
        names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
        self.assertEqual(names, ["url", "title", "description", "author", "published", "modified", "language", "canonical", "text", "site", "section"])
        formats = {schema.children[i].contents.format for i in range(schema.n_children)}
        self.assertEqual(formats, {b"U", b"tsu:UTC"})
        schema.release(ctypes.byref(schema))
        array = ArrowArray()
        self.assertEqual(stream.get_next(ctypes.byref(stream), ctypes.byref(array)), 0)
        self.assertEqual(array.length, len(self.lines))
        column = array.children[names.index("title")].contents
        offsets = (ctypes.c_int64 * (array.length + 1)).from_address(column.buffers[1])
        titles = [ctypes.string_at(column.buffers[2] + offsets[i], offsets[i + 1] - offsets[i]).decode() for i in range(array.length)]
        self.assertEqual(titles, [line["title"] for line in self.lines])
        author = array.children[names.index("author")].contents
        self.assertEqual(author.null_count, sum("author" not in line for line in self.lines))
        array.release(ctypes.byref(array))
        end = ArrowArray()
        self.assertEqual(stream.get_next(ctypes.byref(stream), ctypes.byref(end)), 0)
        self.assertFalse(end.release)
        del capsule

    def test_a_cursor_gives_one_stream(self):
        pages = sheaf.read(self.monday)
        capsule, _ = self.open(pages)
        with self.assertRaises(ValueError):
            pages.__arrow_c_stream__()
        del capsule

    def test_a_store_is_a_stream_too(self):
        store = self.fill_store()
        capsule, stream = self.open(store.pages())
        array = ArrowArray()
        self.assertEqual(stream.get_next(ctypes.byref(stream), ctypes.byref(array)), 0)
        self.assertEqual(array.length, len(self.lines))
        site = array.children[9].contents
        self.assertEqual(site.null_count, 0)
        offsets = (ctypes.c_int64 * (array.length + 1)).from_address(site.buffers[1])
        self.assertEqual(ctypes.string_at(site.buffers[2], offsets[1]).decode(), SITE)
        array.release(ctypes.byref(array))


class Examples(PackageCase):
    def test_examples_of_the_manual(self):
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
        self.assertGreater(len(blocks), 4)
        subprocess.run([ARGUMENTS.fill, self.folder / "copy", SITE, self.monday], check=True, capture_output=True)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        names = {}
        for block in blocks:
            if "import polars" in block or "sheaf.pull" in block:  # packages and a network that a test does not have
                compile(block, "docs/python.md", "exec")
                continue
            exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102


class Wheel(PackageCase):
    def test_the_wheel_lists_what_it_contains(self):
        made = subprocess.run([sys.executable, ROOT / "tools/release/make_wheel", "--libraries", ARGUMENTS.libraries, "--out", self.folder], check=True,
                              capture_output=True, text=True).stdout.strip()
        with zipfile.ZipFile(made) as wheel:
            record = wheel.read("sheaf-0.1.0.dist-info/RECORD").decode().splitlines()
            self.assertEqual([line.split(",")[0] for line in record], wheel.namelist())
            self.assertIn("sheaf/py.typed", wheel.namelist())
            wheel.extractall(self.folder / "installed")
        environment = {name: value for name, value in os.environ.items() if name != "SHEAF_LIBRARIES"}
        environment["PYTHONPATH"] = str(self.folder / "installed")
        found = subprocess.run([sys.executable, "-c", "import sheaf; print(sum(1 for _ in sheaf.read('monday.scp')))"], cwd=self.folder, check=True,
                               capture_output=True, text=True, env=environment).stdout
        self.assertEqual(found, "6\n")


class Loading(PackageCase):
    def run_python(self, code, **environment):
        return subprocess.run([sys.executable, "-c", code], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "python"), **environment}, check=False)

    def test_only_stores_load_more_than_libscp(self):
        self.fill_store()
        done = self.run_python("import sheaf; sheaf.validate('monday.scp'); sheaf.extract('<p>A page.', url='https://a.example/')\n"
                               "maps = lambda: open('/proc/self/maps').read()\n"
                               "print('libscp.so' in maps(), 'libsheaf.so' in maps(), 'rocksdb' in maps())\n"
                               "sheaf.Store('copy'); print('libsheaf.so' in maps())")
        self.assertEqual(done.stdout, "True False False\nTrue\n", done.stderr)

    def test_a_library_that_is_missing_or_cannot_be_loaded(self):
        done = self.run_python("import sheaf", SHEAF_LIBRARIES=str(self.folder))
        self.assertIn(f"ImportError: cannot load {self.folder}/libscp.so: ", done.stderr)
        shutil.copy(pathlib.Path(ARGUMENTS.libraries) / "libscp.so", self.folder)
        (self.folder / "libsheaf.so").write_bytes(b"not a library")
        done = self.run_python("import sheaf; print(sheaf.validate('monday.scp')['valid']); sheaf.Store('copy')", SHEAF_LIBRARIES=str(self.folder))
        self.assertEqual(done.stdout, "True\n", done.stderr)
        self.assertIn(f"ImportError: cannot load {self.folder}/libsheaf.so: ", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--libraries", required=True)
    parser.add_argument("--fill", required=True)
    ARGUMENTS, rest = parser.parse_known_args()
    ARGUMENTS.libraries = os.path.abspath(ARGUMENTS.libraries)  # tests change the folder
    ARGUMENTS.fill = os.path.abspath(ARGUMENTS.fill)
    os.environ["SHEAF_LIBRARIES"] = ARGUMENTS.libraries
    sys.path.insert(0, str(ROOT / "python"))
    sys.dont_write_bytecode = True
    import sheaf
    unittest.main(argv=[sys.argv[0], *rest])
