"""Saving and copying of charts: as PNG or SVG at print size, and their tables."""

import asyncio
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QGuiApplication

from batchwright.analysis.charts import PRINT_WIDTH, Chart, Drawing, exclusion_note, svg, with_caption
from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _
from batchwright.base.text import truncate, without_lone_surrogates
from batchwright.data_files.spreadsheet_cells import CsvWriter, safe_cell, tab_separated
from batchwright.ui.content.charts.chart_painter import chart_image, png
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.desktop import open_file
from batchwright.ui.study.save_locations import SaveLocationMemory
from batchwright.ui.widgets.dialogs.file_dialogs import FileChooser
from batchwright.ui.widgets.notices import Notice, NoticeManager, NoticeSeverity

_MAX_TITLE_CHARS = 60


@dataclass(frozen=True)
class ChartFileContext:
    """What saving a chart needs; `excluded` returns how many answers the charts leave out."""

    tasks: Tasks
    notices: NoticeManager
    files: FileChooser
    save_locations: SaveLocationMemory
    excluded: Callable[[], int] = lambda: 0


async def save_png(context: ChartFileContext, drawing: Drawing) -> None:
    """Ask where to save a chart as an image of 300 dots per inch, and save it."""
    figure = _figure(context, drawing)
    await _save(context, drawing, _("PNG image (*.png)"), ".png", lambda: png(chart_image(figure)))


async def save_svg(context: ChartFileContext, drawing: Drawing) -> None:
    """Ask where to save a chart as SVG, and save it."""
    figure = _figure(context, drawing)
    await _save(context, drawing, _("SVG image (*.svg)"), ".svg", lambda: svg(figure).encode())


async def save_csv(context: ChartFileContext, drawing: Drawing) -> None:
    """Ask where to save the table of a chart, and save it with unrounded numbers."""
    chart, excluded = drawing(PRINT_WIDTH), context.excluded()
    await _save(context, drawing, _("Table (*.csv)"), ".csv", lambda: _csv(chart, excluded))


async def copy_image(context: ChartFileContext, drawing: Drawing) -> None:
    """Copy a chart as an image to the clipboard."""
    image = await asyncio.to_thread(chart_image, _figure(context, drawing))
    QGuiApplication.clipboard().setImage(image)


def copy_table(drawing: Drawing) -> None:
    """Copy the table of a chart to the clipboard, as text that spreadsheets paste into cells."""
    chart = drawing(PRINT_WIDTH)
    rows = [chart.columns.titles(), *chart.table()]
    QGuiApplication.clipboard().setText(tab_separated(map(safe_cell, row) for row in rows))


def _figure(context: ChartFileContext, drawing: Drawing) -> Chart:
    return with_caption(drawing(PRINT_WIDTH), exclusion_note(context.excluded()))


def _csv(chart: Chart, excluded: int) -> bytes:
    """The table of a chart as CSV; the last column states how many answers are left out."""
    text = io.StringIO()
    writer = CsvWriter(text, is_spreadsheet_safe=True)
    writer.writerow((*chart.columns.names(), "answers_excluded"))
    writer.writerows((*row, excluded) for row in chart.numbers())
    return without_lone_surrogates(text.getvalue()).encode()


async def _save(
    context: ChartFileContext, drawing: Drawing, file_type: str, suffix: str, content: Callable[[], bytes]
) -> None:
    title = truncate(drawing(PRINT_WIDTH).title, _MAX_TITLE_CHARS).rstrip("…?. ")
    proposed = await context.save_locations.proposed(suffix, title)
    path = await context.files.file_to_save(_("Save the chart"), (file_type,), proposed)
    if path is None:
        return
    context.save_locations.record(path)
    await asyncio.to_thread(lambda: write_atomically(path, content()))
    open_saved = partial(open_file, context.notices, path)
    notice = Notice(NoticeSeverity.SUCCESS, _("Chart saved"), path.name, _("Open"), open_saved)
    context.notices.show_notice(notice)
