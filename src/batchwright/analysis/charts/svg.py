"""Charts as SVG text: for files and the report, in the colours of print."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from batchwright.analysis.charts.chart import (
    Anchor,
    Chart,
    Circle,
    Line,
    Rectangle,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.analysis.charts.texts import cleaned

COLOURS = {
    Role.TEXT: "#1c1e21",
    Role.SECONDARY: "#52555b",
    Role.AXIS: "#80827c",
    Role.GRID: "#deded8",
    Role.TRACK: "#efefeb",
    Role.HALO: "#ffffff",
    Role.INTERVAL: "#1c1e21",
    Role.BAND: "#aebbef",
    Role.SERIES_1: "#3a56c5",
    Role.SERIES_2: "#c7791a",
    Role.SERIES_3: "#7c8794",
    Role.SERIES_4: "#54206f",
    Role.NEUTRAL: "#62656a",
}
"""The colours of the window's light scheme."""
_WEIGHTS = {Weight.NORMAL: "", Weight.MEDIUM: ' font-weight="500"', Weight.BOLD: ' font-weight="600"'}
_FONTS = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif"
_MARGIN = 8.0
"""Space around the chart, for lines at its edge."""
_MAX_DESCRIBED = 60
"""Number of rows in the description for screen readers."""


def svg(chart: Chart) -> str:
    """Write a chart as SVG. The same chart gives the same text."""
    width, height = chart.width + 2 * _MARGIN, chart.height + 2 * _MARGIN
    size = f'width="{_number(width)}" height="{_number(height)}"'
    box = f"{_number(-_MARGIN)} {_number(-_MARGIN)} {_number(width)} {_number(height)}"
    rows = map(chart.text, range(min(len(chart.marks), _MAX_DESCRIBED)))
    description = "; ".join(filter(None, (chart.note, *rows)))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img" font-family="{_FONTS}">',
        f"<title>{_xml(chart.title)}</title><desc>{_xml(description)}</desc>",
        f'<rect x="{_number(-_MARGIN)}" y="{_number(-_MARGIN)}" {size} fill="{COLOURS[Role.HALO]}"/>',
    ]
    for row, shapes in groupby(
        chart.shapes, key=lambda shape: None if isinstance(shape, Text) else shape.row
    ):
        drawn = "".join(map(_shape, shapes))
        parts.append(drawn if row is None else f"<g><title>{_xml(chart.text(row))}</title>{drawn}</g>")
    return "".join([*parts, "</svg>"])


def _row(shape: Shape) -> int | None:
    """The row of data that a shape shows, if it is a mark."""
    return None if isinstance(shape, Text) else shape.row


def _shape(shape: Shape) -> str:
    return "".join(_text(shape) if isinstance(shape, Text) else _outline(shape))


def _outline(shape: Rectangle | Line | Circle) -> Iterator[str]:
    match shape:
        case Rectangle():
            yield (
                f'<rect x="{_number(shape.x)}" y="{_number(shape.y)}" width="{_number(shape.width)}" '
                f'height="{_number(shape.height)}" fill="{COLOURS[shape.role]}"'
            )
            yield f' rx="{_number(shape.radius)}"' if shape.radius else ""
            yield f' fill-opacity="{_number(shape.opacity)}"' if shape.opacity < 1 else ""
        case Line():
            ends = " ".join(
                f'{name}="{_number(value)}"'
                for name, value in (("x1", shape.x1), ("y1", shape.y1), ("x2", shape.x2), ("y2", shape.y2))
            )
            yield f'<line {ends} stroke="{COLOURS[shape.role]}" stroke-width="{_number(shape.width)}"'
        case Circle():
            place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
            yield f'<circle {place} fill="{COLOURS[shape.role]}"'
    yield "/>"


def _text(text: Text) -> Iterator[str]:
    yield (
        f'<text x="{_number(text.x)}" y="{_number(text.y)}" font-size="{_number(text.size)}" '
        f'fill="{COLOURS[text.role]}"{_WEIGHTS[text.weight]}'
    )
    yield "" if text.anchor is Anchor.START else f' text-anchor="{text.anchor}"'
    yield f">{_xml(text.text)}"
    yield f"<title>{_xml(text.full)}</title>" if text.full else ""
    yield "</text>"


def _number(value: float) -> str:
    """A length with at most two decimal places."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _xml(text: str) -> str:
    return escape(cleaned(text))
