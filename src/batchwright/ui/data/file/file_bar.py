"""Name, size and format of the data file; the format can be corrected."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from batchwright.base.i18n import _, ngettext
from batchwright.data_files.format_names import delimiter_name, encoding_name
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.text_rows.encodings import COMMON_ENCODINGS
from batchwright.ui.core.formatting import number, records, size
from batchwright.ui.data.file.data_file import FileSummary
from batchwright.ui.data.labels import (
    OFFERED_QUOTES,
    header_name,
    kind_name,
    offered_delimiters,
    quote_name,
)
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize, sanitize_line
from batchwright.ui.theme.tips import tooltip_text
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.buttons import ButtonKind as ButtonKind
from batchwright.ui.widgets.help_button import set_help_address
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import ElidedLabel, Label

if TYPE_CHECKING:  # imported only when a source is read
    from batchwright.data_files.sources.source import OptionValue, SourceChoice

_HEIGHT, _LEFT, _RIGHT, _GAP = 44, 24, 12, 8

V = TypeVar("V")


class ChoiceButton(Button, Generic[V]):
    """Shows one property of how the file is read, and offers other values in a menu."""

    def __init__(self, name: str, choose: Callable[[V], object], parent: QWidget | None = None) -> None:
        super().__init__("", ButtonKind.QUIET, height=ButtonSize.NOTICE, parent=parent)
        self._name, self._choose = name, choose
        self._choices = QMenu(self)
        self._choices.setAccessibleName(sanitize_line(name))
        self.setMenu(self._choices)

    def show_choices(self, text: str, current: V, *groups: Sequence[tuple[str, V]]) -> None:
        """Show the current value, and the choices in groups: the text of each menu entry, and its value."""
        self.setText(text)
        self.setAccessibleName(sanitize_line(f"{self._name}: {text}"))
        self._choices.clear()
        for at, group in enumerate(groups):
            if at:
                self._choices.addSeparator()
            together = QActionGroup(self._choices)
            for text, value in group:
                entry = self._choices.addAction(text)
                entry.setCheckable(True)
                entry.setChecked(value == current)
                together.addAction(entry)
                entry.triggered.connect(lambda _on=False, value=value: self._choose(value))
        self.updateGeometry()

    def add_entry(self, text: str, act: Callable[[], object]) -> None:
        """Add an entry that is no value at the end of the menu."""
        self._choices.addSeparator()
        self._choices.addAction(text).triggered.connect(lambda _on=False: act())


class EncodingButton(ChoiceButton[Format]):
    """Shows the encoding, and offers the common ones and the kinds of file in a menu.

    `more_requested` is emitted for choosing among all encodings.
    """

    more_requested = Signal()

    def __init__(self, choose: Callable[[Format], object], parent: QWidget | None = None) -> None:
        super().__init__(_("Encoding"), choose, parent)

    def show_format(self, file_format: Format) -> None:
        """Show the encoding of a format."""
        names = dict.fromkeys((*COMMON_ENCODINGS, file_format.encoding))
        encodings = [(encoding_name(name), replace(file_format, encoding=name)) for name in names]
        kinds = [
            (_("Read as {kind}").format(kind=kind_name(kind)), replace(file_format, kind=kind))
            for kind in FormatKind
        ]
        self.show_choices(encoding_name(file_format.encoding), file_format, encodings, kinds)
        more = QAction(_("More encodings…"), self._choices)
        more.triggered.connect(self.more_requested)
        separator = self._choices.actions()[len(encodings)]
        self._choices.insertAction(separator, more)


class FileBar(Surface):
    """Name, record count and size of the file on the left; encoding, delimiter and header on the right."""

    format_chosen = Signal(object)
    more_encodings_requested = Signal()
    option_chosen = Signal(str, object)
    """An option of a source, and its new value."""
    prepare_requested = Signal()
    """The steps of the preparation are to be shown."""
    address_requested = Signal()
    """The user wants to say where on the web the media of a folder are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        set_help_address(self, "data.md#open-a-table")
        self.setAccessibleName(_("File"))
        self._name = ElidedLabel("", TextRole.STRONG, in_middle=True)
        self._facts = Label("", TextRole.SMALL, "text2", tabular=True)
        self._size = Label("", TextRole.SMALL, "text2", tabular=True)
        choose = self.format_chosen.emit
        self._encoding = EncodingButton(choose)
        self._encoding.more_requested.connect(self.more_encodings_requested)
        self._delimiter = ChoiceButton[Format](_("Delimiter"), choose)
        self._header = ChoiceButton[Format](_("Header"), choose)
        self._address = Button("", ButtonKind.QUIET, glyph="link", height=ButtonSize.NOTICE)
        self._address.clicked.connect(self.address_requested)
        self._prepare = Button("", ButtonKind.QUIET, glyph="list-numbers", height=ButtonSize.NOTICE)
        self._prepare.clicked.connect(self.prepare_requested)
        self._options: dict[str, ChoiceButton[OptionValue]] = {}
        margins = (_LEFT, 0, _RIGHT, 0)
        self._line = row(self._name, self._facts, self._size, None, gap=_GAP, margins=margins, parent=self)
        self._line.add(self._encoding, self._delimiter, self._header, self._address, self._prepare)
        theme().on_changed(self._update_size)
        self._update_size()

    def show_file(self, summary: FileSummary) -> None:
        """Show the file and its format."""
        file_format = summary.format
        self._name.setText(summary.path.name)
        self._name.setAccessibleDescription(sanitize(str(summary.path)))
        self.show_count(summary)
        self._encoding.show_format(file_format)
        is_converted = summary.conversion is not None
        self._encoding.setVisible(not is_converted)
        self._show_options(summary.choices)
        self._show_address(summary)
        self._show_steps(summary)
        is_table = file_format.kind is FormatKind.CSV and not is_converted
        self._delimiter.setVisible(is_table)
        self._header.setVisible(is_table)
        self._delimiter.show_choices(
            delimiter_name(file_format.delimiter),
            file_format,
            [
                (delimiter_name(sign), replace(file_format, delimiter=sign))
                for sign in offered_delimiters(file_format)
            ],
            [(quote_name(sign), replace(file_format, quote=sign)) for sign in OFFERED_QUOTES],
        )
        self._header.show_choices(
            header_name(header=file_format.header),
            file_format,
            [(header_name(header=has), replace(file_format, header=has)) for has in (True, False)],
        )
        if file_format.header:
            self._header.add_entry(_("Two header rows"), partial(self.option_chosen.emit, "header_rows", 2))

    def _show_options(self, choices: "Sequence[SourceChoice]") -> None:
        """Offer the options of a source; the buttons of others are hidden."""
        for choice in choices:
            option = choice.option
            if option not in self._options:
                self._options[option] = ChoiceButton(choice.title, partial(self.option_chosen.emit, option))
                self._line.add(self._options[option])
            text = next((text for value, text in choice.values if value == choice.current), "")
            values = [(text, value) for value, text in choice.values]
            self._options[option].show_choices(text, choice.current, values)
        offered = {choice.option for choice in choices if len(choice.values) > 1}
        for option, button in self._options.items():
            button.setVisible(option in offered)

    def _show_address(self, summary: FileSummary) -> None:
        """Show where participants load media from: this computer, or a host on the web."""
        conversion = summary.conversion
        is_media = conversion is not None and conversion.media(summary.path) is not None
        self._address.setVisible(is_media)
        address = conversion.options.base_address if conversion is not None else ""
        host = address.partition("://")[2].partition("/")[0]
        text = host or _("On this computer")
        self._address.setText(text)
        self._address.setAccessibleName(sanitize_line(_("Address of the files: {place}").format(place=text)))
        self._address.setToolTip(tooltip_text(address or _("Say where on the web the files are")))

    def _show_steps(self, summary: FileSummary) -> None:
        """Say by how many steps the records are made."""
        count = 0 if summary.conversion is None else len(summary.conversion.steps)
        text = ngettext("Prepared by {count} step", "Prepared by {count} steps", count)
        self._prepare.setText(text.format(count=number(count)))
        self._prepare.setVisible(count > 0)
        self._prepare.setToolTip(tooltip_text(_("Show the steps")))

    def show_count(self, summary: FileSummary) -> None:
        """Show the number of records counted so far."""
        text = "{records}" if summary.is_counted else _("{records} so far")
        self._facts.setText(text.format(records=records(summary.records)))
        self._size.setText(f"·  {size(summary.size)}" if summary.size else "")
        details = tooltip_text(_details(summary))
        self._facts.setToolTip(details)
        self._size.setToolTip(details)
        self._update_size()

    def _update_size(self) -> None:
        """Show the count and the size only if there is space for the full name."""
        self.setFixedHeight(theme().px(_HEIGHT))
        buttons: tuple[QWidget, ...] = (self._encoding, self._delimiter, self._header, self._address)
        buttons += (self._prepare,)
        buttons += tuple(self._options.values())
        needed = theme().px(_LEFT + _RIGHT) + _width(self._name)
        needed += sum(_width(button) for button in buttons if not button.isHidden())
        for text in (self._facts, self._size):
            needed += _width(text)
            text.setVisible(self.width() >= needed)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_size()


def _details(summary: FileSummary) -> str:
    """What the study records about the conversion of a file, its digest, and notes about it."""
    lines = [
        f"{choice.title}: {next((text for value, text in choice.values if value == choice.current), '')}"
        for choice in summary.choices
    ]
    digest = [f"SHA-256: {summary.sha256}"] if summary.sha256 else []
    return "\n".join([*lines, *digest, *summary.notes])


def _width(widget: QWidget) -> int:
    """The preferred width of a widget, including the gap beside it."""
    return widget.sizeHint().width() + theme().px(_GAP)
