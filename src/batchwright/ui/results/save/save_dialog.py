"""The dialog “Save results”: what to write, and where; then the progress."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from batchwright.analysis.output.output_kinds import OutputGroup, OutputKind
from batchwright.analysis.output.pair_fields import PairFields, TieRule
from batchwright.analysis.output.pseudonyms import is_separate
from batchwright.base.i18n import N_, _, ngettext, pgettext
from batchwright.base.local_formats import joined
from batchwright.base.policy import computer_policy
from batchwright.ui.core.background_tasks import Tasks
from batchwright.ui.core.formatting import number
from batchwright.ui.results.save.save_options import SaveOptions
from batchwright.ui.theme import TextRole, theme
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.box_layouts import LayoutItem, column, row
from batchwright.ui.widgets.dialogs.dialog import WIDE, Dialog, WarningBanner
from batchwright.ui.widgets.dialogs.file_dialogs import FolderChooser
from batchwright.ui.widgets.fields import labelled, lock_note
from batchwright.ui.widgets.path_field import PathField
from batchwright.ui.widgets.progress import ProgressRow
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch

CHOOSING = "choose where to save results"
"""Name of the task that shows a file dialog."""

_TIE_RULES = {
    TieRule.DROP: N_("Leave the record out"),
    TieRule.BOTH: N_("Two pairs, one in each order"),
    TieRule.RANDOM: N_("One pair, in a random order"),
}


_CSV_KINDS = {OutputKind.TABLES, OutputKind.CODEBOOK, OutputKind.CSV}
_COMBO_WIDTH = 260
_MAX_NAMES = 5
"""Maximum number of existing files that are named."""


@dataclass(frozen=True)
class AnswersSummary:
    """What the dialog shows of the answers that are saved."""

    answers: int
    participants: int
    excluded: int
    fields: Sequence[str] = ()
    """The fields of the dataset."""
    has_comparison: bool = False
    """Whether a question compares two sides, so that there are preference pairs."""
    pair_fields: PairFields | None = None
    """The proposed fields of preference pairs; None if the names of the fields do not tell."""

    @property
    def can_write_pairs(self) -> bool:
        """Whether preference pairs can be written: they need a comparison and three fields."""
        return self.has_comparison and len(self.fields) >= len(("prompt", "left", "right"))


class SaveDialog(Dialog):
    """Asks what to save where.

    For use with `ask_until`: while the files are written, the dialog shows the progress; an error is shown in
    it. The first attempt for a folder with files of the same names asks whether to replace them.
    """

    help_address = "results.md#save"

    def __init__(
        self, summary: AnswersSummary, options: SaveOptions, files: FolderChooser, tasks: Tasks
    ) -> None:
        super().__init__(_("Save results"), _summary_text(summary), _("Save"), width=WIDE)
        self._summary, self._files, self._tasks = summary, files, tasks
        self._confirmed: SaveOptions | None = None
        """The options for which replacing files has been confirmed."""
        self._boxes = _check_boxes(options)
        self._pairs = _PairForm(summary.fields, options)
        self._safe = Switch(_("CSV files are safe to open in a spreadsheet program"))
        self._safe.setChecked(options.is_spreadsheet_safe)
        self._safe_text = Label(
            _(
                "Texts that start with = + - @, a tab or a line break get an apostrophe (') in front, so "
                "that no program runs them as formulas. Numbers stay numbers, and “Open answers from a file” "
                "reads the texts as they were."
            ),
            TextRole.SMALL,
            "text2",
            wraps=True,
        )
        self._pseudonyms = Switch(_("Pseudonyms in place of participant ids"))
        self._pseudonyms.setChecked(options.has_pseudonyms)
        self._lock_reason = computer_policy().pseudonyms_reason
        if self._lock_reason:
            self._pseudonyms.setChecked(True)
            self._pseudonyms.setEnabled(False)
            self._pseudonyms.setAccessibleDescription(self._lock_reason)
        self._key = PathField(_("Key of the pseudonyms"), options.key, hint=_key_hint(), required=True)
        self._folder = PathField(_("Folder"), options.folder, required=True)
        self._progress = ProgressRow(_("Saving results"))
        self._banner = WarningBanner("", is_live=False)
        self._form = QWidget()
        self._build()
        self._connect()
        self._update()

    @property
    def options(self) -> SaveOptions:
        """The choices as shown."""
        kinds = frozenset(kind for kind, box in self._boxes.items() if box.isChecked())
        if not self._summary.can_write_pairs:
            kinds -= {OutputKind.PAIRS}
        return SaveOptions(
            kinds,
            self._pairs.fields,
            self._pairs.tie_rule,
            self._safe.isChecked(),
            self._pseudonyms.isChecked(),
            self._folder.path,
            self._key.path,
        )

    @property
    def message(self) -> str:
        """The question or error shown; empty if there is none."""
        return self._banner.text if self._banner.isVisibleTo(self) else ""

    def show_progress(self, text: str, fraction: float | None) -> None:
        """Show what is being written, in place of questions and errors."""
        self._banner.hide()
        self._form.setEnabled(False)
        self.accept_button.setEnabled(False)
        self._progress.setVisible(True)
        self._progress.show_progress(text, fraction)
        self.reveal(self._progress)

    def show_error(self, text: str) -> None:
        """Show why the files could not be written; the form can be changed again."""
        self._end_progress()
        self._show_banner(text)

    def confirm_replacing(self, names: Sequence[str]) -> bool:
        """Whether existing files may be replaced; asks if it has not been confirmed for these options."""
        options = self.options
        if not names or self._confirmed == options:
            return True
        self._end_progress()
        self._confirmed = options
        text = ngettext(
            "{count} of these files exists in the folder: {names}.",
            "{count} of these files exist in the folder: {names}.",
            len(names),
        )
        self._show_banner(text.format(count=number(len(names)), names=joined(names, _MAX_NAMES)))
        self.accept_button.setText(_("Replace and save"))
        return False

    def _build(self) -> None:
        results, records, answers = (
            column(*(self._boxes[kind] for kind in OutputKind.of(group)), gap=8) for group in OutputGroup
        )
        left = column(_section(_("Results"), results), _section(_("Records"), records), None, gap=16)
        right = column(_section(_("Answers"), answers), None)
        both = row(gap=24)
        both.addLayout(left, 1)
        both.addLayout(right, 1)
        safe = column(self._safe, self._safe_text, gap=4)
        pseudonyms = column(self._pseudonyms, gap=4)
        if self._lock_reason:
            pseudonyms.add(lock_note(self._lock_reason))
        column(both, self._pairs, safe, pseudonyms, self._key, self._folder, gap=16, parent=self._form)
        self.add(self._form, self._progress, self._banner)
        self._progress.hide()
        self._banner.hide()

    def _connect(self) -> None:
        for box in (*self._boxes.values(), self._safe, self._pseudonyms):
            box.toggled.connect(self._update)
        for field in (self._key, self._folder):
            field.changed.connect(self._update)
        self._pairs.changed.connect(self._update)
        self._folder.choice_requested.connect(lambda: self._tasks.start(CHOOSING, self._choose_folder))
        self._key.choice_requested.connect(lambda: self._tasks.start(CHOOSING, self._choose_key))

    async def _choose_folder(self) -> None:
        current = Path(self._folder.path) if self._folder.path else None
        start = None if current is None else current if current.is_dir() else current.parent
        folder = await self._files.folder_to_use(_("Choose the folder for the results"), start)
        if folder is not None:
            self._folder.set_path(str(folder))

    async def _choose_key(self) -> None:
        title, filters = _("Choose where the key is stored"), (_("Key of pseudonyms (*.csv)"),)
        path = await self._files.file_to_save(title, filters, Path(self._key.path))
        if path is not None:
            self._key.set_path(str(path))

    def _update(self) -> None:
        """Show what belongs to the choices; what was confirmed or failed before counts no longer."""
        pairs = self._boxes[OutputKind.PAIRS]
        pairs.setEnabled(self._summary.can_write_pairs)
        pairs.setToolTip("" if self._summary.can_write_pairs else _no_pairs())
        options = self.options
        self._pairs.setVisible(OutputKind.PAIRS in options.kinds)
        self._safe.setVisible(bool(options.kinds & _CSV_KINDS))
        self._safe_text.setVisible(bool(options.kinds & _CSV_KINDS) and options.is_spreadsheet_safe)
        self._key.setVisible(options.has_pseudonyms)
        is_apart = not options.has_pseudonyms or is_separate(options.key, options.folder)
        self._key.show_error("" if is_apart else _("This is in the folder of the results."))
        self._banner.hide()
        self.accept_button.setText(_("Save"))
        self.accept_button.set_disabled_reason(_missing(options, is_apart=is_apart))

    def _end_progress(self) -> None:
        self._form.setEnabled(True)
        self.accept_button.setEnabled(True)
        self._progress.hide()

    def _show_banner(self, text: str) -> None:
        self._banner.set_text(text)
        self._banner.show()
        self.reveal(self._banner)


class _PairForm(QWidget):
    """The fields of preference pairs, and what becomes of ties."""

    changed = Signal()

    def __init__(self, fields: Sequence[str], options: SaveOptions) -> None:
        super().__init__()
        chosen, names = options.pair_fields, list(map(sanitize_line, fields))
        self._names = tuple(fields)
        rows: list[LayoutItem] = []
        self._fields: list[QComboBox] = []
        for place, (text, name) in enumerate(
            (
                (_("Field with the prompt"), chosen.prompt),
                (_("Field with the left answer"), chosen.left),
                (pgettext("of two sides", "Field with the right answer"), chosen.right),
            )
        ):
            box = QComboBox()
            box.addItems(names)
            box.setCurrentIndex(fields.index(name) if name in fields else min(place, len(fields) - 1))
            box.currentIndexChanged.connect(self.changed)
            self._fields.append(box)
            rows.append(labelled(text, box))
        self._ties = QComboBox()
        self._ties.addItems([_(text) for text in _TIE_RULES.values()])
        self._ties.setCurrentIndex(list(_TIE_RULES).index(options.tie_rule))
        self._ties.currentIndexChanged.connect(self.changed)
        column(*rows, labelled(_("If both sides have equal votes"), self._ties), gap=8, parent=self)
        theme().on_changed(self._update_widths)
        self._update_widths()

    def _update_widths(self) -> None:
        for box in (*self._fields, self._ties):
            box.setFixedWidth(theme().px(_COMBO_WIDTH))

    @property
    def fields(self) -> PairFields:
        """The chosen fields; empty ones if there are none."""
        places = [box.currentIndex() for box in self._fields]
        return PairFields(*(self._names[place] if place >= 0 else "" for place in places))

    @property
    def tie_rule(self) -> TieRule:
        """What becomes of ties."""
        return list(_TIE_RULES)[self._ties.currentIndex()]


def _check_boxes(options: SaveOptions) -> dict[OutputKind, QCheckBox]:
    boxes = {kind: QCheckBox(_(kind.label)) for kind in OutputKind}
    for kind, box in boxes.items():
        box.setChecked(kind in options.kinds)
    return boxes


def _section(title: str, content: LayoutItem) -> LayoutItem:
    return column(Label(title, TextRole.SMALL_NAME), content, gap=8)


def _summary_text(summary: AnswersSummary) -> str:
    text = ngettext("{count} answer", "{count} answers", summary.answers).format(
        count=number(summary.answers)
    )
    people = ngettext("{count} participant", "{count} participants", summary.participants)
    text = _("{answers} of {participants}.").format(
        answers=text, participants=people.format(count=number(summary.participants))
    )
    if not summary.excluded:
        return text + " " + _("None is excluded.")
    excluded = ngettext(
        "{count} is excluded: it counts in no result, and files with answers state the reason.",
        "{count} are excluded: they count in no result, and files with answers state the reasons.",
        summary.excluded,
    )
    return f"{text} {excluded.format(count=number(summary.excluded))}"


def _key_hint() -> str:
    return _(
        "Store it apart from the results, and do not pass it on. Texts and file names that participants "
        "wrote stay as they are."
    )


def _no_pairs() -> str:
    return _("Needs a question that compares two sides, and fields with the prompt and both answers")


def _missing(options: SaveOptions, *, is_apart: bool) -> str:
    """Why nothing can be saved yet; empty if it can."""
    if not options.kinds:
        return _("Select what to save")
    if not options.folder:
        return _("Choose a folder")
    return "" if is_apart else _("Choose another place for the key")
