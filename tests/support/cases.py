"""Helpers for test scripts: a check that reports what was found, and a runner for named cases."""
import pathlib
import tempfile

SKIPPED = 77  # the exit status that ctest counts as "skipped"


class Missing(Exception):
    """A case needs something that this machine does not have."""


def check(condition, *complaint):
    if not condition:
        raise AssertionError(" ".join(map(str, complaint)))


def run_cases(cases, names=()):
    """Calls each of `cases` (name: function), or those in `names`, with a folder of its own. Returns the exit status: one case that fails does
    not stop the others."""
    failed = passed = 0
    unknown = set(names) - set(cases)
    check(not unknown, "no case", *sorted(unknown), "among", *cases)
    for name, case in cases.items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(pathlib.Path(folder))
                passed += 1
                print("ok", name, flush=True)
            except Missing as missing:
                print("skipped", name, "needs", missing, flush=True)
            except AssertionError as fault:
                failed += 1
                print("FAILED", name, fault, flush=True)
    return 1 if failed else 0 if passed else SKIPPED
