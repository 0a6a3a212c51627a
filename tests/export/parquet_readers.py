#!/usr/bin/env python3
"""Reads Parquet files with other programs: DuckDB, hyparquet and parquet-wasm must all return the pages of the store.

Fetches the readers from npm into --tools the first time; skipped if they are not available.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import npm_packages  # noqa: E402

PACKAGES = ["@duckdb/node-api@1.5.6-r.1", "hyparquet@1.31.5", "hyparquet-compressors@1.1.2", "parquet-wasm@0.8.0", "apache-arrow@21.2.0"]
READERS = ["duckdb", "hyparquet", "wasm"]
SITE = "https://test.example"


def block_text(block):
    kind = block["type"]
    if kind == "list":
        return "\n".join(block["items"])
    if kind == "table":
        return "\n".join("\t".join(row) for row in block["rows"])
    return {"code": block.get("code"), "image": block.get("alt")}.get(kind) or block.get("text", "")


def brief(text):
    # JavaScript counts UTF-16 code units.
    if text is None or len(text.encode("utf-16-le")) // 2 <= 200:
        return text
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def microseconds(time_text):
    if time_text is None:
        return None
    import datetime
    moment = datetime.datetime.fromisoformat(time_text.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return str(round((moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) / datetime.timedelta(microseconds=1)))


def row_of(page, section="all", op=None):
    texts = [block_text(block) for block in page["content"]]
    text = "\n\n".join(t for t in texts if t)
    blocks = [[b["type"], brief(t), str(b["level"]) if "level" in b else None, b.get("url"), b.get("language")]
              for b, t in zip(page["content"], texts)]
    words = sum(1 for c in text if "\u3040" <= c <= "\u9fff") + len("".join(" " if "\u3000" <= c <= "\u9fff" else c for c in text).split())
    fields = [page["url"], SITE, section, brief(page["title"]), brief(page["description"]), brief(page.get("author")),
              microseconds(page.get("published")), microseconds(page["modified"]), page["language"], brief(text), blocks, str(words), "collections"]
    return json.dumps(fields + ([op] if op else []), ensure_ascii=False, separators=(",", ":"))


def make_pages(count, large):
    pages = []
    for i in range(count):
        page = {"url": f"{SITE}/{i % 7}/{i}", "title": f"Page {i} \u00fc\u4e2d\u6587\U0001f600", "description": "" if i % 3 else f"About {i}",
                "modified": f"2026-01-{i % 28 + 1:02}T00:00:{i % 60:02}.25Z", "language": ["en", "de-CH", "ja"][i % 3],
                "content": [{"type": "heading", "level": i % 6 + 1, "text": f"Heading {i}"},
                            {"type": "text", "text": f"Some words of page {i}: \u65e5\u672c\u8a9e\u3002 and more\u2026 " * (i % 9)},
                            {"type": "list", "ordered": False, "items": ["one", "two \u00e9"]},
                            {"type": "table", "rows": [["a", "b"], ["c", "d"]]},
                            {"type": "code", "language": "c", "code": f"int x = {i};\n"},
                            {"type": "image", "url": f"{SITE}/i/{i}.png", "alt": "An image"}]}
        if i % 2:
            page["author"] = f"Author {i % 5}"
        if i % 4 == 0:
            page["published"] = "1969-12-31T23:59:59.5Z" if i % 8 else "2020-02-29T12:00:00Z"
        if i % 11 == 0:
            page["content"] = []
        pages.append(page)
    pages.append({"url": f"{SITE}/large", "title": "Large", "description": "", "modified": "2026-01-01T00:00:00Z", "language": "en",
                  "content": [{"type": "text", "text": "w\u00f6rds \u4e2d " * (large // 12)}]})
    return pages


def write_collection(path, pages, kind="snapshot", generated="2026-02-01T00:00:00Z", **more):
    head = {"collection": {"id": f"{kind}-{generated[:10]}", "section": "all", "type": kind, "generated": generated, "version": "0.1", **more}}
    with open(path, "w") as out:
        for line in [head, *pages]:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


class Checks:
    def __init__(self, arguments, readers, folder):
        self.sheaf, self.fill, self.readers, self.folder = arguments.sheaf, arguments.fill, readers, folder

    def run(self, *command):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, f"{command}: {done.stderr[-2000:]}"
        return done.stdout

    def expect_rows(self, what, files, expected):
        expected = sorted(expected)
        for reader in READERS:
            lines = self.run("node", "--max-old-space-size=4096", HERE / "parquet_rows.mjs", reader, self.readers, *sorted(files)).splitlines()
            # JavaScript sorts by code unit: sort both the same way.
            for found, wanted in zip(sorted(lines), expected):
                assert found == wanted, f"{what}, {reader}:\n  {found[:2000]}\ninstead of\n  {wanted[:2000]}"
            assert len(lines) == len(expected), f"{what}, {reader}: {len(lines)} rows instead of {len(expected)}"
        print(f"{what}: {len(expected)} rows, the same in {', '.join(READERS)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheaf", required=True)
    parser.add_argument("--fill", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--large", type=int, default=8_000_000, help="bytes of the largest text")
    arguments = parser.parse_args()
    readers = npm_packages.fetch(arguments.tools, *PACKAGES)
    if readers is None:
        print("skipped: DuckDB, hyparquet and parquet-wasm cannot be fetched with npm")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        checks = Checks(arguments, readers, folder)
        pages = make_pages(arguments.pages, arguments.large)
        write_collection(folder / "one.scp", pages)
        # From a collection, and from a store.
        checks.run(arguments.sheaf, "convert", "one.scp", "one.parquet")
        checks.expect_rows("convert", [folder / "one.parquet"], map(row_of, pages))
        checks.run(arguments.fill, "store", SITE, "one.scp")
        report = json.loads(checks.run(arguments.sheaf, "export", "--store", "store", "--format", "parquet", "-o", "out", "--shard-size", "1MiB", "--json"))
        files = list((folder / "out").glob("*.parquet"))
        assert report["files"] == len(files) and report["pages"] == len(pages), report
        checks.expect_rows("export", files, map(row_of, pages))
        total = sum(len("\n\n".join(filter(None, map(block_text, p["content"]))).encode()) for p in pages)
        assert report["textBytes"] == total, (report, total)
        # The same export again gives the same bytes; changed pages come with their op.
        again = json.loads(checks.run(arguments.sheaf, "export", "--store", "store", "--format", "parquet", "-o", "out", "--shard-size", "1MiB", "--json"))
        assert again["unchangedFiles"] == len(files) and again["deletedFiles"] == 0, again
        changed = [dict(pages[5], title="Changed", modified="2026-02-02T00:00:00Z")]
        write_collection(folder / "two.scp", changed, "delta", "2026-02-03T00:00:00Z", since="2026-02-01T00:00:00Z", removed=[pages[6]["url"]])
        checks.run(arguments.fill, "store", SITE, "two.scp")
        checks.run(arguments.sheaf, "export", "--store", "store", "--format", "parquet", "-o", "changes", "--since", report["cursor"])
        gone = json.dumps([pages[6]["url"], SITE, "all"] + [None] * 10 + ["delete"], separators=(",", ":"))
        expected = [row_of(changed[0], op="put"), gone]
        checks.expect_rows("changes", list((folder / "changes").glob("*.parquet")), expected)
        checks.run(arguments.sheaf, "convert", "two.scp", "two.parquet")
        checks.expect_rows("delta", [folder / "two.parquet"], [row_of(changed[0], op="put"), gone.replace('"all"', '"all"')])
        # An empty selection gives a file without rows, which readers must also accept.
        checks.run(arguments.sheaf, "export", "--store", "store", "--url", "none", "-o", "none.parquet")
        checks.expect_rows("no rows", [folder / "none.parquet"], [])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
