"""The packages for Windows: an installer by NSIS, and a portable archive.

The installer was compiled, but neither it nor the program was run on Windows.
"""

import os
import subprocess
import time
import zipfile
from pathlib import Path

from project import ICONS, ROOT, VERSION, reproducible_environment, source_time

SCRIPT = ROOT / "packaging" / "windows" / "batchwright.nsi"
CERTIFICATE = "BATCHWRIGHT_WINDOWS_CERTIFICATE"
"""The environment variable with the SHA-1 thumbprint of a certificate for signing, in the user's store."""


def create_packages(program: Path, out: Path) -> list[Path]:
    """Create the installer and the portable archive; returns their paths."""
    sign(*program.glob("*.exe"))
    setup = create_installer(program, out)
    sign(setup)
    return [setup, create_archive(program, out)]


def create_installer(program: Path, out: Path, icons: Path = ICONS) -> Path:
    """Compile the script of the installer; works on every system that has `makensis`."""
    setup = out / f"batchwright-{VERSION}-windows-x86_64-setup.exe"
    values = {"VERSION": VERSION, "PROGRAM": program, "ICONS": icons, "OUT": setup}
    definitions = [f"-D{name}={value}" for name, value in values.items()]
    command = ["makensis", "-V2", "-WX", *definitions, str(SCRIPT)]
    subprocess.run(command, check=True, env=reproducible_environment())
    return setup


def create_archive(program: Path, out: Path) -> Path:
    """Create the portable archive: it is unpacked anywhere and registers nothing."""
    name = f"batchwright-{VERSION}-windows-x86_64"
    archive = out / f"{name}-portable.zip"
    modified = time.gmtime(source_time())[:6]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(path for path in program.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(program).as_posix()}", modified)
            file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive


def sign(*files: Path) -> None:
    """Sign files if a certificate is given. Untested."""
    if thumbprint := os.environ.get(CERTIFICATE):
        server = "http://timestamp.digicert.com"
        command = ["signtool", "sign", "/sha1", thumbprint, "/fd", "SHA256", "/td", "SHA256", "/tr", server]
        subprocess.run([*command, *files], check=True)
