#!/usr/bin/env python3
"""Measures how cost grows with the number of pages: memory, time and size of publish, pull and commands on a store.

    bench/curves.py --sheaf PROGRAM --lines small.jsonl --work FOLDER [--numbers N,N,...] [--skip NAME,...] [--json FILE]
    bench/curves.py --feed N --lines small.jsonl --base URL [--head] [--changed]      the pages, to standard output

For each number: `publish` from pages on its standard input, again with nothing changed, and again with one page in a hundred changed; `pull`
of the snapshot from `sheaf serve` into an empty store, and `gc`, which packs what the pull has not packed; `pull` of the delta; `export`,
`verify` and `index` of that store; and `validate` of the same pages as a .scp.zst. Then the time until commands print their first line. --skip
leaves out operations.
Pages are generated while they are read: about 1 KB each, cut from real documentation, in groups of neighbours from all over it. If there are not
enough, they are repeated under other URLs. Time is the CPU time of the measured process, because the generator of the pages runs concurrently.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

import figures

SITE = "https://docs.example/"
RUN = 50  # neighbours that stay together: they resemble each other, as pages of a site do
ROUNDS = 3
ONE_ROUND_FROM = 1_000_000  # long enough to need no second one
# What docs/guarantees.md allows: 64 MiB, the caches of the databases that are open (32 MiB per table: a catalog has one, a store two),
# 12 MB for each thread that compresses a collection, and 16 bytes per page to know which addresses there were.
ALLOWANCE = 64 * figures.MIB
CACHE = 32 * figures.MIB
COMPRESSOR = 12_000_000
COMPRESSING = ("publish", "publish again", "publish 1 %", "export")
BYTES_A_PAGE = 16
OUTPUT_START = 1 << 16  # characters that are kept of an output: a larger parent process would hide the memory of later ones
TABLES = {"publish": 1, "publish again": 1, "publish 1 %": 1, "pull": 2, "gc": 2, "pull 1 %": 2, "export": 2, "verify": 2, "index": 2, "validate": 0}
CHANGED_EVERY = 100
FIRST_LINE = 0.05  # seconds: what people perceive as immediate
FIRST_LINES = {"list": ["list"], "list --limit": ["list", "--limit", "3"], "export": ["export"], "changes": ["changes"], "status": ["status"],
               "search": ["search", "exception"], "get": ["get"]}
# "Flat" means that the time per page does not grow with the number of pages. The extra quarter allows for other work on the machine.
FLAT = 1.25
HEAD = '{"collection":{"id":"curves","section":"docs","type":"snapshot","generated":"2026-01-01T00:00:00Z","version":"0.1"}}\n'
CONFIGURATION = """base = "{base}"
out = "site/scp"
collections_url = "{base}/scp/"
sitemap = "site/sitemap.xml"
[[section]]
name = "docs"
[[section.source]]
type = "jsonl"
file = "-"
"""


def spread(lines, number):
    """Returns `number` lines, in runs spread over the whole file; all lines if it has fewer."""
    if number >= len(lines):
        return lines
    runs = -(-number // RUN)
    starts = [index * (len(lines) - RUN) // max(1, runs - 1) for index in range(runs)] if number > RUN else [0]
    places = dict.fromkeys(place for start in starts for place in range(start, min(start + RUN, len(lines))))
    rest = (place for place in range(len(lines)) if place not in places)  # if runs overlap
    chosen = sorted([*places, *(next(rest) for _ in range(max(0, number - len(places))))][:number])
    return [lines[place] for place in chosen]


def changed_page(line):
    return re.sub(rb'"modified":"[0-9-]{10}', b'"modified":"2026-10-01', line.replace(b'"title":"', b'"title":"Changed: ', 1), count=1)


def feed(options):
    lines = options.lines.read_bytes().splitlines(keepends=True)
    lines = spread(lines, options.feed)
    out = sys.stdout.buffer
    if options.head:
        out.write(HEAD.encode())
    if options.changed:
        lines = [line if place % CHANGED_EVERY else changed_page(line) for place, line in enumerate(lines)]
    whole = b"".join(lines)
    for copy in range(-(-options.feed // len(lines))):
        left = options.feed - copy * len(lines)
        text = whole if left >= len(lines) else b"".join(lines[:left])
        out.write(text.replace(f"{SITE}r0000/".encode(), f"{options.base}/r{copy:04}/".encode()))


class Cost:
    """Time and memory of one process that succeeded."""

    def __init__(self, seconds, processor, peak, output):
        self.seconds, self.processor, self.peak, self.output = seconds, processor, peak, output

    def __add__(self, other):
        return Cost(self.seconds + other.seconds, self.processor + other.processor, max(self.peak, other.peak), self.output)

    def best(self, other):
        """Returns the shorter time and the larger memory of two runs."""
        quick = self if self.processor <= other.processor else other
        return Cost(quick.seconds, quick.processor, max(self.peak, other.peak), quick.output)


def own_peak():
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path("/proc/self/status").read_text())[1])


def run(command, work, stdin=None):
    """Runs a command, and also waits for the process that feeds it."""
    start = time.monotonic()
    with open(work / "output", "w+", encoding="utf-8") as output, open(work / "errors", "w+", encoding="utf-8") as errors:
        process = subprocess.Popen(list(map(str, command)), cwd=work, stdin=stdin or subprocess.DEVNULL, stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}\n{output.read()[-2000:]}{errors.read()[-2000:]}")
        # The system reports at least the memory of the parent process.
        if usage.ru_maxrss <= own_peak():
            sys.exit(f"{command[1]}: its memory cannot be distinguished from that of this program")
        return Cost(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output.read(OUTPUT_START))


def publish_report(cost):
    """Parses what publish printed, without its notes and its quality report: these list pages, so they grow with their number."""
    return json.loads(cost.output.partition(',"notes":')[0] + "}")


class Bench:
    def __init__(self, options):
        self.sheaf, self.lines, self.work, self.skipped = options.sheaf.resolve(), options.lines.resolve(), options.work.resolve(), options.skip.split(",")
        with open(self.lines, "rb") as lines:
            self.line_count = sum(1 for _ in lines)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.base = f"http://127.0.0.1:{probe.getsockname()[1]}"

    def feeder(self, number, *more):
        return subprocess.Popen([sys.executable, __file__, "--feed", str(number), "--lines", self.lines, "--base", self.base, *more], stdout=subprocess.PIPE)

    def fed(self, number, command, *more):
        """Runs a command with the pages on its standard input."""
        with self.feeder(number, *more) as source:
            cost = run(command, self.work, source.stdout)
        return cost

    def prepare(self):
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "site").mkdir(parents=True)
        (self.work / "site" / "robots.txt").write_text(f"User-agent: *\nAllow: /\nSitemap: {self.base}/sitemap.xml\n")
        (self.work / "sheaf.toml").write_text(CONFIGURATION.format(base=self.base))

    def publish(self, number, counted, expected, *more):
        cost = self.fed(number, [self.sheaf, "publish", "-c", "sheaf.toml", "--json"], *more)
        if publish_report(cost)["sections"][0][counted] != expected:
            sys.exit(f"publish of {number} pages: {cost.output}")
        return cost

    def pull(self, number, counted, expected):
        server = subprocess.Popen([self.sheaf, "serve", "site", "--listen", self.base.removeprefix("http://")], cwd=self.work,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(self.base)
            cost = run([self.sheaf, "pull", self.base, "--store", "store", "--allow-private", "--html", "never", "--json"], self.work)
        finally:
            server.terminate()
            server.wait()
        section = json.loads(cost.output.splitlines()[0])["sections"][0]
        if section[counted] != expected or not section["proven"]:
            sys.exit(f"pull of {number} pages: {cost.output}")
        return cost

    def changed(self, number):
        """Returns how many pages the feeder changes: a part of each copy."""
        lines = min(number, self.line_count)
        return number // lines * -(-lines // CHANGED_EVERY) + -(-(number % lines) // CHANGED_EVERY)

    def of_store(self, *command):
        return run([self.sheaf, *command, "--store", "store"], self.work)

    def operations(self, number):
        """Yields (name, pages, how to measure it), in the order in which they are possible."""
        yield "publish", number, lambda: self.publish(number, "added", number)
        yield "publish again", number, lambda: self.publish(number, "unchanged", number)
        yield "pull", number, lambda: self.pull(number, "added", number)
        yield "gc", number, lambda: self.of_store("gc")
        yield "publish 1 %", number, lambda: self.publish(number, "changed", self.changed(number), "--changed")
        yield "pull 1 %", self.changed(number), lambda: self.pull(number, "changed", self.changed(number))
        yield "export", number, lambda: self.of_store("export", "-o", "pages.jsonl.zst")
        yield "verify", number, lambda: self.of_store("verify")
        yield "index", number, lambda: self.of_store("index")
        yield "validate", number, lambda: self.validate(number)

    def validate(self, number):
        """Validates a .scp.zst that is compressed while it is read. The window is that of our writer's level 9, because it decides how much memory a reader needs."""
        self.work.mkdir(parents=True, exist_ok=True)
        with self.feeder(number, "--head") as source, \
             subprocess.Popen(["zstd", "-q", "-1", "--zstd=wlog=22", "-c"], stdin=source.stdout, stdout=subprocess.PIPE) as packer:
            cost = run([self.sheaf, "validate", "--json", "-"], self.work, packer.stdout)
        if json.loads(cost.output)["pages"] != number:
            sys.exit(f"validate of {number} pages: {cost.output}")
        return cost

    def sizes(self, publish):
        files = publish_report(publish)["sections"][0]["files"]
        return {".scp" + file["name"].partition(".scp")[2]: file["bytes"] for file in files}


def wait_for(base):
    host, port = base.removeprefix("http://").split(":")
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.05)
    sys.exit("sheaf serve does not answer")


def measure(bench, number):
    """Returns {operation: (pages, Cost)}, {extension: bytes} and {command: seconds to its first line} for this number of pages."""
    costs, sizes = {}, {}
    for _ in range(ROUNDS if number < ONE_ROUND_FROM else 1):
        bench.prepare()
        for name, pages, operation in bench.operations(number):
            if name in bench.skipped:
                continue
            cost = operation()
            print(f"{number:,} pages: {name} {cost.processor:.1f} s of processor time, {cost.seconds:.1f} s, {cost.peak / figures.MIB:.0f} MiB", file=sys.stderr)
            costs[name] = (pages, costs[name][1].best(cost) if name in costs else cost)
            if name == "publish":
                sizes = bench.sizes(cost)
    return costs, sizes, first_lines(bench)


def first_lines(bench):
    """Returns the shortest time of a few runs from the start of a command to its first line."""
    some_url = json.loads(subprocess.run([bench.sheaf, "list", "--limit", "1", "--json", "--store", "store"], cwd=bench.work, stdout=subprocess.PIPE,
                                         check=True).stdout.splitlines()[0])["url"]
    times = {}
    for name, words in FIRST_LINES.items():
        if name == "search" and "index" in bench.skipped:
            continue
        command = [bench.sheaf, *words, *([some_url] if name == "get" else []), "--store", "store"]
        for _ in range(5):
            start = time.monotonic()
            with subprocess.Popen(command, cwd=bench.work, stdout=subprocess.PIPE) as process:
                if not process.stdout.readline():
                    sys.exit(f"{name} prints nothing")
                seconds = time.monotonic() - start
                process.kill()
            times[name] = min(seconds, times.get(name, seconds))
    return times


def report(all_costs, all_sizes, all_first_lines):
    rows = figures.Figures("curves")
    for number, costs in all_costs.items():
        for name, (_, cost) in costs.items():
            threads = os.cpu_count() if name in COMPRESSING else 0
            limit = ALLOWANCE + CACHE * TABLES[name] + COMPRESSOR * threads + BYTES_A_PAGE * number
            rows.at_most(f"memory: {name}, {number:,} pages", limit, cost.peak, "bytes",
                         plot={"picture": "memory", "series": name, "x": number})
    for number, costs in all_costs.items():
        for name, (pages, cost) in costs.items():
            rows.note(f"time per page: {name}, {number:,} pages", cost.processor / pages * 1e6, "µs", detail=f"{cost.seconds:.2f} s with the making of the pages",
                      plot={"picture": "time", "series": name, "x": number})
    for number, sizes in all_sizes.items():
        for extension, size in sizes.items():
            rows.note(f"size: {extension}, {number:,} pages", size, "bytes", plot={"picture": "size", "series": extension, "x": number})
            rows.note(f"size per page: {extension}, {number:,} pages", size / number, "bytes", plot={"picture": "size per page", "series": extension, "x": number})
    if all_first_lines:
        largest = max(all_first_lines)
        for name, seconds in all_first_lines[largest].items():
            rows.at_most(f"first line: {name}, {largest:,} pages", FIRST_LINE, seconds, "s")
    report_flat(rows, all_costs, all_sizes)
    return rows


def time_per_page(costs, name):
    """A large pull packs its pages and a small one leaves that to `gc`, so the cost of a pulled page includes `gc`."""
    pages, cost = costs[name]
    if name == "pull" and "gc" in costs:
        cost += costs["gc"][1]
    return cost.processor / pages


def report_flat(rows, all_costs, all_sizes):
    """Adds the cost per page at the largest numbers, divided by the lowest cost per page at a smaller number."""
    def flat(what, costs):
        for large in [number for number in costs if number >= ONE_ROUND_FROM] or [max(costs)]:
            smaller = [cost for number, cost in costs.items() if number < large]
            if smaller:
                rows.at_most(f"flat: {what}, {large:,} pages : cheapest smaller number", FLAT, costs[large] / min(smaller))

    for name in dict.fromkeys(name for costs in all_costs.values() for name in costs):
        if name != "gc":
            flat(f"time per page, {name}{' and gc' if name == 'pull' else ''}", {number: time_per_page(costs, name) for number, costs in all_costs.items() if name in costs})
    flat("size per page, .scp.zst", {number: sizes[".scp.zst"] / number for number, sizes in all_sizes.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sheaf", type=pathlib.Path)
    parser.add_argument("--lines", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--numbers", default="1000,10000,100000,1000000,10000000")
    parser.add_argument("--skip", default="")
    parser.add_argument("--json")
    parser.add_argument("--feed", type=int)
    parser.add_argument("--base")
    parser.add_argument("--head", action="store_true")
    parser.add_argument("--changed", action="store_true")
    options = parser.parse_args()
    if options.feed:
        return feed(options)
    if not options.sheaf or not options.work:
        parser.error("--sheaf and --work are needed")
    bench, all_costs, all_sizes, all_first_lines = Bench(options), {}, {}, {}
    try:
        for number in map(int, options.numbers.split(",")):
            all_costs[number], all_sizes[number], all_first_lines[number] = measure(bench, number)
    finally:
        shutil.rmtree(bench.work, ignore_errors=True)
    rows = report(all_costs, all_sizes, all_first_lines)
    rows.print()
    rows.append_to(options.json)


if __name__ == "__main__":
    main()
