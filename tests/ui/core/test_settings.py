"""The settings in `window.ini`: read again as they were stored; an invalid value counts as not set."""

from pathlib import Path

import pytest

from batchwright.base.network_settings import NetworkSettings
from batchwright.ui.core.settings import OpenStudy, Settings
from batchwright.ui.theme import ColorSchemePreference
from tests.policies import WritePolicy

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


def test_a_locked_value_has_precedence_over_the_stored_one_which_is_kept(
    tmp_path: Path, write_policy: WritePolicy
) -> None:
    Settings(tmp_path).network = PROXY
    write_policy("[lock]\nproxy = 'system'\ncertificates = '/lab.pem'\nupdate-check = true\n")
    settings = Settings(tmp_path)
    assert settings.network == NetworkSettings("", str(Path("/lab.pem")), "someone")
    assert settings.checks_for_updates
    settings.network = NetworkSettings("", str(Path("/lab.pem")), "other")
    write_policy("[lock]\nupdate-check = false\n")
    assert Settings(tmp_path).network == NetworkSettings(PROXY.proxy, PROXY.certificates, "other")
    assert not Settings(tmp_path).checks_for_updates


def test_a_preset_value_applies_until_the_user_chooses_another_one(
    tmp_path: Path, write_policy: WritePolicy
) -> None:
    write_policy("[preset]\nproxy = 'http://one.example.org:1'\nfiles-folder = '/one'\n")
    settings = Settings(tmp_path)
    assert settings.network.proxy == "http://one.example.org:1"
    settings.network = NetworkSettings(settings.network.proxy, "/own.pem")
    settings.fixed_folder = ""
    write_policy("[preset]\nproxy = 'http://two.example.org:2'\nfiles-folder = '/two'\n")
    settings = Settings(tmp_path)
    assert settings.network == NetworkSettings("http://two.example.org:2", "/own.pem")
    assert settings.fixed_folder == ""


def test_the_report_lists_what_is_locked_without_values(tmp_path: Path, write_policy: WritePolicy) -> None:
    path = write_policy(
        "[preset]\nworkspace = 'w1'\n[lock]\nservice-url = 'https://lab.example.org'\npseudonyms = true\n"
    )
    report = Settings(tmp_path).report()
    assert report["Policy"] == str(path)
    assert report["Locked by the policy"] == "URL of the hosted service, Save answers with pseudonyms"
    assert report["Preset by it"] == "Workspace"
    assert not {"w1", "lab.example.org"} & set(" ".join(report.values()).split())
    write_policy("[lock]\nprxy = ''\n")
    assert "line 2" in Settings(tmp_path).report()["Policy"]
