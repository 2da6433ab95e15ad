"""The reproduction report: Markdown and one self-contained HTML file, every number with its source."""

from tasks.reproduce.report.facts import ReportFacts
from tasks.reproduce.report.write import write_report

__all__ = ["ReportFacts", "write_report"]
