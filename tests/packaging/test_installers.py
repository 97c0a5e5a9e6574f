"""The files of the installers: icons, menu entry, file type, metadata, scripts."""

import configparser
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from tests.flows.program import ROOT
from tests.packaging.scripts import FOLDER, load_script

LINUX = FOLDER / "linux"
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the packages are for Linux")


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.fixture(autouse=True)
def scripts_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


@pytest.fixture
def icons(tmp_path: Path) -> Path:
    folder = tmp_path / "icons"
    load_script("app_icon").write_for_installers(folder)
    return folder


@pytest.fixture
def share(tmp_path: Path, icons: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    packages = load_script("linux_packages")
    monkeypatch.setattr(packages, "ICONS", icons)
    folder = tmp_path / "share"
    folder.mkdir()
    packages.write_share(folder)
    return folder


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder in place of the built program."""
    folder = tmp_path / "program"
    (folder / "_internal").mkdir(parents=True)
    for name in ("batchwright", "batchwright.exe"):
        (folder / name).write_text("#!/bin/sh\necho started\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    (folder / "batchwright-cli").symlink_to("batchwright")
    (folder / "_internal" / "library").write_text("content", encoding="utf-8")
    return folder


def menu_entry(path: Path) -> configparser.SectionProxy:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way to keep upper case
    entry.read(path, encoding="utf-8")
    return entry["Desktop Entry"]


@pytest.mark.gui
def test_the_menu_entry_opens_the_file_type_with_the_icons_of_the_theme(share: Path) -> None:
    entry = menu_entry(share / "applications/batchwright.desktop")
    name = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    root = ElementTree.parse(share / "mime/packages/batchwright.xml").getroot()
    type = root.find("m:mime-type", name)
    assert type is not None
    assert entry["MimeType"] == f"{type.get('type')};"
    icon, glob = type.find("m:icon", name), type.find("m:glob", name)
    assert icon is not None
    assert glob is not None
    assert glob.get("pattern") == "*.batchwright"
    for folder, icon_name in (("apps", entry["Icon"]), ("mimetypes", icon.get("name"))):
        found = {path.parents[1].name for path in (share / "icons/hicolor").glob(f"*/{folder}/{icon_name}.*")}
        sizes = {f"{size}x{size}" for size in (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)}
        assert found == {*sizes, "scalable"}


@pytest.mark.gui
@needs("desktop-file-validate")
def test_the_menu_entry_is_valid(share: Path) -> None:
    entry = share / "applications/batchwright.desktop"
    checked = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True)
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.mark.gui
@needs("appstreamcli")
def test_the_metadata_for_software_centres_is_valid(share: Path) -> None:
    (metainfo,) = (share / "metainfo").iterdir()
    command = ["appstreamcli", "validate", "--no-net", str(metainfo)]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.gui
def test_icons_for_windows_and_macos_contain_every_size(icons: Path) -> None:
    ico, icns = ((icons / f"batchwright.{suffix}").read_bytes() for suffix in ("ico", "icns"))
    assert ico.count(b"\x89PNG") == int.from_bytes(ico[4:6], "little") == 9
    assert [ico[6 + 16 * entry] for entry in range(9)] == [16, 20, 24, 32, 40, 48, 64, 128, 0]
    assert icns[:4] == b"icns"
    assert int.from_bytes(icns[4:8], "big") == len(icns)
    assert icns.count(b"\x89PNG") == 6


@pytest.mark.gui
@needs("makensis")
def test_the_script_of_the_windows_installer_compiles(icons: Path, program: Path, tmp_path: Path) -> None:
    setup = load_script("windows_packages").create_installer(program, tmp_path, icons)
    assert setup.read_bytes()[:2] == b"MZ"


@pytest.mark.gui
@needs("wixl")
@needs("msiinfo")
def test_the_msi_has_the_program_its_file_type_and_its_entry_in_the_menu(
    icons: Path, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = load_script("windows_msi")
    monkeypatch.setattr(packages, "BUILD", tmp_path / "build")
    package = packages.create_msi(program, tmp_path, icons)
    files = subprocess.check_output(["msiextract", "--list", package], text=True).splitlines()
    names = {"batchwright", "batchwright.exe", "_internal/library", "batchwright-study.ico"}
    assert set(files) >= {f"PFiles/Batchwright/{name}" for name in names}

    def table(name: str) -> str:
        return subprocess.check_output(["msiinfo", "export", package, name], text=True)

    assert '\t"[INSTALLDIR]batchwright.exe" "%1"\t' in table("Registry")
    assert "ProgramMenuFolder\tBatchwright\t" in table("Shortcut")
    assert "ALLUSERS\t1" in table("Property")
    assert "{" + str(packages.FAMILY).upper() + "}" in table("Upgrade")


def test_the_portable_archive_contains_the_program(program: Path, tmp_path: Path) -> None:
    archive = load_script("windows_packages").create_archive(program, tmp_path)
    with zipfile.ZipFile(archive) as file:
        (top,) = {Path(name).parts[0] for name in file.namelist()}
        assert file.read(f"{top}/_internal/library") == b"content"


@pytest.fixture
def unpacked(program: Path, share: Path, tmp_path: Path) -> Path:
    """The archive for Linux, unpacked; its program uses no libraries."""
    folder = tmp_path / "unpacked"
    plug_ins = folder / "program/_internal/PySide6/Qt/plugins/platforms"
    shutil.copytree(program, folder / "program", symlinks=True)
    shutil.copytree(share, folder / "share")
    shutil.copy(LINUX / "install.sh", folder)
    plug_ins.mkdir(parents=True)
    shutil.copy("/bin/true", plug_ins / "libqxcb.so")
    return folder


@linux_only
@needs("flatpak-builder")
def test_the_manifest_of_a_flatpak_has_the_archive_with_its_digest(tmp_path: Path) -> None:
    archive = tmp_path / "batchwright.tar.xz"
    archive.write_bytes(b"the program")
    manifest = load_script("linux_packages").create_flatpak_manifest(archive)
    command = ["flatpak-builder", "--show-manifest", manifest]
    read = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "Unknown property" not in read.stderr
    shown = json.loads(read.stdout)
    (source,) = shown["modules"][0]["sources"]
    assert (source["path"], source["sha256"]) == (archive.name, hashlib.sha256(b"the program").hexdigest())
    metainfo = ElementTree.parse(LINUX / "org.batchwright.Batchwright.metainfo.xml")
    assert shown["id"] == metainfo.findtext("id")
    assert (shown["rename-desktop-file"], shown["rename-icon"]) == ("batchwright.desktop", "batchwright")


def run_script(script: Path, home: Path, *options: str) -> str:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    command = [str(script), *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@linux_only
@pytest.mark.gui
def test_a_user_without_root_installs_and_uninstalls_the_program(unpacked: Path, tmp_path: Path) -> None:
    home = tmp_path / "home of ann & ben | R&D"
    study = home / ".local/share/Batchwright/batchwright.db"
    study.parent.mkdir(parents=True)
    study.touch()
    run_script(unpacked / "install.sh", home)
    again = run_script(unpacked / "install.sh", home)
    assert f"{home}/.local/bin to PATH" in again
    started = [home / ".local/bin" / name for name in ("batchwright", "batchwright-cli")]
    assert [subprocess.check_output([path]) for path in started] == [b"started\n"] * 2
    entry = menu_entry(home / ".local/share/applications/batchwright.desktop")
    assert entry["Exec"] == f'"{home}/.local/bin/batchwright" %F'
    run_script(home / ".local/lib/batchwright/uninstall.sh", home, "--uninstall")
    assert {path for path in home.rglob("*") if not path.is_dir()} == {study}


@linux_only
@pytest.mark.gui
def test_missing_libraries_are_named_before_anything_is_installed(unpacked: Path, tmp_path: Path) -> None:
    (unpacked / "program/_internal/PySide6/Qt/plugins/platforms/libqxcb.so").unlink()
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "ldd").write_text("#!/bin/sh\necho '\tlibxcb-cursor.so.0 => not found'\n", encoding="utf-8")
    (fake / "ldd").chmod(0o755)
    environment = {"HOME": str(tmp_path / "home"), "PATH": f"{fake}:{os.environ['PATH']}"}
    run = subprocess.run([unpacked / "install.sh"], env=environment, capture_output=True, text=True)
    assert run.returncode == 1
    assert "libxcb-cursor.so.0" in run.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the Pythons are shell scripts")
def test_programs_are_built_with_python_3_12_or_newer_and_its_shared_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    environment, pythons = load_script("build_environment"), load_script("pythons")
    found: dict[str, Path] = {}
    for answer in ("3 11 1", "3 12 0", "3 12 1"):
        found[answer] = tmp_path / answer.replace(" ", ".")
        found[answer].write_text(f"#!/bin/sh\necho {answer}\n", encoding="utf-8")
        found[answer].chmod(0o755)
    candidates = [tmp_path / "missing", *found.values()]
    monkeypatch.setattr(pythons, "_paths", lambda: iter(candidates))
    assert [python.path for python in pythons.recommended_pythons()] == [found["3 12 0"], found["3 12 1"]]
    monkeypatch.setattr(environment, "recommended_pythons", pythons.recommended_pythons)
    needs_library = sys.platform == "linux"
    assert environment.find_python() == found["3 12 1" if needs_library else "3 12 0"]


def test_the_breakdown_counts_every_file_once(program: Path) -> None:
    sizes = load_script("sizes").breakdown(program, {})
    assert sizes.total() == sum(path.stat().st_size for path in program.rglob("*") if is_own_file(path))


def test_modules_of_the_analysis_count_for_their_library(program: Path) -> None:
    script = load_script("sizes")
    without = script.breakdown(program, {})
    sizes = script.breakdown(program, {"pandas.core": 7, "batchwright.analysis.statistics.numbers": 5})
    assert sizes["pandas"] == 7
    assert sizes[script.EXECUTABLE] == without[script.EXECUTABLE] - 7
    assert sizes.total() == without.total()


@pytest.mark.parametrize(
    ("path", "group", "is_analysis"),
    [
        ("_internal/PySide6/Qt/lib/libicudata.so.73", "ICU, the Unicode data of Qt", False),
        ("_internal/_duckdb.abi3.so", "DuckDB", True),
        ("_internal/numpy.libs/libscipy_openblas64_-4b78795a.so", "NumPy", True),
        ("_internal/pandas/_libs/lib.cpython-312-x86_64-linux-gnu.so", "pandas", True),
        ("_internal/batchwright/bundled/samples/x.json", "fonts, templates and samples", False),
        ("licences/numpy/LICENSE.txt", "licences", False),
    ],
)
def test_files_are_grouped_by_their_paths(path: str, group: str, is_analysis: bool) -> None:
    sizes = load_script("sizes")
    assert sizes.group(path) == group
    assert sizes.is_analysis(group) == is_analysis


def is_own_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def test_the_workflow_builds_on_three_systems_with_python_3_12() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    systems = {entry["system"].partition("-")[0] for entry in jobs["build"]["strategy"]["matrix"]["include"]}
    assert systems == {"ubuntu", "windows", "macos"}
    steps = [step for job in jobs.values() for step in job["steps"]]
    versions = [step["with"]["python-version"] for step in steps if is_python(step)]
    assert versions == ["3.12", "3.12", "3.12"]
    commands = {
        step["run"].partition(" --")[0] for step in steps if step.get("run", "").startswith("python ")
    }
    assert commands == {"python packaging/start.py test", "python packaging/build.py"}


def test_the_shards_of_the_workflow_are_the_whole() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    test = yaml.safe_load(text)["jobs"]["test"]
    (command,) = [step["run"] for step in test["steps"] if "start.py" in step.get("run", "")]
    shards = test["strategy"]["matrix"]["shard"]
    assert f"--shard ${{{{ matrix.shard }}}}/{len(shards)} " in command
    assert shards == list(range(1, len(shards) + 1))


def is_python(step: dict[str, str]) -> bool:
    return step.get("uses", "").startswith("actions/setup-python")
