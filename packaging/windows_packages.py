"""The packages for Windows: an installer by NSIS, an MSI, and a portable archive.

`windows_check.py` runs them under Wine.
"""

import os
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

import windows_msi
from project import ICONS, ROOT, VERSION, reproducible_environment, source_time

SCRIPT = ROOT / "packaging" / "windows" / "batchwright.nsi"
CERTIFICATE = "BATCHWRIGHT_WINDOWS_CERTIFICATE"
"""The environment variable with the SHA-1 thumbprint of a certificate for signing, in the user's store."""


def create_packages(program: Path, out: Path, icons: Path = ICONS) -> list[Path]:
    """Create the installer, the portable archive and, with `wixl`, the MSI; returns their paths."""
    sign(*program.glob("*.exe"))
    installers = [create_installer(program, out, icons)]
    if shutil.which("wixl"):
        installers.append(windows_msi.create_msi(program, out, icons))
    sign(*installers)
    return [*installers, create_archive(program, out)]


def create_installer(
    program: Path, out: Path, icons: Path = ICONS, *, version: str = VERSION, target: str = ""
) -> Path:
    """Compile the script of the installer; works on every system that has `makensis`.

    Args:
        program: the folder of the program.
        out: the folder for the installer.
        icons: the folder with the icons.
        version: the version that the installer registers.
        target: the kind of program that the installer is; NSIS's usual one, of 32 bit, without it.
    """
    setup = out / f"batchwright-{version}-windows-x86_64-setup.exe"
    target_value = {"TARGET": target} if target else {}
    longest = max(len(f"/{path.relative_to(program)}") for path in program.rglob("*"))
    values = {"VERSION": version, "PROGRAM": program, "ICONS": icons, "LONGEST_PATH": longest, "OUT": setup}
    definitions = [f"-D{name}={value}" for name, value in (values | target_value).items()]
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
