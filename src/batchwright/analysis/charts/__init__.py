"""Charts: layout functions return a `Chart`, which `svg` writes and the window paints."""

from batchwright.analysis.charts.agreement_scale import agreement_scale
from batchwright.analysis.charts.bars import MAX_BARS, bar_chart, grouped_bar_chart
from batchwright.analysis.charts.chart import (
    NEUTRAL,
    PRINT_WIDTH,
    SERIES,
    Anchor,
    Area,
    Chart,
    Circle,
    Columns,
    Drawing,
    Line,
    Mark,
    Rectangle,
    Role,
    Shape,
    Text,
    Weight,
)
from batchwright.analysis.charts.forest import forest_plot
from batchwright.analysis.charts.formats import (
    COUNT,
    DECIMAL,
    PERCENT,
    NumberFormat,
)
from batchwright.analysis.charts.histogram import Bin, histogram
from batchwright.analysis.charts.lines import line_chart
from batchwright.analysis.charts.matrix import matrix_chart
from batchwright.analysis.charts.page import exclusion_note, with_caption
from batchwright.analysis.charts.svg import svg

__all__ = [
    "COUNT",
    "DECIMAL",
    "MAX_BARS",
    "NEUTRAL",
    "PERCENT",
    "PRINT_WIDTH",
    "SERIES",
    "Anchor",
    "Area",
    "Bin",
    "Chart",
    "Circle",
    "Columns",
    "Drawing",
    "Line",
    "Mark",
    "NumberFormat",
    "Rectangle",
    "Role",
    "Shape",
    "Text",
    "Weight",
    "agreement_scale",
    "bar_chart",
    "exclusion_note",
    "forest_plot",
    "grouped_bar_chart",
    "histogram",
    "line_chart",
    "matrix_chart",
    "svg",
    "with_caption",
]
