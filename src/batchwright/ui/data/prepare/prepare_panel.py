"""The panel beside the records with the steps of the preparation."""

from collections.abc import Callable
from functools import partial
from itertools import takewhile

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.base.json_values import JsonObject
from batchwright.prepare.reports import StepReport
from batchwright.ui.core import formatting
from batchwright.ui.data.file.data_file import FileState, PreparationProgress
from batchwright.ui.data.prepare.step_commands import (
    move_step,
    remove_all,
    remove_step,
    switch_all,
    switch_step,
)
from batchwright.ui.data.prepare.step_forms import DESIGNS, STEP_FORMS, StepGroup
from batchwright.ui.data.prepare.step_list import ListedStep, StepList, count_text, step_label
from batchwright.ui.data.state import DataState
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize
from batchwright.ui.widgets.box_layouts import column
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.placeholders import EmptyState
from batchwright.ui.widgets.progress import ProgressBar
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.wrapping_row import WrappingRow, group

_LOW = 280
"""The height in pixels at 100 % from which on there is space for the details of a step."""


def progress_text(progress: PreparationProgress) -> str:
    """Which step is being made, or how many rows are written."""
    if progress.made is None:
        return _("Reading the table before the first step.")
    if progress.made < progress.steps:
        text = _("Making step {number} of {count}.")
        return text.format(number=progress.made + 1, count=progress.steps)
    text = ngettext("Writing {written} of {count} row.", "Writing {written} of {count} rows.", progress.rows)
    return text.format(written=formatting.number(progress.written), count=formatting.number(progress.rows))


class PreparePanel(Surface):
    """The steps with which the table is prepared, and what the selected one does."""

    step_requested = Signal(str)
    """A step is to be added, by its name."""
    design_requested = Signal(int)
    """The steps of a design are to be added, by its number."""
    change_requested = Signal(int)
    """The options of a step are to be changed."""
    result_requested = Signal(int)
    """The first rows after a step, and its balance, are to be shown; 0 for the table before the first one."""
    plan_requested = Signal()
    """It is asked how many records and answers the study needs."""
    open_requested = Signal()
    save_requested = Signal()

    def __init__(self, state: DataState, parent: QWidget | None = None) -> None:
        super().__init__("surface", parent=parent)
        set_help_address(self, "prepare.md")
        self.setAccessibleName(_("Prepare"))
        self._state = state
        self._reports: tuple[StepReport, ...] = ()
        self._reported: tuple[JsonObject, ...] = ()
        """The steps that the reports are about."""
        self._selected = 1
        self.list = StepList()
        self._build()
        state.file.prepared.connect(self.show_steps)
        state.file.changed.connect(self.show_steps)
        state.file.count_changed.connect(self._show_progress)
        state.study.data_changed.connect(self.show_steps)
        state.changed.connect(self._show_details)
        self.show_steps()

    def show_steps(self) -> None:
        """Show the steps, and what is known of what they have made."""
        file, steps = self._state.file, self._state.steps
        if file.step_reports or file.state is not FileState.READING:
            self._reports, self._reported = file.step_reports, file.changes.steps
            problems = [report.number for report in self._reports if report.problem]
            self._selected = problems[0] if problems else self._selected
        if len(steps) > len(self.list.entries) > 0:
            self._selected = len(steps)  # the one that was added
        same = takewhile(lambda pair: pair[0] == pair[1], zip(self._reported, steps, strict=False))
        known = sum(1 for _pair in same)
        reports = {report.number: report for report in self._reports if report.number <= known}
        listed = [
            ListedStep(number, step, before.count if before else None, reports.get(number))
            for number, step in enumerate(steps, 1)
            for before in [reports.get(number - 1)]
        ]
        self.list.show_entries(listed)
        if listed:
            self._selected = max(1, min(self._selected, len(listed)))
            self.list.show_current(self._selected - 1)
        self._pages.setCurrentIndex(1 if listed else 0)
        self._show_details_if_high()
        self._show_progress()
        self._show_details()

    def _show_progress(self) -> None:
        """Say how far the steps are; otherwise, that the file stays as it is."""
        progress, had_focus = self._state.file.preparation, self._cancel.hasFocus()
        is_cancelled = self._state.file.state is FileState.CANCELLED
        self._how_many.setHidden(progress is not None or is_cancelled)
        self._cancel.setVisible(progress is not None)
        self._bar.setVisible(progress is not None)
        self._make.setVisible(is_cancelled)
        if progress is not None:
            self._bar.show_fraction(progress.fraction)
            self._progress.setText(progress_text(progress))
        elif is_cancelled:
            self._progress.setText(_("Cancelled: there are no records."))
            if had_focus:
                self._make.setFocus()
        else:
            self._progress.setText(_("The file itself stays as it is."))

    def _show_details_if_high(self) -> None:
        """Show what the selected step does, unless that would leave no space for the steps."""
        self._details.setVisible(bool(self.list.entries) and self.height() >= theme().px(_LOW))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_details_if_high()

    def _build(self) -> None:
        add = Button(_("Add step"), ButtonKind.QUIET, glyph="plus", height=ButtonSize.NOTICE)
        add.setMenu(self._add_menu(add))
        title, explained = Label(_("Prepare"), TextRole.SECTION), HelpButton(_("Prepare"))
        head = WrappingRow(title, explained, None, group(add, self._menu_button()))
        self._progress = Label("", TextRole.SMALL, "text2", wraps=True)
        self._bar = ProgressBar(_("Making the steps"))
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that the list does not move
        self._bar.setSizePolicy(policy)
        self._how_many = Button(_("How many?"), ButtonKind.QUIET, glyph="ruler", height=ButtonSize.NOTICE)
        self._how_many.setToolTip(_("How many records and answers the study needs"))
        self._cancel = Button(_("Cancel"), height=ButtonSize.NOTICE)
        self._make = Button(_("Make the steps"), height=ButtonSize.NOTICE)
        below = WrappingRow(self._progress, None, self._how_many, self._cancel, self._make)
        start = Button(_("Add the first step"), glyph="plus")
        start.setMenu(self._add_menu(start))
        empty = EmptyState(
            "list-numbers",
            _("Design the study here"),
            _(
                "Each step makes a table of the one before it: pairs, sides, samples, task groups, known "
                "answers. What the last one makes is checked, uploaded and found again in Results."
            ),
            start,
        )
        self._pages = QStackedWidget()
        self._pages.addWidget(empty)
        listed = QWidget()
        column(self.list, gap=0, margins=(0, 4, 0, 4), parent=listed)
        self._pages.addWidget(listed)
        self._details = Surface("surface", Edge.TOP)
        self._name = Label("", TextRole.SMALL_NAME, wraps=True)
        self._text = Label("", TextRole.SMALL, "text2", wraps=True)
        self._change = Button(_("Change…"), height=ButtonSize.NOTICE)
        self._result = Button(_("Rows and balance…"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        self._remove = Button(_("Remove"), ButtonKind.QUIET, height=ButtonSize.NOTICE)
        buttons = WrappingRow(self._change, self._result, self._remove)
        column(self._name, self._text, 4, buttons, gap=4, margins=(15, 10, 12, 12), parent=self._details)
        layout = column(column(head, below, 4, self._bar, gap=0, margins=(15, 8, 12, 2)), gap=0, parent=self)
        layout.addWidget(self._pages, 1)
        layout.add(self._details)
        self._connect()

    def _connect(self) -> None:
        state = self._state
        self._how_many.clicked.connect(self.plan_requested)
        self._cancel.clicked.connect(state.file.cancel_preparation)
        self._make.clicked.connect(state.file.retry)
        self.list.entry_chosen.connect(self._on_chosen)
        self.list.entry_activated.connect(lambda listed: self.change_requested.emit(listed.number))
        self.list.check_clicked.connect(lambda listed: self._select(listed.number, switch_step))
        self.list.remove_requested.connect(lambda listed: remove_step(state, listed.number))
        self.list.moved.connect(self._on_moved)
        self._change.clicked.connect(lambda: self.change_requested.emit(self._selected))
        self._result.clicked.connect(lambda: self.result_requested.emit(self._selected))
        self._remove.clicked.connect(lambda: remove_step(state, self._selected))

    def _add_menu(self, button: Button) -> QMenu:
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        designs = menu.addMenu(_("A whole design"))
        designs.setToolTipsVisible(True)
        for number, design in enumerate(DESIGNS):
            action = designs.addAction(_(design.label))
            action.setToolTip(_(design.purpose))
            action.triggered.connect(lambda _on=False, number=number: self.design_requested.emit(number))
        menu.addSeparator()
        for kind in StepGroup:
            part = menu.addMenu(_(kind.value))
            part.setToolTipsVisible(True)
            for name, form in STEP_FORMS.items():
                if form.group is kind:
                    action = part.addAction(_(form.label))
                    action.setToolTip(_(form.purpose))
                    action.triggered.connect(lambda _on=False, name=name: self.step_requested.emit(name))
        return menu

    def _menu_button(self) -> IconButton:
        button = IconButton("dots-three-bold", _("More about the steps"))
        menu = QMenu(button)
        entries: tuple[tuple[str, Callable[[], object]], ...] = (
            (_("Move up"), lambda: self._move_by(-1)),
            (_("Move down"), lambda: self._move_by(1)),
            (_("Switch it off, or on"), lambda: switch_step(self._state, self._selected)),
            (_("Switch all off, or on"), partial(switch_all, self._state)),
            (_("The table before the first step…"), lambda: self.result_requested.emit(0)),
            (_("Open steps…"), self.open_requested.emit),
            (_("Save the steps…"), self.save_requested.emit),
            (_("Remove all steps"), partial(remove_all, self._state)),
        )
        actions = []
        for text, do in entries:
            actions.append(menu.addAction(text))
            actions[-1].triggered.connect(lambda _on=False, do=do: do())
        always = _("Open steps…")

        def show() -> None:
            for action in actions:
                action.setEnabled(bool(self._state.steps) or action.text() == always)
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

        button.clicked.connect(show)
        return button

    def _on_chosen(self, listed: ListedStep) -> None:
        self._selected = listed.number
        self._show_details()

    def _on_moved(self, listed: ListedStep, to: int) -> None:
        if 1 <= to <= len(self._state.steps):
            self._selected = to
            move_step(self._state, listed.number, to)

    def _move_by(self, step: int) -> None:
        self._on_moved(self.list.entries[self._selected - 1], self._selected + step)

    def _select(self, number: int, do: Callable[[DataState, int], object]) -> None:
        self._selected = number
        do(self._state, number)

    def _show_details(self) -> None:
        """Show what the selected step does, or why it cannot be made."""
        entries = self.list.entries
        if not entries or self._selected > len(entries):
            return
        listed = entries[self._selected - 1]
        self._name.setText(step_label(listed.step))
        notes = listed.report.notes if listed.report else ()
        form = STEP_FORMS.get(str(listed.step.get("step")))
        sentences = [listed.problem] if listed.problem else [_(form.purpose) if form else "", *notes]
        self._text.setText(" ".join(filter(None, sentences)))
        self._text.set_tone("err" if listed.problem else "text2")
        self._details.setAccessibleName(sanitize(f"{self._name.text()}, {count_text(listed)}"))
        has_result = listed.report is not None and not listed.problem
        self._result.set_disabled_reason("" if has_result else _("The step has not been made."))
        self._change.set_disabled_reason("" if form else _("This step is not known here."))
        busy = self._state.dataset.busy_reason
        self._remove.set_disabled_reason(busy.what if busy else "")
