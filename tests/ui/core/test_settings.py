"""The settings in `window.ini`: read again as they were stored; an invalid value counts as not set."""

from pathlib import Path

import pytest

from batchwright.base.network_settings import NetworkSettings
from batchwright.ui.core.settings import OpenStudy, Settings
from batchwright.ui.theme import ColorSchemePreference

STUDIES = (
    OpenStudy(Path("/studies/one.batchwright"), "run"),
    OpenStudy(Path("/studies/two.batchwright"), ""),
)
PROXY = NetworkSettings("http://proxy.example.org:8080", "/certificates.pem", "someone")


@pytest.mark.parametrize(
    ("name", "default", "value"),
    [
        ("color_scheme", ColorSchemePreference.SYSTEM, ColorSchemePreference.DARK),
        ("text_size", None, 130),
        ("animations_enabled", None, False),
        ("longest_poll_s", 15, 300),
        ("shows_notifications", True, False),
        ("checks_for_updates", False, True),
        ("fixed_folder", "", "/studies"),
        ("open_studies", (), STUDIES),
        ("network", NetworkSettings(), PROXY),
    ],
)
def test_a_setting_is_read_as_it_was_stored(
    tmp_path: Path, name: str, default: object, value: object
) -> None:
    settings = Settings(tmp_path)
    assert getattr(settings, name) == default
    setattr(settings, name, value)
    assert getattr(Settings(tmp_path), name) == value
    setattr(settings, name, default)
    assert getattr(Settings(tmp_path), name) == default


def test_an_invalid_value_counts_as_not_set(tmp_path: Path) -> None:
    (tmp_path / "window.ini").write_text(
        "[look]\nscheme=purple\ntext_size=101\nmotion=wild\n"
        "[jobs]\nlongest_poll_s=0\nnotifications=perhaps\n"
        "[updates]\ncheck=perhaps\n"
        "[network]\nproxy=ftp://proxy.example.org\n"
        "[window]\nstudies=nothing\n"
    )
    settings = Settings(tmp_path)
    assert (settings.color_scheme, settings.text_size) == (ColorSchemePreference.SYSTEM, None)
    assert settings.animations_enabled is None
    assert (settings.longest_poll_s, settings.shows_notifications) == (15, True)
    assert not settings.checks_for_updates
    assert settings.network == NetworkSettings()
    assert settings.open_studies == ()
