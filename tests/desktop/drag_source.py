"""A separate program from which files or text can be dragged, as from the desktop or a browser.

Run as `python -m tests.desktop.drag_source KIND CONTENT LEFT TOP`, where KIND is `url` or `text`. It reports
`shown` when it is visible, and the drop action (`CopyAction`, `IgnoreAction`) whenever the target under the
pointer changes it. It ends with its standard input.
"""

import json
import os
import sys

from PySide6.QtCore import QMimeData, QPoint, QSocketNotifier, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel
from typing_extensions import override

SIDE = 90


class DragSource(QLabel):
    """A widget that starts a drag of its content."""

    def __init__(self, kind: str, content: str) -> None:
        super().__init__(kind)
        self._kind, self._content = kind, content
        self.setWindowFlags(Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self.setFixedSize(SIDE, SIDE)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        mime = QMimeData()
        if self._kind == "url":
            mime.setUrls([QUrl(self._content)])
        else:
            mime.setText(self._content)
        drag = QDrag(self)
        drag.setMimeData(mime)
        drag.actionChanged.connect(lambda action: report(action.name))
        drag.exec(Qt.DropAction.CopyAction)


def report(word: str) -> None:
    """Report a word to the test."""
    print(json.dumps(word), flush=True)


def main(kind: str, content: str, left: str, top: str) -> int:
    """Show the source until standard input ends."""
    app = QApplication(sys.argv[:1])
    source = DragSource(kind, content)
    source.move(QPoint(int(left), int(top)))
    source.show()
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: None if os.read(sys.stdin.fileno(), 64) else app.exit(0))
    QTimer.singleShot(0, lambda: report("shown"))
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
