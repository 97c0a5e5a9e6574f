"""A chart as a page of its own: with its title above it, a note below it, and margins."""

from dataclasses import replace

from batchwright.analysis.charts.chart import Chart, Role, Shape, Text, Weight, moved, moved_areas
from batchwright.analysis.charts.parts import LINE_HEIGHT, SMALL, baseline
from batchwright.analysis.charts.texts import wrapped
from batchwright.base.i18n import _, ngettext
from batchwright.base.local_formats import count_text

_TITLE, _TITLE_LINE = 15.0, 20.0
_GAP = 10.0
_MAX_LINES = 4


def with_caption(chart: Chart, note: str = "", *, has_title: bool = True) -> Chart:
    """Add the title above a chart and a note below it, as for a file."""
    title = wrapped(chart.title, chart.width, _TITLE, is_bold=True) if has_title and chart.title else None
    shapes: list[Shape] = []
    top = 0.0
    for line in title.lines if title else ():
        y = baseline(top + _TITLE_LINE / 2, _TITLE)
        shapes.append(
            Text(
                0.0,
                y,
                line,
                Role.TEXT,
                _TITLE,
                Weight.BOLD,
                full=chart.title if title and title.is_cut else "",
            )
        )
        top += _TITLE_LINE
    top += _GAP if title else 0.0
    shapes += moved(chart.shapes, top)
    bottom = top + chart.height
    lines = wrapped(note, chart.width, SMALL, max_lines=_MAX_LINES).lines if note else ()
    bottom += _GAP if lines else 0.0
    for line in lines:
        shapes.append(Text(0.0, baseline(bottom + LINE_HEIGHT / 2, SMALL), line, Role.SECONDARY, SMALL))
        bottom += LINE_HEIGHT
    return replace(
        chart, height=bottom, shapes=tuple(shapes), areas=moved_areas(chart.areas, top), others=None
    )


def exclusion_note(count: int) -> str:
    """The sentence that states how many answers a figure leaves out."""
    if not count:
        return _("No answer was excluded.")
    text = ngettext("{count} answer was excluded.", "{count} answers were excluded.", count)
    return text.format(count=count_text(count))
