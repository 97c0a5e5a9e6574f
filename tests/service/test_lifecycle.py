"""Starting, ending, killing and restarting the service."""

import os
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from batchwright.base.environment import CLIENT_TOKEN, SERVICE_TOKEN
from batchwright.service.data_dir import open_data_dir
from batchwright.service.process import ServiceDidNotStart, ServiceProcess
from tests.processes import kill, stop
from tests.service.api_helpers import QUESTION, TASK_DETAILS, eventually, jsonl, page
from tests.service.command import ready_message, serve
from tests.service.kill_helpers import is_alive, needs_proc, service_run, workers_of
from tests.service.participant import answer_task_group


def _prompts(count: int) -> bytes:
    return jsonl(*({"prompt": f"p{number}"} for number in range(count)))


def test_one_json_line_reports_that_the_service_is_ready(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    with serve("--data-dir", str(folder)) as process:
        ready = ready_message(process)
        assert ready.keys() == {"url", "workspace_id", "token_file", "certificate_file", "pid"}
        assert ready["certificate_file"] is None
        assert ready["pid"] == process.pid
        assert urlsplit(ready["url"]).hostname == "127.0.0.1"
        token_file = Path(ready["token_file"])
        assert os.name == "nt" or stat.S_IMODE(token_file.stat().st_mode) == 0o600
        assert len(token_file.read_text(encoding="utf-8").strip()) >= 32
        stop(process.pid)
        rest, errors = process.communicate(timeout=60)
    assert (process.returncode, rest, errors) == (0, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="all tests press Ctrl+C there")
def test_ctrl_c_ends_the_service_cleanly(tmp_path: Path) -> None:
    with serve("--data-dir", str(tmp_path)) as process:
        ready_message(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


@needs_proc
def test_the_service_and_its_worker_end_with_their_parent(tmp_path: Path) -> None:
    with serve("--data-dir", str(tmp_path), "--with-parent", stdin=subprocess.PIPE) as process:
        ready_message(process)
        (worker,) = eventually(lambda: workers_of(process.pid), lambda pids: len(pids) == 1)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0
        eventually(lambda: is_alive(worker), lambda alive: not alive)


def test_the_parent_reports_why_a_service_did_not_start(tmp_path: Path) -> None:
    with (
        ServiceProcess(tmp_path),
        pytest.raises(ServiceDidNotStart, match="Stop it, or choose another") as caught,
    ):
        ServiceProcess(tmp_path).start()
    assert caught.value.is_explained


def test_a_service_that_crashes_at_its_start_does_not_explain_it(tmp_path: Path) -> None:
    crash = ServiceProcess(tmp_path, command=[sys.executable, "-c", "raise SystemExit('out of luck')"])
    with pytest.raises(ServiceDidNotStart, match="out of luck") as caught:
        crash.start()
    assert not caught.value.is_explained


def test_everything_persists_across_a_restart(tmp_path: Path) -> None:
    with service_run(tmp_path) as first:
        dataset = first.researcher.filled_dataset(3)
        batch = first.researcher.batch(dataset_id=dataset, batch_items=[page(QUESTION)])["id"]
        ready = first.researcher.set_up(batch, tasks_per_group=2)
        link = first.researcher.request("GET", f"/local/v1/batches/{batch}/participation")["url"]
        answer_task_group(link, "b" * 24)
        records = first.researcher.request("GET", f"/batches/{batch}/responses")
        assert records["meta"]["count"] > 0
        first.kill()
    with service_run(tmp_path) as second:
        assert second.running.workspace_id == first.running.workspace_id
        assert second.running.token == first.running.token
        assert second.researcher.get_batch(batch) == ready
        assert second.researcher.request("GET", f"/batches/{batch}/responses") == records


@pytest.mark.spec("ST-01", "ST-03", "ST-04")
def test_a_setup_that_was_accepted_ends_after_a_restart(tmp_path: Path) -> None:
    with service_run(tmp_path) as first:
        batch = first.researcher.batch(dataset_id=first.researcher.filled_dataset(7))["id"]
    with service_run(tmp_path, job_delay=3600) as second:
        assert (
            second.researcher.request("POST", f"/batches/{batch}/setup", {"tasks_per_group": 2}, 202) is None
        )
        assert second.researcher.get_batch(batch)["status"] == "PROCESSING"
        export = second.researcher.request("POST", f"/batches/{batch}/export", status=202)["export_id"]
        second.kill()
    with service_run(tmp_path) as third:
        ready = third.researcher.ready(batch)
        assert (ready["total_task_count"], ready["total_task_groups"]) == (7, 4)
        export_path = f"/batches/{batch}/export/{export}"
        eventually(
            lambda: third.researcher.request("GET", export_path)["status"],
            lambda status: status == "complete",
        )


def test_an_uploaded_file_is_imported_after_a_kill(tmp_path: Path) -> None:
    with service_run(tmp_path, job_delay=3600) as first:
        dataset = first.researcher.dataset()["id"]
        jobs = [first.researcher.upload(dataset, f"{n}.jsonl", _prompts(3)) for n in range(3)]
        first.kill()
    with service_run(tmp_path) as second:
        assert {second.researcher.settled(dataset, job)["status"] for job in jobs} == {"complete"}
        assert second.researcher.prompts_of(dataset) == ["p0", "p1", "p2"] * 3


def test_an_interrupted_upload_is_deleted_at_the_next_start(tmp_path: Path) -> None:
    with service_run(tmp_path) as first:
        upload = first.researcher.upload_url(first.researcher.dataset()["id"], "a.csv")
        url_parts = urlsplit(upload["upload_url"])
        head = (
            f"PUT {url_parts.path}?{url_parts.query} HTTP/1.1\r\nHost: {url_parts.netloc}\r\n"
            "Content-Type: text/csv\r\nContent-Length: 10000000\r\n\r\n"
        )
        unfinished = tmp_path / "blobs" / "unfinished"
        with closing(socket.create_connection((url_parts.hostname or "", url_parts.port or 0))) as raw:
            raw.sendall(head.encode() + b"x" * 2_000_000)
            eventually(lambda: list(unfinished.iterdir()), bool)
            first.kill()
    assert list(unfinished.iterdir())
    with service_run(tmp_path):
        assert not list(unfinished.iterdir())


def test_a_leftover_that_cannot_be_removed_is_logged_and_the_service_starts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A folder cannot be removed as a file, as on Windows a file that another program has open."""
    with open_data_dir(tmp_path):
        pass
    leftovers = [tmp_path / "blobs" / name for name in ("unfinished/a", f"upload/ab/{'0' * 32}")]
    for leftover in leftovers:
        leftover.mkdir(parents=True)
    with open_data_dir(tmp_path):
        assert all(leftover.exists() for leftover in leftovers)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "A file that is not needed cannot be removed"
    ] * 2


def test_unreferenced_files_are_deleted_at_the_next_start(tmp_path: Path) -> None:
    """A kill between the last byte of a file and the row that refers to it leaves an unreferenced file."""
    with service_run(tmp_path) as first:
        dataset = first.researcher.dataset()["id"]
        upload = first.researcher.upload_url(dataset, "a.jsonl")
        first.researcher.put(upload, _prompts(2))
        (named,) = (tmp_path / "blobs" / "upload").rglob("?" * 32)
        first.kill()
    unnamed = [tmp_path / "blobs" / kind / "ab" / ("ab" + "0" * 30) for kind in ("upload", "participant")]
    foreign = tmp_path / "blobs" / "upload" / "ab" / "notes.txt"
    for file in (*unnamed, foreign):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    with service_run(tmp_path) as second:
        assert [file.exists() for file in (named, foreign, *unnamed)] == [True, True, False, False]
        assert second.researcher.settled(dataset, upload["import_id"])["accepted_count"] == 2


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf" + b"a" * 43 + b"\r\n", b"\n"])
def test_a_token_file_may_start_with_a_byte_order_mark_or_be_blank(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "token").write_bytes(content)
    with service_run(tmp_path) as run:
        assert run.researcher.status_of("GET", "/api/v1/users/me/") == 200
        assert len(run.running.token) == 43


def test_a_token_from_the_environment_is_the_only_one(tmp_path: Path) -> None:
    with serve("--data-dir", str(tmp_path), env={**os.environ, SERVICE_TOKEN: "canary"}) as process:
        ready = ready_message(process)
        assert ready["token_file"] is None
        assert not (tmp_path / "token").exists()
        for token, status in (("canary", 200), ("other", 401)):
            headers = {"Authorization": f"Token {token}"}
            response = httpx.get(f"{ready['url']}/api/v1/users/me/", headers=headers, trust_env=False)
            assert response.status_code == status
        stop(process.pid)
        process.communicate(timeout=60)
        assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment of other processes in /proc")
def test_no_token_is_inherited_by_the_processes_of_the_service(tmp_path: Path) -> None:
    tokens = {SERVICE_TOKEN: "canary-of-the-service", CLIENT_TOKEN: "canary-of-the-client"}
    with serve("--data-dir", str(tmp_path), env={**os.environ, **tokens}) as process:
        ready_message(process)
        children = [
            Path("/proc", child, "environ").read_bytes()
            for listed in Path(f"/proc/{process.pid}/task").glob("*/children")
            for child in listed.read_text().split()
        ]
        assert children
        assert not any(b"canary" in environment for environment in children)
        stop(process.pid)
        process.communicate(timeout=60)


def test_services_started_by_the_program_have_their_own_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").touch()  # as a power cut may leave it
    monkeypatch.setenv(SERVICE_TOKEN, "canary")
    with ServiceProcess(tmp_path) as running:
        assert running.token not in ("", "canary")


def test_urls_start_with_the_configured_base_url(tmp_path: Path) -> None:
    with serve("--data-dir", str(tmp_path), "--base-url", "http://localhost:9/below/") as process:
        assert ready_message(process)["url"] == "http://localhost:9/below"
        stop(process.pid)
        assert process.wait(60) == 0
        process.communicate()


@pytest.mark.spec("R-10")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
def test_with_tls_every_address_is_https(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*request, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    files = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with serve("--data-dir", str(tmp_path / "data"), *files) as process:
        ready = ready_message(process)
        token = Path(ready["token_file"]).read_text(encoding="utf-8").strip()
        trust = ssl.create_default_context(cafile=str(certificate))
        with httpx.Client(
            base_url=ready["url"], headers={"Authorization": f"Token {token}"}, verify=trust, trust_env=False
        ) as client:
            body = {"name": "N", "workspace_id": ready["workspace_id"], "task_details": TASK_DETAILS}
            batch = client.post("/api/v1/data-collection/batches", json=body).json()["id"]
            export_path = f"/api/v1/data-collection/batches/{batch}/export"
            client.post(export_path)
            complete = eventually(
                lambda: client.post(export_path), lambda response: response.status_code == 200
            )
            url = complete.json()["url"]
            assert url.startswith(ready["url"] + "/")
            assert ready["url"].startswith("https://")
            client.headers.pop("Authorization")
            target = {"target": url.removeprefix(ready["url"]).encode()}
            assert client.get(url, extensions=target).content.startswith(b"PK")
        stop(process.pid)
        assert process.wait(60) == 0


def test_no_process_remains_when_the_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from batchwright.service.process import ServiceProcess\n"
        "service = ServiceProcess(Path(sys.argv[1])); service.start()\n"
        "print(service._process.pid, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        service = int(host.stdout.readline())
        kill(host.pid)
    eventually(lambda: is_alive(service), lambda alive: not alive)
    with ServiceProcess(tmp_path) as running:
        assert running.token
