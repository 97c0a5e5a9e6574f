"""Installs wheel and source archive with `pipx` and `uv tool`, and runs the program without the repository.

`python3 packaging/distribution_check.py` checks those in `dist`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from project import BUILD, DIST, SAMPLE

TOOLS = BUILD / "tools"
BIN = "Scripts" if os.name == "nt" else "bin"
INSTALLERS = {"*.whl": ("pipx", "install"), "*.tar.gz": ("uv", "tool", "install")}


def check_distributions() -> None:
    """Install each distribution for a user with an empty home folder, and let the program test itself."""
    if not TOOLS.exists():
        venv.create(TOOLS, with_pip=True)
        python = TOOLS / BIN / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pipx", "uv"], check=True)
    for pattern, installer in INSTALLERS.items():
        (file,) = DIST.glob(pattern)
        with tempfile.TemporaryDirectory() as home:
            check_distribution(file, installer, Path(home))


def check_distribution(file: Path, installer: tuple[str, ...], home: Path) -> None:
    """Install one file with a tool, run the program from the user's folder of programs."""
    print(f"{' '.join(installer)} {file.name}", flush=True)
    environment = user_environment(home)
    program, *arguments = installer
    install = [str(TOOLS / BIN / program), *arguments, str(file)]
    subprocess.run(install, check=True, env=environment, cwd=home)
    study = home / "study"
    shutil.copytree(SAMPLE, study)
    rehearse = ["rehearse", "--layout", "layout.json", "--schema", "schema.json", "--data", "records.csv"]
    for command in (["--version"], ["self-test"], [*rehearse, "--participants", "2", "--out", "out"]):
        started = [str(home / "bin" / "batchwright-cli"), *command]
        subprocess.run(started, check=True, env=environment, cwd=study)


def user_environment(home: Path) -> dict[str, str]:
    """The environment of a user without settings for Python; all tools write below `home`."""
    folders = {
        "HOME": "",
        "PIPX_HOME": "pipx",
        "PIPX_BIN_DIR": "bin",
        "UV_TOOL_DIR": "uv",
        "UV_TOOL_BIN_DIR": "bin",
    }
    python = {"UV_PYTHON": sys.executable, "PIPX_DEFAULT_PYTHON": sys.executable}
    own = ("PYTHON", "VIRTUAL_ENV", "BATCHWRIGHT")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    below = {name: str(home / folder) for name, folder in folders.items()}
    return {**inherited, **below, **python, "QT_QPA_PLATFORM": "offscreen"}


if __name__ == "__main__":
    check_distributions()
