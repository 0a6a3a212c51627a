#!/usr/bin/env python3
"""The benchmark book: a table of the goals that are not met, charts, and where and when they were measured; generated from the rows of the benchmarks.

    bench/book.py --render docs/benchmarks/figures.json [--out FOLDER]     writes README.md and the charts (beside the file)
    bench/book.py --table docs/benchmarks/figures.json                     prints the table
    bench/book.py --check FOLDER                                           checks that the folder matches its figures.json

figures.json is {"runs": [...], "rows": [...]}. Rows have the form of bench/figures.py, plus the number of their run; a run has its date,
commit, machine and duration. bench/run writes the file.
"""
import argparse
import json
import math
import pathlib
import re
import sys

from drawing import COLOURS, GRID, INK, NOT_XML, PALE, Sheet, bar_panel, curve_panel, footer, heading
from figures import MIB, shown, shown_goal

VERDICTS = ("met", "NOT MET", "not measured")


def save(path, book):
    """Writes one row per line, so that a diff is readable."""
    def lines(items):
        return ",\n".join(json.dumps(item) for item in items)

    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(f'{{"runs": [\n{lines(book["runs"])}\n],\n"rows": [\n{lines(book["rows"])}\n]}}\n', encoding="utf-8")
    unfinished.replace(path)


def merge(book, run, rows, groups):
    """Returns the book with the rows of a run in place of all earlier rows of the same groups. Drops runs that have no rows left."""
    kept = [row for row in book["rows"] if row["group"] not in groups]
    return with_used_runs([*book["runs"], run], kept + [{**row, "run": len(book["runs"])} for row in rows])


def replace_rows(book, run, rows):
    """Returns the book with the rows of a run in place of the earlier rows of the same figures."""
    measured = {(row["group"], row["figure"]): {**row, "run": len(book["runs"])} for row in rows}
    kept = [measured.pop((row["group"], row["figure"]), row) for row in book["rows"]]
    return with_used_runs([*book["runs"], run], [*kept, *measured.values()])


def with_used_runs(runs, rows):
    used = sorted({row["run"] for row in rows})
    return {"runs": [runs[number] for number in used], "rows": [{**row, "run": used.index(row["run"])} for row in rows]}


def with_verdict(rows):
    """Returns the rows that have a goal, and the rows that were not measured."""
    return [row for row in rows if row["verdict"] in VERDICTS]


def minutes(run):
    return "-" if run["seconds"] is None else f"{run['seconds'] / 60:.1f}"


def count(rows):
    return {verdict: sum(row["verdict"] == verdict for row in rows) for verdict in VERDICTS}


def summary(rows):
    number = count(rows)
    return f"{number['met']} of {sum(row['goal'] is not None for row in rows)} goals are met, {number['NOT MET']} are not, {number['not measured']} could not be measured."


def print_table(book):
    rows = with_verdict(book["rows"])
    width = max([20, *(len(row["figure"]) for row in rows)])
    print(f"\n{'group':<11} {'figure':<{width}} {'goal':>14} {'measured':>14}  verdict\n{'-' * (width + 56)}")
    for row in rows:
        print(f"{row['group']:<11} {row['figure']:<{width}} {shown_goal(row):>14} {shown(row['measured'], row['unit']):>14}  {row['verdict']}")
    print(f"\n{summary(rows)}", flush=True)


# Pictures

def shown_in(rows, *pictures):
    """Returns the measured rows of these pictures."""
    return [row for row in rows if row.get("plot", {}).get("picture") in pictures and row["measured"] is not None]


def plotted(rows, picture):
    """{series: [row, ...]}"""
    series = {}
    for row in shown_in(rows, picture):
        series.setdefault(row["plot"]["series"], []).append(row)
    return series


def past_goal(row):
    """Returns how many times better than its goal a row is; None if it was not measured."""
    if row["measured"] is None or row["goal"] is None:
        return None
    good, bar = (row["measured"], row["goal"]) if row["direction"] == ">=" else (row["goal"], row["measured"])
    return min(max(good / bar if bar else math.inf, 1 / 8), 64)


def draw_goals(rows):
    """Draws one bar per goal. It starts at the line of the goal and goes right if the figure is better, left if it is worse."""
    rows = with_verdict(rows)
    if not rows:
        return None
    groups = list(dict.fromkeys(row["group"] for row in rows))
    name = max(360, 6.3 * max(len(row["figure"]) for row in rows))
    left, width, line = name + 40, 220, 19
    sheet = Sheet(left + width + 250, 120 + line * len(rows) + 26 * len(groups), "Goals")
    heading(sheet, "Goals", summary(rows))
    ratios = [past_goal(row) or 1 for row in rows]
    low, high = math.floor(min(-1, math.log2(min(ratios)))), math.ceil(max(1, math.log2(max(ratios))))

    def across(ratio):
        return left + width * (math.log2(ratio) - low) / (high - low)

    bottom = sheet.height - 24
    for power in range(low, high + 1):
        sheet.line([(across(2**power), 84), (across(2**power), bottom)], GRID)
        sheet.text(across(2**power), 78, f"{2**power:g}×" if power >= 0 else f"1/{2**-power:g}", 10, "middle", PALE)
    sheet.text(left + width + 16, 78, "measured", 11, colour=PALE)
    sheet.text(left + width + 126, 78, "goal", 11, colour=PALE)
    y = 84
    for group in groups:
        y += 22
        sheet.text(24, y, group, 13, bold=True)
        y += 4
        for row in (row for row in rows if row["group"] == group):
            y += line
            sheet.text(34, y - 5, row["figure"], 11)
            ratio = past_goal(row)
            if ratio is not None:
                start, end = sorted((across(1), across(ratio)))
                sheet.rect(start, y - 15, max(end - start, 1.5), 12, COLOURS[row["verdict"]])
            sheet.text(left + width + 16, y - 5, shown(row["measured"], row["unit"]) if ratio is not None else "not measured", 11, colour=COLOURS[row["verdict"]], bold=True)
            sheet.text(left + width + 126, y - 5, shown_goal(row), 11, colour=PALE)
    sheet.line([(across(1), 84), (across(1), bottom)], INK, 1.5)
    return sheet


def draw_promises(rows):
    panels = plotted(rows, "promises")
    if not panels:
        return None
    sheet = Sheet(940, 0, "The four promises")
    heading(sheet, "The four promises", "Savings of collections compared with a crawl of every page with gzip, on real documentation; more is better.")
    below = 84
    for index, (promise, bars) in enumerate(panels.items()):
        if index % 2 == 0:
            top = below
        goal = bars[0]["goal"]
        end = bar_panel(sheet, 24 + 460 * (index % 2), top, 450, promise,
                        [(row["plot"]["x"], row["measured"], shown(row["measured"], row["unit"]), row["verdict"]) for row in bars],
                        100, (goal, f"≥ {goal:g} %"))
        below = max(below, end + 14)
    sheet.height = below
    return sheet


def draw_pull(rows):
    panels = plotted(rows, "pull")
    if not panels:
        return None
    sheet = Sheet(760, 0, "A whole site")
    site = next(iter(panels.values()))[0]["figure"].partition(":")[0]
    heading(sheet, f"All of {site}'s documentation", "From the same nginx on the same machine; less is better.")
    below = 84
    for quantity, bars in panels.items():
        below = 10 + bar_panel(sheet, 24, below, 710, quantity,
                               [(row["plot"]["x"], row["measured"], shown(row["measured"], row["unit"]), "met" if row["plot"]["x"].endswith("collections") else "-") for row in bars],
                               max(row["measured"] for row in bars))
    sheet.height = below
    return sheet


def curves(rows, picture, scale=1):
    return [(name, sorted((row["plot"]["x"], row["measured"] / scale) for row in points),
             sorted((row["plot"]["x"], row["goal"] / scale) for row in points if row["goal"] is not None))
            for name, points in plotted(rows, picture).items()]


def draw_curves(title, subtitle, panels):
    """Draws panels: (curves, (title, unit), whether the y axis is logarithmic). Skips panels without curves."""
    panels = [panel for panel in panels if panel[0]]
    if not panels:
        return None
    sheet = Sheet(780, 76 + 330 * len(panels), title)
    heading(sheet, title, subtitle)
    for index, (lines, labels, log_y) in enumerate(panels):
        curve_panel(sheet, 24, 84 + 330 * index, 740, 320, lines, labels, log_y)
    return sheet


def pictures(rows):
    """{name: (caption, sheet, the rows it shows)}"""
    drawn = {
        "goals": ("Every goal: bars go from the goal to the measured value, in multiples of the goal.", draw_goals(rows), with_verdict(rows)),
        "promises": ("The four promises of draft 1 on real sites.", draw_promises(rows), shown_in(rows, "promises")),
        "size": ("Size of a collection by number of pages.",
                 draw_curves("Size by number of pages", "Snapshots written by sheaf publish, with pages of about a kilobyte.",
                             [(curves(rows, "size", MIB), ("whole file", "MiB"), True), (curves(rows, "size per page"), ("per page", "bytes"), False)]),
                 shown_in(rows, "size", "size per page")),
        "memory": ("Memory by number of pages, with the limit.",
                   draw_curves("Memory by number of pages", "Peak resident set of the process; the dashed line is the limit.",
                               [(curves(rows, "memory", MIB), ("peak", "MiB"), False)]),
                   shown_in(rows, "memory")),
        "time": ("Time per page by number of pages.",
                 draw_curves("Time per page by number of pages", "Processor time of the process.",
                             [(curves(rows, "time"), ("per page", "µs"), True)]),
                 shown_in(rows, "time")),
        "pull": ("A whole site, compared with programs that fetch page by page.", draw_pull(rows), shown_in(rows, "pull")),
    }
    return {name: picture for name, picture in drawn.items() if picture[1] is not None}


def origins(book, rows):
    """Returns one line per run: when and on what machine it measured these rows."""
    return [f"{run['date']}, commit {run['commit']}, {run['machine'].get('processor', '')}, {run['machine'].get('cores', '')} cores"
            + (", a short run" if run["quick"] else "")
            for number, run in enumerate(book["runs"]) if any(row["run"] == number for row in rows)]


# The page

def cell(text):
    """Escapes a text for a Markdown table."""
    text = NOT_XML.sub("\ufffd", str(text)).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub(r"([\\`*_\[\]|~])", r"\\\1", " ".join(text.split()))


def table(head, rows):
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *(f"| {' | '.join(cell(value) for value in row)} |" for row in rows), ""]


def row_table(book, rows):
    many = len(book["runs"]) > 1
    head = ["group", "figure", "goal", "measured", "", "more", *(["run"] if many else [])]
    lines = [[row["group"], row["figure"], shown_goal(row), shown(row["measured"], row["unit"]), row["verdict"], row.get("detail", ""),
              *([row["run"] + 1] if many else [])] for row in rows]
    return table(head, lines)


def groups_of(book, number):
    """Returns the groups whose rows come from this run. Later runs may have replaced some of its rows."""
    return list(dict.fromkeys(row["group"] for row in book["rows"] if row["run"] == number))


def page(book, drawn):
    goals = with_verdict(book["rows"])
    text = ["# Figures", "",
            "Generated by `./dev bench`. Every figure is the output of a program ([figures.json](figures.json));",
            "nothing is typed by hand. `bench/book.py --render docs/benchmarks/figures.json` generates this page",
            "again. [benchmarks.md](../benchmarks.md) says what is measured and how.", "",
            f"**{summary(goals)}**", ""]
    if any(run["quick"] for run in book["runs"]):
        text += ["Some figures are from a short run (`SHEAF_BENCH_QUICK=1`), which says little about the goals.", ""]
    for name, (caption, _, _) in drawn.items():
        text += [f"![{caption}]({name}.svg)", ""]
    unmet = [row for row in goals if row["verdict"] != "met"]
    text += ["`bench/book.py --table docs/benchmarks/figures.json` prints all goals; figures.json has",
             f"{len(book['rows']) - len(goals)} more figures, without a goal.", ""]
    if unmet:
        text += ["## Goals that are not met", "", *row_table(book, unmet)]
    text += ["## Where and when", ""]
    text += table(["run", "date", "commit", "minutes", "groups"],
                  [[number + 1, run["date"], run["commit"], minutes(run), ", ".join(groups_of(book, number)) + (" (short)" if run["quick"] else "")]
                   for number, run in enumerate(book["runs"])])
    machines = {}
    for number, run in enumerate(book["runs"]):
        machines.setdefault(json.dumps(run["machine"]), []).append(number)
    for numbers in machines.values():
        of_runs = ", ".join(str(number + 1) for number in numbers)
        items = book["runs"][numbers[0]]["machine"].items()
        if numbers[0] > 0:  # what differs from the first machine
            items = [(name, value) for name, value in items if book["runs"][0]["machine"].get(name) != value]
        text += table(["machine", f"of run{'s' if len(numbers) > 1 else ''} {of_runs}" + (", where it differs from the first" if numbers[0] > 0 else "")], items)
    return "\n".join(text).rstrip() + "\n"


def render(book):
    """Returns {file name: text} of the whole book, without figures.json."""
    drawn = pictures(book["rows"])
    for _, sheet, shown_rows in drawn.values():
        footer(sheet, origins(book, shown_rows))
    files = {f"{name}.svg": str(sheet) for name, (_, sheet, _) in drawn.items()}
    return {"README.md": page(book, drawn), **files}


def write(book, folder):
    save(folder / "figures.json", book)
    files = render(book)
    for stale in set(folder.glob("*.svg")) - {folder / name for name in files}:
        stale.unlink()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def faults(folder):
    """Returns the files of the folder that do not match its figures."""
    files = render(load(folder / "figures.json"))
    for name, text in files.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield f"{path} does not match figures.json; run: bench/book.py --render {folder / 'figures.json'}"
    yield from (f"{path} is not part of the book" for path in sorted(folder.iterdir()) if path.name not in {*files, "figures.json"})


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--render", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    options = parser.parse_args()
    if options.render:
        write(load(options.render), options.out or options.render.parent)
    elif options.table:
        print_table(load(options.table))
    elif options.check:
        found = list(faults(options.check))
        print("\n".join(found) or "the book matches its figures")
        return 1 if found else 0
    else:
        parser.error("one of --render, --table or --check is required")
    return 0


if __name__ == "__main__":
    sys.exit(main())
