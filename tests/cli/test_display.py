"""Without a display, the command reports that and does not abort."""

import sys

import pytest

from batchwright.__main__ import main
from batchwright.cli.display import has_screen

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is one")


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_display_variable_there_is_no_display() -> None:
    assert not has_screen()


def test_a_display_that_does_not_respond_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":65000")
    assert not has_screen()


@pytest.mark.parametrize(("name", "value"), [("QT_QPA_PLATFORM", "offscreen"), ("WAYLAND_DISPLAY", "w")])
def test_platforms_without_a_display_server_are_accepted(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert has_screen()


def test_the_window_command_reports_a_missing_display(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["window"]) == 2
    assert "No display" in capsys.readouterr().err
