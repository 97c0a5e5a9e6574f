"""A walk over all stages and dialogs of the window with the sample study, and what is cut in them."""

import asyncio
from collections.abc import AsyncIterator, Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QHeaderView,
    QLabel,
    QPushButton,
    QRadioButton,
    QWidget,
)

from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.data.dataset.upload import start_upload
from batchwright.ui.data.records.records_table import RowsTable
from batchwright.ui.data.stage import DataStage
from batchwright.ui.results.stage import ResultsStage
from batchwright.ui.results.statistics.section_titles import Section
from batchwright.ui.run.commands import start_simulation
from batchwright.ui.run.stage import RunStage
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.item_views import HEAD_PADDING
from batchwright.ui.widgets.scroll_area import VerticalScrollArea
from batchwright.ui.widgets.tables.table import Table
from batchwright.ui.widgets.text import ElidedLabel
from batchwright.workflows.rehearsal.simulate import SimulationOptions
from tests.flows.user_actions import User, until

DIALOGS: dict[str, tuple[ActionId, ...]] = {
    "home": (
        *(ActionId.NEW, ActionId.ADD_CONNECTION),
        *(ActionId.SETTINGS, ActionId.STORED_DATA, ActionId.SUPPORT_REPORT, ActionId.ABOUT, ActionId.RULES),
        *(ActionId.METHODS, ActionId.FIND),
    ),
    "data": (
        *(ActionId.VERSIONS, ActionId.SAVE_TEMPLATE, ActionId.CONVERT, ActionId.DATA_RENAME),
        *(ActionId.DATA_ADD_FIELD, ActionId.DATA_PREPARE, ActionId.DATA_GO_TO_ROW, ActionId.DATA_PLAN),
        *(ActionId.DATA_TAKE, ActionId.DATA_CREATE, ActionId.DATA_IMPORTS, ActionId.DATA_TRY_ADDRESSES),
        *(ActionId.DATA_SEND_V3, ActionId.DATA_APPEND),
    ),
    "layout": (
        *(ActionId.LAYOUT_FIND_TEXT, ActionId.LAYOUT_REPLACE_TEXT, ActionId.LAYOUT_PREVIEW),
        *(ActionId.LAYOUT_OUTLINE, ActionId.LAYOUT_PROBLEMS, ActionId.LAYOUT_SAVE_BLOCK),
        *(ActionId.LAYOUT_RENAME_PAGE, ActionId.LAYOUT_LANGUAGES),
    ),
    "run": (
        *(ActionId.RUN_DETAILS, ActionId.RUN_SIMULATE, ActionId.RUN_EDIT, ActionId.RUN_SET_UP_WITH),
        *(ActionId.RUN_DUPLICATE, ActionId.RUN_INSTRUCTIONS, ActionId.RUN_CONVERT, ActionId.RUN_TESTER),
        *(ActionId.RUN_OPEN_BATCH, ActionId.RUN_PLACE_TIMEOUT, ActionId.RUN_NEW_LEGACY, ActionId.RUN_SET_UP),
    ),
    "results": (
        *(ActionId.RESULTS_SAVE, ActionId.RESULTS_RECORD, ActionId.RESULTS_PLAN, ActionId.RESULTS_ROLES),
        *(ActionId.RESULTS_UNITS, ActionId.RESULTS_EXCLUDE_BY_RULE),
    ),
    "collections": (),
    "feedback": (),
    "jobs": (),
}
"""The actions that show a dialog or a panel, by the stage in which they are run if they can be."""

_STEPS, _MOST_STEPS = 20, 1000
"""The number of times that the program gets to show something, and to fetch it."""


async def every_surface(user: User) -> AsyncIterator[tuple[str, QWidget]]:
    """Prepare the sample study from its data to results; yield each stage, section and dialog with a name."""
    window = user.window
    await until(lambda: bool(user.program._opened), "the window")
    (opened,) = user.program._opened.values()
    actions = opened.context.actions
    await until(lambda: window.findChild(QAction, ActionId.JOBS_CLEAR) is not None, "all actions")
    for stage, dialogs in DIALOGS.items():
        if stage == "data":
            actions.run(ActionId.TRY_SAMPLE)
            await until(lambda: window.has_study, "the sample study")
        opened.context.shell.set_stage(stage)
        await until(lambda: window.is_showing_stage, stage)
        await _prepare(stage, user)
        await _settled(user)
        yield stage, window
        if stage == "results":
            async for name in _sections(user):
                yield name, window
        for id in dialogs:
            if actions.has(id) and not actions.disabled_reason(id):
                before = opened.context.tasks.running
                actions.run(id)
                await _settled(user, before)
                yield f"{stage}: {id}", window
                await _close_all(window)


async def _prepare(stage: str, user: User) -> None:
    """Do in a stage what the next ones need."""
    window, actions = user.window, next(iter(user.program._opened.values())).context.actions
    match stage:
        case "data":
            data = window.findChildren(DataStage)[0].state
            await until(lambda: data.validation.report is not None, "the check")
            start_upload(data.dataset)
            await until(lambda: data.dataset.is_uploaded, "the upload")
        case "run":
            run = window.findChildren(RunStage)[0].state
            actions.run(ActionId.RUN_PUBLISH)
            await until(lambda: bool(open_dialogs(window)), "the dialog")
            open_dialogs(window)[0].accept()
            await until(
                lambda: run.own is not None and run.own.status == "READY" and run.operation is None,
                "the tasks",
            )
            start_simulation(run, SimulationOptions(participants=4, per_task=1))
            await until(lambda: run.operation is not None, "the simulation")
            await until(lambda: run.operation is None, "answers")
            await _settled(user)
            await until(lambda: run.operation is None, "the groups")
        case "results":
            state = window.findChildren(ResultsStage)[0].state
            await until(lambda: bool(state.records.found), "answers")


async def _sections(user: User) -> AsyncIterator[str]:
    results = user.window.findChildren(ResultsStage)[0]
    for section in (Section.QUESTIONS, Section.AGREEMENT, Section.COMPARISONS, Section.PARTICIPANTS):
        results.show_section(section)
        await until(lambda: results.analysis.is_current, section)
        await _settled(user)
        yield f"results: {section}"


def open_dialogs(window: QWidget) -> list[QDialog]:
    """The dialogs that are visible."""
    return [dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()]


async def _settled(user: User, before: frozenset[str] | None = None) -> None:
    """Let what was started show itself; with the tasks that ran `before`, after what the others fetch."""
    tasks = next(iter(user.program._opened.values())).context.tasks
    for step in range(_MOST_STEPS):
        await asyncio.sleep(0.01)
        is_open = bool(open_dialogs(user.window))
        is_fetching = before is not None and not is_open and bool(tasks.running - before)
        if (is_open and not tasks.running) or (step >= _STEPS and not is_fetching):
            break
    for card in user.window.notices.cards:
        card.hide()


async def _close_all(window: QWidget) -> None:
    for _time in range(5):
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        dialogs = open_dialogs(window)
        if not dialogs and popup is None:
            return
        for dialog in dialogs:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            if dialog.isVisible():
                dialog.reject()
        await asyncio.sleep(0)


def cut_texts(top: QWidget) -> Iterator[str]:
    """Yield the texts below a widget that end at an edge without an ellipsis."""
    for label in top.findChildren(QLabel):
        if label.isVisible() and not isinstance(label, ElidedLabel) and _is_cut(label):
            yield f"{label.text()!r} in {label.width()} × {label.height()}"
    for button in top.findChildren(QAbstractButton):
        is_standard = isinstance(button, QPushButton | QCheckBox | QRadioButton)
        if is_standard and button.isVisible() and button.sizeHint().width() > button.width() + 1:
            yield f"the button {button.text()!r} in {button.width()} of {button.sizeHint().width()}"
    for table in top.findChildren(Table):
        if table.isVisible() and not isinstance(table, RowsTable):  # its headings are those of a file
            yield from _cut_headings(table.horizontalHeader())
    for area in top.findChildren(VerticalScrollArea):
        content = area.widget()
        if area.isVisible() and content is not None:
            right = area.mapTo(area.window(), QPoint(area.width(), 0)).x()
            if content.width() > area.viewport().width() or right > area.window().width():
                yield f"the content of {area.accessibleName()!r} in {type(area.parent()).__name__}"


def _cut_headings(head: QHeaderView) -> Iterator[str]:
    metrics = QFontMetrics(theme().font(TextRole.HEAD))
    for section in range(head.count()):
        text = head.model().headerData(section, head.orientation())
        needed = metrics.horizontalAdvance(str(text)) + 2 * theme().px(HEAD_PADDING)
        if text and not head.isSectionHidden(section) and needed > head.sectionSize(section) + 1:
            yield f"the heading {text!r} in {head.sectionSize(section)} of {needed}"


def _is_cut(label: QLabel) -> bool:
    if label.wordWrap():
        return label.heightForWidth(label.width()) > label.height() + 1
    return label.minimumSizeHint().width() > label.width() + 1
