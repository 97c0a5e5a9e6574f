"""Only its owner can read the data folder, which contains answers and the signing key."""

import os
import stat
from pathlib import Path

import pytest

from tests.service.command import ready_message, serve, start_error

pytestmark = pytest.mark.skipif(os.name == "nt", reason="folders have no modes there")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def served(folder: Path) -> str:
    """What a service writes to standard error between its start and its end."""
    with serve("--data-dir", str(folder)) as process:
        ready_message(process)
        process.terminate()
        _out, errors = process.communicate(timeout=60)
    return str(errors.decode())


def test_a_folder_that_others_may_read_is_closed_to_them_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "accounts.json").write_text("{}", encoding="utf-8")
    for mode in (0o755, 0o770, 0o701):
        folder.chmod(mode)
        message = served(folder)
        assert mode_of(folder) == 0o700
        assert (message.count("\n"), str(folder) in message, "0700" in message) == (1, True, True)
    assert served(folder) == ""


def test_a_new_folder_is_private_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    assert served(folder) == ""
    assert mode_of(folder) == 0o700


def test_a_folder_with_unrelated_files_is_rejected_and_left_unchanged(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear", encoding="utf-8")
    folder.chmod(0o755)
    assert "chmod 700" in start_error(serve("--data-dir", str(folder)))
    assert mode_of(folder) == 0o755
    assert [file.name for file in folder.iterdir()] == ["letter.txt"]
    folder.chmod(0o700)
    assert served(folder) == ""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives a folder away")
def test_a_folder_of_another_user_is_rejected(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    folder.chmod(0o755)
    assert "another user" in start_error(serve("--data-dir", str(folder)))
    assert mode_of(folder) == 0o755
