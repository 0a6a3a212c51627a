#!/usr/bin/env python3
"""sheaf lab --vectors: every conformance vector over HTTP, with its verdict; and validators that are right, wrong, or absent.

usage: vectors.py --sheaf PROGRAM
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

VECTORS = pathlib.Path(__file__).resolve().parents[1] / "data/conformance"


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--sheaf", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    options = arguments.parse_args()
    expected = json.loads((VECTORS / "expected.json").read_text())
    # Served until a signal comes: the bytes are those of the files.
    with subprocess.Popen([options.sheaf, "lab", "--vectors", VECTORS, "--json"], stdout=subprocess.PIPE, text=True) as lab:
        for _ in expected:
            vector = json.loads(lab.stdout.readline())
            check(vector["valid"] == expected[vector["name"]]["valid"], vector)
            with urllib.request.urlopen(vector["url"], timeout=30) as response:
                check(response.read() == (VECTORS / vector["name"]).read_bytes(), vector)
        lab.terminate()
        check(lab.wait(30) == 0, lab.returncode)
    run = lambda *more, vectors=VECTORS: subprocess.run([options.sheaf, "lab", "--vectors", vectors, *more], capture_output=True, text=True)
    some = sorted(name for name in expected if expected[name]["valid"])[:3] + sorted(name for name in expected if not expected[name]["valid"])[:3]
    with tempfile.TemporaryDirectory() as folder:
        right = f"curl -sf -o {folder}/vector {{url}} && {options.sheaf} validate {folder}/vector > /dev/null"
        done = run("--run", right, *some)
        check(done.returncode == 0 and done.stdout.count("ok ") == len(some), done.stdout, done.stderr)
        done = run("--run", "true", *some)
        check(done.returncode == 1 and done.stdout.count("failed") == 3, done.stdout)
        done = run("--list", some[-1])
        check("invalid: " in done.stdout, done.stdout)
        for text, message in (("", "not a list"), ("{}", "names no vector"), ('{"../x": {"valid": true}}', "no such file"), ('{"a.scp": {"valid": true}}', "no such file")):
            (pathlib.Path(folder) / "expected.json").write_text(text)
            done = run(vectors=folder)
            check(done.returncode == 2 and message in done.stderr, text, done.stderr)
    done = run("--list", "nothing.scp")
    check(done.returncode == 2 and "no vector of that name" in done.stderr, done.stderr)
    print("ok:", len(expected), "vectors")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError as fault:
        print("FAILED", fault)
        sys.exit(1)
