"""The page: one HTML file that needs nothing else, neither a network nor a script."""

from dataclasses import dataclass
from datetime import datetime

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from judge.results.report.data import ReportData
from judge.results.report.figures import INK, VERDICT_COLOURS, figures, svg
from judge.results.scoring.statistics import Spread


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the leaderboard: its head, over what it is an average, what it is called where
    there is little room, and a value for each standing."""

    head: str
    over: str
    label: str
    values: tuple[Spread | None, ...]

    @property
    def best(self) -> frozenset[int]:
        """The places of the highest value, as it is shown; none where there is nothing to beat."""
        shown = {at: round(one.mean, 2) for at, one in enumerate(self.values) if one is not None}
        highest = max(shown.values(), default=0.0)
        return frozenset(at for at, mean in shown.items() if mean == highest and len(shown) > 1)

    @property
    def has_intervals(self) -> bool:
        """Whether any of its values has a confidence interval."""
        return any(one is not None and one.low is not None for one in self.values)


def render(data: ReportData, *, title: str, made_at: datetime) -> str:
    """The page as text. Names of participants are text in it, whatever they contain."""
    environment = Environment(
        loader=PackageLoader("judge.results.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["part"] = _part
    drawn = {name: Markup(_inline(svg(one))) for name, one in figures(data).items()}  # noqa: S704
    return environment.get_template("report.html").render(
        data=data,
        title=title,
        made_at=made_at,
        columns=_columns(data),
        figures=drawn,
        colours=VERDICT_COLOURS,
        entries=data.benchmark.entries,
        categories=sorted({name for one in data.standings for name in one.categories}),
    )


def _columns(data: ReportData) -> list[Column]:
    standings = data.standings
    columns = [
        Column(
            "Execution", "all problems", "All", tuple(one.pair.average_all for one in standings)
        ),
        Column(
            *("Execution", "attempted", "Tried"),
            tuple(one.pair.average_attempted for one in standings),
        ),
        Column(
            "Exec@1", "all problems", "Exec@1", tuple(one.pair.at_first_all for one in standings)
        ),
    ]
    if data.reviewed:
        final = Column("Final", "all problems", "Final", tuple(one.final for one in standings))
        review = Column("Review", "reviewed", "Review", tuple(one.review for one in standings))
        columns = [final, *columns, review]
    return columns


def _inline(drawing: str) -> str:
    """Ink of a figure in the page is the page's own, be it light or dark."""
    return drawing.replace(INK, "currentColor")


def _part(score: float) -> str:
    """How much of the colour a cell has, from 0 to 1."""
    return f"{max(0.0, min(score / 100, 1.0)):.3f}"
