"""What the window opens in the browser of the person, and the participant page behind it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import httpx
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

_FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
_FORM = re.compile(r'<form[^>]* action="([^"]+)"')


class Browser(QObject):
    """Takes the addresses that would be opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def take(self, address: QUrl) -> None:
        """Keep an address."""
        self.opened.append(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))


@contextmanager
def browser() -> Iterator[Browser]:
    """Be the browser of this computer."""
    taking = Browser()
    for scheme in ("http", "file"):
        QDesktopServices.setUrlHandler(scheme, taking, "take")  # type: ignore[arg-type]  # the stub tells the C++ type
    no_tool = mock.patch("batchwright.ui.core.desktop.QStandardPaths.findExecutable", return_value="")
    try:
        with no_tool:  # xdg-open would lead to the browser of the real computer
            yield taking
    finally:
        for scheme in ("http", "file"):
            QDesktopServices.unsetUrlHandler(scheme)


async def page_after_start(address: str) -> str:
    """Open a participation link, press its Start button, and read the page that comes."""
    async with httpx.AsyncClient(follow_redirects=True) as client:
        welcome = await client.get(address)
        form = _FORM.search(welcome.text)
        assert form is not None, welcome.text
        target = welcome.url.join(form.group(1))
        begun = await client.post(target, data=dict(_FIELD.findall(welcome.text)))
        return begun.raise_for_status().text
