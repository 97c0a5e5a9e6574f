"""A fake browser that records the URLs opened by the window, and the participant page behind a URL."""

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
    """Records the URLs to open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open_url(self, address: QUrl) -> None:
        """Record a URL."""
        self.opened.append(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))


@contextmanager
def browser() -> Iterator[Browser]:
    """Replace the browser of this computer."""
    fake_browser = Browser()
    for scheme in ("http", "file"):
        QDesktopServices.setUrlHandler(scheme, fake_browser, "open_url")  # type: ignore[arg-type]  # the stub has the C++ type
    no_tool = mock.patch("batchwright.ui.core.desktop.QStandardPaths.findExecutable", return_value="")
    try:
        with no_tool:  # xdg-open would lead to the browser of the real computer
            yield fake_browser
    finally:
        for scheme in ("http", "file"):
            QDesktopServices.unsetUrlHandler(scheme)


async def page_after_start(address: str) -> str:
    """Open a participation link, submit its Start button, and return the next page."""
    async with httpx.AsyncClient(follow_redirects=True) as client:
        welcome = await client.get(address)
        form = _FORM.search(welcome.text)
        assert form is not None, welcome.text
        target = welcome.url.join(form.group(1))
        started = await client.post(target, data=dict(_FIELD.findall(welcome.text)))
        return started.raise_for_status().text
