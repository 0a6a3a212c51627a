"""Scores a choice of runs: word F1 against gold texts, F1 of segments that must and must not be there."""

import collections
import statistics
import unicodedata

from gold import norm


def page_score(page, kept):
    """Returns (P, R, F1) of the words of the kept runs."""
    ours = collections.Counter()
    for words, yes in zip(page.words, kept):
        if yes:
            ours.update(words)
    hits, total, wanted = (ours & page.gold).total(), ours.total(), page.gold.total()
    if not total and not wanted:
        return 1.0, 1.0, 1.0
    return hits / total if total else 0.0, hits / wanted if wanted else 0.0, 2 * hits / (total + wanted)


def segment_score(pages, kept):
    tp = fp = fn = 0
    for page, keep in zip(pages, kept):
        text = " ".join(text for text, yes in zip(page.texts, keep) if yes)
        there = sum(norm(s) in text for s in page.wanted)
        tp += there
        fn += len(page.wanted) - there
        fp += sum(norm(s) in text for s in page.unwanted)
    return tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)


# Scripts whose pages are reported separately, by the prefix of the Unicode names of their letters.
SCRIPTS = {"CJK": "Chinese, Japanese", "HIRAGANA": "Chinese, Japanese", "KATAKANA": "Chinese, Japanese", "HANGUL": "Korean",
           "ARABIC": "Arabic", "THAI": "Thai", "HEBREW": "Hebrew", "CYRILLIC": "Cyrillic", "DEVANAGARI": "Indic",
           "BENGALI": "Indic", "TAMIL": "Indic", "GREEK": "Greek"}


def script_of(counted):
    """Returns the script of most words of a text; None for Latin and all others."""
    found = collections.Counter()
    for word, times in counted.items():
        found[SCRIPTS.get(unicodedata.name(word[0], "").split("-")[0].split(" ")[0])] += times
    return found.most_common(1)[0][0] if found else None


def report(pages, kept):
    """kept: of each page a row of yes and no. Prints a line for each kind and source, and for each kind in a script that
    is not Latin."""
    groups = collections.defaultdict(list)
    segments = []
    for page, keep in zip(pages, kept):
        if page.gold is not None:
            score = page_score(page, keep)
            for name in ("kind " + page.kind, "source " + page.source, "all"):
                groups[name].append(score)
            if script := script_of(page.gold):
                groups[f"{script}, {page.kind}"].append(score)
        elif page.wanted:
            segments.append((page, keep))
    print(f"{'word F1 by page':<34}{'pages':>6}{'P':>8}{'R':>8}{'F1':>8}")
    for name, rows in sorted(groups.items(), key=lambda group: (group[0] == "all", group[0])):
        print(f"{name:<34}{len(rows):>6}" + "".join(f"{statistics.mean(column):>8.3f}" for column in zip(*rows)))
    if segments:
        print(f"{'segments':<34}{len(segments):>6}" + "".join(f"{value:>8.3f}" for value in segment_score(*zip(*segments))))
