"""Announcements for screen readers."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from batchwright.ui.theme.foreign import sanitize


def announce(widget: QWidget, text: str) -> None:
    """Announce a message to screen readers."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sanitize(text)))
