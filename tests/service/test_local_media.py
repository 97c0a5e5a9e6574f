"""Media files of this computer, which participants of a rehearsal see without their being on the web."""

from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from batchwright.base.local_media import MediaFolder
from batchwright.service.process import ServiceAddress
from tests.data_files.sources.test_media_folder import PICTURE, add
from tests.service.api_helpers import Researcher
from tests.service.command import ready_message, serve
from tests.service.kill_helpers import service_run
from tests.service.participate.markup import read_html

SCHEMA = {"strict": False, "fields": {"picture": {"type": "image_url"}}}
LAYOUT = [{"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": "picture"}]}]}]}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pictures, one of them with a name that an address must encode, and a file that is none."""
    return add(tmp_path / "pictures", "1.png", "b/ä ?#%2F.png", "notes.txt")


def share(researcher: Researcher, media: MediaFolder) -> httpx.Response:
    body = {"folder": str(media.folder), "files": list(media.files)}
    return researcher.http.put(f"/local/v1/media-folders/{media.id}", json=body)


def address_on_page(researcher: Researcher, address: str) -> str:
    """The URL of the picture in the page of a record with an address."""
    body = {"batch_items": LAYOUT, "page": 0, "schema": SCHEMA, "record": {"picture": address}}
    page = httpx.get(researcher.request("POST", "/local/v1/previews", body, 201)["url"])
    image = read_html(page.text).find(".//main//img")
    assert image is not None
    return image.attrib["src"]


def get(researcher: Researcher, media: MediaFolder, path: str, **headers: str) -> httpx.Response:
    return httpx.get(
        f"{researcher.http.base_url}/participate/media/{media.id}/{quote(path)}", headers=headers
    )


def test_participants_see_the_files_of_a_folder_also_after_a_restart(tmp_path: Path, folder: Path) -> None:
    media = MediaFolder(folder)
    with service_run(tmp_path / "data") as run:
        assert share(run.researcher, media).status_code == 204
        addresses = [media.base_address + quote(name) for name in ("1.png", "b/ä ?#%2F.png")]
        shown = [address_on_page(run.researcher, address) for address in addresses]
        responses = [httpx.get(f"{run.running.url}{path}") for path in shown]
        assert [response.content for response in responses] == [PICTURE, PICTURE]
        assert [response.headers["content-type"] for response in responses] == ["image/png", "image/png"]
    with service_run(tmp_path / "data") as run:
        assert httpx.get(f"{run.running.url}{shown[0]}").content == PICTURE


def test_a_video_is_sent_in_ranges_with_its_type(researcher: Researcher, folder: Path) -> None:
    media = MediaFolder(add(folder, "a.mov", content=b"0123456789"))
    share(researcher, media)
    response = get(researcher, media, "a.mov", Range="bytes=2-5")
    assert (response.status_code, response.content) == (206, b"2345")
    assert response.headers["content-type"] == "video/quicktime"


def test_a_file_that_a_browser_has_is_sent_again_only_after_a_change(
    researcher: Researcher, folder: Path
) -> None:
    media = MediaFolder(folder)
    share(researcher, media)
    first = get(researcher, media, "1.png")
    known = {"If-None-Match": f'"other", W/{first.headers["etag"]}'}
    again = get(researcher, media, "1.png", **known)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    add(folder, "1.png", content=b"another picture")
    assert get(researcher, media, "1.png", **known).content == b"another picture"


def test_a_drawing_that_is_opened_by_itself_runs_no_script(researcher: Researcher, folder: Path) -> None:
    media = MediaFolder(add(folder, "a.svg", content=b"<svg xmlns='http://www.w3.org/2000/svg'/>"))
    share(researcher, media)
    policy = get(researcher, media, "a.svg").headers["content-security-policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy


@pytest.mark.parametrize("path", ["../secret.png", "notes.txt", "link.png", ".a.png", "none.png", "", "b"])
def test_nothing_but_media_in_the_folder_is_served(
    tmp_path: Path, researcher: Researcher, folder: Path, path: str
) -> None:
    add(tmp_path, "secret.png")
    add(folder, ".a.png")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    media = MediaFolder(folder)
    share(researcher, media)
    url = f"{researcher.http.base_url}/participate/media/{media.id}/{quote(path, safe='')}"
    assert httpx.get(url).status_code == 404


def test_only_the_chosen_files_of_a_selection_are_served(researcher: Researcher, folder: Path) -> None:
    media = MediaFolder(add(folder, "2.png"), ("2.png",))
    share(researcher, media)
    assert [get(researcher, media, name).status_code for name in ("1.png", "2.png")] == [404, 200]
    assert get(researcher, MediaFolder(folder), "1.png").status_code == 404, "nobody has named the folder"


def test_a_folder_has_the_id_of_its_path(tmp_path: Path, researcher: Researcher, folder: Path) -> None:
    put = researcher.http.put
    path = f"/local/v1/media-folders/{MediaFolder(folder).id}"
    assert put(path, json={"folder": str(tmp_path)}).status_code == 400
    assert put(path, json={"folder": str(folder / "1.png")}).status_code == 400
    assert put(path, json={"folder": "pictures"}).status_code == 400
    assert put(path, json={"folder": f"{folder}\0"}).status_code == 400


def test_a_service_that_was_started_by_hand_serves_no_files(tmp_path: Path, folder: Path) -> None:
    media = MediaFolder(folder)
    with service_run(tmp_path / "data") as run:
        share(run.researcher, media)
    with serve("--data-dir", str(tmp_path / "data")) as process:
        ready = ready_message(process)
        token = Path(ready["token_file"]).read_text(encoding="utf-8").strip()
        researcher = Researcher(ServiceAddress(ready["url"], ready["workspace_id"], token))
        assert share(researcher, media).status_code == 403
        assert httpx.get(f"{ready['url']}/participate/media/{media.id}/1.png").status_code == 404
        researcher.close()
        process.terminate()
