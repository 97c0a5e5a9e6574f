"""Paints charts as images without a window, for the command line."""

import os

from PySide6.QtGui import QGuiApplication

from batchwright.analysis.charts import Chart
from batchwright.ui.content.charts.chart_painter import chart_image, png
from batchwright.ui.theme.typography import load_remaining_fonts, load_shell_fonts


class ChartPainter:
    """Paints charts as PNG; needs no display.

    Raises:
        FileNotFoundError: the fonts are missing, because the installation is incomplete.
    """

    def __init__(self) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        self._application = QGuiApplication.instance() or QGuiApplication(["batchwright"])
        load_shell_fonts()
        load_remaining_fonts()

    def __call__(self, chart: Chart) -> bytes:
        """The chart as a PNG file of 300 dots per inch."""
        return png(chart_image(chart))
