"""The content of the gallery: eight cards, their states, controls, statuses, and a notification."""

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLineEdit, QRadioButton, QWidget

from batchwright.ui.content.answer_previews import FieldPreview, ImagePlaceholder, OptionPreview
from batchwright.ui.content.card_footer import CardFooter, FooterSeverity
from batchwright.ui.content.cards import Card, CardState
from batchwright.ui.content.connection_badge import ConnectionBadge
from batchwright.ui.theme import TextRole
from batchwright.ui.theme.focus import FocusRing
from batchwright.ui.widgets.box_layouts import ScaledBoxLayout, column, row
from batchwright.ui.widgets.buttons import Button, ButtonKind
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.notices import Notice, NoticeManager, NoticeSeverity
from batchwright.ui.widgets.progress import ProgressBar
from batchwright.ui.widgets.statuses import BATCH, FAILED, IMPORT, PARTIAL, QUEUED, StatusBadge
from batchwright.ui.widgets.surfaces import Surface
from batchwright.ui.widgets.text import Label
from batchwright.ui.widgets.toggles import Switch


class Gallery(Surface):
    """All components on one surface, in three columns."""

    def __init__(self) -> None:
        super().__init__("window")
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self._ring = FocusRing(app)
        self._hovered: Card | None = None
        self._focused: Button | None = None
        left = column(Label("The eight item types", TextRole.SECTION), *self._first_cards(), None, gap=8)
        middle = column(
            28, *self._more_cards(), 8, Label("Card states", TextRole.SECTION), *self._states(), None
        )
        columns = row(gap=32, margins=(30, 22, 28, 16), parent=self)
        for cards in (left, middle):
            columns.addLayout(cards, 1)
        columns.addLayout(self._controls(), 1)
        self._notices = NoticeManager(self)

    def pose(self) -> None:
        """Simulate the pointer and the keyboard to show the hovered and focused states."""
        if self._hovered is not None:
            QApplication.sendEvent(self._hovered, QEnterEvent(QPointF(), QPointF(), QPointF()))
        if self._focused is not None:
            self._focused.setFocus(Qt.FocusReason.TabFocusReason)
        self._notices.show_notice(
            Notice(NoticeSeverity.SUCCESS, "Setup finished", "398 tasks in 133 groups", "Open")
        )
        QApplication.sendEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def _first_cards(self) -> list[QWidget]:
        field = Card("text-t", "field", "prompt", "Prompt")
        field.show_title("prompt", "Prompt", is_name=True)
        field.add(Label("Explain to a curious ten-year-old why the sky turns red at sunset.", wraps=True))
        text = Card("article", "content", "Rich text")
        rich = Label("<b>Read both answers first.</b> Then choose.")
        rich.setTextFormat(Qt.TextFormat.RichText)
        text.add(rich)
        image = Card("image", "content", "Image")
        captions = column(
            None,
            Label("Two road signs in fog"),
            Label("signs.example.org/fog-02.jpg", TextRole.CAPTION, "text3"),
            None,
            gap=4,
        )
        image.add(row(ImagePlaceholder(), captions, None, gap=14))
        choice = Card("list-bullets", "question", "Multiple choice")
        choice.add(_question("Which answer is better?"), _options("A", "B", "Same", chosen=0))
        explained = Card("chat-centered-text", "question", "Choice with free text")
        explained.add(
            _question("What is wrong with it?"),
            _options("Facts", "Tone", "Length", chosen=1),
            FieldPreview("Say more about Tone", height=30),
        )
        return [field, text, image, choice, explained]

    def _more_cards(self) -> list[QWidget]:
        free = Card("note-pencil", "question", "Free text")
        free.add(_question("What made the difference?"), FieldPreview("One or two sentences", height=44))
        unit = Card("ruler", "question", "Free text with unit")
        number, menu = FieldPreview("Number"), FieldPreview("min", is_menu=True, is_value=True)
        number.setFixedWidth(150)
        menu.setFixedWidth(90)
        unit.add(_question("How long did you read?"), row(number, menu, None))
        files = Card("paperclip", "question", "File upload")
        sentence = Label("1 to 3 files, .png or .jpg, 25 MB each", TextRole.SMALL, "text2")
        files.add(_question("Send your screenshot"), row(Glyph("paperclip", "question", 16), sentence, None))
        return [free, unit, files]

    def _states(self) -> list[QWidget]:
        self._hovered = Card("note-pencil", "question", "Hover")
        chosen = Card("note-pencil", "question", "Selected")
        with_problem = Card("note-pencil", "question", "Problem")
        for card, text in ((self._hovered, "Border darkens, actions appear"), (chosen, "2 px ring")):
            card.add_action("copy", "Duplicate", card.update)
            card.add_action("trash", "Delete", card.update)
            card.add(Label(text, TextRole.SMALL, "text2"))
        chosen.show_state(CardState.SELECTED)
        with_problem.show_footer(CardFooter(FooterSeverity.ERROR, "A question needs a text.", "Write it"))
        return [self._hovered, chosen, with_problem]

    def _controls(self) -> ScaledBoxLayout:
        lines = column(Label("Controls", TextRole.SECTION), gap=8)
        self._focused = Button("Focus", ButtonKind.PRIMARY)
        disabled = Button("Disabled")
        disabled.setEnabled(False)
        lines.add(
            _label("Buttons"),
            row(
                Button("Create batch", ButtonKind.PRIMARY),
                Button("Preview", glyph="eye"),
                Button("Skip", ButtonKind.QUIET),
                Button("Delete page", ButtonKind.DANGER, glyph="trash"),
                None,
            ),
            row(
                Button("Create", ButtonKind.PRIMARY, keys="F5"),
                self._focused,
                disabled,
                Button("Create 398 tasks", ButtonKind.LIVE, glyph="broadcast"),
                None,
            ),
            8,
            _label("Fields"),
            *_fields(),
            4,
            _label("Choices"),
            _choices(),
            8,
            _label("Status"),
            _pills(BATCH["UNINITIALISED"], BATCH["PROCESSING"], BATCH["READY"]),
            _pills(BATCH["ERROR"], QUEUED, PARTIAL),
            _pills(FAILED, IMPORT["pending_schema"]),
            6,
            _label("Connection"),
            row(ConnectionBadge(is_live=False), ConnectionBadge(is_live=True), None),
            6,
            _label("Progress"),
            *_meters(),
            None,
        )
        return lines


def _label(text: str) -> Label:
    return Label(text, TextRole.SMALL_STRONG, "text2")


def _question(text: str) -> Label:
    return Label(text, TextRole.SECTION, wraps=True)


def _options(*texts: str, chosen: int) -> ScaledBoxLayout:
    return row(*(OptionPreview(text, is_on=number == chosen) for number, text in enumerate(texts)))


def _fields() -> list[QWidget]:
    plain = QLineEdit("Preference, main")
    plain.setAccessibleName("Name")
    invalid = InputField("Address", QLineEdit("http://img.example.org/7.png"))
    invalid.show_error("Use an https address.")
    combo = QComboBox()
    combo.addItems(["Every record", "Once"])
    combo.setAccessibleName("View")
    return [plain, invalid, combo]


def _choices() -> ScaledBoxLayout:
    on, off, switch = QCheckBox("On"), QCheckBox("Off"), Switch("Switch")
    first, second = QRadioButton("One"), QRadioButton("Two")
    for button in (on, first, switch):
        button.setChecked(True)
    return row(on, off, first, second, switch, None, gap=16)


def _pills(*statuses: object) -> ScaledBoxLayout:
    return row(*(StatusBadge(status) for status in statuses), None, gap=6)  # type: ignore[arg-type]


def _meters() -> list[QWidget]:
    running, complete, mixed = ProgressBar("Running"), ProgressBar("Complete"), ProgressBar("Mixed")
    running.show_fraction(0.63)
    complete.show_fraction(1.0, "ok")
    mixed.show_segments((0.71, "ok"), (0.05, "err"))
    return [running, complete, mixed]
