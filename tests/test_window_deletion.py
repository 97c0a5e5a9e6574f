"""Windows are deleted with their test; an exception in their destruction fails it."""

import pytest

RAISES = """
import pytest
from PySide6.QtCore import QObject

@pytest.fixture
def window(qapp):
    window = QObject()
    window.destroyed.connect(lambda: 1 / 0)
    yield window
    window.deleteLater()

def test_that_has_a_window(window):
    pass
"""


def test_an_exception_while_a_window_is_deleted_fails_its_test(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("PYTHONPATH", str(pytestconfig.rootpath))
    pytester.makeconftest('pytest_plugins = ["tests.conftest"]')
    folder = pytester.mkdir("tests") / "ui"
    folder.mkdir()
    (folder / "test_window.py").write_text(RAISES, encoding="utf-8")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "tests/ui")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*ZeroDivisionError*"])
