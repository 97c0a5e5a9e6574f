"""Folders and selections of media as tables."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from batchwright.base.json_values import Json, parse
from batchwright.base.local_media import LOCAL_MEDIA, find_file
from batchwright.base.resources import resource
from batchwright.data_files.conversion.conversion import Conversion, read_conversion, write_conversion
from batchwright.data_files.conversion.convert import ConversionStart, convert
from batchwright.data_files.file_types import FileType, type_of
from batchwright.data_files.profiling import FileProfile
from batchwright.data_files.rows import UnreadableFile
from batchwright.data_files.source_stamps import source_stamp
from batchwright.data_files.sources.media_folder import select_files
from batchwright.data_files.sources.source import SourceOptions
from batchwright.schema.model import FieldType

PICTURE = resource("samples", "media", "pictures", "tram.png").read_bytes()


def add(folder: Path, *names: str, content: bytes = PICTURE) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "pictures"


def records(folder: Path, **options: object) -> tuple[list[Mapping[str, Json]], tuple[str, ...]]:
    """The records of a folder, and the notes about it."""
    target = folder.parent / "out.jsonl"
    conversion = Conversion(SourceOptions().with_values(options))  # type: ignore[arg-type]
    converted = convert(folder, conversion, target, lambda _message: None)
    return [parse(line) for line in target.read_text().splitlines()], converted.notes  # type: ignore[misc]


def names(folder: Path, **options: object) -> list[Json]:
    return [record["file_name"] for record in records(folder, **options)[0]]


def test_a_picture_is_a_row_with_name_address_size_type_width_and_height(folder: Path) -> None:
    (record,), notes = records(add(folder, "a tram.png"))
    address = str(record.pop("picture"))  # type: ignore[attr-defined]
    assert record == {
        "file_name": "a tram.png",
        "size": len(PICTURE),
        "media_type": "image/png",
        "width": 600,
        "height": 400,
    }
    assert address.startswith(LOCAL_MEDIA)
    assert address.endswith("/a%20tram.png")
    assert notes == ()


def test_names_are_in_natural_order_with_those_of_subfolders(folder: Path) -> None:
    add(folder, "p10.png", "p9.png", "P1.png", "b/p2.png")
    assert names(folder) == ["b/p2.png", "P1.png", "p9.png", "p10.png"]
    assert names(folder, subfolders=0) == ["P1.png", "p9.png", "p10.png"]


def test_hidden_and_other_files_are_left_out_and_counted(folder: Path, tmp_path: Path) -> None:
    add(folder, "a.png", ".hidden.png", ".git/b.png", "Thumbs.db", "notes.txt", "clip.mp3")
    add(tmp_path, "secret.png")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    _records, notes = records(folder)
    assert names(folder) == ["a.png"]
    assert notes == (
        "1 file of another medium is left out.",
        "1 file is no medium and is left out.",
        "3 hidden files are left out.",
        "1 link leads out of the folder and is left out.",
    )


def test_the_most_frequent_medium_is_proposed_and_others_can_be_chosen(folder: Path) -> None:
    add(folder, "a.mp3", "b.mp3", "c.png")
    assert names(folder) == ["a.mp3", "b.mp3"]
    assert names(folder, medium="picture") == ["c.png"]
    started: list[ConversionStart] = []
    convert(
        folder,
        Conversion(),
        folder.parent / "out.jsonl",
        lambda message: started.append(message) if isinstance(message, ConversionStart) else None,
    )
    choice, *_others = started[0].choices
    assert [text for _value, text in choice.values] == ["Pictures", "Recordings"]
    assert choice.current == "recording"


@pytest.mark.parametrize(
    ("name", "type"),
    [("a.jpg", FieldType.IMAGE_URL), ("a.WAV", FieldType.AUDIO_URL), ("a.mp4", FieldType.VIDEO_URL)],
)
def test_the_address_is_proposed_as_a_field_of_its_medium_and_the_rest_as_metadata(
    folder: Path, name: str, type: FieldType
) -> None:
    profiles: list[FileProfile] = []
    convert(
        add(folder, name, f"other {name}"),
        Conversion(),
        folder.parent / "out.jsonl",
        lambda message: profiles.append(message) if isinstance(message, FileProfile) else None,
    )
    types = {field.type for field in profiles[0].proposal.schema.fields.values()}
    assert types == {type, FieldType.METADATA}


def test_a_base_address_turns_names_into_addresses_on_the_web(folder: Path) -> None:
    add(folder, "ä/1 #.png")
    (record,), _notes = records(folder, base_address="https://example.org/study/")
    assert record["picture"] == "https://example.org/study/%C3%A4/1%20%23.png"


def test_files_chosen_in_several_folders_are_paths_in_the_folder_of_all(folder: Path) -> None:
    add(folder, "a/1.png", "b/2.png", "b/3.png")
    common, options = select_files([folder / "b/2.png", folder / "a/1.png"])
    assert common == folder
    assert names(folder, files=options.files) == ["a/1.png", "b/2.png"]


def test_files_that_are_no_pictures_are_named(folder: Path) -> None:
    add(folder, "a.png")
    add(folder, "b.png", content=b"words")
    found, notes = records(folder)
    assert [record.get("width") for record in found] == [600, None]
    assert notes == ("1 file is damaged or no picture: “b.png”.",)


def test_a_folder_without_media_is_no_source(folder: Path) -> None:
    assert type_of(add(folder, "notes.txt")) is FileType.FOLDER
    assert type_of(add(folder, "deep/er/a.png")) is FileType.MEDIA_FOLDER
    with pytest.raises(UnreadableFile, match="contains no pictures"):
        records(folder, subfolders=0)
    add(folder, "layout.json")
    assert type_of(folder) is FileType.FOLDER


def test_the_options_are_read_as_they_were_written() -> None:
    options = SourceOptions(
        files="a.png\nb.png", subfolders=0, medium="picture", base_address="https://x.org/"
    )
    assert read_conversion(write_conversion(Conversion(options))) == Conversion(options)


@pytest.mark.parametrize(
    "path",
    [
        "../secret.png",
        "a/../../secret.png",
        "/etc/passwd.png",
        "",
        ".",
        "..",
        "a//b.png",
        ".hidden.png",
        ".git/b.png",
        "notes.txt",
        "link.png",
        "linked/secret.png",
        "a\0.png",
        "..\\secret.png",
        "missing.png",
    ],
)
def test_a_path_never_leads_out_of_the_folder(folder: Path, tmp_path: Path, path: str) -> None:
    add(tmp_path, "secret.png", "elsewhere/secret.png")
    add(folder, "a/b.png", ".hidden.png", ".git/b.png", "notes.txt")
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    assert find_file(folder, "a/b.png") == (folder / "a/b.png").resolve()
    assert find_file(folder, path) is None


def test_the_stamp_of_a_selection_changes_with_its_files_only(folder: Path) -> None:
    add(folder, "a/1.png", "a/2.png")
    chosen = Conversion(SourceOptions(files="a/1.png"))
    before, whole = source_stamp(folder, chosen), source_stamp(folder, None)
    add(folder, "a/3.png", "notes.txt")
    assert source_stamp(folder, chosen) == before
    assert source_stamp(folder, None) != whole
    add(folder, "a/1.png", content=PICTURE[:9])
    assert source_stamp(folder, chosen) != before
