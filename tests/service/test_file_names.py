"""Names of participants' files can be stored and unpacked on any system (specification, Batches rule 9)."""

import shutil
import subprocess
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batchwright.service.file_names import safe
from tests.service.api_helpers import Researcher, page
from tests.service.participate.study_store import Participant

UPLOAD = {
    "type": "file_upload",
    "description": "Send it",
    "accepted_file_types": [".txt"],
    "max_file_count": 10,
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("notes, first.png", "notes, first.png"),
        ("wäre 漢字 🙂.txt", "wäre 漢字 🙂.txt"),
        ("👩\u200d💻.png", "👩\u200d💻.png"),
        ("C:\\Users\\me\\a.png", "a.png"),
        ("../../etc/passwd", "passwd"),
        ("..", "file"),
        (".", "file"),
        ("", "file"),
        ("a/", "file"),
        ("a.txt. . ", "a.txt"),
        ("  a.txt", "a.txt"),
        ("CON.txt", "_CON.txt"),
        ("nul", "_nul"),
        ("Com1.tar.gz", "_Com1.tar.gz"),
        ("lpt\u00b2 .txt", "_lpt\u00b2 .txt"),
        ("console.txt", "console.txt"),
        ('a<b>:"c|d?*.txt', "a_b___c_d__.txt"),
        ("a\x00\x1f\x7f\x85b.txt", "ab.txt"),
        ("invoice\u202etxt.exe", "invoicetxt.exe"),
        ("\u2066a\u2069.txt\ufeff", "a.txt"),
        ("\u200b\u2060", "file"),
        ("half \ud800.txt", "half .txt"),
        ("ä" * 300 + ".txt", "ä" * 125 + ".txt"),
        ("x" * 300, "x" * 255),
        ("x." + "y" * 300, "x." + "y" * 253),
    ],
)
def test_a_name_becomes_valid_on_every_file_system(name: str, expected: str) -> None:
    assert safe(name) == expected


@example("a\x1f\u0300.txt")
@given(st.text(st.characters(), max_size=400) | st.text("./\\ .: CONcon1¹\u202e\U0001f642", max_size=400))
def test_any_name_can_be_unpacked_and_a_safe_one_is_unchanged(name: str) -> None:
    safe_name = safe(name)
    assert 0 < len(safe_name.encode()) <= 255
    assert safe(safe_name) == safe_name
    assert safe_name == safe_name.strip().rstrip(".")
    assert not set(safe_name) & set('/\\<>:"|?*')
    assert all(category(sign) not in ("Cc", "Cs") for sign in safe_name)


def test_the_archive_of_hostile_names_can_be_unpacked(researcher: Researcher, tmp_path: Path) -> None:
    batch = researcher.batch(dataset_id=researcher.filled_dataset(1), batch_items=[page(UPLOAD)])["id"]
    researcher.set_up(batch)
    link = researcher.request("GET", f"/local/v1/batches/{batch}/participation", None, 200)["url"]
    names = [
        "漢" * 200 + ".txt",
        "CON.txt",
        "a.txt",
        "A.TXT",
        "..%2f.txt",
        "a:b.txt",
        "x\u202ecod.txt",
        "...txt",
    ]
    with Participant(link) as person:
        files = [("i0", (name, name.encode(), "text/plain")) for name in names]
        assert person.send(person.start(), {}, files).state == "finished"
    archive = researcher.exported(batch)
    (record,) = researcher.request("GET", f"/batches/{batch}/responses", None, 200)["results"]
    sent_files = record["response"]["answer"]
    assert [sent_file["file_name"] for sent_file in sent_files] == [safe(name) for name in names]
    listed = [name for name in archive.namelist() if name.startswith("files/")]
    assert sorted(listed) == sorted(
        f"files/{sent_file['file_key']}/{sent_file['file_name']}" for sent_file in sent_files
    )
    assert len({name.casefold() for name in listed}) == len(names)
    archive.extractall(tmp_path / "zipfile")
    unpacked = {file.read_bytes() for file in (tmp_path / "zipfile" / "files").rglob("*") if file.is_file()}
    assert unpacked == {name.encode() for name in names}
    if shutil.which("unzip"):
        content = archive.fp
        assert content is not None
        content.seek(0)
        (tmp_path / "export.zip").write_bytes(content.read())
        command = ["unzip", "-q", str(tmp_path / "export.zip"), "-d", str(tmp_path / "unzip")]
        assert subprocess.run(command, capture_output=True).returncode == 0
