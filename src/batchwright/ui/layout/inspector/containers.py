"""The forms of pages, rows and columns, of several entries at once, and of what has no form."""

from collections import Counter

from PySide6.QtWidgets import QLineEdit, QWidget

from batchwright.layout.attributes import Attribute, Kind
from batchwright.layout.edits import Edit, EditRefused, MergeColumns, SplitRow
from batchwright.layout.model import Layout, Row
from batchwright.ui.kit.boxes import row
from batchwright.ui.kit.buttons import Button
from batchwright.ui.kit.fields import Field
from batchwright.ui.kit.text import Text
from batchwright.ui.kit.tiles import Glyph
from batchwright.ui.layout.inspector.folds import Fold
from batchwright.ui.layout.inspector.form import Form
from batchwright.ui.layout.inspector.forms import IdLine
from batchwright.ui.layout.inspector.rows import SegmentsRow
from batchwright.ui.layout.inspector.typed import Typed
from batchwright.ui.layout.kinds import kind_of
from batchwright.ui.study import Study
from batchwright.ui.theme import Role
from batchwright.words import _, ngettext

POSITION = Attribute(
    "display_position", Kind.TEXT, "when it is shown", default="body", allowed=("intro", "body", "outro")
)
"""When a page is shown: once before the records, once for each, or once after them (wire.md 12)."""


def page_rows(form: Form) -> list[QWidget]:
    """The rows of a page."""
    position = SegmentsRow(
        form,
        POSITION,
        {"intro": _("First"), "body": _("Each record"), "outro": _("Last")},
        hint=_("First and Last pages are shown once and hold only images and rich text."),
    )
    return [PageNameRow(form), position, Fold(_("Page id"), IdLine(form))]


def row_rows(form: Form) -> list[QWidget]:
    """The rows of a row: its columns, and splitting or merging them."""
    entry = form.entry
    count = len(entry.columns) if isinstance(entry, Row) else 0
    says = Text(
        ngettext("{count} column.", "{count} columns, side by side.", count).format(count=count),
        wraps=True,
    )
    split = Button(_("Split into two columns"), glyph="columns")
    merge = Button(_("Merge columns"), glyph="rows")
    # The later half goes to the right: with two items, one each.
    inside = entry.inside[0].inside if isinstance(entry, Row) and entry.inside else ()
    for button, edit in (
        (split, SplitRow(form.key, (len(inside) + 1) // 2, seed=f"{form.key}.split")),
        (merge, MergeColumns(form.key)),
    ):
        button.allow(_refusal(edit, form.study.layout))
        button.clicked.connect(lambda _checked=False, edit=edit: form.study.do(edit))
    return [says, split, merge, Fold(_("Row id"), IdLine(form))]


def column_rows(form: Form) -> list[QWidget]:
    """The rows of a column, which has nothing to set."""
    count = 0 if form.entry is None else len(form.entry.inside)
    says = ngettext("{count} item.", "{count} items, one below the other.", count).format(count=count)
    return [Text(says, wraps=True), Fold(_("Column id"), IdLine(form))]


def several_rows(study: Study, keys: tuple[str, ...]) -> list[QWidget]:
    """What is said of several entries: how many of which kind."""
    kinds = Counter(
        kind_of(entry, study.schema) for key in keys if (entry := study.layout.find(key)) is not None
    )
    lines = []
    for kind, count in kinds.items():
        line = QWidget()
        row(Glyph(kind.glyph, kind.family, 16), Text(kind.title), None, Text(str(count)), parent=line)
        lines.append(line)
    hint = Text(
        _("Select one of them to edit it. All can be moved, copied and removed."), Role.SMALL, "text2"
    )
    hint.setWordWrap(True)
    return [*lines, hint]


def locked_rows(sentence: str) -> list[QWidget]:
    """What is said of an entry that has no form."""
    return [Text(sentence, Role.SMALL, "text2", wraps=True)]


class PageNameRow(Field):
    """The name of a page among those who design the study (design.md D18a)."""

    def __init__(self, form: Form) -> None:
        self._form = form
        field = QLineEdit()
        field.setPlaceholderText(_("Compare, for example"))
        super().__init__(_("Page name"), field, hint=_("For you alone: participants do not see it."))
        self._typed = Typed(field, self._type, form.leave)
        form.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the name as it is now."""
        shown = self._form.study.page_names.get(self._form.key, "")
        field = self.control
        # The study trims names; what is still being typed may end in a blank.
        if isinstance(field, QLineEdit) and field.text().strip() != shown:
            self._typed.show_text(shown)

    def _type(self, text: str) -> None:
        self._form.study.set_page_name(self._form.key, text)


def _refusal(edit: Edit, layout: Layout) -> str:
    """Why an edit cannot be done now; empty when it can."""
    try:
        edit(layout)
    except EditRefused as refused:
        return refused.reason
    return ""
