"""Rows of figures, in the format that all benchmarks share; bench/book.py makes the book from them.

A row is a JSON object, one a line in the files that `--json FILE` adds to (bench/race.h does the same in C++):

    group, figure     what was measured
    goal, direction   the limit, and which side of it is good: ">=" or "<="; null for a figure without a goal
    measured          a number; null if it could not be measured
    unit              "" for a ratio; "bytes", "%", "s", "pages/s", ...
    verdict           "met", "NOT MET", "not measured", or "-" for a figure without a goal
    detail            if there is more to say: the two sides of a ratio, why it was not measured
    plot              if it belongs to a chart: {"picture", "series", "x"}
"""
import json

MIB = 2**20
SIGNS = {">=": "≥", "<=": "≤"}


def shown(value, unit):
    """Formats a figure with enough digits to compare it with its goal."""
    if value is None:
        return "-"
    if unit == "bytes":
        return f"{value:,.0f} bytes" if value < 10_000 else f"{value / MIB:,.1f} MiB"
    if unit == "":
        return f"{value:,.{2 if value < 100 else 0}f}"
    if unit == "%":
        return f"{value:.1f} %"
    return f"{value:,.{2 if value < 100 and value != int(value) else 0}f} {unit}"


def shown_goal(row):
    return "-" if row["goal"] is None else f"{SIGNS[row['direction']]} {shown(row['goal'], row['unit'])}"


def verdict(direction, goal, measured):
    if measured is None:
        return "not measured"
    if direction is None:
        return "-"
    return "met" if (measured >= goal if direction == ">=" else measured <= goal) else "NOT MET"


class Figures:
    def __init__(self, group):
        self.group, self.rows = group, []

    def at_least(self, figure, goal, measured, unit="", **more):
        self._add(figure, goal, ">=", measured, unit, more)

    def at_most(self, figure, goal, measured, unit="", **more):
        self._add(figure, goal, "<=", measured, unit, more)

    def note(self, figure, measured, unit="", **more):
        self._add(figure, None, None, measured, unit, more)

    def _add(self, figure, goal, direction, measured, unit, more):
        self.rows.append({"group": self.group, "figure": figure, "goal": goal, "direction": direction, "measured": measured,
                          "unit": unit, "verdict": verdict(direction, goal, measured), **{name: value for name, value in more.items() if value}})

    def print(self):
        print_table(self.rows)

    def append_to(self, path):
        """Adds the rows to the file. Does nothing without a path."""
        if path:
            with open(path, "a", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def print_table(rows):
    width = max([50, *(len(row["figure"]) for row in rows)])
    print(f"\n{'figure':<{width}} {'goal':>16} {'measured':>18}  verdict")
    print("-" * (width + 46))
    for row in rows:
        end = f"{row['verdict']:<8} {row.get('detail', '')}".rstrip()
        print(f"{row['figure']:<{width}} {shown_goal(row):>16} {shown(row['measured'], row['unit']):>18}  {end}", flush=True)
