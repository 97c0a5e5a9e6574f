"""Opening what lies outside the window: an address in the browser, a file in its own program.

Where no program does that, a notice says so and lets the address or the path be copied.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QProcess, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from batchwright.base.i18n import _
from batchwright.ui.widgets.notices import Toast, ToastManager, ToastSeverity


def open_url(notices: ToastManager, address: str) -> None:
    """Open an address in the browser of the person."""
    title = _("No program on this computer opens the address")
    _open(QUrl(address), lambda: _offer_copy(notices, title, address, _("Copy address")))


def open_file(notices: ToastManager, path: Path) -> None:
    """Open a file in the program that the person opens such files with."""
    title = _("No program on this computer opens “{name}”").format(name=path.name)
    _open(QUrl.fromLocalFile(str(path)), lambda: _offer_copy(notices, title, str(path), _("Copy path")))


def _open(url: QUrl, failed: Callable[[], object]) -> None:
    # Qt starts xdg-open and does not hear that it found no program. Under Wayland Qt must start it all the
    # same: only then does the other program come to the front.
    tool = QStandardPaths.findExecutable("xdg-open")
    if not tool or QGuiApplication.platformName() == "wayland":
        if not QDesktopServices.openUrl(url):
            failed()
        return
    process = QProcess(QCoreApplication.instance())
    # What the other program prints would be kept in memory here, and end it when Batchwright has ended.
    process.setStandardOutputFile(QProcess.nullDevice())
    process.setStandardErrorFile(QProcess.nullDevice())
    process.finished.connect(lambda code, _status: failed() if code else None)
    process.finished.connect(process.deleteLater)
    process.start(tool, [url.toString(QUrl.ComponentFormattingOption.FullyEncoded)])


def _offer_copy(notices: ToastManager, title: str, text: str, button: str) -> None:
    notices.show_toast(
        Toast(ToastSeverity.WARNING, title, text, button, partial(QGuiApplication.clipboard().setText, text))
    )
