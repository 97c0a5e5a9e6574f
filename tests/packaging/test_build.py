"""What the scripts of the build compute; `start.py test --long` runs the build itself."""

import ast
import sys
from importlib.metadata import distributions
from pathlib import Path, PurePosixPath

import pytest

from batchwright.analysis.output.output_files import versions
from batchwright.analysis.output.output_kinds import LIBRARIES
from batchwright.base import program_info
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


KEY = "RWQEgGxV0bin0He7/KDTTVS3EIfdc4MKUwuXaICHs0qLN7+DYU/POm2k"
URL = "https://example.org/batchwright.json"


def test_the_address_of_news_and_the_key_are_given_together(tmp_path: Path) -> None:
    settings = load_script("build").update_settings
    file = tmp_path / "batchwright.pub"
    file.write_text(f"untrusted comment: minisign public key\n{KEY}\n", encoding="utf-8")
    for key in (KEY, str(file)):
        assert settings(URL, key) == {"update_url": URL, "update_key": KEY}
    assert settings("", "") == {}
    for url, key in (
        (URL, ""),
        ("", KEY),
        ("http://example.org", KEY),
        (URL, "nowhere.pub"),
        (URL, KEY[:-1]),
    ):
        with pytest.raises(ValueError, match="--update-"):
            settings(url, key)


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


def test_all_licences_allow_to_bundle_the_packages_with_the_program() -> None:
    script = load_script("bill_of_materials")
    lines = (FOLDER / "run.lock").read_text().splitlines()
    names = {line.partition("==")[0] for line in lines if line[:1].isalnum()} - set(script.NOT_BUNDLED)
    installed = {package.metadata["Name"].lower().replace("_", "-"): package for package in distributions()}
    packages = [script.package_component(installed[name]) for name in sorted(names & installed.keys())]
    assert {"duckdb", "httpx", "numpy", "pydantic"} <= {package.name.lower() for package in packages}
    assert script.forbidden([*packages, *script.native_components()]) == []


@pytest.mark.parametrize(
    ("licence", "is_allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-or-later", False),
        ("LGPL-3.0-only OR GPL-2.0-only", True),
        ("BSD-3-Clause AND MIT", True),
        ("BSD-3-Clause AND GPL-3.0-only", False),
        ("GPL-2.0-or-later WITH Bootloader-exception", False),
        ("unknown", False),
    ],
)
def test_a_licence_must_be_in_the_list(licence: str, is_allowed: bool) -> None:
    script = load_script("bill_of_materials")
    part = script.Component("A part", "1.0", licence)
    assert script.forbidden([part]) == ([] if is_allowed else [part])


def test_the_licences_of_a_build_are_listed_for_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = load_script("bill_of_materials")
    text = tmp_path / "text"
    text.write_text("Text of the licence", encoding="utf-8")
    files = {"LICENSE": text, "parts/LICENSE": text}
    script.write_licences([script.Component("A part", "1.0", "MIT", files=files)], tmp_path / "licences")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "batchwright"))
    monkeypatch.setattr(sys, "platform", "linux")
    (program, part) = program_info.licences()
    assert program.name == "Batchwright"
    assert "Permission is hereby granted" in program.text
    assert (part.name, part.version, part.kind) == ("A part", "1.0", "MIT")
    assert part.text == "Text of the licence\n\nText of the licence"
    assert program_info.versions()["A part"] == "1.0"


@pytest.mark.parametrize(
    ("file", "is_licence"),
    [
        ("a-1.dist-info/licenses/parts/PART_LICENSE", True),
        ("a-1.dist-info/COPYING", True),
        ("a-1.dist-info/METADATA", False),
    ],
)
def test_the_files_of_a_licence_are_found_by_folder_or_name(file: str, is_licence: bool) -> None:
    assert load_script("bill_of_materials").is_licence(PurePosixPath(file)) == is_licence


def test_the_built_program_has_the_metadata_that_results_contain() -> None:
    """Files with results name the versions of the libraries; PyInstaller leaves out their metadata."""
    spec = ast.parse((FOLDER / "batchwright.spec").read_text(encoding="utf-8"))
    values = {ast.unparse(node.targets[0]): node.value for node in spec.body if isinstance(node, ast.Assign)}
    metadata = values["METADATA_OF"]
    assert isinstance(metadata, ast.Tuple)
    assert {"'batchwright'", "*LIBRARIES"} <= set(map(ast.unparse, metadata.elts))
    assert {"batchwright", *LIBRARIES} == versions().keys()


def test_libraries_of_wine_and_shims_in_a_windows_program_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = load_script("windows_build")
    contents = {
        "own.pyd": b"of a wheel",
        "shim.dll": b"built here",
        "patched.pyd": b"of a patched wheel",
        "ucrtbase.dll": b"MZ Wine builtin DLL",
        "user.dll": b"imports wine_crt.dll",
        "notes.txt": b"no library",
    }
    of_wheels, program = tmp_path / "site", tmp_path / "program"
    for folder in (of_wheels, program):
        folder.mkdir()
        for name, content in contents.items():
            (folder / name).write_bytes(content)
    (of_wheels / "shim.dll").unlink()
    (of_wheels / "patched.pyd").write_bytes(b"of a wheel, as it was")
    monkeypatch.setattr(script, "SITE", of_wheels)
    monkeypatch.setattr(script, "PYTHON_FOLDER", tmp_path / "python")
    found = script.foreign_libraries(program)
    assert found == ["patched.pyd", "shim.dll", "ucrtbase.dll", "user.dll"]
