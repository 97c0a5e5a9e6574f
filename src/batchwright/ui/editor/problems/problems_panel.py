"""The problems panel below the page: a summary when collapsed, a list of problems when expanded."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.base.local_formats import joined
from batchwright.layout.checking.fix_all import has_safe_fix
from batchwright.layout.nodes import NodePath
from batchwright.layout.rules.problems import Problem, Severity
from batchwright.ui.editor.core.fix_commands import (
    FIX_ALL_KEYS,
    FIX_EVERYTHING_KEYS,
    FIX_KEYS,
    NO_SAFE_FIX,
)
from batchwright.ui.editor.core.problem_signs import (
    SEVERITY_ICONS,
    count_of,
    position_text,
    severity_count_text,
    severity_rank,
)
from batchwright.ui.editor.problems.problem_rows import STYLE, place_label, problem_row
from batchwright.ui.study.problem_counts import count_problems
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind, ButtonSize, IconButton
from batchwright.ui.widgets.help_button import HelpButton, set_help_address
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.rows.row_list import RowList
from batchwright.ui.widgets.rows.values import ROW_HEIGHT_PX, ListRow
from batchwright.ui.widgets.statuses import Status, StatusBadge
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_PREFERRED_ROWS, _MIN_ROWS = 4, 2
"""Preferred and minimum number of visible rows."""

ShownPath = Callable[[NodePath], NodePath]
"""Returns the path of a node as it is shown (`Study.shown_path`)."""


class ProblemsPanel(Surface):
    """A header with counts, and the list when expanded."""

    fix_requested = Signal(object)
    fix_all_like_requested = Signal(object)
    """All problems with the rule code of this one are to be fixed."""
    fix_all_requested = Signal()
    """All problems that have a fix which removes nothing are to be fixed."""
    problem_chosen = Signal(object)
    focus_requested = Signal(object)
    next_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.TOP, parent)
        set_help_address(self, "layout.md#problems")
        self.setAccessibleName(_("Problems"))
        self._problems: tuple[Problem, ...] = ()
        self._shown_path: ShownPath = lambda path: path
        self._is_open = False
        self._icon = Glyph("check-circle-fill", "ok", 16)
        self.title = Label("", TextRole.SMALL_STRONG)
        self._badges = {
            severity: StatusBadge(Status(tone, glyph, ""))
            for severity, (glyph, tone) in SEVERITY_ICONS.items()
        }
        self._message_label = ElidedLabel("", TextRole.SMALL, "text2")
        self.next_button = Button(
            count_problems(()).next_label, ButtonKind.QUIET, keys="F8", height=ButtonSize.SMALL
        )
        self.next_button.clicked.connect(self.next_requested)
        self.fix_button = Button("", height=ButtonSize.SMALL, keys=FIX_KEYS)
        self.fix_button.clicked.connect(self._on_fix_clicked)
        self._fix_all_like = Button("", ButtonKind.QUIET, keys=FIX_ALL_KEYS, height=ButtonSize.SMALL)
        self._fix_all_like.clicked.connect(self._on_fix_all_like_clicked)
        self._fix_all = Button(
            _("Fix all"), ButtonKind.QUIET, keys=FIX_EVERYTHING_KEYS, height=ButtonSize.SMALL
        )
        self._fix_all.clicked.connect(self.fix_all_requested)
        self._current: Problem | None = None
        self._toggle_button = IconButton("caret-up", _("Show problems"), keys="Shift+F8", glyph_size=14)
        self._toggle_button.clicked.connect(self.toggle)
        summary = row(self._icon, self.title, *self._badges.values())
        summary.addWidget(self._message_label, 1)
        fixes = row(None, self.fix_button, self._fix_all_like, self._fix_all)
        steps = row(None, self.next_button, HelpButton(_("Problems")), self._toggle_button)
        self._buttons, self._head = row(fixes, steps), row(margins=(18, 6, 14, 6))
        self._head.addLayout(summary, 1)
        self._head.addLayout(self._buttons)
        self._list = RowList(
            _("Problems"),
            self._row,
            STYLE,
            is_uniform=True,
            max_height=_PREFERRED_ROWS * ROW_HEIGHT_PX,
            min_height=_MIN_ROWS * ROW_HEIGHT_PX,
            keys={FIX_KEYS: self.fix_requested.emit, FIX_ALL_KEYS: self.fix_all_like_requested.emit},
        )
        self._list.button_clicked.connect(self.fix_requested)
        self._list.entry_chosen.connect(self.problem_chosen)
        self._list.entry_activated.connect(self.focus_requested)
        self._list.selectionModel().currentChanged.connect(self._refresh_fix_buttons)
        layout = column(gap=0, parent=self)
        layout.addLayout(self._head)
        layout.addWidget(self._list)
        self._refresh()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _wrap(self) -> None:
        """Put the buttons below the summary, or below each other, if the panel is too narrow."""
        for bar in (self._head, self._buttons):
            bar.setDirection(QBoxLayout.Direction.LeftToRight)
        if self._head.minimumSize().width() > self.width():
            self._head.setDirection(QBoxLayout.Direction.TopToBottom)
        if self._head.minimumSize().width() > self.width():
            self._buttons.setDirection(QBoxLayout.Direction.TopToBottom)

    def show_problems(self, problems: Sequence[Problem], shown_path: ShownPath) -> None:
        """Replace the problems; `shown_path` returns the path of a node as it is shown."""
        if tuple(problems) != self._problems:
            self._problems = tuple(problems)
            self._shown_path = shown_path
            self._list.show_entries(self._problems)
            self._refresh()

    def show_current(self, problem: Problem | None) -> None:
        """Select the problem of the selected node in the list."""
        if problem is not None and problem in self._problems and problem is not self._list.current_entry:
            self._list.show_current(self._problems.index(problem))

    def show_position_of(self, problem: Problem | None) -> None:
        """Show the position of a problem among the others in the header, after the user went to it."""
        if problem != self._current:
            self._current = problem
            self._refresh()

    @property
    def focused_problem(self) -> Problem | None:
        """The current problem of the list, if the list has the focus."""
        return self._list.current_entry if self._list.hasFocus() else None

    @property
    def is_open(self) -> bool:
        """Whether the list is expanded."""
        return self._is_open

    def toggle(self) -> None:
        """Expand or collapse the list."""
        self._is_open = not self._is_open
        self._refresh()

    def _refresh(self) -> None:
        counts = {severity: count_of(self._problems, severity) for severity in SEVERITY_ICONS}
        is_open = self._is_open and bool(self._problems)
        for severity, (glyph, tone) in SEVERITY_ICONS.items():
            pill = self._badges[severity]
            pill.show_status(Status(tone, glyph, severity_count_text(severity, counts[severity])))
            pill.setVisible(is_open and counts[severity] > 0)
        self._icon.setVisible(not is_open)
        first = self._featured()
        self._icon.show_glyph(
            *(SEVERITY_ICONS[first.severity] if first is not None else ("check-circle-fill", "ok"))
        )
        self.title.setText(self._title(counts, is_open=is_open))
        self._message_label.setText("" if is_open else self._featured_text())
        self._list.setVisible(is_open)
        self._refresh_fix_buttons()
        self.next_button.setText(count_problems(self._problems).next_label)
        self.next_button.setEnabled(bool(self._problems))
        self._toggle_button.setEnabled(bool(self._problems))
        self._toggle_button.setProperty("glyph", "caret-down" if is_open else "caret-up")
        self._toggle_button.set_name(_("Hide problems") if is_open else _("Show problems"), "Shift+F8")
        self._wrap()

    def _title(self, counts: Mapping[Severity, int], *, is_open: bool) -> str:
        """The position of the problem that the user went to, or else the counts."""
        if self._current in self._problems and self._current is not None:
            return position_text(self._current, self._problems)
        if is_open:
            return _("Problems")
        counts_text = joined(
            severity_count_text(severity, count) for severity, count in counts.items() if count
        )
        return counts_text or _("No problems")

    def _featured(self) -> Problem | None:
        """The problem that the user went to, or else the most severe one."""
        if self._current in self._problems:
            return self._current
        return min(self._problems, key=severity_rank, default=None)

    def _refresh_fix_buttons(self) -> None:
        """Update the buttons that fix the current problem, all problems of its rule, and all problems.

        The help is that of the rule.
        """
        selection = self._list.current_entry if self._is_open else self._featured()
        set_help_address(self, f"rules.md#{selection.code.casefold()}" if selection else "layout.md#problems")
        same_rule = [
            problem
            for problem in self._problems
            if selection and problem.code == selection.code and problem.fix is not None
        ]
        has_fix = selection is not None and selection.fix is not None
        _show(
            self.fix_button, selection.fix.label if selection and selection.fix and not self._is_open else ""
        )
        text = _("Fix all {count} of {code}")
        is_kind_offered = self._is_open and has_fix and len(same_rule) > 1
        _show(
            self._fix_all_like,
            text.format(count=len(same_rule), code=selection.code) if selection and is_kind_offered else "",
        )
        self._fix_all.setVisible(any(problem.fix is not None for problem in self._problems))
        is_possible = any(map(has_safe_fix, self._problems))
        self._fix_all.set_disabled_reason("" if is_possible else _(NO_SAFE_FIX))
        self._wrap()

    def _on_fix_clicked(self) -> None:
        if (first := self._featured()) is not None:
            self.fix_requested.emit(first)

    def _on_fix_all_like_clicked(self) -> None:
        if (selection := self._list.current_entry) is not None:
            self.fix_all_like_requested.emit(selection)

    def _featured_text(self) -> str:
        first = self._featured()
        if first is None:
            return _("The service would accept these pages.")
        place = self._place(first)
        return f"{place}: {first.message}" if place else first.message

    def _place(self, problem: Problem) -> str:
        return place_label(self._shown_path(problem.path))

    def _row(self, problem: Problem) -> ListRow:
        return problem_row(problem, self._place(problem))


def _show(button: Button, text: str) -> None:
    """Show a button with this text; hide it if the text is empty."""
    button.setVisible(bool(text))
    if text:
        button.setText(text)
        button.setAccessibleName(sanitize_line(text))
