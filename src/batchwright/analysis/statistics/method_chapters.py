"""The statistical methods as chapters of the help: assumptions, sources and measured coverage."""

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from batchwright.analysis.statistics import methods
from batchwright.analysis.statistics.methods import Method
from batchwright.base.i18n import _
from batchwright.base.local_formats import decimal_text
from batchwright.base.resources import resource

NOMINAL_PERCENT = 95
"""The stated coverage of all intervals."""


@dataclass(frozen=True)
class Coverage:
    """How many of `samples` intervals from simulated answers contained the true value."""

    method: str
    """The name of the constant in `methods`."""
    case: str
    """What was simulated, in English."""
    covered: int
    samples: int

    @property
    def percent(self) -> float:
        """The measured coverage."""
        return 100 * self.covered / self.samples


@dataclass(frozen=True)
class MethodChapter:
    """A method, and what was measured about its intervals."""

    method: Method
    coverage: Sequence[Coverage]


def chapters() -> list[MethodChapter]:
    """A chapter for each method, in the order in which results use them."""
    named = ((name, value) for name, value in vars(methods).items() if isinstance(value, Method))
    return [
        MethodChapter(method, [row for row in coverage() if row.method == name]) for name, method in named
    ]


@cache
def coverage() -> tuple[Coverage, ...]:
    """What `tests/benchmarks/test_coverage.py` has measured last.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    rows = json.loads(resource("help", "coverage.json").read_text(encoding="utf-8"))
    return tuple(Coverage(**row) for row in rows)


def as_html(chapter: MethodChapter) -> str:
    """A chapter as simple HTML."""
    return "".join(_blocks(chapter))


def _blocks(chapter: MethodChapter) -> Iterator[str]:
    method = chapter.method
    yield f"<h1>{_safe(_(method.name))}</h1><p>{_safe(_(method.assumptions))}</p>"
    if method.survey_assumptions:
        yield f"<h2>{_safe(_('In a collection'))}</h2><p>{_safe(_(method.survey_assumptions))}</p>"
    yield f"<h2>{_safe(_('Sources'))}</h2>"
    yield from (f"<p>{_safe(work.reference)}</p>" for work in method.works)
    if chapter.coverage:
        yield f"<h2>{_safe(_('Measured coverage'))}</h2><p>{_safe(_coverage_text())}</p>"
        heads = (_("Simulated answers"), _("Stated"), _("Measured"))
        yield f"<table><tr>{''.join(f'<th>{_safe(head)}</th>' for head in heads)}</tr>"
        for row in chapter.coverage:
            cells = (row.case, _percent(NOMINAL_PERCENT, 0), _percent(row.percent, 1))
            yield f"<tr>{''.join(f'<td>{_safe(cell)}</td>' for cell in cells)}</tr>"
        yield "</table>"


def _percent(number: float, digits: int) -> str:
    return _("{number} %").format(number=decimal_text(number, digits))


def _coverage_text() -> str:
    return _(
        "Answers were simulated many times from a known truth. The table says how many of the intervals "
        "contained it."
    )


def _safe(text: str) -> str:
    return html.escape(text)
