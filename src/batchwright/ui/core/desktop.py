"""Opens URLs in the browser and files in their default program.

If no program can open one, a notice says so and offers to copy the URL or the path.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QProcess, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from batchwright.base.i18n import _
from batchwright.base.local_media import MediaFolder, is_local_medium
from batchwright.base.resources import resource, sample_medium
from batchwright.ui.widgets.notices import Notice, NoticeManager, NoticeSeverity


def open_url(notices: NoticeManager, address: str) -> None:
    """Open a URL in the default browser."""
    title = _("No program on this computer can open the URL")
    _open(QUrl(address), lambda: _offer_copy(notices, title, address, _("Copy URL")))


def open_medium(notices: NoticeManager, address: str, media: MediaFolder | None = None) -> None:
    """Open an image or a recording in the browser; one of a template or of the data's folder is a file."""
    sample = sample_medium(address)
    if sample is not None:
        open_file(notices, resource("samples", "media", sample))
    elif not is_local_medium(address):
        open_url(notices, address)
    elif media is not None and (file := media.find_address(address)) is not None:
        open_file(notices, file)
    else:
        title, text = _("The file is not on this computer"), _("The study was made with another folder.")
        notices.show_notice(Notice(NoticeSeverity.WARNING, title, text))


def open_file(notices: NoticeManager, path: Path) -> None:
    """Open a file in its default program."""
    title = _("No program on this computer can open “{name}”").format(name=path.name)
    _open(QUrl.fromLocalFile(str(path)), lambda: _offer_copy(notices, title, str(path), _("Copy path")))


def _open(url: QUrl, failed: Callable[[], object]) -> None:
    # Qt starts xdg-open and does not notice when that finds no program. On Wayland, Qt has to start it
    # nevertheless: otherwise the other program would not be raised to the front.
    tool = QStandardPaths.findExecutable("xdg-open")
    if not tool or QGuiApplication.platformName() == "wayland":
        if not QDesktopServices.openUrl(url):
            failed()
        return
    process = QProcess(QCoreApplication.instance())
    # Output in a pipe would be buffered in memory, and would end the other program together with Batchwright.
    process.setStandardOutputFile(QProcess.nullDevice())
    process.setStandardErrorFile(QProcess.nullDevice())
    process.finished.connect(lambda code, _status: failed() if code else None)
    process.finished.connect(process.deleteLater)
    process.start(tool, [url.toString(QUrl.ComponentFormattingOption.FullyEncoded)])


def _offer_copy(notices: NoticeManager, title: str, text: str, button: str) -> None:
    copy = partial(QGuiApplication.clipboard().setText, text)
    notices.show_notice(Notice(NoticeSeverity.WARNING, title, text, button, copy, stays=True))
