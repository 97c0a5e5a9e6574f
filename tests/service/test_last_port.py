"""The service keeps its address between starts, so that links and open pages of participants work again."""

import shutil
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from batchwright.service.process import ServiceProcess
from tests.processes import stop
from tests.service.api_helpers import TASK_DETAILS, page
from tests.service.command import ready_message, serve
from tests.service.kill_helpers import ServiceRun, service_run
from tests.service.participate.study_store import Participant


def _port(url: str) -> int:
    port = urlsplit(url).port
    assert port is not None
    return port


def _port_of(folder: Path, *arguments: str) -> int:
    """The port of a service that is started with these arguments, and stopped."""
    with serve("--data-dir", str(folder), *arguments) as process:
        port = _port(ready_message(process)["url"])
        stop(process.pid)
        assert process.wait(60) == 0
    return port


def _link(run: ServiceRun) -> str:
    """The participation link of a new batch with two pages."""
    researcher = run.researcher
    question = {"type": "free_text", "description": "Why?"}
    pages = [page(question), page(question)]
    dataset = researcher.filled_dataset(1)
    batch = researcher.batch(dataset_id=dataset, batch_items=pages, task_details=TASK_DETAILS)["id"]
    researcher.set_up(batch, tasks_per_group=1)
    return str(researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"])


@pytest.mark.parametrize("end", [ServiceRun.end, ServiceRun.kill], ids=["stopped", "killed"])
def test_links_and_open_pages_work_after_a_restart(
    tmp_path: Path, end: Callable[[ServiceRun], object]
) -> None:
    with service_run(tmp_path) as before:
        link = _link(before)
        with Participant(link) as person:
            first = person.start()
            end(before)
            with service_run(tmp_path) as after:
                assert after.running.url == before.running.url
                assert person.send(first, {"i0": "So"}).data["step"] == 1
                assert httpx.get(link).status_code == 200


def test_a_taken_port_is_replaced_by_a_free_one_that_is_kept(tmp_path: Path) -> None:
    first = _port_of(tmp_path)
    with closing(socket.create_server(("127.0.0.1", first))):
        second = _port_of(tmp_path)
    assert second != first
    assert _port_of(tmp_path) == second


def test_a_port_that_is_asked_for_is_kept(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
    assert [_port_of(tmp_path, "--port", str(port)), _port_of(tmp_path)] == [port, port]


def test_services_on_two_copies_of_a_folder_get_two_ports_and_keep_them(tmp_path: Path) -> None:
    folders = (tmp_path / "one", tmp_path / "two")
    port = _port_of(folders[0])
    shutil.copytree(*folders)

    def ports() -> list[int]:
        with ServiceProcess(folders[0]) as one, ServiceProcess(folders[1]) as two:
            return [_port(address.url) for address in (one, two)]

    both = ports()
    assert both[0] == port != both[1]
    assert ports() == both
