import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from batchwright.base.files.atomic_files import (
    OpenElsewhere,
    replace_atomically,
    sibling_temp_file,
    write_atomically,
)
from batchwright.base.files.temporary_files import remove_leftovers


def replace_by_written(target: Path, content: bytes) -> None:
    with sibling_temp_file(target) as written:
        written.write_bytes(content)
        replace_atomically(written, target)


def test_a_new_file_contains_what_was_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / "study.json", b"[]")
    assert (tmp_path / "study.json").read_bytes() == b"[]"


def test_no_temporary_file_remains(tmp_path: Path) -> None:
    for content in (b"one", b"two", b""):
        write_atomically(tmp_path / "study.json", content)
    assert [path.name for path in tmp_path.iterdir()] == ["study.json"]
    assert (tmp_path / "study.json").read_bytes() == b""


@pytest.mark.parametrize("failing_call", ["fsync", "replace"])
def test_a_failed_write_leaves_only_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing_call: str
) -> None:
    target = tmp_path / "study.json"
    target.write_bytes(b"old")

    def fail(*_given: object) -> None:
        raise OSError(errno.ENOSPC, "disk full", str(tmp_path / ".beside.part"))

    monkeypatch.setattr(os, failing_call, fail)
    with pytest.raises(OSError, match="disk full") as raised:
        write_atomically(target, b"new")
    monkeypatch.undo()
    assert raised.value.filename == str(target)
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["study.json"]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "nowhere" / "study.json", b"")


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows flushes folders by itself and has no such handles"
)
def test_the_content_is_flushed_before_the_rename_and_the_folder_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    flush, rename = os.fsync, os.replace

    def record_flush(handle: int) -> None:
        calls.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "content")
        flush(handle)

    def record_rename(*names: Path) -> None:
        calls.append("rename")
        rename(*names)

    monkeypatch.setattr(os, "fsync", record_flush)
    monkeypatch.setattr(os, "replace", record_rename)
    write_atomically(tmp_path / "study.json", b"new")
    assert calls == ["content", "rename", "folder"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows flushes no folders")
@pytest.mark.parametrize(
    ("call", "code"), [("fsync", errno.EINVAL), ("fsync", errno.ENOTSUP), ("open", errno.EACCES)]
)
@pytest.mark.parametrize("write", [write_atomically, replace_by_written])
def test_a_file_is_written_to_a_folder_that_cannot_be_flushed(
    write: Callable[[Path, bytes], None],
    call: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a network folder, or in one that may be written to and not be listed."""
    original = getattr(os, call)

    def of_files_only(file: Path | int, *given: int) -> int | None:
        status = os.fstat(file) if isinstance(file, int) else file.stat()
        if stat.S_ISDIR(status.st_mode):
            raise OSError(code, os.strerror(code))
        result: int | None = original(file, *given)
        return result

    monkeypatch.setattr(os, call, of_files_only)
    write(tmp_path / "study.json", b"new")
    assert (tmp_path / "study.json").read_bytes() == b"new"


@pytest.mark.parametrize("code", [errno.ENOTSUP, errno.EPERM])
@pytest.mark.parametrize("write", [write_atomically, replace_by_written])
def test_a_file_is_replaced_where_permissions_cannot_be_set(
    write: Callable[[Path, bytes], None], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a network folder that the desktop has opened, or on a memory card."""

    def chmod(*_given: object, **_options: object) -> None:
        raise OSError(code, os.strerror(code))

    target = tmp_path / "study.json"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, "chmod", chmod)
    write(target, b"new")
    assert target.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of this kind are POSIX")
def test_the_permissions_of_a_file_are_preserved(tmp_path: Path) -> None:
    target = tmp_path / "study.json"
    target.touch()
    target.chmod(0o640)
    write_atomically(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("write", [write_atomically, replace_by_written])
def test_a_read_only_file_is_not_overwritten(write: Callable[[Path, bytes], None], tmp_path: Path) -> None:
    target = tmp_path / "study.json"
    target.write_bytes(b"old")
    target.chmod(stat.S_IREAD)
    with pytest.raises(PermissionError, match="read-only"):
        write(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with paths of files")
@pytest.mark.parametrize("write", [write_atomically, replace_by_written])
def test_a_pipe_is_not_replaced(write: Callable[[Path, bytes], None], tmp_path: Path) -> None:
    pipe = tmp_path / "study.json"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        write(pipe, b"new")
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.skipif(sys.platform != "win32", reason="elsewhere an open file can be replaced")
@pytest.mark.parametrize("write", [write_atomically, replace_by_written])
def test_a_file_that_is_open_in_another_program_is_named_and_kept(
    write: Callable[[Path, bytes], None], tmp_path: Path
) -> None:
    target = tmp_path / "answers.csv"
    target.write_bytes(b"old")
    with target.open("rb"), pytest.raises(OpenElsewhere, match="open in another program") as raised:
        write(target, b"new")
    assert raised.value.filename == str(target)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_is_followed(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_bytes(b"old")
    link = tmp_path / "link.json"
    try:
        link.symlink_to(real)
    except OSError:
        pytest.skip("this account may not create links")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="accounts may not create links")
@pytest.mark.parametrize("write", [write_atomically, replace_by_written])
def test_a_link_to_itself_is_an_error_and_kept(write: Callable[[Path, bytes], None], tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(link)
    with pytest.raises(OSError, match="symbolic links") as raised:
        write(link, b"new")
    assert raised.value.filename == str(link)
    assert list(tmp_path.iterdir()) == [link]


@pytest.mark.parametrize("error_of", ["missing folder", "write"])
def test_errors_name_the_file_and_not_the_one_beside_it(tmp_path: Path, error_of: str) -> None:
    target = tmp_path / ("nowhere" if error_of == "missing folder" else "") / "records.jsonl"
    with pytest.raises(OSError) as raised, sibling_temp_file(target):
        raise OSError(errno.EFBIG, "File too large")
    assert raised.value.filename == str(target)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is open cannot be removed there")
def test_a_clean_up_does_not_take_a_file_that_is_being_written(tmp_path: Path) -> None:
    target = tmp_path / "records.jsonl"
    with sibling_temp_file(target) as written:
        written.write_bytes(b"new")
        os.utime(written, (0, 0))
        remove_leftovers(tmp_path)
        replace_atomically(written, target)
    assert target.read_bytes() == b"new"


WRITER = """
import sys
from pathlib import Path
from batchwright.base.files.atomic_files import write_atomically
print("ready", flush=True)
while True:
    for letter in b"ab":
        write_atomically(Path(sys.argv[1]), bytes([letter]) * 200_000)
"""


def test_a_writer_killed_at_any_moment_leaves_a_complete_file(tmp_path: Path) -> None:
    target = tmp_path / "study.json"
    for _attempt in range(5):
        target.unlink(missing_ok=True)
        with subprocess.Popen([sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            while not target.exists():
                assert writer.poll() is None
            writer.kill()
        content = target.read_bytes()
        assert content in (b"a" * 200_000, b"b" * 200_000)
