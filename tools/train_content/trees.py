"""Fits the models and writes them as C++."""

import numpy
from sklearn.ensemble import HistGradientBoostingClassifier

LEVELS = 5
TREES = {"form": 90, "context": 130}
CHECKPOINTS = (8, 16, 32, 64)
TURNED = 0.0007  # share of runs for which a checkpoint may decide differently than all trees
LEAF_UNIT = 2048  # leaves are written as integers: the value times this number


def fit(name, X, labels, weights):
    model = HistGradientBoostingClassifier(
        max_iter=TREES[name], learning_rate=0.1, max_depth=LEVELS, max_leaf_nodes=24, min_samples_leaf=80,
        l2_regularization=4, max_bins=64, early_stopping=False, random_state=1)
    return model.fit(X, labels, sample_weight=weights)


def scores(model, X):
    """Returns the logarithm of the odds."""
    return model.decision_function(X).astype(numpy.float32)


def flat_tree(nodes):
    """A tree of full depth: split features and thresholds level by level, then the leaves."""
    splits = (1 << LEVELS) - 1
    features, thresholds, leaves = [0] * splits, [0.0] * splits, [0] * (splits + 1)
    waiting = [(0, 0)]
    while waiting:
        node, at = waiting.pop()
        is_leaf = nodes[node]["is_leaf"]
        if at >= splits:
            leaves[at - splits] = round(float(nodes[node]["value"]) * LEAF_UNIT)
            continue
        if not is_leaf:
            features[at], thresholds[at] = int(nodes[node]["feature_idx"]), float(nodes[node]["num_threshold"])
        # A split that a shallow tree lacks leads to the same leaf either way.
        waiting += [(node if is_leaf else nodes[node]["left"], 2 * at + 1), (node if is_leaf else nodes[node]["right"], 2 * at + 2)]
    return features, thresholds, leaves


def checkpoints(model, X):
    """(trees, bound, scale): beyond the bound the score after so many trees has its final sign, all but a few; scale is
    what it then grows by."""
    final = model.decision_function(X)
    found = []
    for i, partial in enumerate(model.staged_decision_function(X), 1):
        if i not in CHECKPOINTS:
            continue
        order = numpy.argsort(-abs(partial))
        turned = numpy.cumsum((partial[order] > 0) != (final[order] > 0)) / numpy.arange(1, len(X) + 1)
        within = numpy.nonzero(turned <= TURNED)[0]
        if len(within) == 0:
            continue
        clear = order[: within.max() + 1]
        found.append((i, float(abs(partial[order[within.max()]])), float((final[clear] / partial[clear]).mean())))
        print(f"after {i} trees {len(clear) / len(X):.2f} of the runs are clear")
    return found


def number(value):
    text = f"{value:.6g}"
    return text + ("F" if "." in text or "e" in text else ".0F")


def model_lines(name, model, X):
    lines = [f"constexpr ContentCheckpoint k{name}Checkpoints[] = {{"]
    lines += [f"    {{{trees}, {number(bound)}, {number(scale)}}}," for trees, bound, scale in checkpoints(model, X)]
    lines += ["};", f"constexpr ContentTree k{name}Trees[] = {{"]
    for (predictor,) in model._predictors:
        features, thresholds, leaves = flat_tree(predictor.nodes)
        lines.append(f"    {{{{{', '.join(map(str, features))}}}, {{{', '.join(map(number, thresholds))}}}, {{{', '.join(map(str, leaves))}}}}},")
    return lines + ["};", ""]


def bias(model):
    return number(float(numpy.ravel(model._baseline_prediction)[0]))


def write(models, sure, out):
    """models: {"Form": (model, sample of X), "Context": ...}; sure: scores of the first beyond this are final."""
    lines = ["// Written by tools/train_content/train.py; do not edit.", '#include "sheaf/extract/content/content_model.h"', "",
             "namespace sheaf::extract {", "namespace {", "", "// clang-format off"]
    for name, (model, X) in models.items():
        lines += model_lines(name, model, X)
    lines += ["// clang-format on", "", "}  // namespace", "", "const ContentModels kContentModels = {"]
    for name, (model, _) in models.items():
        lines.append(f"    .{name.lower()} = {{{bias(model)}, k{name}Checkpoints, k{name}Trees}},")
    lines += [f"    .sure = {number(sure)},", "};", "", "}  // namespace sheaf::extract", ""]
    out.write_text("\n".join(lines))
