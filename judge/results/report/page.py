"""The page: one HTML file that needs nothing else, neither a network nor a script."""

from datetime import datetime

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from judge.results.report.data import ReportData
from judge.results.report.figures import VERDICT_COLOURS, figures, svg


def render(data: ReportData, *, title: str, made_at: datetime) -> str:
    """The page as text. Names of participants are text in it, whatever they contain."""
    environment = Environment(
        loader=PackageLoader("judge.results.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shade"] = _shade
    drawn = {name: Markup(svg(figure)) for name, figure in figures(data).items()}  # noqa: S704
    return environment.get_template("report.html").render(
        data=data,
        title=title,
        made_at=made_at,
        figures=drawn,
        colours=VERDICT_COLOURS,
        entries=data.benchmark.entries,
        categories=sorted({name for one in data.standings for name in one.categories}),
    )


def _shade(score: float) -> str:
    """A cell's background: white at 0, green at 100; the text on it stays dark."""
    part = max(0.0, min(score / 100, 1.0))
    red, green, blue = (round(255 + (end - 255) * part) for end in (120, 198, 121))
    return f"rgb({red},{green},{blue})"
