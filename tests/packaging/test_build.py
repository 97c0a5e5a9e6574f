"""The complete build: the installers, and the wheel in environments of its own, without the repository."""

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.flows.program import ROOT, SAMPLE
from tests.packaging.scripts import FOLDER, load_script

pytestmark = pytest.mark.long


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


@pytest.mark.timeout(3600)
def test_the_built_program_is_installed_tested_and_removed() -> None:
    if load_script("build_environment").find_python() is None:
        pytest.skip("released programs are built with Python 3.12 or newer, which is not on this computer")
    subprocess.run([sys.executable, FOLDER / "build.py"], check=True, cwd=ROOT)
    suffixes = {path.suffix for path in (ROOT / "dist").iterdir()}
    assert suffixes >= {".deb", ".xz", ".whl", ".gz", ".json", ""}
    document = json.loads(next((ROOT / "dist").glob("*.cdx.json")).read_text(encoding="utf-8"))
    assert {"Qt", "Python", "pydantic", "OpenSSL"} <= {entry["name"] for entry in document["components"]}
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], check=True, cwd=ROOT / "dist")


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive."""
    folder = tmp_path_factory.mktemp("distributions")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs `pipx` and `uv`, in an environment of their own."""
    folder = tmp_path_factory.mktemp("tools")
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "pip", "install", "--quiet", "pipx", "uv"], check=True)
    return folder / "bin"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("installer", ["pipx install", "uv tool install"])
@pytest.mark.parametrize("suffix", ["whl", "tar.gz"])
def test_the_program_runs_without_the_repository(
    installer: str, suffix: str, distributions: Path, tools: Path, tmp_path: Path
) -> None:
    (file,) = distributions.glob(f"*.{suffix}")
    folders = {"HOME": tmp_path, "PIPX_HOME": tmp_path / "pipx", "UV_TOOL_DIR": tmp_path / "uv"}
    targets = {"PIPX_BIN_DIR": tmp_path / "bin", "UV_TOOL_BIN_DIR": tmp_path / "bin"}
    environment = {
        **{
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
        },
        **{name: str(path) for name, path in (folders | targets).items()},
        "UV_PYTHON": sys.executable,
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "QT_QPA_PLATFORM": "offscreen",
    }
    program, *arguments = installer.split()
    install = [str(tools / program), *arguments, str(file)]
    subprocess.run(install, check=True, env=environment, cwd=tmp_path)
    studies = tmp_path / "study"
    shutil.copytree(SAMPLE, studies)
    options = ["--layout", "layout.json", "--schema", "schema.json", "--data", "records.csv"]
    for command in (
        ["--version"],
        ["self-test"],
        ["rehearse", *options, "--participants", "2", "--out", "out"],
    ):
        started = [str(tmp_path / "bin" / "batchwright-cli"), *command]
        ended = subprocess.run(started, env=environment, cwd=studies, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert (studies / "out" / "export.zip").exists()
