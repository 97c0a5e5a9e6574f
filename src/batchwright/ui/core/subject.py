"""The subject of a part of the window: usually the open study at the current connection."""

from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, Signal, SignalInstance


class Subject(QObject):
    """Emits `changed` when the subject is a different one, so that late results are not applied to it.

    Args:
        current: returns the subject as a value that can be compared, such as the number of the open study and
            the name of the connection; None while there is none.
        signals: signals after which the subject may be a different one.
    """

    changed = Signal()
    """The subject is a different one; `value` is the new one already."""

    def __init__(
        self,
        current: Callable[[], Hashable | None],
        *signals: SignalInstance,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current = current
        self.value: Hashable | None = current()
        for signal in signals:
            signal.connect(self._on_signal)

    def _on_signal(self) -> None:
        value = self._current()
        if value != self.value:
            self.value = value
            self.changed.emit()
