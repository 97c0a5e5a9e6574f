"""Studies that are saved with their data: written, read on another computer, and hostile archives."""

import os
import shutil
import stat
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.base.json_values import Json, is_object, parse
from batchwright.data_files.conversion.conversion import Conversion
from batchwright.data_files.conversion.convert import convert
from batchwright.data_files.file_types import FileType, type_of
from batchwright.data_files.formats import Format, FormatKind
from batchwright.data_files.sources.source import SourceOptions
from batchwright.layout.serialization import random_keys, read
from batchwright.local.paths import default_paths
from batchwright.local.projects import DataFile, Project
from batchwright.local.study_files.project_migrations import InvalidProjectFile
from batchwright.local.study_files.study_archive import (
    ArchivedFile,
    read_archive,
    templates_in,
    write_archive,
)
from batchwright.local.study_files.study_file import (
    StudyFile,
    StudyFormat,
    has_changed,
    read_study,
    restore_data,
    write_study,
)
from tests.data_files.sources.test_media_folder import PICTURE, add

PAGES = [{"rows": [{"columns": [{"items": [{"type": "dataset_field", "field": "prompt"}]}]}]}]
TABLE = "prompt,id\nWhich?,007\nWhy?,8\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    table = tmp_path / "here" / "records.csv"
    table.parent.mkdir()
    table.write_text(TABLE, newline="")
    data = DataFile(table, table.stat().st_size, Format(FormatKind.CSV))
    return Project("Study", read(PAGES, random_keys()), data=data)


@pytest.fixture
def file(project: Project, tmp_path: Path) -> Path:
    write_archive(project, tmp_path / "study.batchwright")
    return tmp_path / "study.batchwright"


def test_a_study_with_its_table_opens_where_neither_file_exists(project: Project, file: Path) -> None:
    assert project.data is not None
    project.data.path.unlink()
    opened, study_file = read_study(file)
    assert type_of(file) is FileType.STUDY
    assert study_file.format is StudyFormat.ARCHIVE
    assert opened.layout == project.layout
    assert opened.data is not None
    assert opened.data.path.read_text() == TABLE
    assert opened.data.path.name == "records.csv"
    assert opened.data.path.is_relative_to(default_paths().cache)
    assert opened.data.format == project.data.format


def test_the_table_is_unpacked_once_and_again_if_it_is_gone(file: Path, tmp_path: Path) -> None:
    first = read_archive(file, tmp_path / "tables").project.data
    assert first is not None
    written = first.path.stat().st_mtime_ns
    assert read_archive(file, tmp_path / "tables").project.data == first
    assert first.path.stat().st_mtime_ns == written
    first.path.unlink()
    assert read_archive(file, tmp_path / "tables").project.data == first
    assert first.path.read_text() == TABLE


def test_saving_again_keeps_the_archive_with_its_templates_and_counts_versions_of_the_table(
    project: Project, tmp_path: Path
) -> None:
    path = tmp_path / "study.batchwright"
    template = ArchivedFile("mine.batchwright-template", b"{}")
    write_archive(project, path, [template])
    opened, file = read_study(path)
    assert not has_changed(file)
    file = write_study(replace(opened, name="Other"), file)
    assert not has_changed(file)
    again = read_archive(path, tmp_path / "tables")
    assert again.project.name == "Other"
    assert again.templates == (template,)
    assert again.table is not None
    assert again.table.version == 1
    assert opened.data is not None
    other = tmp_path / "records.csv"
    other.write_text("prompt\nHow?\n")
    write_study(replace(opened, data=replace(opened.data, path=other)), file)
    assert has_changed(file)
    changed = read_archive(path, tmp_path / "tables")
    assert changed.table is not None
    assert changed.table.version == 2


def test_an_archive_that_is_saved_as_another_file_has_its_own_templates(
    project: Project, tmp_path: Path
) -> None:
    template = ArchivedFile("mine.batchwright-template", b"{}")
    write_archive(project, tmp_path / "study.batchwright", [template])
    write_archive(
        project, tmp_path / "existing.batchwright", [ArchivedFile("theirs.batchwright-block", b"{}")]
    )
    opened, file = read_study(tmp_path / "study.batchwright")
    for name in ("new", "existing"):
        path = tmp_path / f"{name}.batchwright"
        write_study(opened, StudyFile(path, format=StudyFormat.ARCHIVE), file)
        assert templates_in(path) == (template,)


@pytest.mark.parametrize("name", ["study", "elsewhere"])
def test_a_table_whose_unpacked_copy_is_missing_is_saved_from_the_archive(file: Path, name: str) -> None:
    opened, study_file = read_study(file)
    assert opened.data is not None
    opened.data.path.unlink()
    target = file.with_name(f"{name}.batchwright")
    write_study(replace(opened, name="Changed"), replace(study_file, path=target), study_file)
    opened.data.path.unlink()
    again, _file = read_study(target)
    assert again == replace(opened, name="Changed")
    assert opened.data.path.read_text() == TABLE


def test_data_are_missing_if_neither_their_archive_nor_the_unpacked_copy_exists(file: Path) -> None:
    opened, study_file = read_study(file)
    assert opened.data is not None
    file.rename(file.with_suffix(".moved"))
    assert restore_data(opened, study_file)
    opened.data.path.unlink()
    assert not restore_data(opened, study_file)
    with pytest.raises(FileNotFoundError, match=r"records\.csv"):
        write_study(opened, study_file)


def test_a_table_that_somebody_replaced_in_the_archive_is_noticed(file: Path) -> None:
    assert not read_study(file)[1].table_was_replaced
    _rewrite(file, lambda name, content: b"prompt\nForged\n" if name == "data/records.csv" else content)
    project, study_file = read_study(file)
    assert study_file.table_was_replaced
    assert project.data is not None
    assert project.data.path.read_text() == "prompt\nForged\n"


def test_a_failed_save_keeps_the_old_archive(project: Project, file: Path) -> None:
    assert project.data is not None
    content = file.read_bytes()

    def fail(_done: int, _all: int) -> None:
        raise OSError(28, os.strerror(28))

    with pytest.raises(OSError, match=r"study\.batchwright"):
        write_archive(project, file, on_progress=fail)
    project.data.path.unlink()
    with pytest.raises(FileNotFoundError, match=r"records\.csv"):
        write_archive(project, file)
    assert file.read_bytes() == content
    assert [*file.parent.glob(".*.part")] == []


@pytest.mark.parametrize(
    "name",
    [
        "../outside.csv",
        "/etc/passwd",
        "data/../../x",
        pytest.param(
            "data\\x", marks=pytest.mark.skipif(sys.platform == "win32", reason="zipfile writes data/x")
        ),
        "data/a/b",
        "other/x",
        "data/",
        "data/CON:x",
    ],
)
def test_a_file_that_is_none_of_a_study_is_refused(file: Path, name: str) -> None:
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(zipfile.ZipInfo(name), b"x")
    with pytest.raises(InvalidProjectFile, match="cannot be in the archive"):
        read_study(file)


def test_links_and_duplicate_names_are_refused(file: Path, tmp_path: Path) -> None:
    original = file.read_bytes()
    link = zipfile.ZipInfo("data/link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InvalidProjectFile, match="link"):
        read_study(file)
    file.write_bytes(original)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("data/RECORDS.csv", b"x")
    with pytest.raises(InvalidProjectFile, match="RECORDS"):
        read_study(file)


def test_a_table_that_decompresses_to_far_too_much_is_refused(file: Path) -> None:
    with (
        zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("data/zeros.csv", "w") as out,
    ):
        for _megabyte in range(120):
            out.write(bytes(1 << 20))
    with pytest.raises(InvalidProjectFile, match="far too much"):
        read_study(file)


@pytest.mark.parametrize("keep", [40, 200, -30])
def test_a_truncated_archive_is_reported(file: Path, keep: int) -> None:
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(InvalidProjectFile, match="damaged"):
        read_study(file)


@pytest.mark.parametrize("name", ["study.json", "contents.json", "data/records.csv"])
def test_an_archive_with_a_damaged_file_is_reported_and_can_be_replaced(
    name: str, project: Project, file: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(file) as archive:
        start = archive.getinfo(name).header_offset
    content = bytearray(file.read_bytes())
    sizes = [int.from_bytes(content[at : at + 2], "little") for at in (start + 26, start + 28)]
    content[start + 30 + sum(sizes)] |= 0b110  # a kind of block that there is not
    file.write_bytes(content)
    with pytest.raises(InvalidProjectFile, match="damaged"):
        read_archive(file, tmp_path / "tables")
    assert templates_in(file) == ()
    write_archive(project, file)
    assert read_archive(file, tmp_path / "tables").project.name == "Study"


def test_an_archive_of_a_newer_version_is_reported(file: Path) -> None:
    _rewrite(file, lambda _name, content: content.replace(b'"format": 1', b'"format": 9'))
    with pytest.raises(InvalidProjectFile, match="newer"):
        read_study(file)


def _rewrite(file: Path, changed: Callable[[str, bytes], bytes]) -> None:
    """Write the archive again with other contents of its members."""
    with zipfile.ZipFile(file) as archive:
        contents = [(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in contents:
            archive.writestr(name, changed(name, content))


def media_project(folder: Path, files: str = "") -> Project:
    """A study about the pictures in a folder."""
    conversion = Conversion(SourceOptions(medium="picture", files=files))
    return Project("Study", data=DataFile(folder, 0, Format(FormatKind.JSONL), conversion=conversion))


def names_in(data: DataFile, target: Path) -> list[Json]:
    """The names of the files in the records of a study."""
    assert data.conversion is not None
    convert(data.path, data.conversion, target, lambda _message: None)
    records = [parse(line) for line in target.read_bytes().splitlines()]
    return [record["file_name"] for record in records if is_object(record)]


def test_a_folder_of_pictures_opens_where_it_does_not_exist(tmp_path: Path) -> None:
    folder = add(tmp_path / "cats", "1.png", "b/ä 2.png", "notes.txt", "clip.mp3", ".hidden.png")
    file = tmp_path / "study.batchwright"
    table = write_archive(media_project(folder), file)
    assert table is not None
    assert (table.name, table.size) == ("data/cats", 2 * len(PICTURE))
    shutil.rmtree(folder)
    opened = read_archive(file, tmp_path / "tables")
    assert not opened.is_changed
    assert opened.project.data is not None
    assert opened.project.data.path.name == "cats"
    assert names_in(opened.project.data, tmp_path / "out") == ["1.png", "b/ä 2.png"]
    assert (opened.project.data.path / "b" / "ä 2.png").read_bytes() == PICTURE
    with zipfile.ZipFile(file) as archive:
        assert "data/cats/b/ä 2.png" in archive.namelist()
        assert archive.getinfo("data/cats/1.png").compress_type == zipfile.ZIP_STORED


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_only_chosen_pictures_are_saved_under_names_that_every_system_has(tmp_path: Path) -> None:
    folder = add(tmp_path / "cats", "a?.png", "A_.png", "b.png")
    file = tmp_path / "study.batchwright"
    write_archive(media_project(folder, files="A_.png\na?.png"), file)
    data = read_archive(file, tmp_path / "tables").project.data
    assert data is not None
    assert set(names_in(data, tmp_path / "out")) == {"A_.png", "a_ (2).png"}


def test_saving_media_again_counts_versions_and_replaced_ones_are_noticed(tmp_path: Path) -> None:
    folder, file = add(tmp_path / "cats", "1.png", "2.png"), tmp_path / "study.batchwright"
    write_archive(media_project(folder), file)
    again = write_archive(media_project(folder), file)
    assert again is not None
    assert again.version == 1
    add(folder, "3.png")
    changed = write_archive(media_project(folder), file)
    assert changed is not None
    assert changed.version == 2
    _rewrite(file, lambda name, content: content[:50] if name.endswith("2.png") else content)
    assert read_archive(file, tmp_path / "tables").is_changed


def test_media_that_are_gone_are_unpacked_again(tmp_path: Path) -> None:
    file = tmp_path / "study.batchwright"
    write_archive(media_project(add(tmp_path / "cats", "1.png", "2.png")), file)
    data = read_archive(file, tmp_path / "tables").project.data
    assert data is not None
    (data.path / "2.png").unlink()
    assert read_archive(file, tmp_path / "tables").project.data == data
    assert (data.path / "2.png").read_bytes() == PICTURE


def test_media_that_are_gone_are_saved_from_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "study.batchwright"
    write_archive(media_project(add(tmp_path / "cats", "1.png", "2.png")), path)
    opened, file = read_study(path)
    assert opened.data is not None
    (opened.data.path / "2.png").unlink()
    assert not has_changed(write_study(opened, file))
    assert read_study(path)[1].digest == file.digest
    assert (opened.data.path / "2.png").read_bytes() == PICTURE


@pytest.mark.parametrize(
    "name",
    [
        "data/cats/../../x.png",
        "data/cats/..\\x.png",
        "data/cats//x.png",
        "data/cats/x.exe",
        "data/cats/.x.png",
        "data/cats/1.PNG",
        "data/cats/1.png/x.png",
        "data/cats",
        "templates/a/x.png",
        f"data/{'a/' * 40}x.png",
    ],
)
def test_media_with_other_names_are_rejected(tmp_path: Path, name: str) -> None:
    file = tmp_path / "study.batchwright"
    write_archive(media_project(add(tmp_path / "cats", "1.png")), file)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, b"x")
    with pytest.raises(InvalidProjectFile):
        read_archive(file, tmp_path / "tables")
    assert not (tmp_path / "tables").exists()


def test_media_that_are_links_or_decompress_to_far_too_much_are_rejected(tmp_path: Path) -> None:
    file, bomb = tmp_path / "study.batchwright", tmp_path / "bomb.batchwright"
    write_archive(media_project(add(tmp_path / "cats", "1.png")), file)
    shutil.copy(file, bomb)
    link = zipfile.ZipInfo("data/cats/link.png")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"data/cats/{number}.svg", bytes(60 << 20))
    for path in (file, bomb):
        with pytest.raises(InvalidProjectFile):
            read_archive(path, tmp_path / "tables")
    assert not (tmp_path / "tables").exists()
