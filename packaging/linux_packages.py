"""The packages for Linux: a `.deb`, a `.tar.xz` for users without root, and the manifest of a Flatpak."""

import gzip
import hashlib
import os
import platform
import shutil
import subprocess
import tarfile
import time
from email.utils import formatdate
from pathlib import Path

from app_icon import MENU_SIZES
from project import BUILD, ICONS, ROOT, VERSION, new_folder, reproducible_environment, source_time

FILES = ROOT / "packaging" / "linux"
FLATPAK = "org.batchwright.Batchwright.json"
METAINFO = "org.batchwright.Batchwright.metainfo.xml"
MAINTAINER = "The Batchwright authors <maintainers@batchwright.invalid>"
SUMMARY = "design, check and run annotation tasks"
DESCRIPTION = """Batchwright helps researchers to have data annotated by people: prompts and
model answers, images, recordings. It checks records and pages, uploads the
data, monitors every long job, and brings the answers back. A service on this
computer makes it possible to rehearse a study without an account."""
DEBIAN_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def create_packages(program: Path, out: Path) -> list[Path]:
    """Create the packages from the folder of the program; returns their paths."""
    share = new_folder(BUILD / "share")
    write_share(share)
    archive = create_archive(program, share, out)
    return [create_deb(program, share, out), archive, create_flatpak_manifest(archive)]


def write_share(share: Path) -> None:
    """Write what belongs below `share`: menu entry, icons, file type, AppStream metadata."""
    (share / "applications").mkdir()
    shutil.copy(FILES / "batchwright.desktop", share / "applications")
    (share / "mime" / "packages").mkdir(parents=True)
    shutil.copy(FILES / "batchwright.xml", share / "mime" / "packages")
    metainfo = (FILES / METAINFO).read_text(encoding="utf-8")
    date = time.strftime("%Y-%m-%d", time.gmtime(source_time()))
    (share / "metainfo").mkdir()
    (share / "metainfo" / METAINFO).write_text(
        metainfo.replace("@VERSION@", VERSION).replace("@DATE@", date), encoding="utf-8"
    )
    icons = (
        ("batchwright", "apps/batchwright"),
        ("batchwright-study", "mimetypes/application-x-batchwright-study"),
    )
    for name, place in icons:
        sizes = [(f"{size}x{size}", f"{name}-{size}.png") for size in MENU_SIZES]
        for folder, file in (*sizes, ("scalable", f"{name}.svg")):
            target = share / "icons" / "hicolor" / folder / f"{place}{Path(file).suffix}"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ICONS / file, target)


def create_deb(program: Path, share: Path, out: Path) -> Path:
    """Create the Debian package; the program is in `/usr/lib/batchwright`."""
    root = new_folder(BUILD / "deb")
    shutil.copytree(program, root / "usr/lib/batchwright", symlinks=True)
    shutil.copytree(share, root / "usr/share")
    (root / "usr/bin").mkdir()
    for name in ("batchwright", "batchwright-cli"):
        (root / "usr/bin" / name).symlink_to("../lib/batchwright/batchwright")
    _write_documentation(root / "usr/share")
    set_permissions(root)
    control = root / "DEBIAN"
    control.mkdir(mode=0o755)
    (control / "control").write_text(_control(root), encoding="utf-8")
    (control / "md5sums").write_text(_md5_sums(root), encoding="utf-8")
    set_times(root)
    package = out / f"batchwright_{VERSION}_{_architecture()}.deb"
    command: list[str | Path] = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package]
    subprocess.run(command, check=True, env=reproducible_environment(), stdout=subprocess.DEVNULL)
    return package


def _architecture() -> str:
    return DEBIAN_ARCHITECTURES.get(platform.machine(), platform.machine())


def _write_documentation(share: Path) -> None:
    documentation = share / "doc/batchwright"
    documentation.mkdir(parents=True)
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    (documentation / "copyright").write_text(
        f"{licence}\nThe licences of the bundled software are in /usr/lib/batchwright/licences.\n",
        encoding="utf-8",
    )
    date = formatdate(source_time())
    heading = f"batchwright ({VERSION}) stable; urgency=medium"
    changelog = f"{heading}\n\n  * See CHANGELOG.md.\n\n -- {MAINTAINER}  {date}\n"
    _write_compressed(documentation / "changelog.gz", changelog.encode())
    manual = share / "man/man1"
    manual.mkdir(parents=True)
    _write_compressed(manual / "batchwright.1.gz", (FILES / "batchwright.1").read_bytes())
    (manual / "batchwright-cli.1.gz").symlink_to("batchwright.1.gz")
    overrides = share / "lintian/overrides"
    overrides.mkdir(parents=True)
    shutil.copy(FILES / "lintian-overrides", overrides / "batchwright")


def _write_compressed(path: Path, content: bytes) -> None:
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def set_permissions(root: Path) -> None:
    """Make everything readable by all, writable by the owner, and only programs and libraries executable."""
    root.chmod(0o755)
    for path in root.rglob("*"):
        if not path.is_symlink():
            is_program = path.name == "batchwright" and path.parent.name in {"batchwright", "program"}
            executable = path.is_dir() or is_program or path.name == "install.sh"
            path.chmod(0o755 if executable else 0o644)


def set_times(root: Path) -> None:
    """Give everything the time of the commit: `dpkg-deb` only changes times that are later."""
    seconds = source_time()
    for path in (root, *root.rglob("*")):
        os.utime(path, (seconds, seconds), follow_symlinks=False)


def _control(root: Path) -> str:
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum((path.stat().st_size + 1023) // 1024 for path in files)
    indented = "".join(f" {line}\n" for line in DESCRIPTION.splitlines())
    fields = {
        "Package": "batchwright",
        "Version": VERSION,
        "Architecture": _architecture(),
        "Maintainer": MAINTAINER,
        "Installed-Size": size,
        "Depends": _dependencies(root),
        "Recommends": "fonts-dejavu-core, gnome-keyring",
        "Section": "science",
        "Priority": "optional",
        "Description": f"{SUMMARY}\n{indented}",
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items()).rstrip("\n") + "\n"


def _dependencies(root: Path) -> str:
    """The packages of the libraries that the program uses and does not bundle."""
    folder = BUILD / "shlibdeps"
    new_folder(folder / "debian")
    (folder / "debian" / "control").write_text(
        "Source: batchwright\n\nPackage: batchwright\nArchitecture: any\n"
    )
    internal = root / "usr/lib/batchwright/_internal"
    libraries = [path for path in internal.rglob("*.so*") if path.is_file() and not path.is_symlink()]
    folders = {f"-l{path.parent}" for path in libraries}
    command: list[str | Path] = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", *sorted(folders)]
    command += [f"-e{path}" for path in sorted(libraries)]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if shown.returncode:
        raise SystemExit(f"The dependencies of the package could not be determined:\n{shown.stderr}")
    return shown.stdout.strip().removeprefix("shlibs:Depends=")


def _md5_sums(root: Path) -> str:
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n"
        for path in files
    )


def create_archive(program: Path, share: Path, out: Path) -> Path:
    """Create the archive with the program, its menu entry and the script that installs them."""
    name = f"batchwright-{VERSION}-linux-{platform.machine()}"
    root = new_folder(BUILD / "archive") / name
    shutil.copytree(program, root / "program", symlinks=True)
    shutil.copytree(share, root / "share")
    shutil.copy(FILES / "install.sh", root)
    set_permissions(root)
    archive = out / f"{name}.tar.xz"
    paths = sorted(path.relative_to(root.parent) for path in (root, *root.rglob("*")))
    with tarfile.open(archive, "w:xz") as file:
        for path in paths:
            file.add(root.parent / path, str(path), recursive=False, filter=_without_owner)
    return archive


def create_flatpak_manifest(archive: Path) -> Path:
    """Create the manifest of a Flatpak beside the archive that has the program."""
    manifest = (FILES / FLATPAK).read_text(encoding="utf-8")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    path = archive.parent / f"batchwright-{VERSION}-flatpak-{platform.machine()}.json"
    path.write_text(manifest.replace("@ARCHIVE@", archive.name).replace("@SHA256@", digest), encoding="utf-8")
    return path


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = source_time()
    return entry
