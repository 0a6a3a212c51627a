#!/usr/bin/env python3
"""Kills `sheaf publish` between any two changes to the file system, and checks what is left.

usage: publish_kills.py --sheaf PROGRAM --shim LIBRARY [--points N] [--seed N]

A site is published, then changed, then published again with SIGKILL before the Nth call that changes the file system,
for N points chosen by the seed: in a run that writes a delta, in a run that also writes a snapshot, in the first run,
and in a run that merges the deltas of the day before.
Points for which these runs have too few calls are used for kills at random times in a run with several threads. After each kill
all files that the sitemap names must exist and be valid. After one more, undisturbed run, the collections
must add up to exactly the site, and there must be no file that nothing refers to.

Then the disk is full from the Nth write on: the run must report that and end with status 2, and the same must hold as after a kill.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

BASE = "https://example.com/"


def write_page(site, name, text):
    file = site / "public" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<!doctype html><html lang=en><title>{name}</title><main><h1>{name}</h1><p>{text}, which is what this "
                    f"page says in a sentence that is long enough.</p></main>")


def first_edition(site):
    for number in range(12):
        write_page(site, f"p{number}.html", f"Text {number}")


def second_edition(site):
    for number in (1, 4, 7):
        write_page(site, f"p{number}.html", f"Changed text {number}")
    write_page(site, "new/index.html", "A new page")
    (site / "public/p9.html").unlink()
    return {f"p{n}.html" for n in range(12)} - {"p9.html"} | {"new/"}


class Runner:
    def __init__(self, sheaf, shim):
        self.sheaf, self.shim = sheaf, shim

    def command(self, snapshot, threads):
        command = [self.sheaf, "publish", "public", "--base", BASE, "--out", "public/scp", "--json", "--threads", str(threads)]
        return command + ["--snapshot"] * snapshot

    def publish(self, site, snapshot=False, **environment):
        env = {"PATH": "/usr/bin:/bin", **environment}
        if environment:
            env["LD_PRELOAD"] = self.shim
        return subprocess.run(self.command(snapshot, 1), cwd=site, env=env, capture_output=True, text=True)

    def publish_until(self, site, snapshot, seconds):
        """Runs publish and kills it after that time, unless it has ended. Returns the exit status."""
        process = subprocess.Popen(self.command(snapshot, 3), cwd=site, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def run(self, *arguments):
        return subprocess.run([self.sheaf, *map(str, arguments)], capture_output=True, text=True)

    def advertised(self, site):
        """The files that the sitemap names, oldest first, snapshots before deltas."""
        sitemap = site / "public/sitemap.xml"
        if not sitemap.exists():
            return []
        return re.findall(r'url="[^"]*/([^"/]+)"', sitemap.read_text())

    def faults(self, site):
        """Returns the faults that clients can see."""
        found = []
        for name in self.advertised(site):
            result = self.run("validate", "--strict", site / "public/scp" / name)
            if result.returncode != 0:
                found.append(f"{name}: {result.stdout}{result.stderr}")
        return found

    def pages(self, site):
        """URL -> text of the newest state that the sitemap offers."""
        names = [name for name in self.advertised(site) if name.endswith(".zst")]
        snapshot = max(name for name in names if "-snapshot-" in name)
        time = snapshot.split("-snapshot-")[1]
        deltas = [name for name in names if "-delta-" in name and name.split("-delta-")[1] > time]
        folder = site / "public/scp"
        merged = site / "merged.scp"
        result = self.run("merge", *[folder / name for name in [snapshot, *sorted(deltas)]], "-o", merged)
        if result.returncode != 0:
            raise SystemExit(f"the collections do not fit together: {result.stderr}")
        pages = {}
        for line in merged.read_text().splitlines()[1:]:
            page = json.loads(line)
            pages[page["url"][len(BASE):]] = next(block["text"] for block in page["content"] if block["type"] == "text")
        merged.unlink()
        return pages


def check_after_kill(runner, site, point, code):
    if code == 0:
        return  # the run ended before the point
    if code != -9:
        raise SystemExit(f"point {point}: ended with {code} instead of being killed")
    found = runner.faults(site)
    if found:
        raise SystemExit(f"point {point}: after the kill {found}")


def check_at_end(runner, site, point, wanted):
    result = runner.publish(site)
    if result.returncode != 0:
        raise SystemExit(f"point {point}: the next run failed: {result.stderr}")
    found = runner.faults(site)
    if found:
        raise SystemExit(f"point {point}: after the next run {found}")
    pages = runner.pages(site)
    if set(pages) != wanted:
        raise SystemExit(f"point {point}: pages {sorted(set(pages) ^ wanted)} are missing or too many")
    changed = [name for name in ("p1.html", "p4.html", "p7.html") if not pages[name].startswith("Changed")]
    if changed:
        raise SystemExit(f"point {point}: the changes of {changed} are lost")
    there = {path.name for path in (site / "public/scp").iterdir()}
    if there != set(runner.advertised(site)):
        raise SystemExit(f"point {point}: files that nothing names: {there - set(runner.advertised(site))}")


KINDS = ("delta", "snapshot", "first", "merged")


def publish_yesterday(runner, site):
    """Publishes every hour of the day before, each time with a new text of one page."""
    midnight = int(time.time()) // 86_400 * 86_400
    for hour in range(5):
        write_page(site, "p2.html", f"Text of {hour} o'clock")
        if runner.publish(site, SHEAF_FAULT_DATE=str(midnight - 86_400 + 3600 * hour)).returncode != 0:
            raise SystemExit("a publish of yesterday failed")


class Trials:
    def __init__(self, runner, folder, chance):
        self.runner, self.folder, self.trial, self.chance = runner, folder, folder / "trial", chance
        for kind in KINDS:
            first_edition(folder / kind)
            if kind == "merged":
                publish_yesterday(runner, folder / kind)
            elif kind != "first" and runner.publish(folder / kind).returncode != 0:
                raise SystemExit("the first publish failed")
            self.wanted = second_edition(folder / kind)

    def judge(self, point, code):
        check_after_kill(self.runner, self.trial, point, code)
        check_at_end(self.runner, self.trial, point, self.wanted)
        shutil.rmtree(self.trial)
        return code == -9

    def kill_at_calls(self, kind, points):
        """Kills at all calls that change the file system, or at some of them. Returns the number of kills."""
        count_file = self.folder / "count"
        shutil.copytree(self.folder / kind, self.trial)
        self.runner.publish(self.trial, kind == "snapshot", SHEAF_FAULT_COUNT=str(count_file))
        if kind == "merged" and not any(re.search("-delta-[0-9TZ]+-", name) for name in self.runner.advertised(self.trial)):
            raise SystemExit("the deltas of yesterday were not merged")
        self.judge("none", 0)
        calls = int(count_file.read_text())
        killed = 0
        for point in sorted(self.chance.sample(range(1, calls + 1), min(calls, points))):
            shutil.copytree(self.folder / kind, self.trial)
            code = self.runner.publish(self.trial, kind == "snapshot", SHEAF_FAULT_KILL_AT=str(point)).returncode
            killed += self.judge(f"{kind} {point}", code)
        return killed

    def fill_disk(self, kind, points):
        """Makes the disk full from some write on. Returns how often that made the run fail."""
        count_file = self.folder / "count"
        shutil.copytree(self.folder / kind, self.trial)
        self.runner.publish(self.trial, kind == "snapshot", SHEAF_FAULT_COUNT=str(count_file))
        shutil.rmtree(self.trial)
        full = 0
        for point in sorted(self.chance.sample(range(1, int(count_file.read_text()) + 1), points)):
            shutil.copytree(self.folder / kind, self.trial)
            result = self.runner.publish(self.trial, kind == "snapshot", SHEAF_FAULT=f"write / {point}+ ENOSPC")
            what = f"{kind}, disk full from write {point} on"
            if result.returncode not in (0, 2) or result.returncode == 2 and "no space left" not in result.stderr.lower():
                raise SystemExit(f"{what}: ended with {result.returncode}: {result.stderr}")
            full += result.returncode == 2
            found = self.runner.faults(self.trial)
            if found:
                raise SystemExit(f"{what}: {found}")
            check_at_end(self.runner, self.trial, what, self.wanted)
            shutil.rmtree(self.trial)
        return full

    def kill_at_moments(self, points):
        killed, tries = 0, 0
        seconds = dict.fromkeys(KINDS, 0.5)
        while killed < points and tries < 4 * points:
            kind = KINDS[tries % len(KINDS)]
            moment = self.chance.uniform(0, seconds[kind])
            tries += 1
            shutil.copytree(self.folder / kind, self.trial)
            begin = time.monotonic()
            code = self.runner.publish_until(self.trial, kind == "snapshot", moment)
            if code == 0:  # the run ended before the kill: it takes less time than assumed
                seconds[kind] = time.monotonic() - begin
            killed += self.judge(f"{kind} after {moment:.4f} s", code)
        return killed


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True)
    arguments.add_argument("--shim", required=True)
    arguments.add_argument("--points", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    runner = Runner(str(pathlib.Path(options.sheaf).resolve()), str(pathlib.Path(options.shim).resolve()))
    killed = full = 0
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(runner, pathlib.Path(folder), random.Random(options.seed))
        for kind in KINDS:
            killed += trials.kill_at_calls(kind, options.points // (len(KINDS) + 1))
        killed += trials.kill_at_moments(options.points - killed)
        for kind in KINDS:
            full += trials.fill_disk(kind, options.points // 4)
    print(f"{killed} kills and {full} full disks survived")
    return 0 if killed == options.points and full > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
