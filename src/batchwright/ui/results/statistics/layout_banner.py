"""The banner that says which versions of the layout the answers were given to, and how they are counted."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from batchwright.analysis.store.layout_use import LayoutUse, VersionRow
from batchwright.base.i18n import _, ngettext
from batchwright.ui.core.formatting import number, short_datetime
from batchwright.ui.theme import TextRole
from batchwright.ui.widgets.box_layouts import row
from batchwright.ui.widgets.buttons import Button, ButtonSize
from batchwright.ui.widgets.icon_tile import Glyph
from batchwright.ui.widgets.surfaces import Edge, Surface
from batchwright.ui.widgets.text import Label
from batchwright.wire.timestamps import read_timestamp

_MAX_VERSIONS = 3
"""Maximum number of versions that are listed."""


class LayoutBanner(Surface):
    """Says to which versions of the layout answers were given, or that this is not known.

    Its button splits questions that versions ask differently, or counts them together again.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("surface", Edge.BOTTOM, parent)
        self.text = Label("", TextRole.SMALL, "text2", wraps=True, tabular=True)
        self.split_button = Button("", height=ButtonSize.NOTICE)
        line = row(gap=12, margins=(24, 8, 20, 10), parent=self)
        line.addWidget(Glyph("clock-counter-clockwise", "text2", 18), 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self.text, 1)
        line.add(self.split_button)
        self.hide()

    def show_use(self, use: LayoutUse, answers: int, *, is_split: bool) -> None:
        """Show which versions `answers` answers were given to; hidden if there is nothing to say."""
        texts = [*_versions_texts(use, is_split=is_split), *_unknown_texts(use, answers)]
        self.setVisible(bool(texts))
        self.text.setText(" ".join(texts))
        self.text.setAccessibleName(self.text.text())
        self.split_button.setVisible(use.differing > 0)
        self.split_button.setText(_("Count versions together") if is_split else _("Split by version"))


def _versions_texts(use: LayoutUse, *, is_split: bool) -> list[str]:
    if not use.versions:
        return []
    text = ngettext(
        "The answers were given to {count} version of the layout: {versions}.",
        "The answers were given to {count} versions of the layout: {versions}.",
        len(use.versions),
    )
    listed = [_version_text(version) for version in use.versions[:_MAX_VERSIONS]]
    listed += ["…"] * (len(use.versions) > _MAX_VERSIONS)
    texts = [text.format(count=number(len(use.versions)), versions="; ".join(listed))]
    if use.differing and is_split:
        text = ngettext(
            "{count} question that they ask differently is split.",
            "{count} questions that they ask differently are split.",
            use.differing,
        )
        texts.append(text.format(count=number(use.differing)))
    elif use.differing:
        text = ngettext(
            "{count} question that they ask differently is counted together.",
            "{count} questions that they ask differently are counted together.",
            use.differing,
        )
        texts.append(text.format(count=number(use.differing)))
    return texts


def _version_text(version: VersionRow) -> str:
    answers = ngettext("{count} answer", "{count} answers", version.answers)
    answers = answers.format(count=number(version.answers))
    if not version.since:
        return _("version {number} ({answers})").format(number=version.version, answers=answers)
    time = short_datetime(read_timestamp(version.since))
    text = _("version {number} from {time} ({answers})")
    return text.format(number=version.version, time=time, answers=answers)


def _unknown_texts(use: LayoutUse, answers: int) -> list[str]:
    if not use.unknown:
        return []
    if use.unknown == answers:
        return [
            _(
                "This computer does not know which layout these answers were given to, because it did not "
                "set it up. They are shown with the earliest wording that is known."
            )
        ]
    text = ngettext(
        "This computer does not know which layout {count} answer was given to; it is shown with the earliest "
        "wording that is known.",
        "This computer does not know which layout {count} answers were given to; they are shown with the "
        "earliest wording that is known.",
        use.unknown,
    )
    return [text.format(count=number(use.unknown))]
