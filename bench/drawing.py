"""Simple SVG: a sheet to draw on, bars and curves. The same input gives the same bytes, which a plotting library would not promise."""
import math
import re
from xml.sax.saxutils import escape, quoteattr

INK, PALE, GRID, PAPER = "#1f2933", "#52606d", "#d9dee4", "#ffffff"
COLOURS = {"met": "#2f855a", "NOT MET": "#c53030", "not measured": "#a0aec0", "-": "#4a6fa5"}
SERIES = ["#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#b83280", "#b7791f", "#0e7c86", "#718096", "#9b2c2c", "#1a202c"]
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text):
    return escape(NOT_XML.sub("\ufffd", str(text)))


def number(value):
    return f"{value:.1f}".removesuffix(".0")


class Sheet:
    """Starts with a white background, so that it is readable on a dark page too."""

    def __init__(self, width, height, title):
        self.width, self.title, self.parts = width, title, []
        self.height = height

    def text(self, x, y, text, size=12, anchor="start", colour=INK, bold=False):
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>{xml_text(text)}</text>')

    def rect(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(max(width, 0))}" height="{number(height)}" fill="{colour}"/>')

    def line(self, points, colour, width=1, dashed=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>')

    def dot(self, x, y, colour, hint):
        self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="3.5" fill="{colour}"><title>{xml_text(hint)}</title></circle>')

    def __str__(self):
        label = quoteattr(NOT_XML.sub("\ufffd", self.title))
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(self.width)}" height="{number(self.height)}" '
            f'viewBox="0 0 {number(self.width)} {number(self.height)}" role="img" aria-label={label} font-family="Helvetica, Arial, sans-serif">',
            f'<rect width="100%" height="100%" fill="{PAPER}"/>', *self.parts, "</svg>", ""])


def footer(sheet, lines):
    """Adds an element below all others."""
    for line in lines:
        sheet.height += 16
        sheet.text(24, sheet.height - 6, line, 10, colour=PALE)
    sheet.height += 8


def heading(sheet, title, subtitle):
    sheet.text(24, 32, title, 17, bold=True)
    sheet.text(24, 52, subtitle, 12, colour=PALE)


def bar_panel(sheet, x, y, width, title, bars, maximum, goal=None):
    """Draws bars from zero to the right: (label, value, shown, verdict). `goal` is (value, shown). Returns the y coordinate below them."""
    labels, numbers, row = 165, 120, 24
    plot, scale = x + labels, (width - labels - numbers) / (maximum or 1)
    sheet.text(x, y, title, 13, bold=True)
    top = y + 12
    for index, (label, value, text, verdict) in enumerate(bars):
        middle = top + index * row + row / 2
        sheet.text(plot - 8, middle + 4, label, anchor="end")
        sheet.rect(plot, middle - 8, (value or 0) * scale, 16, COLOURS[verdict])
        sheet.text(x + width - 16, middle + 4, text, 11, "end")
    bottom = top + len(bars) * row
    sheet.line([(plot, top), (plot, bottom)], INK)
    if goal:
        at = plot + goal[0] * scale
        sheet.line([(at, top - 2), (at, bottom + 4)], INK, 1.5, dashed=True)
        sheet.text(at, bottom + 16, f"goal {goal[1]}", 11, "middle", PALE)
    return bottom + 28


def nice_ticks(top):
    """Returns about five round numbers from zero to at least `top`."""
    rough = top / 5 or 1
    unit = 10 ** math.floor(math.log10(rough))
    step = next(factor * unit for factor in (1, 2, 2.5, 5, 10) if factor * unit >= rough * 0.999)
    return [index * step for index in range(math.ceil(top / step * 0.999) + 1)]


def log_ticks(low, high):
    """Returns the numbers of 1, 2, 5, 10, ... that enclose both."""
    ticks = [factor * 10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for factor in (1, 2, 5)]
    first = max([index for index, tick in enumerate(ticks) if tick <= low * 1.001], default=0)
    last = next((index for index, tick in enumerate(ticks) if tick >= high * 0.999), len(ticks) - 1)
    return ticks[first:max(last, first + 1) + 1]


def short(value):
    """1000 as 1k, 1000000 as 1M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def curve_panel(sheet, x, y, width, height, curves, labels, log_y=False):
    """Draws curves over the number of pages, on a logarithmic axis: (name, [(pages, value)], [(pages, goal)]); goals are dashed. `labels` are
    (title, of the y axis)."""
    values = [value for _, points, goals in curves for _, value in [*points, *goals]]
    pages = sorted({place for _, points, _ in curves for place, _ in points})
    ticks = log_ticks(max(min(values), 1e-9), max(values)) if log_y else nice_ticks(max(values))
    left, top, right, bottom = x + 62, y + 22, x + width - 130, y + height - 46
    low, high = math.log10(pages[0]), math.log10(pages[-1])

    def across(place):
        return left + (right - left) * ((math.log10(place) - low) / (high - low) if high > low else 0.5)

    def up(value):
        if log_y:
            return bottom - (bottom - top) * math.log10(max(value, ticks[0]) / ticks[0]) / math.log10(ticks[-1] / ticks[0])
        return bottom - (bottom - top) * value / ticks[-1]

    sheet.text(x, y + 4, labels[0], 13, bold=True)
    for tick in ticks:
        sheet.line([(left, up(tick)), (right, up(tick))], GRID)
        sheet.text(left - 8, up(tick) + 4, short(tick), 11, "end", PALE)
    for place in pages:
        sheet.line([(across(place), bottom), (across(place), bottom + 5)], INK)
        sheet.text(across(place), bottom + 19, short(place), 11, "middle", PALE)
    sheet.line([(left, top), (left, bottom), (right, bottom)], INK)
    sheet.text((left + right) / 2, bottom + 38, "pages", 11, "middle", PALE)
    sheet.text(left, top - 5, labels[1], 11, colour=PALE)
    for index, (name, points, goals) in enumerate(curves):
        colour = SERIES[index % len(SERIES)]
        if goals:
            sheet.line([(across(place), up(value)) for place, value in goals], colour, 1, dashed=True)
        sheet.line([(across(place), up(value)) for place, value in points], colour, 2)
        for place, value in points:
            sheet.dot(across(place), up(value), colour, f"{name}, {place:,} pages: {value:,.1f}")
        line = top + 12 + index * 20
        sheet.line([(right + 14, line - 4), (right + 34, line - 4)], colour, 3)
        sheet.text(right + 40, line, name)
    if any(goals for _, _, goals in curves):
        line = top + 12 + len(curves) * 20
        sheet.line([(right + 14, line - 4), (right + 34, line - 4)], PALE, 1, dashed=True)
        sheet.text(right + 40, line, "limit", colour=PALE)
