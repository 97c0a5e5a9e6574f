"""The support report: its files, and what is removed from them."""

import io
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from batchwright.base import logging as log
from batchwright.local.support_report import ReportFile, collect_report, redacted, zip_content


@pytest.fixture(autouse=True)
def user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: PurePosixPath("/srv/people/jane.doe"))
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, "jdoe")
    monkeypatch.setattr("getpass.getuser", lambda: "jdoe")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/srv/people/jane.doe/a study.batchwright", "~/a study.batchwright"),
        ('File "/srv/people/jane.doe", line 1', 'File "~", line 1'),
        ("/srv/people/jane.doe2/x", "/srv/people/jane.doe2/x"),
        ("/home/someone/x and /Users/Some One/y", "/home/USER/x and /Users/USER/y"),
        ("cannot open /home/someone: denied", "cannot open /home/USER: denied"),
        (
            r"C:\Users\Some One\AppData and 'D:\\Users\\x\\y'",
            r"C:\Users\USER\AppData and 'D:\\Users\\USER\\y'",
        ),
        ("/media/jdoe/disk, /tmp/of-jdoe/x", "/media/USER/disk, /tmp/of-USER/x"),
        (r"E:\JDOE\study", r"E:\USER\study"),
        ("file:///home/someone/x", "file:///home/USER/x"),
        ("jdoe's answer about jdoe", "jdoe's answer about jdoe"),
        ("https://files.example.org/a?sig=1234567", "https://files.example.org/a?..."),
        ("Authorization: Token 0123456789", "Authorization: Token ..."),
    ],
)
def test_user_names_in_paths_and_secrets_are_removed(text: str, expected: str) -> None:
    assert redacted(text) == expected


@pytest.mark.parametrize("name", ["home", "root", "tmp", "Users", "ü b", "b"])
def test_a_path_stays_readable_whatever_the_home_folder_is_called(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: PurePosixPath("/srv") / name)
    for variable in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(variable, name)
    assert (
        redacted("/home/someone/x, /tmp/x, C:\\Users\\some\\x") == "/home/USER/x, /tmp/x, C:\\Users\\USER\\x"
    )
    assert redacted(f"/srv/{name}/x") == "~/x"


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_where_a_linked_home_folder_really_is_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, link = tmp_path / "schmidt4711", tmp_path / "link"
    home.mkdir()
    link.symlink_to(home)
    monkeypatch.setattr(Path, "home", lambda: link)
    assert (
        redacted(f"{home}/thesis, {link}/thesis, /data/schmidt4711/x") == "~/thesis, ~/thesis, /data/USER/x"
    )


def test_a_user_name_with_a_space_is_removed_from_any_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USERNAME", "Jane Doe")
    assert redacted(r"E:\Jane Doe\study, Jane Doe") == r"E:\USER\study, Jane Doe"


def test_a_token_of_this_run_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_secrets", set[str]())
    log.hide_in_log("token-of-this-run")
    assert "token-of-this-run" not in redacted("x token-of-this-run y")


def test_the_report_has_versions_settings_and_the_end_of_each_log(tmp_path: Path) -> None:
    line = "2026-11-23 INFO a line of the log\n"
    (tmp_path / "batchwright.log").write_text("the first line\n" + line * 10_000, newline="\n")
    (tmp_path / "service.log.1").write_bytes(b"a \xff in /home/someone/x\n")
    (tmp_path / "notes.txt").write_text("not a log")
    (tmp_path / "folder.log").mkdir()
    files = collect_report({"Python": "3.13"}, {"Theme": "dark"}, tmp_path)
    texts = {file.name: file.text for file in files}
    assert list(texts) == ["versions.txt", "settings.txt", "log/batchwright.log", "log/service.log.1"]
    assert texts["versions.txt"] == "Python: 3.13\n"
    assert texts["settings.txt"] == "Theme: dark\n"
    assert set(texts["log/batchwright.log"].splitlines(keepends=True)) == {line}
    assert len(texts["log/batchwright.log"]) > 100_000
    assert texts["log/service.log.1"] == "a � in /home/USER/x\n"


def test_a_report_without_logs_can_be_saved(tmp_path: Path) -> None:
    assert [file.name for file in collect_report({}, {}, tmp_path / "none")] == [
        "versions.txt",
        "settings.txt",
    ]


def test_the_zip_file_contains_what_was_shown() -> None:
    files = (ReportFile("versions.txt", "Qt: 6\n"), ReportFile("log/batchwright.log", "Grüße\n"))
    with zipfile.ZipFile(io.BytesIO(zip_content(files))) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == {
            file.name: file.text for file in files
        }
