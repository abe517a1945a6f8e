"""Figures: the same drawing for the page (SVG) and for a paper (SVG, PNG)."""

import io
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullFormatter

from judge.model import Verdict
from judge.results.report.data import ReportData

# Okabe and Ito: told apart by people who do not see all colours.
INK = "#1b1f24"
_LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", INK)
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_STYLES = ("-", "--", "-.", ":")
VERDICT_COLOURS = {
    Verdict.ACCEPTED: "#009e73",
    Verdict.WRONG_ANSWER: "#d55e00",
    Verdict.COMPILE_ERROR: "#e69f00",
    Verdict.RUNTIME_ERROR: "#cc79a7",
    Verdict.TIME_LIMIT_EXCEEDED: "#0072b2",
    Verdict.MEMORY_LIMIT_EXCEEDED: "#56b4e9",
    Verdict.DISK_LIMIT_EXCEEDED: "#8c6d31",
    Verdict.OUTPUT_LIMIT_EXCEEDED: "#b5a642",
    Verdict.MEMORY_LEAK: "#7b5aa6",
}
_OTHER = "#999999"
WIDTH = 5.0
_MS, _MIB = 1e6, 1 << 20


def figures(data: ReportData) -> dict[str, Figure]:
    """Name -> figure; one that has nothing to show is left out."""
    drawings: dict[str, Callable[[ReportData], Figure | None]] = {
        "leaderboard": _leaderboard,
        "matrix": _matrix,
        "verdicts": _verdicts,
        "submissions": _submissions,
        "resources": _resources,
    }
    if not data.standings:
        return {}
    found = {}
    with _styled():
        for name, draw in drawings.items():
            figure = draw(data)
            if figure is not None:
                found[name] = figure
    return found


def svg(figure: Figure) -> str:
    """The figure as an SVG element, without a date, so that it is the same every time."""
    out = io.StringIO()
    with _styled():
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def write_figures(folder: Path, data: ReportData) -> list[Path]:
    """Writes each figure as SVG and as PNG (200 dpi)."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, figure in figures(data).items():
        vector, raster = folder / f"{name}.svg", folder / f"{name}.png"
        head = '<?xml version="1.0" encoding="utf-8" standalone="no"?>\n'
        vector.write_text(head + svg(figure), encoding="utf-8")
        with _styled():
            figure.savefig(raster, format="png", dpi=200, facecolor="white")
        paths += [vector, raster]
    return paths


def _styled() -> AbstractContextManager[None]:
    return mpl.rc_context(
        {
            "font.size": 9,
            "font.family": "sans-serif",
            "text.color": INK,
            "axes.edgecolor": INK,
            "axes.labelcolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "grid.color": INK,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "axes.axisbelow": True,
            "axes.linewidth": 0.6,
            "grid.alpha": 0.15,
            "grid.linewidth": 0.6,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "svg.fonttype": "none",
            "svg.hashsalt": "adjudge",
            "text.parse_math": False,  # a dollar in a name is a dollar
            "figure.constrained_layout.use": True,
        }
    )


def _axes(height: float, width: float = WIDTH) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height))
    return figure, figure.add_subplot()


def _legend(figure: Figure, data: ReportData) -> None:
    """Below the axes, in as many columns as the names leave room for."""
    longest = max(len(one.name) for one in data.standings)
    columns = max(1, min(3, 72 // (longest + 6)))
    figure.legend(loc="outside lower center", ncols=columns, frameon=False, fontsize=8)


def _leaderboard(data: ReportData) -> Figure:
    names = [one.name for one in data.standings]
    figure, axes = _axes(0.7 + 0.34 * len(names))
    spreads = [one.final or one.pair.average_all for one in data.standings]
    means = [one.mean for one in spreads]
    # A score is never outside of 0 to 100, whatever the interval of few rounds says.
    below = [math.nan if one.low is None else one.mean - max(one.low, 0) for one in spreads]
    above = [math.nan if one.high is None else min(one.high, 100) - one.mean for one in spreads]
    axes.barh(
        names,
        means,
        xerr=(below, above),
        error_kw={"ecolor": INK, "elinewidth": 1, "capsize": 2.5},
        color=_LINES[5],
        height=0.6,
    )
    for place, mean in enumerate(means):
        axes.text(102, place, f"{mean:.1f}", va="center", ha="left")  # clear of error bars
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("final score" if data.reviewed else "execution score")
    return figure


def _matrix(data: ReportData) -> Figure:
    keys = [entry.key for entry in data.benchmark.entries]
    names = [one.name for one in data.standings]
    figure, axes = _axes(0.8 + 0.3 * len(names), max(WIDTH, 2.5 + 0.34 * len(keys)))
    values = [[one.pair.problems[key].mean for key in keys] for one in data.standings]
    axes.imshow(values, vmin=0, vmax=100, cmap="Blues", aspect="auto")
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            shown = (
                f"{value:.0f}" if keys[column] in data.standings[row].attempted else "\N{EN DASH}"
            )
            colour = "white" if value > 60 else INK
            axes.text(column, row, shown, ha="center", va="center", fontsize=8, color=colour)
    axes.set_xticks(range(len(keys)), keys, rotation=90 if len(keys) > 8 else 0, fontsize=8)
    axes.set_yticks(range(len(names)), names)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return figure


def _verdicts(data: ReportData) -> Figure | None:
    standings = [one for one in data.standings if one.verdicts]
    if not standings:
        return None
    figure, axes = _axes(1.5 + 0.34 * len(standings))
    names = [one.name for one in standings]
    left = [0.0] * len(names)
    # What all want stands at the axis, where it can be compared.
    for verdict in sorted(data.verdicts, key=lambda one: one is not Verdict.ACCEPTED):
        parts = [one.verdicts.get(verdict, (0, 0.0))[1] for one in standings]
        colour = VERDICT_COLOURS.get(verdict, _OTHER)
        label = f"{verdict.value.replace('_', ' ')} ({data.verdicts[verdict][1]:.1f} %)"
        axes.barh(names, parts, left=left, color=colour, height=0.6, label=label)
        left = [before + part for before, part in zip(left, parts, strict=True)]
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("per cent of counted submissions")
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return figure


def _submissions(data: ReportData) -> Figure:
    figure, axes = _axes(3.2)
    for place, one in enumerate(data.standings):
        axes.plot(
            range(1, len(one.curve) + 1),
            one.curve,
            color=_LINES[place % len(_LINES)],
            linestyle=_STYLES[place // len(_LINES) % len(_STYLES)],
            marker=_MARKERS[place % len(_MARKERS)],
            markersize=3.5,
            label=one.name,
        )
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("submissions to each problem")
    axes.set_ylabel("average execution score")
    axes.grid(axis="y")
    _legend(figure, data)
    return figure


def _resources(data: ReportData) -> Figure | None:
    """Each counted submission that ran: CPU time against memory, both as the judge shows them."""
    figure, axes = _axes(3.4)
    drawn = False
    for place, one in enumerate(data.standings):
        points = [
            (row.cpu_ns / _MS, row.memory_bytes / _MIB)
            for row in data.rows
            if row.participant.pair == (one.pair.agent, one.pair.model)
            and row.cpu_ns
            and row.memory_bytes
        ]
        if points:
            drawn = True
            times, sizes = zip(*points, strict=True)
            colour = _LINES[place % len(_LINES)]
            axes.scatter(
                times,
                sizes,
                s=11,
                alpha=0.6,
                color=colour,
                marker=_MARKERS[place % len(_MARKERS)],
                label=one.name,
                linewidths=0,
            )
    if not drawn:
        return None
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("CPU time over all tests, ms")
    axes.set_ylabel("peak memory, MiB")
    axes.grid()
    _legend(figure, data)
    return figure
