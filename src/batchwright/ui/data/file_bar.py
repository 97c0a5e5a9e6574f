"""Which file is shown and how it is read, each of which can be corrected (design.md 5, Data)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from batchwright.base.i18n import _
from batchwright.data_files.formats import Format, FormatKind
from batchwright.ui.core.formatting import records, size
from batchwright.ui.data.data_file import FileSummary
from batchwright.ui.data.labels import (
    ENCODINGS,
    OFFERED_QUOTES,
    delimiter_name,
    encoding_name,
    header_name,
    kind_name,
    offered_delimiters,
    quote_name,
)
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import harmless, harmless_line
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.buttons import ButtonKind as ButtonKind
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

_HEIGHT, _LEFT, _RIGHT, _GAP = 44, 24, 12, 8

Choice = tuple[str, Format]
"""Words, and the format that choosing them reads the file with."""


class FormatButton(Button):
    """Says how one thing of the file is read, and offers the other ways."""

    def __init__(self, name: str, choose: Callable[[Format], object], parent: QWidget | None = None) -> None:
        super().__init__("", ButtonKind.QUIET, height=ButtonSize.NOTICE, parent=parent)
        self._name, self._choose = name, choose
        self._choices = QMenu(self)
        self._choices.setAccessibleName(harmless_line(name))
        self.setMenu(self._choices)

    def show_choices(self, words: str, current: Format, *groups: Sequence[Choice]) -> None:
        """Show what is in force, and in groups what could be chosen."""
        self.setText(words)
        self.setAccessibleName(harmless_line(f"{self._name}: {words}"))
        self._choices.clear()
        for number, group in enumerate(groups):
            if number:
                self._choices.addSeparator()
            together = QActionGroup(self._choices)
            for text, form in group:
                entry = self._choices.addAction(text)
                entry.setCheckable(True)
                entry.setChecked(form == current)
                together.addAction(entry)
                entry.triggered.connect(lambda _on=False, form=form: self._choose(form))
        self.updateGeometry()


def format_choices(form: Format) -> tuple[list[Choice], list[Choice]]:
    """The encodings to choose from, the one in use among them; and the kinds of file."""
    names = dict.fromkeys((*ENCODINGS, form.encoding))
    encodings = [(encoding_name(name), replace(form, encoding=name)) for name in names]
    kinds = [
        (_("Read as {kind}").format(kind=kind_name(kind)), replace(form, kind=kind)) for kind in FormatKind
    ]
    return encodings, kinds


class FileBar(Surface):
    """Name, records and size of the file at the left; encoding, delimiter and header at the right."""

    format_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self.setAccessibleName(_("File"))
        self._name = ElidedLabel("", TextRole.STRONG, in_middle=True)
        self._facts = Label("", TextRole.SMALL, "text2", tabular=True)
        self._size = Label("", TextRole.SMALL, "text2", tabular=True)
        choose = self.format_chosen.emit
        self._encoding = FormatButton(_("Encoding"), choose)
        self._delimiter = FormatButton(_("Delimiter"), choose)
        self._header = FormatButton(_("Header"), choose)
        margins = (_LEFT, 0, _RIGHT, 0)
        line = row(self._name, self._facts, self._size, None, gap=_GAP, margins=margins, parent=self)
        line.put(self._encoding, self._delimiter, self._header)
        theme().follow(self._fit)
        self._fit()

    def show_file(self, shown: FileSummary) -> None:
        """Show which file it is and how it is read."""
        form = shown.form
        self._name.setText(shown.path.name)
        self._name.setAccessibleDescription(harmless(str(shown.path)))
        self.show_count(shown)
        self._encoding.show_choices(encoding_name(form.encoding), form, *format_choices(form))
        is_table = form.kind is FormatKind.CSV
        self._delimiter.setVisible(is_table)
        self._header.setVisible(is_table)
        self._delimiter.show_choices(
            delimiter_name(form.delimiter),
            form,
            [(delimiter_name(sign), replace(form, delimiter=sign)) for sign in offered_delimiters(form)],
            [(quote_name(sign), replace(form, quote=sign)) for sign in OFFERED_QUOTES],
        )
        self._header.show_choices(
            header_name(header=form.header),
            form,
            [(header_name(header=has), replace(form, header=has)) for has in (True, False)],
        )

    def show_count(self, shown: FileSummary) -> None:
        """Show how many records are known of by now."""
        words = "{records}" if shown.is_counted else _("{records} so far")
        self._facts.setText(words.format(records=records(shown.records)))
        self._size.setText(f"·  {size(shown.size)}")
        self._fit()

    def _fit(self) -> None:
        """Show the count and the size where the whole name leaves room for them."""
        self.setFixedHeight(theme().px(_HEIGHT))
        buttons = (self._encoding, self._delimiter, self._header)
        needed = theme().px(_LEFT + _RIGHT) + _width(self._name)
        needed += sum(_width(button) for button in buttons if not button.isHidden())
        for text in (self._facts, self._size):
            needed += _width(text)
            text.setVisible(self.width() >= needed)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _width(part: QWidget) -> int:
    """How wide a part would be, with the gap beside it."""
    return part.sizeHint().width() + theme().px(_GAP)
