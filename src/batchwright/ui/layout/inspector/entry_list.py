"""Options or units as the form shows them: heading, table, foot with Add and Presets, details of one."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from batchwright.layout.attributes import Attribute
from batchwright.layout.rules.problems import Severity
from batchwright.ui.kit.boxes import column, row
from batchwright.ui.kit.buttons import Button, Height, Kind
from batchwright.ui.kit.panels import Panel, Rule
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.layout.inspector.entries import presets
from batchwright.ui.layout.inspector.entry_details import EntryDetails
from batchwright.ui.layout.inspector.entry_model import EntryModel
from batchwright.ui.layout.inspector.entry_table import EntryTable
from batchwright.ui.layout.inspector.form import Form, titled
from batchwright.ui.theme import Role
from batchwright.words import _


class EntryList(QWidget):
    """A list attribute: one row an entry, and what is wrong with the list below it."""

    def __init__(self, form: Form, attribute: Attribute, *, has_presets: bool) -> None:
        super().__init__()
        self._form, self._attribute = form, attribute
        self.model = EntryModel(form, attribute)
        title = titled(_(attribute.title))
        self._count = Text("", Role.CAPTION, "text2", tabular=True)
        self.table = EntryTable(title, self.model)
        self.details = EntryDetails(self.model)
        self.table.chosen.connect(self.details.show_row)
        panel = Panel(8)
        column(self.table, Rule(), self._foot(has_presets), gap=0, margins=1, parent=panel)
        self._sign = Glyph("warning-circle-fill", "err", 14)
        self._wrong = Text("", Role.CAPTION, "err", wraps=True)
        below = row(gap=7)
        below.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self._wrong, 1)
        head = row(Text(title, Role.SMALL_NAME), None, self._count)
        column(head, panel, below, self.details, gap=5, parent=self)
        self.model.shown.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the list as it is now."""
        self._count.setText(str(self.model.rowCount()))
        problem = self._form.problem(self._attribute.name)
        self._wrong.setText(problem.sentence if problem else "")
        is_advice = problem is not None and problem.severity is Severity.ADVICE
        self._wrong.set_tone("warn" if is_advice else "err")
        self._sign.show_glyph(*(("warning-fill", "warn") if is_advice else ("warning-circle-fill", "err")))
        for part in (self._sign, self._wrong):
            part.setVisible(problem is not None)

    def _foot(self, has_presets: bool) -> QWidget:
        foot = QWidget()
        what = _(self._attribute.entry_title)
        add = Button(_("Add {what}").format(what=what), Kind.LINK, glyph="plus", height=Height.SMALL)
        add.clicked.connect(self.table.add_entry)
        line = row(add, None, gap=4, margins=(2, 3, 4, 3), parent=foot)
        if has_presets:
            line.put(self._presets())
        return foot

    def _presets(self) -> Button:
        button = Button(_("Presets"), Kind.LINK, height=Height.SMALL)
        menu = QMenu(button)
        for preset in presets():
            menu.addAction(preset.title).triggered.connect(
                lambda _checked=False, preset=preset: self.model.fill(preset)
            )
        button.setMenu(menu)
        return button
