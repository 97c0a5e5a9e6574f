"""The policy of this computer: what it presets and locks, and which files are errors."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from batchwright.base import policy
from batchwright.base.environment import HOME_VARIABLE, home
from batchwright.base.files import file_access
from batchwright.base.policy import (
    CERTIFICATES,
    FILES_FOLDER,
    PROXY,
    SERVICE_URL,
    UPDATE_CHECK,
    computer_policy,
    policy_paths,
    read_policy,
    system_policy_path,
)
from tests.policies import WritePolicy

EXAMPLE = """
[preset]
service-url = "https://api.example.org/"
workspace = "6655b8281cc82a88996f0bbb"
files-folder = "~/Studies"

[lock]
proxy = "http://proxy.example.org:8080"
certificates = '~/lab.pem'
update-check = false
pseudonyms = true
"""


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """New files cannot be changed by the group of the user."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_policy_presets_and_locks(write_policy: WritePolicy) -> None:
    path = write_policy(EXAMPLE)
    found = computer_policy()
    assert (found.path, found.problem, found.notice) == (path, "", "")
    assert found.preset(SERVICE_URL) == "https://api.example.org"
    assert found.locked(SERVICE_URL) is None
    assert found.preset(FILES_FOLDER) == str(Path.home() / "Studies")
    assert found.locked(PROXY) == "http://proxy.example.org:8080"
    assert found.locked(CERTIFICATES) == str(Path.home() / "lab.pem")
    assert found.locked(UPDATE_CHECK) is False
    assert found.pseudonyms_reason == f"Set by your IT staff in {path}"
    assert found.lock_reason(PROXY) == f"Set by your IT staff in {path}"
    assert found.lock_reason(SERVICE_URL) == ""


def test_the_proxy_of_the_system_can_be_locked(write_policy: WritePolicy) -> None:
    write_policy('[lock]\nproxy = "system"\n')
    assert computer_policy().locked(PROXY) == ""
    assert computer_policy().lock_reason(PROXY)


def test_without_a_file_nothing_is_preset_or_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = (tmp_path / "policy.toml", tmp_path / "file" / "policy.toml")
    (tmp_path / "file").touch()
    monkeypatch.setattr(policy, "policy_paths", lambda: paths)
    computer_policy.cache_clear()
    assert computer_policy() == policy.NO_POLICY
    computer_policy.cache_clear()


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("[lock]\nproxy = 'system'\n\n[preset]\nprxy = 1\n", 5, "“prxy” is not a key of policies."),
        ("# one\n[locks]\nproxy = 'system'\n", 2, "“locks” is not a table of policies"),
        ("proxy = 'system'\n", 1, "“proxy” is not a table of policies"),
        ("[lock]\nproxy = 'http://someone:secret@proxy.example.org:80'\n", 2, "“proxy” must be “system”, or"),
        ("[lock]\nproxy-password = 'secret'\n", 2, "belong in the key ring"),
        ("[lock]\nupdate-check = 'no'\n", 2, "“update-check” must be true or false."),
        ("[lock]\nretention-days = 0\n", 2, "“retention-days” must be a whole number from 1 to 36500."),
        ("[lock]\nretention-days = true\n", 2, "“retention-days” must be a whole number"),
        ("[lock]\npseudonyms = 1\n", 2, "“pseudonyms” must be true or false."),
        ("[lock]\nworkspace = ''\n", 2, "“workspace” must be the id of a workspace."),
        ("[lock]\nservice-url = 'http://example.org'\n", 2, "“service-url” must be an https URL"),
        ("[lock]\nservice-url = 'https://me@example.org'\n", 2, "“service-url” must be an https URL"),
        ("[lock]\nhome = 'Studies'\n", 2, "“home” must be the full path of a folder"),
        ("[preset]\nhome = '~'\n[lock]\nhome = '~'\n", 2, "“home” is preset and locked."),
        ("lock.proxy = 1\n", 1, "“proxy” must be"),
        ("\nlock = {workspace = 'a', prxy = 1}\n", 2, "“prxy” is not a key of policies."),
        ("[lock]\n\nproxy = \n", 3, "This is not TOML."),
        ('[lock]\nhome = "D:\\lab"\n', 2, "This is not TOML. Write paths with backslashes in single quotes."),
        ("[lock]\nproxy = 'system'\nproxy = 'system'\n", 3, "This is not TOML."),
        ("x = " + "[" * 5000, 1, "This is not TOML."),
        (b"[lock]\n# \xff\n", 2, "not encoded in UTF-8"),
        ("[lock]".encode("utf-16"), 1, "not encoded in UTF-8"),
        ("", 0, "neither presets nor locks"),
        ("# nothing yet\n[lock]\n", 0, "neither presets nor locks"),
        ("#" * 70_000, 0, "larger than 64 KB"),
    ],
)
def test_a_file_with_an_error_does_not_apply_and_the_line_is_named(
    content: str | bytes, line: int, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "policy.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = read_policy(path)
    assert found is not None
    assert (found.presets, found.locks) == ({}, {})
    place = f"{path}, line {line}: " if line else f"{path}: "
    assert found.problem.startswith(place)
    assert reason in found.problem
    assert "secret" not in found.problem
    assert found.notice == f"{found.problem} The policy does not apply; tell your IT staff."


def test_a_file_of_windows_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_bytes('\ufeff[lock]\r\nproxy = "system"\r\n'.encode())
    found = read_policy(path)
    assert found is not None
    assert found.locked(PROXY) == ""


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    found = read_policy(tmp_path)
    assert found is not None
    assert found.problem == f"{tmp_path}: The file cannot be read: this is a folder."


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission")
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").symlink_to("policy.toml")  # also root cannot read it
    found = read_policy(tmp_path / "policy.toml")
    assert found is not None
    assert "The file cannot be read: " in found.problem


def test_a_file_in_a_folder_that_the_user_may_not_enter_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deny(*_arguments: object, **_options: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    for name in ("open", "stat"):
        monkeypatch.setattr(Path, name, deny)
    found = read_policy(tmp_path / "policy.toml")
    assert found is not None
    assert found.problem.endswith("The file cannot be read: Permission denied.")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no modes")
@pytest.mark.parametrize("changed", [".", "policy.toml"])
def test_a_file_that_other_users_can_change_does_not_apply(tmp_path: Path, changed: str) -> None:
    path = tmp_path / "policy.toml"
    path.write_text("[lock]\npseudonyms = true\n")
    (tmp_path / changed).chmod(0o777)
    found = read_policy(path)
    assert found is not None
    assert (found.locks, found.path) == ({}, path)
    assert found.problem == f"{path}: Other users can change {tmp_path / changed}, and so the policy."


@pytest.mark.skipif(sys.platform == "win32", reason="it has no user ids")
def test_the_file_of_the_system_must_belong_to_an_administrator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.toml"
    path.write_text("[lock]\npseudonyms = true\n")
    monkeypatch.setattr(file_access, "_ROOT", os.getuid() + 1)
    found = read_policy(path)
    assert found is not None
    assert found.problem == "", "beside the program, it may belong to who has installed that"
    monkeypatch.setattr(policy, "system_policy_path", lambda: path)
    found = read_policy(path)
    assert found is not None
    assert "does not belong to an administrator" in found.problem


def test_the_file_of_the_system_has_precedence_also_if_it_has_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, beside = tmp_path / "system.toml", tmp_path / "beside.toml"
    beside.write_text("[lock]\npseudonyms = true\n")
    monkeypatch.setattr(policy, "policy_paths", lambda: (system, beside))
    computer_policy.cache_clear()
    assert computer_policy().path == beside
    system.write_text("[lock]\nsomething = true\n")
    computer_policy.cache_clear()
    assert computer_policy().path == system
    assert computer_policy().pseudonyms_reason == ""
    computer_policy.cache_clear()


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of the system differ")
def test_no_environment_variable_moves_the_file_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "HOME", "ProgramData", HOME_VARIABLE):
        monkeypatch.setenv(name, "/elsewhere")
    assert system_policy_path() == Path("/etc/batchwright/policy.toml")
    assert policy_paths() == (system_policy_path(), Path(sys.prefix) / "policy.toml")


@pytest.mark.skipif(sys.platform != "win32", reason="the folders of the system differ")
def test_the_variable_of_windows_does_not_move_the_file_of_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ProgramData", r"D:\elsewhere")
    assert system_policy_path().parts[1:] == ("ProgramData", "Batchwright", "policy.toml")


def test_the_file_beside_a_built_program_is_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "batchwright"))
    assert policy_paths()[1] == tmp_path / "policy.toml"
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(
        sys, "executable", str(tmp_path / "Batchwright.app" / "Contents" / "MacOS" / "batchwright")
    )
    assert policy_paths()[1] == tmp_path / "policy.toml"


def test_a_locked_home_has_precedence_over_the_environment_and_this_over_a_preset_one(
    write_policy: WritePolicy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_policy(f"[preset]\nhome = '{tmp_path / 'preset'}'\n")
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    assert home() == tmp_path / "preset"
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "chosen"))
    assert home() == tmp_path / "chosen"
    write_policy(f"[lock]\nhome = '{tmp_path / 'locked'}'\n")
    assert home() == tmp_path / "locked"
