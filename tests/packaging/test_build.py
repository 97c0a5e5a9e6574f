"""What the scripts of the build compute; `start.py test --long` runs the build itself."""

from pathlib import Path

import pytest

from tests.packaging.scripts import FOLDER, load_script


@pytest.fixture(autouse=True)
def scripts_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def test_files_that_differ_between_two_builds_are_listed(tmp_path: Path) -> None:
    for folder, content in (("a", "1"), ("b", "2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same").write_text("same", encoding="utf-8")
        (tmp_path / folder / "other").write_text(content, encoding="utf-8")
        (tmp_path / folder / f"only-{folder}").touch()
    compare = load_script("reproducible").different_files
    assert compare(tmp_path / "a", tmp_path / "b") == ["only-a", "only-b", "other"]


def test_the_bill_of_materials_depends_on_its_content_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    script = load_script("bill_of_materials")
    qt = script.Component("Qt", "6.11", "LGPL-3.0-only")
    document = script.bill_of_materials([qt])
    assert document == script.bill_of_materials([qt])
    assert document["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    assert [entry["name"] for entry in document["components"]] == ["Qt"]
    other = script.bill_of_materials([script.Component("Qt", "6.12", "LGPL-3.0-only")])
    assert document["serialNumber"] != other["serialNumber"]
