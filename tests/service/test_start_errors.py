"""A service that cannot start prints one error message and changes nothing."""

import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from batchwright.service.process import ServiceProcess
from batchwright.service.server.serve import ServeOptions
from batchwright.service.server.serve import serve as serve_here
from tests.service.api_helpers import Researcher
from tests.service.command import ready_message, serve, start_error
from tests.service.kill_helpers import service_run
from tests.service.small_disk import needs_disks, on_disk

Spoil = Callable[[Path], object]


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that has been used."""
    folder = tmp_path_factory.mktemp("used")
    with service_run(folder) as run:
        run.researcher.filled_dataset(3)
    return folder


@pytest.fixture
def folder(used: Path, tmp_path: Path) -> Path:
    """A copy of the used data folder."""
    return shutil.copytree(used, tmp_path / "data")


def _files(folder: Path) -> dict[str, bytes]:
    """The files of a folder, except locks and the WAL files of the database."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.suffix != ".lock" and not file.name.endswith(("-wal", "-shm"))
    }


StartError = Callable[[ServeOptions], str]
AssertRejected = Callable[..., None]


@pytest.fixture
def start_error_here(capsys: pytest.CaptureFixture[str]) -> StartError:
    """A function that starts a service in this process, for its error message."""

    def start(options: ServeOptions) -> str:
        assert serve_here(options) == 2
        out, error = capsys.readouterr()
        assert (out, error.count("\n")) == ("", 1)
        return error

    return start


@pytest.fixture
def assert_rejected(folder: Path, start_error_here: StartError) -> AssertRejected:
    """A function that asserts that the folder is rejected for a reason, and left unchanged."""

    def assert_rejected(reason: str, **options: Any) -> None:
        before = _files(folder)
        assert reason in start_error_here(ServeOptions(folder, **options))
        assert _files(folder) == before

    return assert_rejected


def _database(folder: Path) -> Path:
    return folder / "service.db"


def _truncate(folder: Path) -> None:
    content = _database(folder).read_bytes()
    _database(folder).write_bytes(content[: len(content) // 2])


def _set_newer_version(folder: Path) -> None:
    with closing(sqlite3.connect(_database(folder))) as database:
        database.execute("PRAGMA user_version = 1000")


def _replace_by_folder(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.mkdir()


@pytest.mark.matrix(3)
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda folder: _database(folder).write_bytes(b"no database at all" * 100), "not a database"),
        (_truncate, "malformed"),
        (_set_newer_version, "newer Batchwright"),
        (lambda folder: _replace_by_folder(_database(folder)), "service.db"),
        (lambda folder: _replace_by_folder(folder / "token"), "token"),
        (lambda folder: (folder / "token").write_bytes(b"\xff\xfe\x00"), "token"),
        (lambda folder: _replace_by_folder(folder / "accounts.json"), "accounts.json"),
        (lambda folder: (folder / "accounts.json").write_text("[]"), "accounts.json"),
        (lambda folder: (folder / "accounts.json").write_bytes(b"\xff"), "accounts.json"),
    ],
    ids=[
        "garbage for a database",
        "half a database",
        "database of a newer program",
        "folder for a database",
        "folder for a token",
        "token of bytes",
        "folder for accounts",
        "accounts of another shape",
        "accounts of bytes",
    ],
)
def test_a_damaged_data_folder_is_left_unchanged(
    folder: Path, assert_rejected: AssertRejected, spoil: Spoil, reason: str
) -> None:
    spoil(folder)
    assert_rejected(reason)


@pytest.mark.parametrize("spoil", [Path.unlink, lambda file: file.write_bytes(b"")], ids=["gone", "empty"])
def test_files_without_their_database_are_preserved_until_it_is_restored(
    folder: Path, spoil: Spoil, tmp_path: Path
) -> None:
    backup, files = tmp_path / "kept.db", _files(folder / "blobs")
    shutil.copy(_database(folder), backup)
    spoil(_database(folder))
    assert "backup" in start_error(serve("--data-dir", str(folder)))
    assert files
    assert _files(folder / "blobs") == files
    shutil.copy(backup, _database(folder))
    with service_run(folder) as run:
        assert run.researcher.request("GET", "/api/v1/users/me/", status=200)


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_data_folder_that_cannot_be_created_is_reported(
    tmp_path: Path, start_error_here: StartError, place: str
) -> None:
    (tmp_path / "file").touch()
    assert "data folder" in start_error_here(ServeOptions(tmp_path / place))


@needs_disks
@pytest.mark.parametrize(("options", "reason"), [("ro", "Read-only"), ("size=64k", "space")])
def test_a_read_only_disk_is_reported(tmp_path: Path, options: str, reason: str) -> None:
    command = on_disk(tmp_path, options)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reason in start_error(process)


def test_a_port_in_use_is_reported(assert_rejected: AssertRejected) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port: int = listener.getsockname()[1]
        assert_rejected(str(port), port=port)


@pytest.mark.parametrize("host", ["nobody.invalid", "a..b", "a" * 100])
def test_a_foreign_host_is_reported(assert_rejected: AssertRejected, host: str) -> None:
    assert_rejected(host, host=host)


def test_a_token_file_in_a_missing_folder_is_reported(folder: Path, assert_rejected: AssertRejected) -> None:
    assert_rejected("token file", token_file=folder / "none" / "token")


def test_a_second_service_on_the_same_folder_is_rejected(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path) as running:
        assert str(tmp_path) in start_error(serve("--data-dir", str(tmp_path)))
        with closing(Researcher(running)) as researcher:
            assert researcher.request("GET", "/api/v1/users/me/", status=200)


@pytest.mark.parametrize("name", ["token", "accounts.json"])
def test_an_accounts_file_that_becomes_invalid_changes_nothing(folder: Path, name: str) -> None:
    with service_run(folder) as run:
        (folder / name).unlink(missing_ok=True)
        (folder / name).mkdir()
        for _time in range(2):
            assert run.researcher.request("GET", "/api/v1/users/me/", status=200)
    assert name in run.service.recent_output


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Valid and invalid certificate and key files."""
    folder = tmp_path_factory.mktemp("certificates")
    for command in (
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out certificate.pem",
        "genrsa -out other.pem 2048",
        "rsa -in key.pem -aes128 -passout pass:secret -out locked.pem",
    ):
        subprocess.run(["openssl", *command.split()], cwd=folder, check=True, capture_output=True)
    (folder / "text.pem").write_text("no PEM\n", encoding="utf-8")
    return folder


@pytest.mark.matrix(3)
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes certificates with openssl")
@pytest.mark.parametrize(
    ("certificate", "key", "reason"),
    [
        ("none.pem", "key.pem", "none.pem cannot be read"),
        ("certificate.pem", "none.pem", "none.pem cannot be read"),
        ("certificate.pem", "other.pem", "other.pem does not belong"),
        ("text.pem", "key.pem", "text.pem does not contain a certificate"),
        ("certificate.pem", "text.pem", "text.pem does not contain a key"),
        ("certificate.pem", "certificate.pem", "certificate.pem does not contain a key"),
        ("certificate.pem", "locked.pem", "without a password"),
    ],
)
def test_an_unusable_certificate_is_reported(
    assert_rejected: AssertRejected, certificates: Path, certificate: str, key: str, reason: str
) -> None:
    assert_rejected(reason, tls_cert=certificates / certificate, tls_key=certificates / key)


@pytest.mark.parametrize(
    "url",
    [
        *("nonsense", "", "study.example.org", "ftp://study.example.org", "https://", "http://[", "//host"),
        *("https://host:port", "https://host:99999", "https://a b", "https://host?x=1", "https://host#x"),
        *("https://me@host", "https://host\\x"),
    ],
)
def test_an_unusable_base_url_is_reported_before_anything_is_created(
    tmp_path: Path, start_error_here: StartError, url: str
) -> None:
    data = tmp_path / "data"
    assert f"“{url}”" in start_error_here(ServeOptions(data, base_url=url))
    assert not data.exists()


@pytest.mark.matrix(2)
@pytest.mark.parametrize(
    ("arguments", "is_warned"),
    [
        (("--host", "0.0.0.0"), True),
        (("--host", "localhost"), False),
        (("--host", "0.0.0.0", "--tls-self-signed"), False),
        (("--host", "127.0.0.1"), False),
        ((), False),
    ],
)
def test_a_service_for_other_computers_without_tls_warns(
    tmp_path: Path, arguments: tuple[str, ...], is_warned: bool
) -> None:
    with serve("--data-dir", str(tmp_path / "data"), *arguments) as process:
        ready_message(process)
        process.terminate()
        _out, error = process.communicate(timeout=60)
    assert ("without TLS, anyone on the network can read the token" in error.decode()) == is_warned
