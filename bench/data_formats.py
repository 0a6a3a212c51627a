#!/usr/bin/env python3
"""Compares data formats and bindings with the usual alternatives: Parquet and DuckDB, Python and json.loads, WARC and warcio, chunk ids.

    bench/data_formats.py --sheaf PROGRAM --bench PROGRAM --libraries FOLDER --pages FILE --html FOLDER --work FOLDER [--web FOLDER]
                          [--only NAME,...] [--memory-mb N,N,...] [--json FILE]

--pages are pages of documentation, one JSON object per line (bench/make_corpus.py). --html is a folder of HTML files of documentation,
--web a folder of pages of the web. DuckDB and warcio come from npm and are fetched once into --work. The two sides of a ratio run in turn,
and the best round of each counts. Where both use one thread, the time is processor time.
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

import figures
from stored_pages import SITE, StoredPages, timed

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = {"@duckdb/node-api": "@duckdb/node-api@1.5.6-r.1", "warcio": "warcio@2.4.11"}
ROUNDS = 3
FLAT = 1.25  # the quarter allows for other work on the machine
MONDAY, TUESDAY = "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"

ITERATION = r"""
import json, resource, subprocess, sys, time
import sheaf
path, plain, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
best = {}
def used():
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
def lap(name, run):
    wall, processor = time.perf_counter(), used()
    size = run()
    entry = best.setdefault(name, {"wall": 1e9, "processor": 1e9, "size": size})
    entry["wall"] = min(entry["wall"], time.perf_counter() - wall)
    entry["processor"] = min(entry["processor"], used() - processor)
def ours(threads):
    size = 0
    for page in sheaf.read(path, threads=threads, fields=("url", "title", "text")):
        size += len(page.url) + len(page.title) + len(page.text)
    return size
def text_of(block):
    kind = block["type"]
    if kind in ("text", "heading", "link"):
        return block["text"]
    if kind == "code":
        return block["code"]
    if kind == "list":
        return "\n".join(block["items"])
    if kind == "table":
        return "\n".join("\t".join(row) for row in block["rows"])
    if kind == "image":
        return block["alt"]
    if kind == "quote":
        return "\n".join(part for part in (block["text"], block.get("citation")) if part)
    return ""
def loads(lines):
    size = 0
    next(lines)
    for line in lines:
        page = json.loads(line)
        texts = [text_of(block) for block in page["content"]]
        size += len(page["url"]) + len(page["title"]) + len("\n\n".join(text for text in texts if text))
    return size
def loads_packed():
    with subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE, bufsize=1 << 20) as zstd:
        return loads(zstd.stdout)
def loads_plain():
    with open(plain, "rb") as lines:
        return loads(lines)
for _ in range(rounds):
    lap("sheaf", lambda: ours(3))
    lap("sheaf, one thread", lambda: ours(1))
    lap("json.loads", loads_packed)
    lap("json.loads, decompressed before", loads_plain)
if len({entry["size"] for entry in best.values()}) != 1:
    sys.exit(f"not the same texts: {best}")
print(json.dumps(best))
"""

EXTRACTION = r"""
import concurrent.futures, json, pathlib, sys, time
import sheaf
pages = [pathlib.Path(name).read_bytes() for name in sys.argv[2:]]
seconds = float(sys.argv[1])
def extract(page):
    return len(sheaf.extract(page, url="https://docs.example/page.html", modified="2026-05-29T00:00:00Z").json)
def best(run, clock):
    fastest, start = 0, clock()
    while clock() - start < seconds:
        lap = clock()
        run()
        fastest = max(fastest, len(pages) / (clock() - lap))
    return fastest
def threaded(pool):
    return lambda: list(pool.map(lambda part: [extract(page) for page in part], [pages[0::2], pages[1::2]]))
each = lambda: [extract(page) for page in pages]
one = best(each, time.process_time)
alone = best(each, time.perf_counter)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    both = best(threaded(pool), time.perf_counter)
print(json.dumps({"one": one, "alone": alone, "both": both}))
"""


def read_lines(path):
    with open(path) as lines:
        return list(lines)


class DataBench:
    def __init__(self, options):
        self.options, self.rows = options, figures.Figures("data")
        self.work = pathlib.Path(options.work)
        shutil.rmtree(self.work / "run", ignore_errors=True)
        (self.work / "run").mkdir(parents=True)

    def tools(self, package):
        """Returns a folder with the npm package; None if it is not available."""
        folder = self.work / "npm"
        if not (folder / "node_modules" / package).exists():
            if not shutil.which("npm"):
                return None
            folder.mkdir(exist_ok=True)
            subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PACKAGES[package]], check=False)
        return folder.absolute() if (folder / "node_modules" / package).exists() else None

    def python(self, script, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "python"), "SHEAF_LIBRARIES": str(pathlib.Path(self.options.libraries).absolute())}
        return json.loads(timed([sys.executable, "-c", script, *arguments], env=environment)[1])

    def node(self, script, *arguments):
        return json.loads(timed(["node", HERE / "peers" / script, *arguments])[1])

    def collection(self, name):
        """Returns the pages as a plain and a compressed collection."""
        plain, packed = self.work / "run" / f"{name}.scp", self.work / "run" / f"{name}.scp.zst"
        with open(plain, "w") as out:
            out.write('{"collection":{"id":"all","section":"all","type":"snapshot","generated":"%s","version":"0.1"}}\n' % MONDAY)
            out.writelines(read_lines(self.options.pages))
        timed([self.options.sheaf, "convert", plain, packed])
        return plain, packed

    def parquet(self):
        stored = StoredPages(self.options.sheaf, self.work / "run" / "parquet")
        stored.pull(read_lines(self.options.pages), MONDAY)
        ours, theirs = self.work / "run" / "ours.parquet", self.work / "run" / "duckdb.parquet"
        tools, times = self.tools("@duckdb/node-api"), {}
        for _ in range(ROUNDS):
            times.setdefault("ours", []).append(timed([self.options.sheaf, "export", "--store", stored.folder, "-o", ours])[0])
            if tools:
                times.setdefault("duckdb", []).append(self.node("duckdb_copy.mjs", tools, self.options.pages, theirs, os.cpu_count())["seconds"])
        if not tools:
            return self.rows.note("Parquet export, DuckDB's COPY : ours", None, detail="DuckDB cannot be fetched from npm")
        ours_s, theirs_s = min(times["ours"]), min(times["duckdb"])
        self.rows.at_least("Parquet export: speed against DuckDB's COPY of the same pages", 1, theirs_s / ours_s, detail=f"{ours_s:.2f} s, DuckDB {theirs_s:.2f} s")
        sizes = ours.stat().st_size, theirs.stat().st_size
        self.rows.at_most("Parquet export: size against DuckDB's", 1.1, sizes[0] / sizes[1], detail=f"{sizes[0]:,} bytes, DuckDB {sizes[1]:,}")

    def memory(self):
        """Peak memory of an export over sizes: the pages again and again, under other URLs."""
        lines = [line for line in read_lines(self.options.pages) if len(line) < 1_000_000]
        peaks = {}
        for megabytes in map(int, self.options.memory_mb.split(",")):
            def many():
                size = number = 0
                while size < megabytes * 1_000_000:
                    line = lines[number % len(lines)].replace(SITE, f"{SITE}/{number // len(lines)}", 1)
                    size, number = size + len(line), number + 1
                    yield line
            folder = self.work / "run" / f"memory-{megabytes}"
            stored = StoredPages(self.options.sheaf, folder)
            stored.pull(many(), MONDAY)
            peaks[megabytes] = peak_memory([self.options.sheaf, "export", "--store", stored.folder, "--format", "parquet", "-o", folder / "out"])
            self.rows.note(f"Parquet export of {megabytes:,} MB: peak memory", peaks[megabytes], "bytes")
            shutil.rmtree(folder)
        if len(peaks) > 1:
            first, last = min(peaks), max(peaks)
            self.rows.at_most(f"Parquet export: memory of {last:,} MB against {first:,} MB", FLAT, peaks[last] / peaks[first])

    def iteration(self):
        plain, packed = self.collection("iterate")
        best = self.python(ITERATION, packed, plain, ROUNDS)
        ours, theirs, before = best["sheaf"], best["json.loads"], best["json.loads, decompressed before"]
        one = best["sheaf, one thread"]
        self.rows.at_least("Python: url, title and text of each page of a .scp.zst, speed against zstd -dc and json.loads", 5, theirs["wall"] / ours["wall"],
                           detail=f"{ours['wall']:.2f} s, json.loads {theirs['wall']:.2f} s; ours also checks every page and verifies the checksum")
        self.rows.note("Python: the same by processor time", theirs["processor"] / one["processor"],
                       detail=f"one thread, {one['processor']:.2f} s; zstd and json.loads {theirs['processor']:.2f} s")
        self.rows.note("Python: the same against json.loads of lines that were decompressed before", before["wall"] / ours["wall"], detail=f"{before['wall']:.2f} s")

    def extraction(self):
        speeds = self.extract_all("Python: extraction, speed against C++", self.options.html)
        self.rows.note("Python: extraction with two threads against one", speeds["both"] / speeds["alone"], detail=f"{os.cpu_count()} processors")
        if self.options.web:
            self.extract_all("Python: extraction of web pages, speed against C++", self.options.web)

    def extract_all(self, figure, folder):
        files = sorted(pathlib.Path(folder).glob("*.html"))
        speeds, native = {"one": 0, "alone": 0, "both": 0}, 0
        for _ in range(ROUNDS):
            native = max(native, json.loads(timed([self.options.bench, "extract", 3, *files])[1])["pagesPerSecond"])
            for name, speed in self.python(EXTRACTION, 3, *files).items():
                speeds[name] = max(speeds[name], speed)
        self.rows.at_least(figure, 0.9, speeds["one"] / native, detail=f"{speeds['one']:,.0f} pages/s, C++ {native:,.0f}")
        return speeds

    def warc(self):
        file = self.work / "run" / "pages.warc.gz"
        pages = [page.read_bytes() for page in sorted(pathlib.Path(self.options.html).glob("*.html"))]
        size = number = 0
        with open(file, "wb") as out:
            while size < self.options.warc_mb * 1_000_000:
                page = pages[number % len(pages)]
                block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
                head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {SITE}/{number}\r\nWARC-Date: {MONDAY}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
                        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n")
                out.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))
                size, number = size + len(block), number + 1
        plain = self.work / "run" / "pages.warc"
        with gzip.open(file) as packed, open(plain, "wb") as out:
            shutil.copyfileobj(packed, out, 1 << 20)
        tools = self.tools("warcio")
        for name, path in ((".warc.gz", file), (".warc", plain)):
            threads = min(4, os.cpu_count())
            ours = json.loads(timed([self.options.bench, "warc", threads, path])[1])
            one = json.loads(timed([self.options.bench, "warc", 1, path])[1])
            self.rows.note(f"WARC: reading {name}", size / 1e6 / ours["clock"], "MB/s", detail=f"{ours['records']:,} records, {threads} threads")
            if not tools:
                self.rows.note(f"WARC: reading {name}, speed against warcio", None, detail="warcio cannot be fetched from npm")
                continue
            theirs = self.node("warc_read.mjs", tools, path)
            if (theirs["records"], theirs["bytes"]) != (ours["records"], ours["bytes"]):
                sys.exit(f"the two did not read the same: {ours} {theirs}")
            self.rows.at_least(f"WARC: reading the records of a {name}, speed against warcio (npm)", 20, theirs["clock"] / ours["clock"],
                               detail=f"{ours['clock']:.3f} s, warcio {theirs['clock']:.2f} s")
            self.rows.note(f"WARC: the same by processor time, {name}", theirs["seconds"] / one["seconds"],
                           detail=f"one thread, {one['seconds']:.3f} s; warcio {theirs['seconds']:.2f} s")

    def chunks(self):
        """Adds a sentence to a text of one page in a hundred of each documentation set."""
        lines, sets = read_lines(self.options.pages), {}
        for index, line in enumerate(lines):
            sets.setdefault(set_of(json.loads(line)["url"], SITE), []).append(index)
        stored = StoredPages(self.options.sheaf, self.work / "run" / "chunks")
        stored.pull(lines, MONDAY)
        before = self.chunk_ids(stored)
        random.seed(1)
        for members in sets.values():
            for index in random.sample(members, max(1, len(members) // 100)) if len(members) >= 100 else []:
                lines[index] = edited(lines[index])
        stored.pull(lines, TUESDAY)
        after = self.chunk_ids(stored)
        for name, members in sorted(sets.items()):
            if len(members) < 100:
                continue
            changed = len(before[name] - after[name])
            self.rows.at_most(f"Chunks: ids that change with 1 % of the pages, {name}", 2, 100 * changed / len(before[name]), "%", detail=f"{len(members):,} pages, {len(before[name]):,} chunks")

    def chunk_ids(self, stored):
        file = self.work / "run" / "chunks.jsonl"
        timed([self.options.sheaf, "export", "--store", stored.folder, "--format", "chunks", "-o", file])
        ids = {}
        with open(file) as found:
            for line in found:
                chunk = json.loads(line)
                ids.setdefault(set_of(chunk["url"], stored.site), set()).add(chunk["id"])
        return ids


def set_of(url, site):
    """The documentation set of a page: the folder below the prefix that make_corpus.py puts in front."""
    parts = url.removeprefix(site + "/").split("/")
    return parts[1] if len(parts) > 2 else parts[0]


def edited(line):
    page = json.loads(line)
    texts = [block for block in page["content"] if block["type"] == "text"]
    if texts:
        block = random.choice(texts)
        block["text"] = block["text"] + " This sentence was added later."
        block.pop("inline", None)
    page["modified"] = TUESDAY
    return json.dumps(page, ensure_ascii=False) + "\n"


def peak_memory(command):
    """The peak memory of a command, in bytes. Another process starts it, because the system counts the memory of the parent as the child's, and
    this one has the corpus in memory."""
    script = ("import os, subprocess, sys; child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL); "
              "_, status, usage = os.wait4(child.pid, 0); print(usage.ru_maxrss); sys.exit(status != 0)")
    done = subprocess.run([sys.executable, "-c", script, *map(str, command)], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[1]} failed")
    return int(done.stdout) * 1024


PARTS = ["parquet", "memory", "iteration", "extraction", "warc", "chunks"]


def main():
    parser = argparse.ArgumentParser()
    for name in ("sheaf", "bench", "libraries", "pages", "html", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--web", help="a folder of pages of the web")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--memory-mb", default="100,1000,10000")
    parser.add_argument("--warc-mb", type=int, default=300)
    parser.add_argument("--json")
    options = parser.parse_args()
    bench = DataBench(options)
    for part in options.only.split(","):
        getattr(bench, part)()
    bench.rows.print()
    bench.rows.append_to(options.json)
    shutil.rmtree(bench.work / "run", ignore_errors=True)


if __name__ == "__main__":
    main()
