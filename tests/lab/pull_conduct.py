#!/usr/bin/env python3
"""`sheaf pull` behaves correctly with every deployment of `sheaf lab`.

usage: pull_conduct.py --sheaf PROGRAM
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

# This deployment asks for two minutes between requests; these rules are tested with a scripted clock instead.
TOO_SLOW = {"robots-slow"}


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


def lines_of(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", required=True)
    sheaf = os.path.abspath(parser.parse_args().sheaf)
    listed = lines_of(subprocess.run([sheaf, "lab", "--list", "--json"], capture_output=True, text=True, check=True).stdout)
    names = [each["name"] for each in listed if not each["https"] and each["name"] not in TOO_SLOW]
    check(len(names) > 100, names)
    with tempfile.TemporaryDirectory() as folder:
        pull = f"'{sheaf}' pull {{url}} --store copy --allow-private --delay 0 --tries 1 --json 2>>errors"
        done = subprocess.run([sheaf, "lab", "--json", "--run", pull, *names], cwd=folder, capture_output=True, text=True)
        objects = lines_of(done.stdout)
        verdicts = {each["name"]: each for each in objects if "behaved" in each}
        pulls = [each for each in objects if "route" in each]
        check(set(verdicts) == set(names), "no verdict on", set(names) - set(verdicts), "exit status", done.returncode, done.stderr[-4000:])
        faults = {name: verdict["faults"] for name, verdict in verdicts.items() if not verdict["behaved"]}
        check(not faults, faults)
        check(done.returncode == 0, done.returncode, done.stderr)
        routes = {each["site"]: each["route"] for each in pulls}
        good = verdicts["good"]["url"]
        check(routes.get(good, routes.get(good + "/")) == "collections", routes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
