"""Who can change a file of the system, from its owner and permissions."""

import sys
from pathlib import Path

import pytest

from batchwright.base.files.file_access import PosixAccess, access_problem, posix_problem, windows_problem

FILE, FOLDER = Path("policy.toml"), Path("folder")
ADMINISTRATORS, SYSTEM = "S-1-5-32-544", "S-1-5-18"
SOMEBODY = "S-1-5-21-1-2-3-1001"


@pytest.mark.parametrize(
    ("owner", "group", "mode", "reason"),
    [
        (0, 0, 0o644, ""),
        (0, 1000, 0o640, ""),
        (0, 0, 0o664, ""),
        (0, 80, 0o664, "Other users can change"),
        (0, 1000, 0o664, "Other users can change"),
        (0, 0, 0o646, "Other users can change"),
        (1000, 0, 0o600, "does not belong to an administrator"),
    ],
)
def test_a_file_of_the_system_belongs_to_root_who_alone_can_change_it(
    owner: int, group: int, mode: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    entries = [PosixAccess(FILE, owner, group, mode), PosixAccess(FOLDER, 0, 0, 0o755)]
    for given in (entries, entries[::-1]):
        problem = posix_problem(given, {0})
        assert bool(problem) == bool(reason)
        assert reason in problem
        assert not problem or str(FILE) in problem


def test_administrators_of_macos_are_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert posix_problem([PosixAccess(FILE, 0, 80, 0o664)], {0}) == ""


def test_on_windows_a_file_belongs_to_administrators_or_to_the_system() -> None:
    assert windows_problem({FILE: ADMINISTRATORS, FOLDER: SYSTEM}) == ""
    assert str(FOLDER) in windows_problem({FILE: ADMINISTRATORS, FOLDER: SOMEBODY})
    assert windows_problem({FILE: SOMEBODY, FOLDER: SOMEBODY}, {SOMEBODY}) == ""


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission")
def test_a_link_is_as_safe_as_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open" / "policy.toml").touch(mode=0o644)
    (tmp_path / "closed").mkdir(mode=0o755)
    link = tmp_path / "closed" / "policy.toml"
    link.symlink_to(tmp_path / "open" / "policy.toml")
    assert str(tmp_path / "open") in access_problem(link, is_of_system=False)


def test_a_file_of_this_user_is_safe_beside_the_program(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").touch(mode=0o644)
    assert access_problem(tmp_path / "policy.toml", is_of_system=False) == ""
