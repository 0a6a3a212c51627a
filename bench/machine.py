"""Describes where and when figures were measured, as far as the machine can tell."""
import os
import pathlib
import platform
import re
import shutil
import subprocess

# How each program that we compare with prints its version.
PEERS = {"nginx": ["-v"], "wrk": ["-v"], "wget": ["--version"], "scrapy": ["version"], "node": ["--version"]}


def first_match(pattern, text):
    found = re.search(pattern, text, re.M)
    return found[1].strip() if found else "unknown"


def output(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    except OSError:
        return ""
    return done.stdout


def version_of(program):
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin")
    return first_match(r"(\d+\.\d[\w.]*)", output([path, *PEERS[program]])) if path else "not installed"


def describe(sheaf, build):
    """Returns {what: value} for this machine and its build."""
    processors = pathlib.Path("/proc/cpuinfo").read_text()
    memory = int(first_match(r"^MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text()))
    compiler = first_match(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", (build / "CMakeCache.txt").read_text())
    name, libraries = (output([sheaf, "--version"]).splitlines() + ["", ""])[:2]
    return {
        "processor": first_match(r"^(?:model name|Model|CPU part)\s*:\s*(.*)$", processors),
        "cores": os.cpu_count(),
        "memory": f"{memory / 2**20:.1f} GiB",
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "distribution": first_match(r'^PRETTY_NAME="?([^"\n]*)', pathlib.Path("/etc/os-release").read_text()),
        "compiler": output([compiler, "--version"]).split("\n")[0],
        "program": name,
        "libraries": libraries.removeprefix("with "),
        "beside": ", ".join(f"{program} {version_of(program)}" for program in PEERS),
    }


def commit(root):
    """Returns the commit of the sources and whether there are uncommitted changes outside the benchmark pages."""
    changed = output(["git", "-C", root, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/benchmarks"]).strip()
    return output(["git", "-C", root, "rev-parse", "--short=12", "HEAD"]).strip() + (" and changes" if changed else "")
