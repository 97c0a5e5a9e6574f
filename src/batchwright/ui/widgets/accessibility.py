"""Sentences for screen readers that belong to no one widget."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from batchwright.ui.theme.foreign import sanitize


def announce(where: QWidget, sentence: str) -> None:
    """Have a sentence read out."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(where, sanitize(sentence)))
