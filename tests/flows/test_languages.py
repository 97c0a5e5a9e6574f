"""Every stage and dialog in each language: texts are not cut, and layouts work in both directions."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication

from batchwright.base import i18n
from batchwright.ui.core.settings import Settings
from tests.flows.every_surface import cut_texts, every_surface
from tests.flows.user_actions import run_program
from tests.ui.limited_loop import LimitedLoop

pytestmark = [pytest.mark.whole_program, pytest.mark.gui]

PICTURES = "BATCHWRIGHT_TEST_PICTURES"
"""A variable with a folder, into which the test writes what it has seen."""

_LIMIT_S = 600.0
"""The test goes everywhere."""


@pytest.fixture(params=[i18n.PSEUDO, i18n.PSEUDO_RTL, *i18n.languages()])
def tag(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(LimitedLoop, "limit_s", _LIMIT_S)
    monkeypatch.setattr(i18n, "_program", [i18n.language(request.param)])
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    locale = QLocale()
    QLocale.setDefault(QLocale(i18n.program_language().locale))
    if i18n.program_language().direction == "rtl":
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield request.param
    QLocale.setDefault(locale)
    app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.matrix(100)
@pytest.mark.timeout(2 * _LIMIT_S)
@pytest.mark.parametrize("text_size", [100, 150])
async def test_no_text_of_the_program_is_cut(tag: str, text_size: int, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    Settings(tmp_path / "data").text_size = text_size
    found = dict[str, str]()
    async with run_program(tmp_path) as user:
        user.window.resize(1440, 900)
        folder = os.environ.get(PICTURES)
        async for name, surface in every_surface(user):
            if folder:
                picture = f"{tag}-{text_size}-{name.replace(':', '-').replace(' ', '')}.png"
                surface.grab().save(str(Path(folder) / picture))
            for text in cut_texts(surface):
                found.setdefault(text, name)
    assert found == {}
