"""A benchmark's results as one page, and as figures for a paper."""

from judge.results.report.data import ReportData, gather
from judge.results.report.figures import figures, write_figures
from judge.results.report.page import render

__all__ = ["ReportData", "figures", "gather", "render", "write_figures"]
